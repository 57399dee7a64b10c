// The settings of the page, and how its URL sets them.

import type { CellChoice, CellOutline } from './cull-cells.ts';
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
  outline: CellOutline;
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

/**
 * Reads the settings from the page's query string, for instance `?data=city&count=50000&far=3000&path=off`:
 * data (cities, city), count, far, looseness, leaf, cells (off, decided, all or a depth), start (0 to 1 along the path),
 * and path, compare, freeze, observer, whole (on, off).
 * A missing or invalid value keeps its default.
 */
export function readSettings(query: URLSearchParams, dataSets: Readonly<Record<DataSetName, DataSet>>): Settings {
  const number = (name: string, low: number, high: number, otherwise: number): number => {
    const given = Number.parseFloat(query.get(name) ?? '');
    return Number.isFinite(given) ? Math.min(high, Math.max(low, given)) : otherwise;
  };
  const isOn = (name: string, otherwise: boolean): boolean => (query.has(name) ? query.get(name) !== 'off' : otherwise);
  const data: DataSetName = query.get('data') === 'city' ? 'city' : 'cities';
  const { counts, far } = dataSets[data];
  const cells = query.get('cells');
  return {
    data,
    count: Math.round(number('count', 1, counts.at(-1)!, startCount(dataSets[data]))),
    far: number('far', far.low, far.high, far.start),
    looseness: number('looseness', 1, 4, 2),
    leafCapacity: Math.round(number('leaf', 1, 256, 16)),
    compare: isOn('compare', true),
    cells: cells === 'off' || cells === 'all' ? cells : number('cells', 0, 20, Number.NaN) >= 0 ? Math.round(number('cells', 0, 20, 0)) : 'decided',
    outline: 'cells',
    freeze: query.get('freeze') === 'on',
    path: isOn('path', !matchMedia('(prefers-reduced-motion: reduce)').matches),
    start: number('start', 0, 1, 0),
    speed: 1,
    observer: isOn('observer', true),
    whole: query.get('whole') === 'on',
  };
}

/** All real places, or 100,000 buildings. */
export const startCount = ({ name, counts }: DataSet): number => (name === 'cities' ? counts.at(-1)! : 100_000);
