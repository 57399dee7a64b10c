// The settings of the page, and how its URL sets them.

import type { QueryReader } from '../shared/query-reader.ts';

const COUNTS = [2500, 10_000, 20_000] as const;

/** Reads the settings from the page's query string, for instance `?count=2500&octree=on&path=off`. */
export const readSettings = (query: QueryReader) =>
  query.settings({
    /** Columns; each is a React element with handlers. */
    count: query.count('count', COUNTS, 10_000, 2500),
    /** The camera moves by itself. */
    path: query.isOn('path', !query.reducesMotion),
    /** Whether the columns are in an OctreeGroup. `both`: first in a group, until that is measured. */
    octree: query.choice('octree', ['both', 'on', 'off'], 'both'),
  });

export type Settings = ReturnType<typeof readSettings>;
