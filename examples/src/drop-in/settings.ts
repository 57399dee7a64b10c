// The settings of the page, and how its URL sets them.

import type { QueryReader } from '../shared/query-reader.ts';

export const COUNTS = [5000, 20_000, 50_000, 100_000] as const;

/**
 * Reads the settings from the page's query string, for instance `?count=5000&path=off`: count, and octree, both,
 * static, shadows, birds, path (on, off).
 */
export const readSettings = (query: QueryReader) =>
  query.settings({
    /** Meshes in each of the two groups. */
    count: query.count('count', COUNTS, 20_000, 5000),
    /** Draws the OctreeGroup instead of the plain Group. */
    usesOctree: query.isOn('octree', true),
    /** Also draws the other group ten times per second, to measure it. */
    measuresBoth: query.isOn('both', true),
    /** Makes trees, rocks and ground static children of the OctreeGroup; by default it watches all meshes for moves. */
    isStatic: query.isOn('static', false),
    shadows: query.isOn('shadows', true),
    /** Birds fly. */
    birds: query.isOn('birds', true),
    /** The camera moves along its path. */
    path: query.isOn('path', !query.reducesMotion),
  });

export type Settings = ReturnType<typeof readSettings>;
