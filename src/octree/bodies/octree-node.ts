/** A node as visitors and records see it. */

import { BOX_STRIDE } from '../../math/box.ts';
import { ROOT } from '../../tree/layout.ts';
import type { Body } from './body.ts';
import type { BodyStore } from './body-store.ts';
import {
  copyPoint,
  plainMath,
  setPoint,
  type MathFactory,
  type MathTypes,
  type PlainMath,
} from '../input/math-types.ts';
import type { Region } from '../input/shapes.ts';

/**
 * A copy of a node's state, which may be kept. Only `bodies()` needs the tree to be unchanged. `new OctreeNode()` is a
 * target for `octree.walk` and `octree.visitNodes`, which then allocate nothing.
 *
 * @example
 * ```ts
 * import { Octree, OctreeNode } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 0, y: 0, z: 0 }, radius: 1 }, 'ball');
 * octree.update();
 * const node = new OctreeNode<string>(); // reused for each node
 * octree.visitNodes(({ depth, bodyCount }) => console.log(depth, bodyCount), node); // prints: 0 1
 * ```
 */
export class OctreeNode<T, M extends MathTypes = PlainMath> {
  /** The cube that decides which bodies belong to the node. */
  readonly cell: Region;
  /** Number of steps from the root down; the root has depth 0. */
  depth = 0;
  /** Bodies of the node itself, without those of nodes below. */
  bodyCount = 0;
  /** Children in use; 0 for a leaf. */
  childCount = 0;
  /**
   * In updates: an empty leaf is removed this many updates after the update that finds it empty. With the option
   * `lifespan: false` that update removes it.
   */
  lifespan = 0;
  /** Updates left until an empty leaf is removed; -1 while no countdown runs. */
  countdown = -1;

  /** @internal The number of the node in the tree. */
  number = -1;
  private source: BodyStore | null = null;
  private version = 0;
  private readonly ownCell = { min: { x: 0, y: 0, z: 0 }, edge: 0 };
  private math: MathFactory<MathTypes>;
  private box: M['box'];

  constructor();
  /** @internal */
  constructor(math: MathFactory<M>);
  constructor(math: MathFactory<M> = plainMath as MathFactory<M>) {
    this.math = math;
    this.cell = this.ownCell;
    this.box = math.createBox();
  }

  /**
   * The box around the slot bounds of all bodies in and below the node. Slot bounds are the body's bounds rounded
   * outward to Float32; the slot bounds of a moving body include its margin. The box may stay larger for some updates
   * after bodies have left. If there are no bodies, it is empty: from Infinity to -Infinity.
   */
  get fitted(): M['box'] {
    return this.box;
  }

  /** @internal */
  read(source: BodyStore, node: number): this {
    const { nodes } = source.tree;
    // `new OctreeNode()` has plain objects; the octree that fills it may use another factory.
    if (this.math !== source.math) this.box = source.math.createBox();
    this.math = source.math;
    this.source = source;
    this.version = source.version;
    this.number = node;
    setPoint(this.ownCell.min, nodes.cellMin(node, 0), nodes.cellMin(node, 1), nodes.cellMin(node, 2));
    this.ownCell.edge = nodes.edge(node);
    this.depth = nodes.edgeExponent(ROOT) - nodes.edgeExponent(node);
    this.bodyCount = nodes.bodyCount(node);
    this.childCount = nodes.isLeaf(node) ? 0 : countBits(nodes.childMask[node]);
    this.lifespan = nodes.lifespan[node];
    this.countdown = nodes.countdown[node];
    const { fitted } = nodes;
    const at = node * BOX_STRIDE;
    const { min, max } = this.box;
    if (fitted[at] <= fitted[at + 3]) {
      copyPoint(min, fitted, at);
      copyPoint(max, fitted, at + 3);
    } else {
      setPoint(min, Infinity, Infinity, Infinity);
      setPoint(max, -Infinity, -Infinity, -Infinity);
    }
    return this;
  }

  /**
   * The bodies of the node itself, without those of nodes below.
   *
   * @throws {Error} If the tree has changed since the node was visited.
   */
  bodies(): Body<T, M>[] {
    const { source } = this;
    if (source === null || this.version !== source.version) {
      throw new Error(
        'OctreeNode.bodies: the tree has changed since this node was visited; call it in the visitor, or visit the nodes again.',
      );
    }
    const { nodes, slots } = source.tree;
    const page = nodes.page(this.number);
    const bodies: Body<T, M>[] = [];
    for (let slot = page; slot < page + this.bodyCount; slot++)
      bodies.push(source.bodyAt(slots.body[slot]) as Body<T, M>);
    return bodies;
  }
}

function countBits(mask: number): number {
  let count = 0;
  for (let bits = mask; bits !== 0; bits &= bits - 1) count++;
  return count;
}
