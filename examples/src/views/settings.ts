// The settings of the page, and how its URL sets them.

import type { QueryReader } from '../shared/query-reader.ts';
import { MAX_CASCADES } from './cascades.ts';

export interface Settings {
  /** Shadow cascades of the sun. */
  cascades: number;
  /** Far plane of the camera, in metres. */
  far: number;
  buildings: number;
  isPaused: boolean;
}

export const COUNTS = [1000, 5000, 10_000, 30_000] as const;

export const RANGES = {
  cascades: { low: 1, high: MAX_CASCADES, step: 1, start: MAX_CASCADES },
  far: { low: 100, high: 1000, step: 10, start: 600 },
} as const;

/** Reads the settings from the page's query string, for instance `?cascades=2&far=300`: cascades, far, buildings, pause (on, off). */
export const readSettings = (query: QueryReader): Settings => ({
  cascades: query.integer('cascades', RANGES.cascades),
  far: query.integer('far', RANGES.far),
  buildings: query.count('buildings', COUNTS, 5000),
  isPaused: query.isPaused(),
});
