// The settings of the page, and how its URL sets them.

import type { QueryReader } from '../shared/query-reader.ts';

export const RANGES = {
  watchers: { low: 10, high: 400, step: 10, start: 150 },
  people: { low: 0, high: 5000, step: 100, start: 1500 },
  fan: { low: 8, high: 160, step: 8, start: 72 },
  range: { low: 20, high: 120, step: 5, start: 70 },
} as const;

/**
 * Reads the settings from the page's query string, for instance `?watchers=50&batch=off`: watchers, people, fan, range,
 * batch, pause (on, off).
 */
export const readSettings = (query: QueryReader) =>
  query.settings({
    watchers: query.integer('watchers', RANGES.watchers),
    people: query.integer('people', RANGES.people),
    /** Rays of each watcher's field of view. */
    fan: query.integer('fan', RANGES.fan),
    /** Metres. */
    range: query.integer('range', RANGES.range),
    /** Casts all rays of a tick in one call, otherwise one by one. */
    batch: query.isOn('batch', true),
    isPaused: query.isPaused(),
  });

export type Settings = ReturnType<typeof readSettings>;
