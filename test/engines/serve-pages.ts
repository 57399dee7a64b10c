// Builds and serves the site for pages.test.ts. Each page reports its errors and its frames to the window around it.

import { build, preview, type Plugin } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the built site, with a trailing slash. */
    pagesAddress: string;
  }
}

const OUT_DIR = 'node_modules/.cache/site-for-engines';

/** What a page tells the window around it. */
export interface PageMessage {
  /** Uncaught exceptions, rejected promises without a handler, and errors in the console. */
  readonly errors: readonly string[];
  /** Frames since the page was loaded. */
  readonly frames: number;
}

/** Runs first in each page. It is copied into it as text, and uses nothing around it. */
function report(): void {
  const errors: string[] = [];
  let [frames, isLoaded] = [0, false];
  const tell = (): void => parent.postMessage({ errors, frames }, '*');
  const add = (error: unknown): void => {
    errors.push(error instanceof Error ? `${error.message} ${error.stack ?? ''}` : String(error));
    tell();
  };
  addEventListener('error', (event) => add(event.error ?? event.message));
  addEventListener('unhandledrejection', (event) => add(event.reason));
  console.error = (...values: unknown[]): void => add(values.map(String).join(' '));
  addEventListener('load', () => (isLoaded = true));
  const count = (): void => {
    if (isLoaded) frames++;
    tell();
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
}

const reporter: Plugin = {
  name: 'report-to-parent',
  transformIndexHtml: () => [{ tag: 'script', children: `(${report.toString()})()`, injectTo: 'head-prepend' }],
};

interface Served {
  readonly address: string;
  /** Engines that use it. */
  users: number;
  close(): Promise<void>;
}

// Each project loads this module anew.
const shared = globalThis as typeof globalThis & { servedPages?: Promise<Served> | undefined };

/** Serves the site once for all engines. */
export default async function servePages(project: TestProject): Promise<() => Promise<void>> {
  const served = await (shared.servedPages ??= serve());
  served.users++;
  project.provide('pagesAddress', served.address);
  return async () => {
    if (--served.users > 0) return;
    shared.servedPages = undefined;
    await served.close();
  };
}

async function serve(): Promise<Served> {
  await build({ logLevel: 'warn', plugins: [reporter], build: { outDir: OUT_DIR, emptyOutDir: true } });
  const server = await preview({
    logLevel: 'warn',
    build: { outDir: OUT_DIR },
    // A window on another port may show the pages.
    preview: { port: 0, host: 'localhost', headers: { 'Cross-Origin-Resource-Policy': 'cross-origin' } },
  });
  return { address: server.resolvedUrls!.local[0], users: 0, close: () => server.close() };
}
