// The settings of the page, and how its URL sets them.

export interface Settings {
  /** Meshes in each of the two groups. */
  count: number;
  /** Draws the OctreeGroup instead of the plain Group. */
  usesOctree: boolean;
  /** Also draws the other group ten times per second, to measure it. */
  measuresBoth: boolean;
  /** Makes trees, rocks and ground static children of the OctreeGroup; by default it watches all meshes for moves. */
  standsStill: boolean;
  shadows: boolean;
  /** Birds fly. */
  birds: boolean;
  /** The camera moves along its path. */
  path: boolean;
}

export const COUNTS = [5000, 20_000, 50_000, 100_000] as const;

/** Reads the settings from the page's query string, for instance `?count=5000&path=off`: count, and octree, both, still, shadows, birds, path (on, off). */
export function readSettings(query: URLSearchParams): Settings {
  const isOn = (name: string, otherwise: boolean): boolean => (query.has(name) ? query.get(name) !== 'off' : otherwise);
  const count = Number.parseInt(query.get('count') ?? '', 10);
  return {
    count: Number.isFinite(count) ? Math.min(COUNTS.at(-1)!, Math.max(1, count)) : 20_000,
    usesOctree: isOn('octree', true),
    measuresBoth: isOn('both', true),
    standsStill: isOn('still', false),
    shadows: isOn('shadows', true),
    birds: isOn('birds', true),
    path: isOn('path', !matchMedia('(prefers-reduced-motion: reduce)').matches),
  };
}
