// The settings of the page, and how its URL sets them.

import type { WorldName, WorldPlan } from './picking-world.ts';
import type { PathOutline } from './ray-diagram.ts';

export interface Settings {
  world: WorldName;
  count: number;
  /** Highlights the item under the mouse. */
  hover: boolean;
  /** A drag draws a rectangle instead of turning the view. */
  rectangle: boolean;
  /** Selects only items that are fully inside the rectangle. */
  inside: boolean;
  /** Compares with three's own Raycaster after each click. */
  compare: boolean;
  /** How the nodes that the ray enters are drawn. */
  path: PathOutline;
  /** Shows the side view of the ray. */
  side: boolean;
}

/**
 * Reads the settings from the page's query string, for instance `?world=city&count=20000&compare=off`: world (city, cities), count,
 * path (off, fitted, cells), and hover, rectangle, inside, compare, side (on, off). A missing or invalid value keeps its default.
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
