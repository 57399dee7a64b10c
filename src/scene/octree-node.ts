/** A node as visitors and records see it: a copy of its state, so that it can be kept; only its bodies have to be asked for at once. */

import { Box3 } from 'three';
import { BOX_STRIDE } from '../math/box.ts';
import { ROOT } from '../tree/layout.ts';
import type { Body } from './body.ts';
import type { BodyStore } from './body-store.ts';
import type { Region } from './shapes.ts';

export class OctreeNode<T> {
  /** The cube that decides which bodies go here. */
  readonly cell = { min: { x: 0, y: 0, z: 0 }, edge: 0 } satisfies Region;
  /**
   * The box around all entries in and below the node: bodies' bounds, rounded outward to Float32 and with the room that moving ones have;
   * may stay larger for some updates after bodies have left. Empty if there are none.
   */
  readonly fitted: Box3 = new Box3();
  /** Levels below the root. */
  depth = 0;
  /** Bodies of this very node. */
  bodyCount = 0;
  /** Children in use, 0 for a leaf. */
  childCount = 0;
  /** Updates that the node waits, when it is left empty, before it is cut off. */
  lifespan = 0;
  /** Updates left of that wait, -1 if it is not waiting. */
  countdown = -1;

  /** @internal */
  id = -1;
  private store: BodyStore<T> | null = null;
  private version = 0;

  /** @internal */
  read(store: BodyStore<T>, id: number): this {
    const { nodes } = store.tree;
    this.store = store;
    this.version = store.version;
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
   * The bodies of this very node.
   *
   * @throws {Error} If the tree has changed since the node was visited.
   */
  bodies(): Body<T>[] {
    const { store } = this;
    if (store === null || this.version !== store.version) {
      throw new Error('OctreeNode.bodies: the tree has changed since this node was visited; call it in the visitor, or visit again.');
    }
    const { nodes, slots } = store.tree;
    const page = nodes.page(this.id);
    return Array.from({ length: this.bodyCount }, (_, k) => store.bodyAt(slots.body[page + k]));
  }
}

function countBits(mask: number): number {
  let count = 0;
  for (let bits = mask; bits !== 0; bits &= bits - 1) count++;
  return count;
}
