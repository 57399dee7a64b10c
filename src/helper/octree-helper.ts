/**
 * OctreeHelper: the nodes of an octree as boxes of lines, coloured by depth, lifespan, reuse, the result of a query, or
 * a function of the user.
 */

import { Color, Vector3 } from 'three';
import {
  describe,
  requireBoolean,
  requireNotNegative,
  requireObject,
  throwType,
} from '../octree/input/input-checks.ts';
import { requireOptions, type KnownOptions } from '../octree/input/known-options.ts';
import { OctreeNode } from '../octree/bodies/octree-node.ts';
import { WalkSignal } from '../tree/traverse/walk-nodes.ts';
import { describeObject } from '../three/bounds/object-kinds.ts';
import { BoxLines } from './box-lines.ts';
import { PAINTERS, type DrawnNode, type HelperColoring, type NodePainter } from './node-colors.ts';
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

/**
 * The box to draw for a node: 'cell' is its cube, which decides which bodies it holds; 'fitted' is the box around all
 * bodies in and below it.
 */
export type HelperOutline = 'cell' | 'fitted';

/**
 * The options of `new OctreeHelper()`. All but `limit` can be changed later, as properties of the helper; `update`
 * reads them.
 */
export interface OctreeHelperOptions {
  /** Default 'cell'. */
  readonly outline?: HelperOutline;
  /**
   * One of the built-in colourings, or a function that colours each node. Default 'depth', or 'query' if there is one.
   */
  readonly coloring?: HelperColoring | NodePainter;
  /** The query of the colouring 'query', and of functions. Each `update` reads it again. Default null. */
  readonly query?: ShownQuery | null;
  /**
   * Whether nodes below one that the query skips or contains are drawn as well, although the query does not visit them.
   * Default false.
   */
  readonly includesUnvisited?: boolean;
  /** Draws only nodes from this depth on; the root is at 0. Default 0. */
  readonly minDepth?: number;
  /** Draws only nodes down to this depth. Default Infinity. */
  readonly maxDepth?: number;
  /** Greatest number of nodes drawn. Default 65,536. */
  readonly limit?: number;
}

const HELPER_OPTIONS: KnownOptions<OctreeHelperOptions> = [
  'outline',
  'coloring',
  'query',
  'includesUnvisited',
  'minDepth',
  'maxDepth',
  'limit',
];

/** Boxes. Test: octree-helper.test. */
const DEFAULT_LIMIT = 65_536;
const OUTLINES: readonly HelperOutline[] = ['cell', 'fitted'];

/**
 * Add it to the scene itself, because the octree is in world units: a parent with a transform would displace the lines.
 * Call `update` to draw the current state of the octree. Buffers are reused while they are large enough; nothing is
 * allocated per node.
 *
 * @example
 * ```ts
 * import { OctreeGroup, OctreeHelper } from 'scene-octree/three';
 *
 * const group = new OctreeGroup();
 * const helper = new OctreeHelper(group);
 * scene.add(group, helper);
 * renderer.setAnimationLoop(() => {
 *   helper.update();
 *   renderer.render(scene, camera);
 * });
 * ```
 */
export class OctreeHelper extends BoxLines {
  /** What is drawn: an Octree, or an OctreeGroup or OctreeInstances. May be replaced by another; read by `update`. */
  octree: WalkableOctree | HasWalkableOctree;
  /** The box that is drawn for a node; read by `update`. */
  outline: HelperOutline;
  /** What the colour of a node means; read by `update`. */
  coloring: HelperColoring | NodePainter;
  /** The query of the colouring 'query', and of functions; read by `update`. */
  query: ShownQuery | null;
  /** Whether nodes are drawn that the query does not visit; read by `update`. */
  includesUnvisited: boolean;
  /** Least depth that is drawn; read by `update`. */
  minDepth: number;
  /** Greatest depth that is drawn; read by `update`. */
  maxDepth: number;

  private readonly node = new OctreeNode<unknown>();
  private readonly corner = new Vector3();
  private readonly color = new Color();
  private painter = PAINTERS.depth;
  private results: VisitResults | null = null;
  private readonly visitor = (node: DrawnNode): WalkSignal => this.visit(node);

  /**
   * @param octree An Octree, or an OctreeGroup or OctreeInstances. Each `update` reads the octree of a container again,
   *   so the lines follow a container that moves. Cost: if it has moved, a move of every body.
   * @throws {TypeError} If `octree` is not an Octree and has none, an option is unknown, or it has a value that is not
   *   listed for it.
   * @throws {RangeError} If a depth is negative or NaN, or the limit is not an integer from 1.
   */
  constructor(octree: WalkableOctree | HasWalkableOctree, options: OctreeHelperOptions = {}) {
    const where = 'OctreeHelper';
    octreeOf(where, octree);
    requireOptions(where, options, HELPER_OPTIONS);
    requireSettings(where, 'options.', options);
    super(options.limit ?? DEFAULT_LIMIT);
    this.octree = octree;
    this.outline = options.outline ?? 'cell';
    this.query = options.query ?? null;
    this.coloring = options.coloring ?? (this.query === null ? 'depth' : 'query');
    this.includesUnvisited = options.includesUnvisited ?? false;
    this.minDepth = options.minDepth ?? 0;
    this.maxDepth = options.maxDepth ?? Infinity;
    this.update();
  }

