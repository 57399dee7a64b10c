/** Shows an octree as lines: the cell or the fitted box of each node, coloured by its depth or by the rest of its life. */

import { Color, Vector3 } from 'three';
import type { OctreeNode } from '../scene/octree-node.ts';
import { WalkSignal } from '../tree/walk.ts';
import { BoxLines } from './box-lines.ts';

/** What the helper looks at: an octree of any kind of data. */
export interface WalkableOctree {
  walk(visitor: (node: Omit<OctreeNode<unknown>, 'bodies' | 'read'>) => WalkSignal | void): void;
}

/** The cube that decides which bodies a node takes, or the box around what is in it and below. */
export type HelperOutline = 'cell' | 'fitted';

/**
 * By depth: from orange at the root through green and blue, the same colour again every nine levels. By lifespan: nodes that are in
 * use are grey and faint, empty ones that wait to be cut off go from green to red.
 */
export type HelperColoring = 'depth' | 'lifespan';

export interface OctreeHelperOptions {
  /** Default 'cell'. */
  readonly outline?: HelperOutline;
  /** Default 'depth'. */
  readonly coloring?: HelperColoring;
  /** Depths shown, the root being 0. Default 0 to Infinity. */
  readonly minDepth?: number;
  readonly maxDepth?: number;
  /** Nodes are left out beyond this many. Default 65,536. */
  readonly limit?: number;
}

const DEFAULT_LIMIT = 65_536;
/** Steps of hue between depths, in turns. */
const HUE_STEP = 1 / 9;
const ROOT_HUE = 0.08;
const DEPTH_OPACITY = 0.6;
const USED_OPACITY = 0.15;
const WAITING_OPACITY = 0.9;
/** Hue of a node whose whole life is left; at its end it is 0, red. */
const FRESH_HUE = 1 / 3;

/**
 * Add it to the scene itself, not to anything that is moved: the octree is in world units. Call `update` whenever the lines are to
 * follow; the buffers are kept as long as they suffice.
 */
export class OctreeHelper extends BoxLines {
  outline: HelperOutline;
  coloring: HelperColoring;
  minDepth: number;
  maxDepth: number;

  private readonly octree: WalkableOctree;
  private readonly corner = new Vector3();
  private readonly color = new Color();

  constructor(octree: WalkableOctree, options: OctreeHelperOptions = {}) {
    const { outline = 'cell', coloring = 'depth', minDepth = 0, maxDepth = Infinity, limit = DEFAULT_LIMIT } = options;
    super(limit);
    this.octree = octree;
    this.outline = outline;
    this.coloring = coloring;
    this.minDepth = minDepth;
    this.maxDepth = maxDepth;
    this.update();
  }

  /** Draws the octree as it is now. Cost: a visit of every node down to `maxDepth`. */
  update(): void {
    this.begin();
    this.octree.walk((node) => {
      if (this.isFull) return WalkSignal.Stop;
      if (node.depth >= this.minDepth && node.depth <= this.maxDepth) this.addNode(node);
      return node.depth >= this.maxDepth ? WalkSignal.Prune : WalkSignal.Continue;
    });
    this.end();
  }

  private addNode({ cell, fitted, depth, lifespan, countdown }: Omit<OctreeNode<unknown>, 'bodies' | 'read'>): void {
    let opacity = DEPTH_OPACITY;
    if (this.coloring === 'depth') this.color.setHSL((ROOT_HUE + depth * HUE_STEP) % 1, 0.9, 0.6);
    else if (countdown < 0) {
      this.color.setHSL(0, 0, 0.6);
      opacity = USED_OPACITY;
    } else {
      this.color.setHSL((FRESH_HUE * countdown) / lifespan, 0.9, 0.55);
      opacity = WAITING_OPACITY;
    }
    if (this.outline === 'cell') this.addBox(cell.min, this.corner.copy(cell.min).addScalar(cell.edge), this.color, opacity);
    // An empty node has nothing to fit a box around.
    else if (!fitted.isEmpty()) this.addBox(fitted.min, fitted.max, this.color, opacity);
  }
}
