// The settings of the page, and how its URL sets them.

import type { QueryReader } from '../shared/query-reader.ts';

export const COUNTS = [3000, 10_000, 30_000] as const;
/** How the houses are drawn: in a Group, in an OctreeGroup, and in an OctreeGroup with StaticBatches. */
export const MODES = ['plain', 'culled', 'batched'] as const;
export type Mode = (typeof MODES)[number];

/** Phones have less memory: 30,000 houses take 120 MB on the GPU, and as much in the page. */
const startCount = (): number => (matchMedia('(pointer: coarse)').matches ? 10_000 : 30_000);

/**
 * Reads the settings from the page's query string, for instance `?count=3000&mode=culled`: count, mode (plain, culled,
 * batched), movers, shadows, ranges, turn (on, off).
 */
export const readSettings = (query: QueryReader) =>
  query.settings({
    count: query.count('count', COUNTS, startCount(), 3000),
    mode: query.choice('mode', MODES, 'batched'),
    /** Some houses move all the time. */
    movers: query.isOn('movers', !query.reducesMotion),
    shadows: query.isOn('shadows', true),
    /** Colours the draw ranges in the view of the camera. The map always shows them. */
    ranges: query.isOn('ranges', false),
    /** The camera turns around the point that it looks at. */
    turn: query.isOn('turn', !query.reducesMotion),
  });

export type Settings = ReturnType<typeof readSettings>;
