// Serves the page that joins the world, on this machine only.

import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import type { Entity } from '../world.ts';
import type { PageSettings } from './page.ts';
import { freePort } from './redis.ts';

/** Numbers of an entity in the map: region, id, x, z. */
const NUMBERS = 4;

/**
 * @param map The latest place of each entity, by id. What only an onlooker knows: a client is never told it.
 * @param isDown Whether a region is down.
 * @param kill Kills a region and starts it again.
 * @returns The address of the page.
 */
export async function servePage(
  settings: PageSettings,
  map: ReadonlyMap<number, { readonly entity: Entity; readonly region: number }>,
  isDown: (region: number) => boolean,
  kill: (region: number) => Promise<void>,
): Promise<string> {
  const source = fileURLToPath(new URL('./page.ts', import.meta.url));
  const { outputFiles } = buildSync({
    entryPoints: [source],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
  });
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>World server</title><body><script>globalThis.SETTINGS = ${JSON.stringify(settings)}</script>
<script type="module" src="/page.js"></script></body></html>`;
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  createServer((request, response) => {
    const answer = (type: string, body: string | Uint8Array): void => {
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
    };
    const { pathname, searchParams } = new URL(request.url ?? '/', address);
    if (request.method === 'POST' && pathname === '/kill' && request.headers.origin === address) {
      const region = Number(searchParams.get('region'));
      if (Number.isInteger(region) && region >= 0 && region < settings.names.length) kill(region).catch(() => {});
      answer('text/plain', '');
    } else if (pathname === '/') answer('text/html', html);
    else if (pathname === '/page.js') answer('text/javascript', outputFiles[0].contents);
    else if (pathname === '/map') {
      const numbers = new Uint16Array(NUMBERS * map.size);
      let at = 0;
      for (const { entity, region } of map.values()) {
        numbers.set([region + (isDown(region) ? 256 : 0), entity.id, entity.x, entity.z], at);
        at += NUMBERS;
      }
      answer('application/octet-stream', new Uint8Array(numbers.buffer));
    } else response.writeHead(404).end();
  }).listen(port, '127.0.0.1');
  return address;
}
