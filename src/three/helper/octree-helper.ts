/** Shows an octree as lines: the cell or the fitted box of each node, coloured by its depth, its life, or what a query does with it. */

import { Color, Vector3 } from 'three';
import { describe, requireNotNegative, requireObject } from '../../scene/input-checks.ts';
import { OctreeNode } from '../../scene/octree-node.ts';
import { WalkSignal } from '../../tree/traverse/walk-nodes.ts';
import { describeObject } from '../bounds/bounds-of.ts';
import { BoxLines } from './box-lines.ts';
import { paintDepth, paintVisitResult, paintLifespan, paintReuse, type NodeView } from './node-colors.ts';
import { VisitResults, type VisitResult, type ShownQuery } from './visit-result.ts';

/** What the helper looks at: an octree of any kind of data. */
export interface WalkableOctree {
  /** @param target An OctreeNode to lend for each node. */
  walk(visitor: (node: NodeView) => WalkSignal | void, target?: NodeView): void;
}

/** The cube that decides which bodies a node takes, or the box around what is in it and below. */
export type HelperOutline = 'cell' | 'fitted';

/**
 * - depth: from orange at the root through green and blue, the same colour again every nine levels.
 * - lifespan: nodes that are in use are grey and faint, empty ones that wait to be cut off go from green to red.
 * - reuse: from faint blue to magenta, the more often a node was left empty and used again, as its doubled lifespan tells.
 * - query: what the frustum or the ray in `query` does with each node. Green ones are taken whole, the bodies of yellow ones (leaves) and
 *   faint orange ones (with children) are tested, grey ones are skipped. What is below green and grey ones is not drawn: the query does not
 *   look at it either.
 */
export type HelperColoring = 'depth' | 'lifespan' | 'reuse' | 'query';

export interface OctreeHelperOptions {
  /** Default 'cell'. */
  readonly outline?: HelperOutline;
  /** Default 'depth', or 'query' if there is one. */
  readonly coloring?: HelperColoring;
  /** What to colour by; read anew by each `update`. */
  readonly query?: ShownQuery | null;
  /** Depths shown, the root being 0. Default 0 to Infinity. */
  readonly minDepth?: number;
  readonly maxDepth?: number;
  /** Nodes are left out beyond this many. Default 65,536. */
  readonly limit?: number;
}

const DEFAULT_LIMIT = 65_536;
const OUTLINES: readonly HelperOutline[] = ['cell', 'fitted'];
const COLORINGS: readonly HelperColoring[] = ['depth', 'lifespan', 'reuse', 'query'];

/**
 * Add it to the scene itself, not to anything that is moved: the octree is in world units. Call `update` whenever the lines are to
 * follow; the buffers are kept as long as they suffice, and nothing is allocated for a node.
 */
export class OctreeHelper extends BoxLines {
  outline: HelperOutline;
  coloring: HelperColoring;
  query: ShownQuery | null;
  minDepth: number;
  maxDepth: number;

  private readonly octree: WalkableOctree;
  private readonly node = new OctreeNode<unknown>();
  private readonly corner = new Vector3();
  private readonly paint = new Color();
  private fates: VisitResults | null = null;
  private readonly visitor = (node: NodeView): WalkSignal => this.visit(node);

  /**
   * @throws {TypeError} If it is no octree, or an option none of its values.
   * @throws {RangeError} If a depth is negative or NaN, or the limit no integer from 1.
   */
  constructor(octree: WalkableOctree, options: OctreeHelperOptions = {}) {
    const where = 'OctreeHelper';
    requireOctree(where, octree);
    requireObject(where, 'options', options, 'leave it out if unsure');
    requireSettings(where, 'options.', options);
    const { outline = 'cell', query = null, minDepth = 0, maxDepth = Infinity, limit = DEFAULT_LIMIT } = options;
    super(limit);
    this.octree = octree;
    this.outline = outline;
    this.coloring = options.coloring ?? (query === null ? 'depth' : 'query');
    this.query = query;
    this.minDepth = minDepth;
    this.maxDepth = maxDepth;
    this.update();
  }

  /**
   * Draws the octree as it is now. Cost: a visit of every node down to `maxDepth`, or of those that the query looks at.
   *
   * @throws {RangeError} If a depth is negative, or it is to colour by a query with a number that is not finite, or a ray without direction.
   * @throws {TypeError} If that is neither a frustum nor a ray, or another setting none of its values.
   */
  update(): void {
    requireSettings('OctreeHelper.update', '', this);
    this.fates = this.coloring === 'query' && this.query ? new VisitResults('OctreeHelper.update', this.query) : null;
    this.begin();
    this.octree.walk(this.visitor, this.node);
    this.end();
  }

  private visit(node: NodeView): WalkSignal {
    if (this.isFull) return WalkSignal.Stop;
    const fate = this.fates?.of(node.fitted, node.childCount) ?? 'tested';
    if (node.depth >= this.minDepth && node.depth <= this.maxDepth) this.addNode(node, fate);
    return node.depth >= this.maxDepth || fate === 'skipped' || fate === 'contained' ? WalkSignal.Prune : WalkSignal.Continue;
  }

  private addNode(node: NodeView, fate: VisitResult): void {
    const { cell, fitted } = node;
    const opacity = this.paintNode(node, fate);
    if (this.outline === 'cell') this.addBox(cell.min, this.corner.copy(cell.min).addScalar(cell.edge), this.paint, opacity);
    // An empty node has nothing to fit a box around.
    else if (!fitted.isEmpty()) this.addBox(fitted.min, fitted.max, this.paint, opacity);
  }

  private paintNode(node: NodeView, fate: VisitResult): number {
    if (this.coloring === 'query') return paintVisitResult(this.paint, fate);
    if (this.coloring === 'reuse') return paintReuse(this.paint, node);
    return this.coloring === 'lifespan' ? paintLifespan(this.paint, node) : paintDepth(this.paint, node);
  }
}

function requireOctree(where: string, octree: WalkableOctree): void {
  if (typeof (octree as WalkableOctree | null)?.walk === 'function') return;
  throw new TypeError(`${where}: octree must be an Octree, but is ${describeObject(octree)}; pass one, such as group.octree.`);
}

/** @param prefix Of the names of the fields. */
function requireSettings(where: string, prefix: string, { outline, coloring, query, minDepth = 0, maxDepth = 0 }: OctreeHelperOptions): void {
  requireOneOf(where, `${prefix}outline`, outline, OUTLINES);
  requireOneOf(where, `${prefix}coloring`, coloring, COLORINGS);
  if (query !== undefined && query !== null) requireObject(where, `${prefix}query`, query, 'pass a Frustum or a Ray, or null');
  requireNotNegative(where, `${prefix}minDepth`, minDepth, 'the root is at depth 0');
  requireNotNegative(where, `${prefix}maxDepth`, maxDepth, 'the root is at depth 0');
}

function requireOneOf<T extends string>(where: string, field: string, value: T | undefined, values: readonly T[]): void {
  if (value === undefined || values.includes(value)) return;
  const names = values.map((one) => `"${one}"`).join(' or ');
  throw new TypeError(`${where}: ${field} must be ${names}, but is ${describe(value)}; leave it out if unsure.`);
}
