// Vite plugin that writes the tiles of the page Tiles: `import url from 'virtual:city-tiles'` gives the URL of its
// tileset. They are written once, in 20 s, and kept in node_modules/.cache until the code that writes them changes.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Plugin, runnerImport } from 'vite';

const MODULE = 'virtual:city-tiles';
const CACHE = 'node_modules/.cache/city-tiles';
const DEV_PATH = '/@city-tiles/';
/** Hosts do not compress files with this ending, or say that they are compressed: the page unpacks them. */
const PACKED = '.bin';
const FIRST = `tileset.json${PACKED}`;

export function cityTilesPlugin(): Plugin {
  let isBuild = false;
  let written: Promise<string> | undefined;
  return {
    name: 'city-tiles',
    configResolved(config) {
      isBuild = config.command === 'build';
    },
    resolveId: (id) => (id === MODULE ? `\0${id}` : undefined),
    async load(id) {
      if (id !== `\0${MODULE}`) return undefined;
      if (!isBuild) return `export default '${DEV_PATH}${FIRST}';`;
      const folder = await (written ??= writtenFolder());
      let first = '';
      for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!path.endsWith(PACKED)) continue;
        const fileName = `assets/city-${folder.slice(-8)}/${path.replaceAll('\\', '/')}`;
        const file = this.emitFile({ type: 'asset', fileName, source: readFileSync(join(folder, path)) });
        if (path === FIRST) first = file;
      }
      return `export default import.meta.ROLLUP_FILE_URL_${first};`;
    },
    configureServer(server) {
      server.middlewares.use(DEV_PATH, (request, response, next) => {
        (written ??= writtenFolder()).then((folder) => {
          const path = join(folder, new URL(request.url!, 'http://localhost').pathname);
          if (!existsSync(path)) return next();
          response.setHeader('Content-Type', 'application/octet-stream');
          return response.end(readFileSync(path));
        }, next);
      });
    },
  };
}

/** The folder with the files, named after a hash of the code that writes them. */
async function writtenFolder(): Promise<string> {
  const script = './scripts/write-city.ts';
  const { module, dependencies } = await runnerImport<typeof import('./write-city.ts')>(script);
  const hash = createHash('sha256').update(readFileSync('node_modules/meshoptimizer/package.json'));
  for (const file of [script, ...dependencies].sort()) hash.update(readFileSync(file));
  const folder = join(CACHE, hash.digest('hex').slice(0, 8));
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}-${process.pid}`;
  for (const [path, bytes] of await module.writeCity()) {
    const file = join(unfinished, path + PACKED);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  // Another process may have been faster.
  if (existsSync(folder)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, folder);
  return folder;
}
