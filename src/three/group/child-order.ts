/**
 * The children of a group in their order, and what updates compare of each.
 *
 * The columns of 256 neighbouring children form a block, which updates read in sequence. A block without watched
 * children has empty columns, and updates pass over it: static children cost neither time nor memory here.
 */

import type { Object3D } from 'three';
import { GapOrder } from './gap-order.ts';
import type { ChildState } from './member.ts';
import { ComparedNodes } from './compared-nodes.ts';

/** Children per block, a power of two, and its logarithm. */
export const BLOCK_SIZE = 256;
const BLOCK_SHIFT = 8;

/** Children by their index in the block. A child without members that are drawn by others counts as one node. */
export class ChildBlock extends ComparedNodes {
  /** Number of children that are watched. */
  watchedCount = 0;

  /** @param isCompared Whether updates look at it only if it has changed. If so, it has no children. */
  watchChild(index: number, child: Object3D, isCompared: boolean): void {
    if (this.nodes[index] === undefined) this.watchedCount++;
    this.watch(index, child, isCompared ? 0 : -1);
  }

  unwatchChild(index: number): void {
    if (this.nodes[index] === undefined) return;
    this.unwatch(index);
    if (--this.watchedCount === 0) this.clear();
  }

  isCompared(index: number): boolean {
    return this.childCounts[index] === 0;
  }

  /** Watches a child as another block has done. */
  copyChild(index: number, from: ChildBlock, fromIndex: number): void {
    const child = from.nodes[fromIndex];
    if (child === undefined) return;
    this.watchChild(index, child, from.isCompared(fromIndex));
    this.copyNumbers(index, from, fromIndex);
  }
}

export class ChildOrder extends GapOrder<ChildState> {
  /** By order / 256. A rebuild replaces the array. */
  blocks: ChildBlock[] = [];

  override append(state: ChildState): void {
    super.append(state);
    if (this.blocks.length * BLOCK_SIZE < this.items.length) this.blocks.push(new ChildBlock());
  }

  override remove(state: ChildState): void {
    this.unwatch(state);
    super.remove(state);
  }

  /** @param visitChildren Visits all children in their order. */
  override restore(visitChildren: (visitor: (state: ChildState) => void) => void): void {
    const oldBlocks = this.blocks;
    super.restore((visitor) => {
      this.blocks = [];
      visitChildren((state) => {
        const oldOrder = state.order;
        visitor(state);
        this.blockOf(state).copyChild(indexInBlock(state), oldBlocks[oldOrder >> BLOCK_SHIFT], oldOrder % BLOCK_SIZE);
      });
    });
  }

  /**
   * Has updates look at a child: at one that is compared only if it has changed.
   *
   * @param isCompared If so, the source of its own member must be up to date.
   */
  watch(state: ChildState, isCompared: boolean): void {
    this.blockOf(state).watchChild(indexInBlock(state), state.child, isCompared);
  }

  /** Has updates pass over a child. */
  unwatch(state: ChildState): void {
    this.blockOf(state).unwatchChild(indexInBlock(state));
  }

  blockOf({ order }: ChildState): ChildBlock {
    return this.blocks[order >> BLOCK_SHIFT];
  }
}

/** Index of a child in the columns of its block. */
export function indexInBlock({ order }: ChildState): number {
  return order % BLOCK_SIZE;
}
