/** Working memory of one walk: its stack, the slots that passed in the node at hand, and what the walk has cost; of a walk in WebAssembly the cost only. */

import { STACK_SIZE } from '../layout.ts';

export class Scratch {
  /** Nodes that wait for their visit, and what the kernel noted about each. */
  readonly nodes = new Int32Array(STACK_SIZE);
  readonly lanes = new Int32Array(STACK_SIZE);
  readonly distances = new Float64Array(STACK_SIZE);

  /** Slots of one node that passed the kernel, and what it noted about each. */
  slots = new Int32Array(64);
  slotLanes = new Int32Array(64);
  slotDistances = new Float64Array(64);

  // Costs of the last walk.
  nodesVisited = 0;
  nodesContained = 0;
  bodiesTested = 0;

  resetCost(): void {
    this.nodesVisited = 0;
    this.nodesContained = 0;
    this.bodiesTested = 0;
  }

  reserveSlots(count: number): void {
    if (count <= this.slots.length) return;
    const capacity = Math.max(count, 2 * this.slots.length);
    this.slots = new Int32Array(capacity);
    this.slotLanes = new Int32Array(capacity);
    this.slotDistances = new Float64Array(capacity);
  }
}
