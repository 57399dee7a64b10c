// Vite plugin that serves the API reference under /reference/, beside the demos. It is built at the first request if it
// is not there yet; `npm run build:site` writes it into the site instead.
import { createReadStream, existsSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import type { Connect, Plugin } from 'vite';
import { buildReference } from './reference.mjs';

/** Where the reference lies if the site does not contain it. */
export const REFERENCE = 'node_modules/.cache/reference';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};

export function referencePlugin(): Plugin {
  let isBuilt: Promise<string> | null = null;

  function serve(middlewares: Connect.Server): void {
    middlewares.use('/reference', (request, response, next) => {
      const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
      const file = join(REFERENCE, path.endsWith('/') ? `${path}index.html` : path);
      isBuilt ??= existsSync(join(REFERENCE, 'index.html')) ? Promise.resolve('') : buildReference(REFERENCE);
      isBuilt.then(() => {
        if (!existsSync(file)) return next();
        response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream');
        createReadStream(file).pipe(response);
      }, next);
    });
  }

  return {
    name: 'reference',
    configureServer: ({ middlewares }) => serve(middlewares),
    configurePreviewServer({ middlewares, config }) {
      if (!existsSync(join(config.build.outDir, 'reference'))) serve(middlewares);
    },
  };
}
