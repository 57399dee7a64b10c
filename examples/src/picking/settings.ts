// The settings of the page, and how its URL sets them.

import type { QueryReader } from '../shared/query-reader.ts';
import type { WorldName, WorldPlan } from './picking-world.ts';
import type { PathOutline } from './ray-diagram.ts';

/**
 * Reads the settings from the page's query string, for instance `?world=city&count=20000&compare=off`: world (city,
 * cities), count, path (off, fitted, cell), and hover, rectangle, inside, compare, side (on, off).
 */
export function readSettings(query: QueryReader, plans: Readonly<Record<WorldName, WorldPlan>>) {
  const world = query.choice<WorldName>('world', ['city', 'cities'], 'city');
  const { counts, startCount } = plans[world.value];
  return query.settings({
    world,
    count: query.count('count', counts, startCount, counts[1]),
    /** Highlights the item under the mouse. */
    hover: query.isOn('hover', true),
    /** A drag draws a rectangle instead of turning the view. */
    rectangle: query.isOn('rectangle', false),
    /** Selects only items that are fully inside the rectangle. */
    inside: query.isOn('inside', false),
    /** Compares with three's own Raycaster after each click. */
    compare: query.isOn('compare', true),
    /** How the nodes that the ray enters are drawn. */
    path: query.choice<PathOutline>('path', ['off', 'fitted', 'cell'], 'fitted'),
    /** Shows the side view of the ray. */
    side: query.isOn('side', true),
  });
}

export type Settings = ReturnType<typeof readSettings>;
