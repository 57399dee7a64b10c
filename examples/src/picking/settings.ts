// What one can choose on the page, and how the address of the page chooses it.

import type { WorldName, WorldPlan } from './picking-world.ts';
import type { PathOutline } from './ray-diagram.ts';

export interface Settings {
  world: WorldName;
  count: number;
  /** Highlights what is under the mouse. */
  hover: boolean;
  /** A drag draws a rectangle instead of turning the view. */
  rectangle: boolean;
  /** Only what lies wholly in the rectangle. */
  inside: boolean;
  /** Asks three's own Raycaster after each click. */
  compare: boolean;
  /** How the nodes on the way of the ray are drawn. */
  path: PathOutline;
  /** The ray as seen from the side. */
  side: boolean;
}

/**
 * Reads the settings from the page's address, for instance `?world=city&count=20000&compare=off`: world (city, cities), count,
 * path (off, fitted, cells), and hover, rectangle, inside, compare, side (on, off). What is not there or makes no sense keeps its default.
 */
export function readSettings(query: URLSearchParams, plans: Readonly<Record<WorldName, WorldPlan>>): Settings {
  const isOn = (name: string, otherwise: boolean): boolean => (query.has(name) ? query.get(name) !== 'off' : otherwise);
  const world: WorldName = query.get('world') === 'cities' ? 'cities' : 'city';
  const { counts, startCount } = plans[world];
  const count = Number.parseInt(query.get('count') ?? '', 10);
  const path = query.get('path');
  return {
    world,
    count: Number.isFinite(count) ? Math.min(counts.at(-1)!, Math.max(1, count)) : startCount,
    hover: isOn('hover', true),
    rectangle: isOn('rectangle', false),
    inside: isOn('inside', false),
    compare: isOn('compare', true),
    path: path === 'off' || path === 'cells' ? path : 'fitted boxes',
    side: isOn('side', true),
  };
}
