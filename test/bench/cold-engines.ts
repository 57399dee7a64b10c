/** The cold rows in Firefox and WebKit: each figure comes from a browser that was started for it. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'vite';
import { ENGINES, EngineProvider } from '../engines/browsers.ts';
import type { Measure } from './cold.ts';
import type { Measured } from './cold-tasks.ts';

const OUT_DIR = 'node_modules/.cache/cold-page';
/** Browsers give a page that shares nothing with others a finer clock: 20 us in WebKit. */
const HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cache-Control': 'no-store',
};

/** Builds the page and serves it; `close` ends that. */
export async function inEngine(
  engine: keyof typeof ENGINES,
  bodies: number,
): Promise<{ measure: Measure; close(): void }> {
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: OUT_DIR,
      emptyOutDir: true,
      target: 'es2022',
      chunkSizeWarningLimit: Infinity,
      rolldownOptions: { input: { page: 'test/bench/cold-page.ts' }, output: { entryFileNames: '[name].js' } },
    },
  });
  let onMeasured: ((body: string) => void) | null = null;
  const server = createServer((request: IncomingMessage, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    if (request.method === 'POST') {
      void text(request).then((body) => onMeasured?.(body));
      response.writeHead(204, HEADERS).end();
    } else if (pathname === '/') {
      response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/html' });
      response.end('<!doctype html><script type="module" src="/page.js"></script>');
    } else if (pathname.endsWith('.js')) {
      response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/javascript' });
      response.end(readFileSync(join(OUT_DIR, pathname)));
    } else response.writeHead(404, HEADERS).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const browser = new EngineProvider(ENGINES[engine]);
  const measure: Measure = async (name, task) => {
    const measured = new Promise<string>((resolve) => (onMeasured = resolve));
    const query = new URLSearchParams({ name, task, bodies: String(bodies) });
    await browser.openPage('', `http://127.0.0.1:${port}/?${query}`);
    const result = JSON.parse(await measured) as Measured | { error: string } | null;
    await browser.close();
    if (result !== null && 'error' in result) throw new Error(`${task} of ${name} in ${engine}: ${result.error}`);
    return result;
  };
  return { measure, close: () => void server.close() };
}
