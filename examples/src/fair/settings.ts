// The settings of the page, and how its URL sets them.

import type { QueryReader } from '../shared/query-reader.ts';

export const STALLS = [24, 60, 108] as const;
export const PEOPLE = [50, 200, 400] as const;
/** How the person collides: with the fair itself, with a copy that was merged once, or by a loop over all meshes. */
export const WAYS = ['octree', 'merged', 'loop'] as const;
export type Way = (typeof WAYS)[number];
/** Whose eyes the camera is. */
export const VIEWS = ['third', 'first'] as const;
export const PLACES = [
  'entrance',
  'wheel',
  'gondola',
  'stretched gondola',
  'mirrored gondola',
  'lift',
  'deck',
  'doors',
  'merry-go-round',
] as const;
export type PlaceName = (typeof PLACES)[number];

/**
 * Reads the settings from the page's query string, for instance `?stalls=24&way=merged`: stalls, people, way (octree,
 * merged, loop), view (third, first), place, measure, clashes, stop (on, off).
 */
export const readSettings = (query: QueryReader) =>
  query.settings({
    stalls: query.count('stalls', STALLS, 108, 60),
    people: query.count('people', PEOPLE, 200),
    way: query.choice('way', WAYS, 'octree'),
    view: query.choice('view', VIEWS, 'third'),
    place: query.choice('place', PLACES, 'entrance'),
    /** A click picks the ends of the tape measure. Otherwise it throws a ball. */
    measure: query.isOn('measure', false),
    /** Shows the pairs of things that intersect. */
    clashes: query.isOn('clashes', false),
    /** Lifts, doors, wheel and people stand still; the person goes on. */
    isStopped: query.isOn('stop', query.reducesMotion),
  });

export type Settings = ReturnType<typeof readSettings>;
