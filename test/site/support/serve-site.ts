// Builds and serves the site once for all page tests of both projects, and starts a browser for each project. The tests
// in Node do not wait for the build: until-built.ts does.

import { type ChildProcess, execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserServer, chromium } from 'playwright';
import { preview } from 'vite';
import type { TestProject } from 'vitest/node';
import { chromiumArgs, findBrowser } from '../../../scripts/browser.mjs';
import { BUILD_ERROR, EMPTY_PAGE, OUT_DIR } from './site-files.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the built site, with a trailing slash. */
    siteAddress: string;
    browserAddress: string;
  }
}

/** The built site. */
interface Served {
  readonly siteAddress: string;
  /** Projects that use it. */
  users: number;
  close(): Promise<void>;
}

// Each project loads this module anew.
const shared = globalThis as typeof globalThis & { servedSite?: Promise<Served> | undefined };

export default async function serveSite(project: TestProject): Promise<() => Promise<void>> {
  const served = await (shared.servedSite ??= serve());
  served.users++;
  const browser = await startBrowser(project.name === 'site' ? ['--js-flags=--no-turbofan'] : []);
  project.provide('siteAddress', served.siteAddress);
  project.provide('browserAddress', browser.wsEndpoint());
  return async () => {
    await browser.close();
    if (--served.users > 0) return;
    shared.servedSite = undefined;
    await served.close();
  };
}

/**
 * The browser of the project that measures times optimizes scripts as any. In the other one no page lasts so long that
 * its scripts are worth the second optimizing compiler, which takes a sixth of the CPU time of a page.
 */
function startBrowser(flags: readonly string[]): Promise<BrowserServer> {
  const executablePath = findBrowser();
  // Composes pages on the CPU: the software renderer would take longer than Skia.
  return chromium.launchServer({
    args: [...chromiumArgs, '--disable-gpu-compositing', ...flags],
    ...(executablePath === undefined ? {} : { executablePath }),
  });
}

async function serve(): Promise<Served> {
  rmSync(OUT_DIR, { recursive: true, force: true });
  mkdirSync(OUT_DIR, { recursive: true });
  const building = build();
  // The site does not change while it is tested: pages of one context load each file once.
  const server = await preview({
    logLevel: 'warn',
    build: { outDir: OUT_DIR },
    preview: { port: 0, host: '127.0.0.1', headers: { 'Cache-Control': 'max-age=3600' } },
  });
  return { siteAddress: server.resolvedUrls!.local[0], users: 0, close };

  async function close(): Promise<void> {
    building.kill();
    await server.close();
  }
}

/** In a process of its own: that of Vitest answers its workers meanwhile. */
function build(): ChildProcess {
  const values = ['node_modules/vite/bin/vite.js', 'build', '--outDir', OUT_DIR, '--logLevel', 'warn'];
  return execFile(process.execPath, values, (error, stdout, stderr) => {
    process.stderr.write(stderr);
    if (error === null) writeFileSync(join(OUT_DIR, EMPTY_PAGE), '');
    else writeFileSync(join(OUT_DIR, BUILD_ERROR), `${error.message}\n${stdout}${stderr}`);
  });
}
