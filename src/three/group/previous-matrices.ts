/**
 * The matrices of the last frame, for motion vectors. WebGPURenderer keeps the matrix with which it drew an object
 * last, and takes it for that of the last frame. A child that comes into view was not drawn then. So a child that is
 * about to move has the renderer keep its matrix as if it had been drawn.
 */

import type { VelocityNode } from '../passes/pass-renderer.ts';
import type { ChildState } from './member.ts';

export class PreviousMatrices {
  /** Of the last pass with motion vectors. */
  private node: VelocityNode | null = null;
  /** Number of the last pass with motion vectors. */
  private pass = 0;

  /** Call when a pass begins. @param node Null in a pass without motion vectors. */
  beginPass(node: VelocityNode | null): void {
    if (node === null) return;
    this.node = node;
    this.pass++;
  }

  /** Call before the matrices of a child may change. Keeps them, once after each pass with motion vectors. */
  keep(state: ChildState): void {
    const { node, pass } = this;
    if (state.keptInPass === pass) return;
    state.keptInPass = pass;
    for (const { object, compound } of state.members)
      for (const drawn of compound?.drawn ?? [object]) node!.updateAfter({ object: drawn });
  }
}