  /**
   * Draws the current state of the octree. Cost: a visit of every node down to `maxDepth`; if it follows a query, of
   * the nodes that the query visits or skips.
   *
   * @throws {RangeError} If a depth is negative or NaN; if the query that it follows has a number that is not finite,
   *   or is a ray without direction; or if `coloring` returns an opacity that is not within 0 and 1.
   * @throws {TypeError} If `octree` is not an Octree and has none, the query is neither a frustum nor a ray, or a
   *   setting has a value that is not listed for it.
   */
  update(): void {
    const { coloring, query } = this;
    const where = 'OctreeHelper.update';
    const octree = octreeOf(where, this.octree);
    requireSettings(where, '', this);
    const followsQuery = coloring === 'query' || typeof coloring === 'function';
    this.results = followsQuery && query ? new VisitResults(where, query) : null;
    this.painter = typeof coloring === 'function' ? coloring : PAINTERS[coloring];
    this.begin();
    try {
      octree.walk(this.visitor, this.node);
    } finally {
      // If `coloring` throws, the nodes before are drawn.
      this.end();
    }
  }

  private visit(node: DrawnNode): WalkSignal {
    if (this.isFull) return WalkSignal.Stop;
    const result = this.results?.of(node.fitted, node.childCount) ?? null;
    if (node.depth >= this.minDepth && node.depth <= this.maxDepth) this.addNode(node, result);
    const isDecided = result === 'skipped' || result === 'contained';
    return node.depth >= this.maxDepth || (isDecided && !this.includesUnvisited)
      ? WalkSignal.Prune
      : WalkSignal.Continue;
  }

  private addNode(node: DrawnNode, result: VisitResult | null): void {
    const { cell, fitted } = node;
    const { color, painter } = this;
    const opacity = painter(node, color, result);
    requireOpacity('OctreeHelper.update', opacity);
    if (opacity === 0) return;
    if (this.outline === 'cell') this.addBox(cell.min, this.corner.copy(cell.min).addScalar(cell.edge), color, opacity);
    // An empty node has no fitted box.
    else if (fitted.min.x <= fitted.max.x) this.addBox(fitted.min, fitted.max, color, opacity);
  }
}

/** The octree that a value is or has. */
function octreeOf(where: string, value: WalkableOctree | HasWalkableOctree): WalkableOctree {
  if (typeof value === 'object' && value !== null) {
    const octree: WalkableOctree | null = 'octree' in value ? value.octree : value;
    if (typeof octree?.walk === 'function') return octree;
  }
  throw new TypeError(
    `${where}: octree must be an Octree or an object with one, but is ${describeObject(value)}; pass an Octree, an OctreeGroup or an OctreeInstances.`,
  );
}

/** @param prefix Stands before the names of the fields in error messages. */
function requireSettings(
  where: string,
  prefix: string,
  { outline, coloring, query, includesUnvisited, minDepth = 0, maxDepth = 0 }: OctreeHelperOptions,
): void {
  requireOneOf(where, `${prefix}outline`, outline, OUTLINES);
  if (typeof coloring !== 'function')
    requireOneOf(where, `${prefix}coloring`, coloring, Object.keys(PAINTERS) as HelperColoring[], ' or a function');
  requireBoolean(where, `${prefix}includesUnvisited`, includesUnvisited);
  if (query !== undefined && query !== null)
    requireObject(where, `${prefix}query`, query, 'pass a Frustum or a Ray, or null');
  requireNotNegative(where, `${prefix}minDepth`, minDepth, 'the root is at depth 0');
  requireNotNegative(where, `${prefix}maxDepth`, maxDepth, 'the root is at depth 0');
}

/** @param others What else is allowed, for the message. */
function requireOneOf<T extends string>(
  where: string,
  field: string,
  value: T | undefined,
  values: readonly T[],
  others = '',
): void {
  if (value === undefined || values.includes(value)) return;
  const names = values.map((one) => `"${one}"`).join(' or ');
  throwType(where, field, `be ${names}${others}`, value, 'leave it out if unsure');
}

function requireOpacity(where: string, opacity: number): void {
  if (opacity >= 0 && opacity <= 1) return;
  const Kind = typeof opacity === 'number' ? RangeError : TypeError;
  throw new Kind(
    `${where}: coloring must return an opacity from 0 to 1, but returned ${describe(opacity)}; return 0 to leave a node out.`,
  );
}
