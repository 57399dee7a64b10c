// What one can choose on the page, and how the address of the page chooses it.

export interface Settings {
  /** Meshes in each of the two groups. */
  count: number;
  /** Whether the OctreeGroup is in the scene, or the plain Group. */
  usesOctree: boolean;
  /** Renders the other one too, unseen, ten times a second. */
  measuresBoth: boolean;
  /** Tells the OctreeGroup that trees, rocks and ground do not move; else it watches them, as it does by itself. */
  standsStill: boolean;
  shadows: boolean;
  birds: boolean;
  path: boolean;
}

export const COUNTS = [5000, 20_000, 50_000, 100_000] as const;

/** Reads the address, for instance `?count=5000&path=off`: count, and octree, both, still, shadows, birds, drift (on, off). */
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
