/** The colourings of OctreeHelper: what colour and opacity the lines of a node get. */

import type { Color } from 'three';
import type { OctreeNode } from '../octree/bodies/octree-node.ts';
import type { VisitResult } from './visit-result.ts';

/** A node as OctreeHelper sees it: without its bodies. */
export type DrawnNode = Omit<OctreeNode<unknown>, 'bodies' | 'read'>;

/**
 * Colours the nodes that OctreeHelper draws, and may leave some out.
 *
 * @param node Must not be kept: the helper fills it again for the next node.
 * @param color Write the colour here. It still holds the colour of the node before.
 * @param result What the query of the helper does with the node; null without a query.
 * @returns The opacity of the lines, 0 to 1. A node with an opacity of 0 is not drawn and does not count for the limit.
 */
export type NodePainter = (node: DrawnNode, color: Color, result: VisitResult | null) => number;

/**
 * What the colour of a node means:
 *
 * - depth: orange is the root; green, blue and purple follow. The colours repeat every nine levels.
 * - lifespan: faint grey nodes hold bodies. Empty nodes turn from green to red as their lifespan runs out; then they
 *   are removed.
 * - reuse: how often bodies came back to the node after it was empty. Faint blue is never, magenta is three times or
 *   more.
 * - query: what the query in `query` does with the node (see `VisitResult`). Grey: skipped. Green: contained, so all
 *   bodies below it are taken without a test. Yellow: a leaf, whose bodies are tested. Faint orange: its bodies are
 *   tested and its children visited. Nodes below a grey or green one are not drawn, because the query does not visit
 *   them, unless `includesUnvisited` is true.
 */
export type HelperColoring = 'depth' | 'lifespan' | 'reuse' | 'query';

/**
 * Hues are in turns, 0 to 1. From each depth to the next the hue advances by a ninth: nine levels have different
 * colours.
 */
const DEPTH_HUE_STEP = 1 / 9;
/** Orange. */
const ROOT_HUE = 0.08;
const DEPTH_OPACITY = 0.6;
/** Opacity of a node in use (lifespan), or of one that was never reused (reuse). */
const FAINT_OPACITY = 0.15;
/** Opacity of an empty node (lifespan), or of one that was reused three times (reuse). */
const STRONG_OPACITY = 0.9;
/** Green: an empty node with its full lifespan ahead. At the end of the lifespan the hue is 0, red. */
const FULL_LIFESPAN_HUE = 1 / 3;
/** Updates. Lifespan of a new node; each reuse doubles it, at most three times. */
const FIRST_LIFESPAN = 8;
const MAX_REUSES = 3;
/** Blue: never reused. */
const NEVER_REUSED_HUE = 0.58;
/** Magenta: reused three times. */
const MAX_REUSED_HUE = 0.9;
/** Hue and opacity: grey (no saturation), green, orange, yellow. */
const RESULT_COLORS: Readonly<Record<VisitResult, readonly [number, number]>> = {
  skipped: [0, 0.25],
  contained: [0.37, 0.8],
  split: [0.1, 0.3],
  tested: [0.14, 0.9],
};

/** How each colouring colours nodes. */
export const PAINTERS: Readonly<Record<HelperColoring, NodePainter>> = {
  depth({ depth }, color) {
    color.setHSL(ROOT_HUE + depth * DEPTH_HUE_STEP, 0.9, 0.6);
    return DEPTH_OPACITY;
  },
  lifespan({ lifespan, countdown }, color) {
    const isUsed = countdown < 0;
    if (isUsed) color.setHSL(0, 0, 0.6);
    else color.setHSL((FULL_LIFESPAN_HUE * countdown) / lifespan, 0.9, 0.55);
    return isUsed ? FAINT_OPACITY : STRONG_OPACITY;
  },
  reuse({ lifespan }, color) {
    // The lifespan doubles each time that bodies come back to the empty node: log2 of lifespan / 8, 0 to 3.
    const reuses = Math.min(31 - Math.clz32(Math.max(1, lifespan / FIRST_LIFESPAN)), MAX_REUSES);
    const share = reuses / MAX_REUSES;
    color.setHSL(NEVER_REUSED_HUE + share * (MAX_REUSED_HUE - NEVER_REUSED_HUE), 0.3 + 0.6 * share, 0.6);
    return FAINT_OPACITY + share * (STRONG_OPACITY - FAINT_OPACITY);
  },
  /** Without a query every node counts as tested. */
  query(_, color, result) {
    const [hue, opacity] = RESULT_COLORS[result ?? 'tested'];
    color.setHSL(hue, result === 'skipped' ? 0 : 0.9, 0.55);
    return opacity;
  },
};
