// The settings of the page, and how its URL sets them.

import type { HelperOutline } from '../../../src/three/index.ts';

export interface Settings {
  /** Draws the octree over the scene. */
  octree: boolean;
  outline: HelperOutline;
  /** Deepest level that is drawn. */
  depth: number;
  /** Tells the OctreeGroup that nothing moves, which is so unless an animation plays. */
  isStatic: boolean;
  /** Plays the first animation of the file. */
  plays: boolean;
  /** Turns the camera around the scene. */
  turns: boolean;
}

export const MAX_DEPTH = 12;
/** The outermost cells are larger than the scene, and the smallest hide it. */
export const MIN_DEPTH = 2;
const FIRST_DEPTH = 5;

/** Reads the settings from the page's query string, for instance `?octree=off`: octree, static, play and turn (on, off). */
export function readSettings(query: URLSearchParams, reducesMotion: boolean): Settings {
  const isOn = (name: string, otherwise: boolean): boolean => (query.has(name) ? query.get(name) !== 'off' : otherwise);
  return { octree: isOn('octree', true), outline: 'fitted', depth: FIRST_DEPTH, isStatic: isOn('static', true), plays: isOn('play', false), turns: isOn('turn', !reducesMotion) };
}

/** Share of the generated town, 0 to 1: `?town=0.2`. */
export function townSize(query: URLSearchParams): number {
  const size = Number.parseFloat(query.get('town') ?? '');
  return Number.isFinite(size) ? Math.min(1, Math.max(0, size)) : 1;
}
