/** OctreeHelper: the nodes of an octree as boxes of lines, coloured by depth, lifespan, reuse, or the result of a query. */

import { Color, Vector3 } from 'three';
import { describe, requireNotNegative, requireObject } from '../../scene/input/input-checks.ts';
import { requireKnownOptions, type KnownOptions } from '../../scene/input/known-options.ts';
import { OctreeNode } from '../../scene/bodies/octree-node.ts';
import { WalkSignal } from '../../tree/traverse/walk-nodes.ts';
import { describeObject } from '../bounds/object-names.ts';
import { BoxLines } from './box-lines.ts';
import { paintDepth, paintVisitResult, paintLifespan, paintReuse, type DrawnNode } from './node-colors.ts';
import { VisitResults, type VisitResult, type ShownQuery } from './visit-result.ts';

/** The part of an Octree that the helper reads. An Octree of scene-octree or of scene-octree/core has it. */
export interface WalkableOctree {
  /**
   * Calls the visitor for each node, parents first.
   *
   * @param target An OctreeNode that is filled for each visited node and passed to the visitor.
   */
  walk(visitor: (node: DrawnNode) => WalkSignal | void, target?: DrawnNode): void;
}

/** An object with an octree, such as an OctreeGroup or an OctreeInstances. */
export interface HasWalkableOctree {
  /** Read again by each `update`. */
  readonly octree: WalkableOctree;
}

/** The box to draw for a node: 'cell' is its cube, which decides which bodies it holds; 'fitted' is the box around all bodies in and below it. */
export type HelperOutline = 'cell' | 'fitted';

/**
 * What the colour of a node means:
 *
 * - depth: orange is the root; green, blue and purple follow. The colours repeat every nine levels.
 * - lifespan: faint grey nodes hold bodies. Empty nodes turn from green to red as their lifespan runs out; then they are removed.
 * - reuse: how often bodies came back to the node after it was empty. Faint blue is never, magenta is three times or more.
 * - query: what the query in `query` does with the node (see `VisitResult`). Grey: skipped. Green: contained, so all bodies below it are taken
 *   without a test. Yellow: a leaf, whose bodies are tested. Faint orange: its bodies are tested and its children visited. Nodes below a grey
 *   or green one are not drawn, because the query does not visit them.
 */
export type HelperColoring = 'depth' | 'lifespan' | 'reuse' | 'query';

/** The options of `new OctreeHelper()`. All but `limit` can be changed later, as properties of the helper. */
export interface OctreeHelperOptions {
  /** Default 'cell'. */
  readonly outline?: HelperOutline;
  /** Default 'depth', or 'query' if there is one. */
  readonly coloring?: HelperColoring;
  /** The query of the colouring 'query'. Each `update` reads it again. Default null. */
  readonly query?: ShownQuery | null;
  /** Draws only nodes from this depth on; the root is at 0. Default 0. */
  readonly minDepth?: number;
  /** Draws only nodes down to this depth. Default Infinity. */
  readonly maxDepth?: number;
  /** Greatest number of nodes drawn. Default 65,536. */
  readonly limit?: number;
}

const HELPER_OPTIONS: KnownOptions = /* @__PURE__ */ Object.keys({
  outline: true, coloring: true, query: true, minDepth: true, maxDepth: true, limit: true,
} satisfies Record<keyof OctreeHelperOptions, true>);

const DEFAULT_LIMIT = 65_536;
const OUTLINES: readonly HelperOutline[] = ['cell', 'fitted'];
const COLORINGS: readonly HelperColoring[] = ['depth', 'lifespan', 'reuse', 'query'];

/**
 * Add it to the scene itself, because the octree is in world units: a parent with a transform would displace the lines. Call `update` to draw the
 * current state of the octree. Buffers are reused while they are large enough; nothing is allocated per node.
 */
export class OctreeHelper extends BoxLines {
  /** The box that is drawn for a node; read by `update`. */
  outline: HelperOutline;
  /** What the colour of a node means; read by `update`. */
  coloring: HelperColoring;
  /** The query of the colouring 'query'; read by `update`. */
  query: ShownQuery | null;
  /** Least depth that is drawn; read by `update`. */
  minDepth: number;
  /** Greatest depth that is drawn; read by `update`. */
  maxDepth: number;

