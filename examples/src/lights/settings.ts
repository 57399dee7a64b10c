// The settings of the page, and how its URL sets them.

import type { QueryReader } from '../shared/query-reader.ts';

export const RANGES = {
  cars: { low: 0, high: 40, step: 1, start: 16 },
  people: { low: 0, high: 120, step: 1, start: 60 },
} as const;

/** Reads the settings from the page's query string, for instance `?cars=0&people=20&updates=off`. */
export const readSettings = (query: QueryReader) =>
  query.settings({
    /** Cars that drive; the others are parked. */
    cars: query.integer('cars', RANGES.cars),
    /** People who walk; the others stand still. */
    people: query.integer('people', RANGES.people),
    /** Whether maps are drawn only when they change. */
    usesUpdates: query.isOn('updates', true),
    isPaused: query.isPaused(),
  });

export type Settings = ReturnType<typeof readSettings>;
