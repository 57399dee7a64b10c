// The settings of the page, and how its URL sets them.

import type { QueryReader } from '../shared/query-reader.ts';

export const COUNTS = [1000, 5000, 20_000] as const;

export const RANGES = {
  zone: { low: 2, high: 16, step: 1, start: 2 },
  walking: { low: 1, high: 100, step: 1, start: 5 },
} as const;

/**
 * Reads the settings from the page's query string, for instance `?people=1000&walking=100&streets=off`: people,
 * walking, streets, zone, patrol, pause (on, off).
 */
export const readSettings = (query: QueryReader) =>
  query.settings({
    people: query.count('people', COUNTS, 5000, 1000),
    /** Percent of the people who walk. The others stand still. */
    walking: query.integer('walking', RANGES.walking),
    /** Whether there are zones along the streets too, not only at the crossings. */
    streets: query.isOn('streets', true),
    /** Metres from the middle of a zone to its border. */
    zone: query.integer('zone', RANGES.zone),
    /** The player walks by itself, until the user sends it somewhere. */
    patrol: query.isOn('patrol', true),
    isPaused: query.isPaused(),
  });

export type Settings = ReturnType<typeof readSettings>;