  private readonly source: WalkableOctree | HasWalkableOctree;
  private readonly node = new OctreeNode<unknown>();
  private readonly corner = new Vector3();
  private readonly paint = new Color();
  private results: VisitResults | null = null;
  private readonly visitor = (node: DrawnNode): WalkSignal => this.visit(node);

  /**
   * @param octree An Octree, or an OctreeGroup or OctreeInstances. Each `update` reads the octree of a container again, so the lines follow a
   *   container that moves. Cost: if it has moved, a move of every body.
   * @throws {TypeError} If `octree` is not an Octree and has none, an option is unknown, or it has a value that is not listed for it.
   * @throws {RangeError} If a depth is negative or NaN, or the limit is not an integer from 1.
   */
  constructor(octree: WalkableOctree | HasWalkableOctree, options: OctreeHelperOptions = {}) {
    const where = 'OctreeHelper';
    requireOctree(where, octree);
    requireObject(where, 'options', options, 'leave it out if unsure');
    requireKnownOptions(where, options, HELPER_OPTIONS);
    requireSettings(where, 'options.', options);
    const { outline = 'cell', query = null, minDepth = 0, maxDepth = Infinity, limit = DEFAULT_LIMIT } = options;
    super(limit);
    this.source = octree;
    this.outline = outline;
    this.coloring = options.coloring ?? (query === null ? 'depth' : 'query');
    this.query = query;
    this.minDepth = minDepth;
    this.maxDepth = maxDepth;
    this.update();
  }

  /**
   * Draws the current state of the octree. Cost: a visit of every node down to `maxDepth`; with the colouring 'query', of the nodes that the
   * query visits or skips.
   *
   * @throws {RangeError} If a depth is negative or NaN; or, with the colouring 'query', if the query has a number that is not finite or a ray
   *   without direction.
   * @throws {TypeError} If the query is neither a frustum nor a ray, or a setting has a value that is not listed for it.
   */
  update(): void {
    requireSettings('OctreeHelper.update', '', this);
    this.results = this.coloring === 'query' && this.query ? new VisitResults('OctreeHelper.update', this.query) : null;
    this.begin();
    octreeOf(this.source).walk(this.visitor, this.node);
    this.end();
  }

  private visit(node: DrawnNode): WalkSignal {
    if (this.isFull) return WalkSignal.Stop;
    const result = this.results?.of(node.fitted, node.childCount) ?? 'tested';
    if (node.depth >= this.minDepth && node.depth <= this.maxDepth) this.addNode(node, result);
    return node.depth >= this.maxDepth || result === 'skipped' || result === 'contained' ? WalkSignal.Prune : WalkSignal.Continue;
  }

  private addNode(node: DrawnNode, result: VisitResult): void {
    const { cell, fitted } = node;
    const opacity = this.paintNode(node, result);
    if (this.outline === 'cell') this.addBox(cell.min, this.corner.copy(cell.min).addScalar(cell.edge), this.paint, opacity);
    // An empty node has no fitted box.
    else if (fitted.min.x <= fitted.max.x) this.addBox(fitted.min, fitted.max, this.paint, opacity);
  }

  private paintNode(node: DrawnNode, result: VisitResult): number {
    if (this.coloring === 'query') return paintVisitResult(this.paint, result);
    if (this.coloring === 'reuse') return paintReuse(this.paint, node);
    return this.coloring === 'lifespan' ? paintLifespan(this.paint, node) : paintDepth(this.paint, node);
  }
}

function octreeOf(source: WalkableOctree | HasWalkableOctree): WalkableOctree {
  return 'octree' in source ? source.octree : source;
}

function requireOctree(where: string, value: WalkableOctree | HasWalkableOctree): void {
  const octree = typeof value === 'object' && value !== null ? octreeOf(value) : null;
  if (typeof octree?.walk === 'function') return;
  throw new TypeError(`${where}: octree must be an Octree or an object with one, but is ${describeObject(value)}; pass an Octree, an OctreeGroup or an OctreeInstances.`);
}

/** @param prefix Stands before the names of the fields in error messages. */
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
