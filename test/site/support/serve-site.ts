// Builds and serves the site once for all page tests of both projects, and starts one browser for them.

import { chromium } from 'playwright';
import { build, preview } from 'vite';
import type { TestProject } from 'vitest/node';
import { chromiumArgs, findBrowser } from '../../../scripts/browser.mjs';

/** Separate from the folder of a manual build. */
export const OUT_DIR = 'node_modules/.cache/site-under-test';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the built site, with a trailing slash. */
    siteAddress: string;
    browserAddress: string;
  }
}

/** The built site and the browser that opens it. */
interface Served {
  readonly siteAddress: string;
  readonly browserAddress: string;
  /** Projects that use it. */
  users: number;
  close(): Promise<void>;
}

// Each project loads this module anew.
const shared = globalThis as typeof globalThis & { servedSite?: Promise<Served> | undefined };

export default async function serveSite(project: TestProject): Promise<() => Promise<void>> {
  const served = await (shared.servedSite ??= serve());
  served.users++;
  project.provide('siteAddress', served.siteAddress);
  project.provide('browserAddress', served.browserAddress);
  return async () => {
    if (--served.users > 0) return;
    shared.servedSite = undefined;
    await served.close();
  };
}

async function serve(): Promise<Served> {
  await build({ logLevel: 'warn', build: { outDir: OUT_DIR, emptyOutDir: true } });
  const server = await preview({ logLevel: 'warn', build: { outDir: OUT_DIR }, preview: { port: 0, host: '127.0.0.1' } });
  const executablePath = findBrowser();
  // Composes pages on the CPU: the software renderer would take longer than Skia.
  const args = [...chromiumArgs, '--disable-gpu-compositing'];
  const browser = await chromium.launchServer({ args, ...(executablePath === undefined ? {} : { executablePath }) });
  return {
    siteAddress: server.resolvedUrls!.local[0],
    browserAddress: browser.wsEndpoint(),
    users: 0,
    async close() {
      await browser.close();
      await server.close();
    },
  };
}
