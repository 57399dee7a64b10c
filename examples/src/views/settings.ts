// The settings of the page, and how its URL sets them.

import type { QueryReader } from '../shared/query-reader.ts';
import { MAX_CASCADES } from './cascades.ts';

export const COUNTS = [1000, 5000, 10_000, 30_000] as const;

export const RANGES = {
  cascades: { low: 1, high: MAX_CASCADES, step: 1, start: MAX_CASCADES },
  far: { low: 100, high: 1000, step: 10, start: 600 },
} as const;

/**
 * Reads the settings from the page's query string, for instance `?cascades=2&far=300`: cascades, far, buildings, pause
 * (on, off).
 */
export const readSettings = (query: QueryReader) =>
  query.settings({
    /** Shadow cascades of the sun. */
    cascades: query.integer('cascades', RANGES.cascades),
    /** Far plane of the camera, in metres. */
    far: query.integer('far', RANGES.far),
    buildings: query.count('buildings', COUNTS, 5000),
    isPaused: query.isPaused(),
  });

export type Settings = ReturnType<typeof readSettings>;
