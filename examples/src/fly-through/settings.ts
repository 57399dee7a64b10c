// The settings of the page, and how its URL sets them.

import type { HelperOutline } from '../../../src/three.ts';
import type { QueryReader } from '../shared/query-reader.ts';
import type { DataSet, DataSetName } from './data-set.ts';

export const RANGES = {
  looseness: { low: 1, high: 4, step: 0.25, start: 2 },
  leafCapacity: { low: 1, high: 128, step: 1, start: 16 },
  speed: { low: 0.1, high: 5, step: 0.1, start: 1 },
} as const;

/**
 * Reads the settings from the page's query string, for instance `?data=city&count=50000&far=3000&path=off`: data
 * (cities, city), count, far, looseness, leaf, cells (off, decided, all or a depth), outline (cell, fitted), start (0
 * to 1 along the path), speed, and path, compare, freeze, observer, whole (on, off).
 */
export function readSettings(query: QueryReader, dataSets: Readonly<Record<DataSetName, DataSet>>) {
  const data = query.choice<DataSetName>('data', ['cities', 'city'], 'cities');
  const { counts, far } = dataSets[data.value];
  const depth = query.integer('cells', { low: 0, high: 20, start: -1 });
  return query.settings({
    data,
    count: query.count('count', counts, startCount(dataSets[data.value]), 50_000),
    /** The far plane of the cull, in units of the data set. */
    far: query.number('far', far),
    looseness: query.number('looseness', RANGES.looseness),
    leafCapacity: query.integer('leaf', { ...RANGES.leafCapacity, high: 256 }),
    /** Also culls by brute force, ten times per second, and checks that both find the same bodies. */
    compare: query.isOn('compare', true),
    cells:
      depth.value >= 0 ? depth : query.choice<'off' | 'decided' | 'all'>('cells', ['off', 'decided', 'all'], 'decided'),
    outline: query.choice<HelperOutline>('outline', ['cell', 'fitted'], 'cell'),
    /** Keeps the culling camera in place while the drawing camera moves on. */
    freeze: query.isOn('freeze', false),
    /** Flies along the automatic path. */
    path: query.isOn('path', !query.reducesMotion),
    /** Start of the flight on the path, 0 to 1. */
    start: query.number('start', { low: 0, high: 1, start: 0 }),
    speed: query.number('speed', RANGES.speed),
    /** Shows the inset. */
    observer: query.isOn('observer', true),
    /** Shows the whole world from far away in the large view. */
    whole: query.isOn('whole', false),
  });
}

export type Settings = ReturnType<typeof readSettings>;

/** All real places, or 100,000 buildings. */
export const startCount = ({ name, counts }: DataSet): number => (name === 'cities' ? counts.at(-1)! : 100_000);
