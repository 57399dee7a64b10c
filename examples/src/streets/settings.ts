// The settings of the page, and how its URL sets them.

import type { QueryReader } from '../shared/query-reader.ts';

export const COUNTS = [500, 1500, 4000] as const;
/** How the meshes are culled. */
export const MODES = ['frustum', 'occlusion'] as const;
export type Mode = (typeof MODES)[number];
/** Height of the camera. */
export const PLACES = ['street', 'roofs', 'sky'] as const;
export type Place = (typeof PLACES)[number];

/** Of the smallest city too little is hidden in the narrow view of a phone. The others draw as much there. */
const START_COUNT = 1500;

/**
 * Reads the settings from the page's query string, for instance `?houses=500&mode=frustum`: houses, mode (frustum,
 * occlusion), height (street, roofs, sky), walk, observer (on, off).
 */
export const readSettings = (query: QueryReader) =>
  query.settings({
    houses: query.count('houses', COUNTS, START_COUNT),
    mode: query.choice('mode', MODES, 'occlusion'),
    height: query.choice('height', PLACES, 'street'),
    /** The camera moves along the streets. */
    walk: query.isOn('walk', !query.reducesMotion),
    /** Shows the depth buffer and the view from above. */
    observer: query.isOn('observer', true),
  });

export type Settings = ReturnType<typeof readSettings>;
