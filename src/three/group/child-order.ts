/**
 * The children of a group in their order, and what updates compare of each.
 *
 * The columns of 256 neighbouring children form a block, which updates read in sequence. They pass over a block without
 * watched children.
 */

import type { Object3D } from 'three';
import { GapOrder } from './gap-order.ts';
import type { Member, WatchState } from './member.ts';
import { ComparedNodes } from './compared-nodes.ts';

const BLOCK_SHIFT = 8;
/** Children per block. */
export const CHILDREN_PER_BLOCK = 1 << BLOCK_SHIFT;

/** Children by their index in the block. */
export class ChildBlock extends ComparedNodes {
  /** Number of children that are not static. */
  watchedCount = 0;

  watchChild(index: number, child: Object3D, watch: WatchState): void {
    this.watchedCount += Number(watch !== 'reported') - Number(this.isWatched(index));
    this.watch(index, child, watch === 'visited' ? -1 : child.children.length);
    this.setStatic(index, watch === 'reported');
  }

  removeChild(index: number): void {
    this.watchedCount -= Number(this.isWatched(index));
    this.unwatch(index);
  }

  /** Whether updates look at the child, and not only in turn. */
  isWatched(index: number): boolean {
    return this.nodes[index] !== undefined && !this.isStatic(index);
  }
}

export class ChildOrder extends GapOrder<'childOrder', Member> {
  /** By order / 256. A rebuild replaces the array. */
  blocks: ChildBlock[] = [];

  constructor() {
    super('childOrder');
  }

  override append(child: Member): void {
    super.append(child);
    if (this.blocks.length * CHILDREN_PER_BLOCK < this.items.length) this.blocks.push(new ChildBlock());
  }

  override remove(child: Member): void {
    this.blockOf(child).removeChild(indexInBlock(child));
    super.remove(child);
  }

  /** @param visitChildren Visits all children in their order. */
  override restore(visitChildren: (visitor: (child: Member) => void) => void): void {
    const oldBlocks = this.blocks;
    super.restore((visitor) => {
      this.blocks = [];
      visitChildren((child) => {
        const { childOrder } = child;
        visitor(child);
        this.setWatch(child, child.watch);
        this.blockOf(child).copyNumbers(
          indexInBlock(child),
          oldBlocks[childOrder >> BLOCK_SHIFT],
          childOrder % CHILDREN_PER_BLOCK,
        );
      });
    });
  }

  /** The one place where the state changes. @param watch If `compared`, its source must be up to date. */
  setWatch(child: Member, watch: WatchState): void {
    child.watch = watch;
    this.blockOf(child).watchChild(indexInBlock(child), child.object, watch);
  }

  blockOf({ childOrder }: Member): ChildBlock {
    return this.blocks[childOrder >> BLOCK_SHIFT];
  }
}

/** Index of a child in the columns of its block. */
export function indexInBlock({ childOrder }: Member): number {
  return childOrder % CHILDREN_PER_BLOCK;
}
