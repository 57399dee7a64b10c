/**
 * A static server without any knowledge of packages. Under /strict/ it serves the same files with a strict content
 * security policy.
 */

import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
/** No 'wasm-unsafe-eval': WebAssembly must not be compiled. */
const POLICY = "default-src 'self'; img-src data:";

export interface FolderServer {
  /** With a trailing slash. */
  readonly open: string;
  readonly strict: string;
  close(): void;
}

export async function serveFolder(folder: string): Promise<FolderServer> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url!, 'http://localhost').pathname);
    const [, mode, ...parts] = path.split(/[\\/]/);
    if (mode === 'strict') response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('Content-Type', TYPES[extname(path)] ?? 'application/octet-stream');
    createReadStream(join(folder, ...parts))
      .on('error', () => response.writeHead(404).end())
      .pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { open: `${address}/open/`, strict: `${address}/strict/`, close: () => void server.close() };
}
