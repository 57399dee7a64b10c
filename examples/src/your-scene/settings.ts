// The settings of the page, and how its URL sets them.

import type { HelperOutline } from '../../../src/three/index.ts';
import type { QueryReader } from '../shared/query-reader.ts';

export interface Settings {
  /** Draws the octree over the scene. */
  octree: boolean;
  outline: HelperOutline;
  /** Deepest level that is drawn. */
  depth: number;
  /** Makes all children of the OctreeGroup static, unless an animation plays. */
  isStatic: boolean;
  /** Plays the first animation of the file. */
  plays: boolean;
  /** Turns the camera around the scene. */
  turns: boolean;
}

export const RANGES = { depth: { low: 0, high: 12, step: 1, start: 5 } } as const;
/** The outermost cells are larger than the scene, and the smallest hide it. */
export const MIN_DEPTH = 2;

/** Reads the settings from the page's query string, for instance `?octree=off`: octree, static, play and turn (on, off). */
export const readSettings = (query: QueryReader): Settings => ({
  octree: query.isOn('octree', true),
  outline: 'fitted',
  depth: RANGES.depth.start,
  isStatic: query.isOn('static', true),
  plays: query.isOn('play', false),
  turns: query.isOn('turn', !query.reducesMotion),
});

/** Share of the generated town, 0 to 1: `?town=0.2`. */
export const townSize = (query: QueryReader): number => query.number('town', { low: 0, high: 1, start: 1 });
