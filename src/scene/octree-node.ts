/** A node as visitors and records see it: a copy of the node's state, which may be kept. Only `bodies()` needs the tree to be unchanged. */

import { Box3 } from 'three';
import { BOX_STRIDE } from '../math/box.ts';
import { ROOT } from '../tree/layout.ts';
import type { Tree } from '../tree/tree.ts';
import type { Body } from './body.ts';
import type { Region } from './shapes.ts';

/** What a node reads from the store. */
export interface NodeSource<T> {
  readonly tree: Tree;
  /** Changes whenever the bodies of a node may have changed. */
  readonly version: number;
  bodyAt(index: number): Body<T>;
}

export class OctreeNode<T> {
  /** The cube that decides which bodies belong to the node. */
  readonly cell = { min: { x: 0, y: 0, z: 0 }, edge: 0 } satisfies Region;
  /**
   * The box around the slot bounds of all bodies in and below the node. Slot bounds are the body's bounds rounded outward to Float32; those of a
   * moving body include its margin. The box may stay larger for some updates after bodies have left. It is empty if there are no bodies.
   */
  readonly fitted: Box3 = new Box3();
  /** Levels below the root; the root has depth 0. */
  depth = 0;
  /** Bodies of the node itself, without those of nodes below. */
  bodyCount = 0;
  /** Children in use; 0 for a leaf. */
  childCount = 0;
  /** Updates from the one that finds the leaf empty to the one that removes it. */
  lifespan = 0;
  /** Updates left until an empty leaf is removed; -1 while no countdown runs. */
  countdown = -1;

  /** @internal */
  id = -1;
  private source: NodeSource<T> | null = null;
  private version = 0;

  /** @internal */
  read(source: NodeSource<T>, id: number): this {
    const { nodes } = source.tree;
    this.source = source;
    this.version = source.version;
    this.id = id;
    this.cell.min.x = nodes.cellMin(id, 0);
    this.cell.min.y = nodes.cellMin(id, 1);
    this.cell.min.z = nodes.cellMin(id, 2);
    this.cell.edge = nodes.edge(id);
    this.depth = nodes.level(ROOT) - nodes.level(id);
    this.bodyCount = nodes.bodyCount(id);
    this.childCount = nodes.isLeaf(id) ? 0 : countBits(nodes.childMask[id]);
    this.lifespan = nodes.lifespan[id];
    this.countdown = nodes.countdown[id];
    const at = id * BOX_STRIDE;
    if (nodes.fitted[at] <= nodes.fitted[at + 3]) {
      this.fitted.min.fromArray(nodes.fitted, at);
      this.fitted.max.fromArray(nodes.fitted, at + 3);
    } else this.fitted.makeEmpty();
    return this;
  }

  /**
   * The bodies of the node itself, without those of nodes below.
   *
   * @throws {Error} If the tree has changed since the node was visited.
   */
  bodies(): Body<T>[] {
    const { source } = this;
    if (source === null || this.version !== source.version) {
      throw new Error('OctreeNode.bodies: the tree has changed since this node was visited; call it in the visitor, or visit the nodes again.');
    }
    const { nodes, slots } = source.tree;
    const page = nodes.page(this.id);
    return Array.from({ length: this.bodyCount }, (_, k) => source.bodyAt(slots.body[page + k]));
  }
}

function countBits(mask: number): number {
  let count = 0;
  for (let bits = mask; bits !== 0; bits &= bits - 1) count++;
  return count;
}
