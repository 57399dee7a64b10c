// Builds and serves the site once for all page tests, and starts one browser for them.

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

export default async function serveSite(project: TestProject): Promise<() => Promise<void>> {
  await build({ logLevel: 'warn', build: { outDir: OUT_DIR, emptyOutDir: true } });
  const server = await preview({ logLevel: 'warn', build: { outDir: OUT_DIR }, preview: { port: 0, host: '127.0.0.1' } });
  const executablePath = findBrowser();
  // Composes pages on the CPU: the software renderer would take longer than Skia.
  const args = [...chromiumArgs, '--disable-gpu-compositing'];
  const browser = await chromium.launchServer({ args, ...(executablePath === undefined ? {} : { executablePath }) });
  project.provide('siteAddress', server.resolvedUrls!.local[0]);
  project.provide('browserAddress', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await server.close();
  };
}
