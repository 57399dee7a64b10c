// The settings of the page, and how its URL sets them.

import type { QueryReader } from '../shared/query-reader.ts';

export const COUNTS = [2000, 10_000, 20_000] as const;

export const RANGES = {
  stirrers: { low: 0, high: 8, step: 1, start: 4 },
  friction: { low: 0, high: 3, step: 0.1, start: 1.2 },
  replaced: { low: 0, high: 600, step: 20, start: 60 },
  pace: { low: 0.05, high: 1, step: 0.05, start: 1 },
} as const;

/**
 * Reads the settings from the page's query string, for instance `?balls=2000&stirrers=0`: balls, stirrers, friction,
 * replaced, pace, pause (on, off).
 */
export const readSettings = (query: QueryReader) =>
  query.settings({
    balls: query.count('balls', COUNTS, 10_000, 2000),
    /** Large balls on fixed paths, which push the others. */
    stirrers: query.integer('stirrers', RANGES.stirrers),
    /** Exponential rate at which a rolling ball loses speed, per second. */
    friction: query.number('friction', RANGES.friction),
    /** Balls that are removed, and inserted elsewhere, per second. */
    replaced: query.number('replaced', RANGES.replaced),
    /** Simulated seconds per second. */
    pace: query.number('pace', RANGES.pace),
    isPaused: query.isPaused(),
  });

export type Settings = ReturnType<typeof readSettings>;
