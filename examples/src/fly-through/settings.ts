// The settings of the page, and how its URL sets them.

import type { HelperOutline } from '../../../src/three/index.ts';
import type { QueryReader } from '../shared/query-reader.ts';
import type { CellChoice } from './cull-cells.ts';
import type { DataSet, DataSetName } from './data-set.ts';

export interface Settings {
  data: DataSetName;
  count: number;
  /** The far plane of the cull, in units of the data set. */
  far: number;
  looseness: number;
  leafCapacity: number;
  /** Also culls by brute force, ten times per second, and checks that both find the same bodies. */
  compare: boolean;
  cells: CellChoice;
  outline: HelperOutline;
  /** Keeps the culling camera in place while the drawing camera moves on. */
  freeze: boolean;
  /** Flies along the automatic path. */
  path: boolean;
  /** Start of the flight on the path, 0 to 1. */
  start: number;
  speed: number;
  /** Shows the inset. */
  observer: boolean;
  /** Shows the whole world from far away in the large view. */
  whole: boolean;
}

export const RANGES = {
  looseness: { low: 1, high: 4, step: 0.25, start: 2 },
  leafCapacity: { low: 1, high: 128, step: 1, start: 16 },
  speed: { low: 0.1, high: 5, step: 0.1, start: 1 },
} as const;

/**
 * Reads the settings from the page's query string, for instance `?data=city&count=50000&far=3000&path=off`:
 * data (cities, city), count, far, looseness, leaf, cells (off, decided, all or a depth), start (0 to 1 along the path),
 * and path, compare, freeze, observer, whole (on, off).
 */
export function readSettings(query: QueryReader, dataSets: Readonly<Record<DataSetName, DataSet>>): Settings {
  const data = query.choice('data', ['cities', 'city'], 'cities');
  const { counts, far } = dataSets[data];
  const depth = query.integer('cells', { low: 0, high: 20, start: -1 });
  return {
    data,
    count: query.count('count', counts, startCount(dataSets[data])),
    far: query.number('far', far),
    looseness: query.number('looseness', RANGES.looseness),
    leafCapacity: query.integer('leaf', { ...RANGES.leafCapacity, high: 256 }),
    compare: query.isOn('compare', true),
    cells: depth >= 0 ? depth : query.choice<'off' | 'decided' | 'all'>('cells', ['off', 'decided', 'all'], 'decided'),
    outline: 'cell',
    freeze: query.isOn('freeze', false),
    path: query.isOn('path', !query.reducesMotion),
    start: query.number('start', { low: 0, high: 1, start: 0 }),
    speed: RANGES.speed.start,
    observer: query.isOn('observer', true),
    whole: query.isOn('whole', false),
  };
}

/** All real places, or 100,000 buildings. */
export const startCount = ({ name, counts }: DataSet): number => (name === 'cities' ? counts.at(-1)! : 100_000);
