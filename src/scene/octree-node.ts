/** A node as visitors and records see it: a copy of its state, so that it can be kept; only its bodies have to be asked for at once. */

import { Box3 } from 'three';
import { BOX_LANES } from '../math/box.ts';
import { ROOT } from '../tree/layout.ts';
import type { Body } from './body.ts';
import type { BodyStore } from './body-store.ts';
import type { Region } from './shapes.ts';

export class OctreeNode<T> {
  /** The cube that decides which bodies go here. */
  readonly cell: Region;
  /**
   * The box around all entries in and below the node: bodies' bounds, rounded outward to Float32 and with the room that moving ones have;
   * may stay larger for some updates after bodies have left. Empty if there are none.
   */
  readonly fitted: Box3 = new Box3();
  /** Levels below the root. */
  readonly depth: number;
  /** Bodies of this very node. */
  readonly bodyCount: number;
  /** Children in use, 0 for a leaf. */
  readonly childCount: number;
  /** Updates that the node waits, when it is left empty, before it is cut off. */
  readonly lifespan: number;
  /** Updates left of that wait, -1 if it is not waiting. */
  readonly countdown: number;

  /** @internal */
  readonly id: number;
  private readonly store: BodyStore<T>;
  private readonly version: number;

  /** @internal */
  constructor(store: BodyStore<T>, id: number) {
    const { nodes } = store.tree;
    this.store = store;
    this.version = store.version;
    this.id = id;
    this.cell = { min: { x: nodes.cellMin(id, 0), y: nodes.cellMin(id, 1), z: nodes.cellMin(id, 2) }, edge: nodes.edge(id) };
    this.depth = nodes.level(ROOT) - nodes.level(id);
    this.bodyCount = nodes.bodyCount(id);
    this.childCount = nodes.isLeaf(id) ? 0 : countBits(nodes.childMask[id]);
    this.lifespan = nodes.lifespan[id];
    this.countdown = nodes.countdown[id];
    const at = id * BOX_LANES;
    if (nodes.fitted[at] <= nodes.fitted[at + 3]) {
      this.fitted.min.fromArray(nodes.fitted, at);
      this.fitted.max.fromArray(nodes.fitted, at + 3);
    }
  }

  /**
   * The bodies of this very node.
   *
   * @throws {Error} If the tree has changed since the node was visited.
   */
  bodies(): Body<T>[] {
    if (this.version !== this.store.version) {
      throw new Error('OctreeNode.bodies: the tree has changed since this node was visited; call it in the visitor, or visit again.');
    }
    const { nodes, slots } = this.store.tree;
    const page = nodes.page(this.id);
    return Array.from({ length: this.bodyCount }, (_, k) => this.store.bodyAt(slots.body[page + k]));
  }
}

function countBits(mask: number): number {
  let count = 0;
  for (let bits = mask; bits !== 0; bits &= bits - 1) count++;
  return count;
}
