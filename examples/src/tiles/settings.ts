// The settings of the page, and how its URL sets them.

import type { QueryReader } from '../shared/query-reader.ts';

/** Speeds of the line, by the names of their buttons. */
export const LINES = { slow: 5, fast: 50, open: Infinity } as const;
export type LineName = keyof typeof LINES;
export const LINE_NAMES = Object.keys(LINES) as LineName[];
/** Megabytes of memory for tiles. */
export const MEMORIES = [4, 8, 16, 32] as const;
export const ERRORS = { low: 4, high: 64, step: 1, start: 12 } as const;

/** Reads the settings from the page's query string, for instance `?line=fast&memory=8&fly=off`. */
export const readSettings = (query: QueryReader) =>
  query.settings({
    line: query.choice('line', LINE_NAMES, 'slow'),
    /** Pixels by which a tile may be off. */
    error: query.integer('error', ERRORS),
    memory: query.choice('memory', MEMORIES, 16),
    /** Flies along a path by itself. */
    fly: query.isOn('fly', !query.reducesMotion),
    map: query.isOn('map', true),
  });

export type Settings = ReturnType<typeof readSettings>;
