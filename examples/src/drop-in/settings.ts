// The settings of the page, and how its URL sets them.

import type { QueryReader } from '../shared/query-reader.ts';

export interface Settings {
  /** Meshes in each of the two groups. */
  count: number;
  /** Draws the OctreeGroup instead of the plain Group. */
  usesOctree: boolean;
  /** Also draws the other group ten times per second, to measure it. */
  measuresBoth: boolean;
  /** Makes trees, rocks and ground static children of the OctreeGroup; by default it watches all meshes for moves. */
  isStatic: boolean;
  shadows: boolean;
  /** Birds fly. */
  birds: boolean;
  /** The camera moves along its path. */
  path: boolean;
}

export const COUNTS = [5000, 20_000, 50_000, 100_000] as const;

/** Reads the settings from the page's query string, for instance `?count=5000&path=off`: count, and octree, both, static, shadows, birds, path (on, off). */
export const readSettings = (query: QueryReader): Settings => ({
  count: query.count('count', COUNTS, 20_000),
  usesOctree: query.isOn('octree', true),
  measuresBoth: query.isOn('both', true),
  isStatic: query.isOn('static', false),
  shadows: query.isOn('shadows', true),
  birds: query.isOn('birds', true),
  path: query.isOn('path', !query.reducesMotion),
});
