// The settings of the page, and how its URL sets them.

import type { QueryReader } from '../shared/query-reader.ts';
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
 * path (off, fitted, cell), and hover, rectangle, inside, compare, side (on, off).
 */
export function readSettings(query: QueryReader, plans: Readonly<Record<WorldName, WorldPlan>>): Settings {
  const world = query.choice('world', ['city', 'cities'], 'city');
  const { counts, startCount } = plans[world];
  return {
    world,
    count: query.count('count', counts, startCount),
    hover: query.isOn('hover', true),
    rectangle: query.isOn('rectangle', false),
    inside: query.isOn('inside', false),
    compare: query.isOn('compare', true),
    path: query.choice('path', ['off', 'fitted', 'cell'], 'fitted'),
    side: query.isOn('side', true),
  };
}
