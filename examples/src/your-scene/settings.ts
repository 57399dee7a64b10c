// The settings of the page, and how its URL sets them.

import type { HelperOutline } from '../../../src/three.ts';
import type { QueryReader } from '../shared/query-reader.ts';

/** Depths down to which nodes are drawn. More of the small cells would hide the scene. */
export const RANGES = { depth: { low: 0, high: 12, step: 1, start: 5 } } as const;
/**
 * Least depth of the nodes that are drawn, unless the user chooses a smaller maximum: cells above it are larger than
 * the scene.
 */
export const MIN_DEPTH = 2;

/**
 * Reads the settings from the page's query string, for instance `?octree=off`: outline (cell, fitted), depth, and
 * octree, play, turn (on, off).
 */
export const readSettings = (query: QueryReader) =>
  query.settings({
    /** Draws the octree over the scene. */
    octree: query.isOn('octree', true),
    outline: query.choice<HelperOutline>('outline', ['cell', 'fitted'], 'fitted'),
    /** Greatest depth in the tree that is drawn. */
    depth: query.integer('depth', RANGES.depth),
    /** Plays the first animation of the file. */
    plays: query.isOn('play', false),
    /** Turns the camera around the scene. */
    turns: query.isOn('turn', !query.reducesMotion),
  });

export type Settings = ReturnType<typeof readSettings>;

/** Share of the generated town, 0 to 1: `?town=0.2`. */
export const townSize = (query: QueryReader): number => query.number('town', { low: 0, high: 1, start: 1 }).value;
