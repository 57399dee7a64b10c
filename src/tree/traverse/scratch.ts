/**
 * Working memory of one walk: its stack, the slots kept in the current node, and the costs. A walk of an accelerator
 * uses only the costs.
 */

import { KeptBoxes } from '../../math/kept-boxes.ts';
import { STACK_SIZE } from './walk-numbers.ts';

export class Scratch {
  /** Nodes to visit: a stack. */
  readonly nodes = new KeptBoxes(STACK_SIZE);
  /** Slots of the current node that the kernel has kept. */
  readonly slots = new KeptBoxes();

  // Costs since `resetCosts`.
  nodesVisited = 0;
  nodesContained = 0;
  bodiesTested = 0;

  resetCosts(): void {
    this.nodesVisited = this.nodesContained = this.bodiesTested = 0;
  }
}
