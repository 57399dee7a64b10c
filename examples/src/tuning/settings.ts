// The settings of the page, and how its URL sets them.

import type { QueryReader } from '../shared/query-reader.ts';
import { MOTIONS } from './messages.ts';
import { SCENES } from './scenes.ts';

export const RANGES = {
  bodies: { low: 100, high: 200_000, start: 20_000 },
  culls: { low: 0, high: 100, start: 2 },
  rays: { low: 0, high: 100_000, start: 100 },
  rounds: { low: 3, high: 999, start: 15 },
} as const;

/**
 * Reads the settings from the page's query string, for instance
 * `?scene=city&bodies=5000&motion=all&culls=3&rays=0&rounds=15`.
 */
export const readSettings = (query: QueryReader) =>
  query.settings({
    scene: query.choice('scene', SCENES, 'uniform'),
    bodies: query.integer('bodies', RANGES.bodies),
    motion: query.choice('motion', MOTIONS, 'tenth'),
    /** Of a frame. */
    culls: query.integer('culls', RANGES.culls),
    rays: query.integer('rays', RANGES.rays),
    rounds: query.integer('rounds', RANGES.rounds),
  });

export type Settings = ReturnType<typeof readSettings>;
