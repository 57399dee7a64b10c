/**
 * Working memory of one walk: its stack, the slots kept in the current node, and the costs. A walk of an accelerator
 * uses only the costs and, if it visits the nearest first, the first number of `slotDistances`.
 */

import { grownCapacity } from '../../math/typed-arrays.ts';
import { STACK_SIZE } from './walk-numbers.ts';

const INITIAL_SLOTS = 64;

export class Scratch {
  /** Stack of nodes to visit, and the overlap or the distance of each. */
  readonly nodes = new Int32Array(STACK_SIZE);
  readonly overlaps = new Int32Array(STACK_SIZE);
  readonly distances = new Float64Array(STACK_SIZE);

  /** Slots of the current node that the kernel has kept, and the overlap or the distance of each. */
  slots = new Int32Array(INITIAL_SLOTS);
  slotOverlaps = new Int32Array(INITIAL_SLOTS);
  slotDistances = new Float64Array(INITIAL_SLOTS);

  // Costs since `resetCosts`.
  nodesVisited = 0;
  nodesContained = 0;
  bodiesTested = 0;

  resetCosts(): void {
    this.nodesVisited = this.nodesContained = this.bodiesTested = 0;
  }

  reserveSlots(count: number): void {
    if (count <= this.slots.length) return;
    const capacity = grownCapacity(count, this.slots.length);
    this.slots = new Int32Array(capacity);
    this.slotOverlaps = new Int32Array(capacity);
    this.slotDistances = new Float64Array(capacity);
  }
}
