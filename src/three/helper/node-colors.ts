/** How an OctreeHelper colours a node: each way writes a colour, and returns how opaque it is. */

import type { Color } from 'three';
import type { OctreeNode } from '../../scene/octree-node.ts';
import type { VisitResult } from './visit-result.ts';

/** What there is to know of a node without its bodies. */
export type NodeView = Omit<OctreeNode<unknown>, 'bodies' | 'read'>;

/** Steps of hue between depths, in turns. */
const HUE_STEP = 1 / 9;
const ROOT_HUE = 0.08;
const DEPTH_OPACITY = 0.6;
const USED_OPACITY = 0.15;
const WAITING_OPACITY = 0.9;
/** Hue of a node whose whole life is left; at its end it is 0, red. */
const FRESH_HUE = 1 / 3;
/** Lifespan of a node that was never left empty and used again; each time doubles it, up to the longest. */
const FIRST_LIFESPAN = 8;
const MAX_REUSES = 3;
/** From blue for none to magenta for the most. */
const UNUSED_HUE = 0.58;
const REUSED_HUE = 0.9;
/** Hue and opacity. */
const FATES: Readonly<Record<VisitResult, readonly [number, number]>> = { skipped: [0, 0.25], contained: [0.37, 0.8], split: [0.1, 0.3], tested: [0.14, 0.9] };

export function paintDepth(target: Color, { depth }: NodeView): number {
  target.setHSL((ROOT_HUE + depth * HUE_STEP) % 1, 0.9, 0.6);
  return DEPTH_OPACITY;
}

export function paintLifespan(target: Color, { lifespan, countdown }: NodeView): number {
  if (countdown < 0) {
    target.setHSL(0, 0, 0.6);
    return USED_OPACITY;
  }
  target.setHSL((FRESH_HUE * countdown) / lifespan, 0.9, 0.55);
  return WAITING_OPACITY;
}

/** How often a node was left empty and used again, as far as its lifespan tells: 0 to 3. */
export function reusesOf({ lifespan }: NodeView): number {
  // Doubled from 8 once is 16, twice 32.
  return Math.min(31 - Math.clz32(Math.max(1, lifespan / FIRST_LIFESPAN)), MAX_REUSES);
}

export function paintReuse(target: Color, node: NodeView): number {
  const share = reusesOf(node) / MAX_REUSES;
  target.setHSL(UNUSED_HUE + share * (REUSED_HUE - UNUSED_HUE), 0.3 + 0.6 * share, 0.6);
  return USED_OPACITY + share * (WAITING_OPACITY - USED_OPACITY);
}

export function paintVisitResult(target: Color, fate: VisitResult): number {
  const [hue, opacity] = FATES[fate];
  target.setHSL(hue, fate === 'skipped' ? 0 : 0.9, 0.55);
  return opacity;
}
