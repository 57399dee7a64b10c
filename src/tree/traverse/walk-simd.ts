/**
 * The walks of a large tree, done in WebAssembly (see assembly). There everything is Float32, and more is kept than strictly need be; what has
 * to be exact is decided here, as in the walks of ../walk.ts and in the same order.
 */

import type { IndexList } from '../storage/index-list.ts';
import type { Confirmer, NearestKernel, RangeKernel, Shape } from './kernel.ts';
import { NO_BODY } from '../layout.ts';
import type { Scratch } from './scratch.ts';
import type { Tree } from '../tree.ts';
import type { Walker } from '../simd/wasm-traversal.ts';

/** Copied one by one; of more the whole batch is copied at once, for a part of it could only be had by a new object. */
const FEW = 200;

/** The walker, told what the kernel looks for; null if the walk has to be done without. */
export function walkerFor({ walker }: Tree, kernel: Shape): Walker | null {
  return walker !== null && !walker.isBusy && kernel.writeShape(walker.shape) ? walker : null;
}

export function walkOverlappingSimd(
  tree: Tree,
  walker: Walker,
  kernel: RangeKernel,
  confirmer: Confirmer | null,
  categories: number,
  scratch: Scratch,
  out: IndexList,
): void {
  const { answers } = walker;
  walker.begin(kernel.simdKind, kernel.undecided, categories);
  for (let count = walker.nextOverlapping(); count > 0; count = walker.nextOverlapping()) {
    const kept = confirmer === null ? count : decide(tree, walker, confirmer, count);
    const { length } = out;
    out.reserve(length + (kept > FEW ? answers.length : kept));
    const { array } = out;
    if (kept > FEW) array.set(answers, length);
    else for (let k = 0; k < kept; k++) array[length + k] = answers[k];
    out.length = length + kept;
  }
  readCosts(walker, scratch);
}

/** Drops those answers of a batch that do not touch the volume by their exact bounds. */
function decide(tree: Tree, walker: Walker, confirmer: Confirmer, count: number): number {
  const { bodies } = tree;
  const { answers, undecided, undecidedCount, undecidedNotes } = walker;
  for (let k = 0; k < undecidedCount; k++) {
    const place = undecided[k];
    if (!confirmer.touches(bodies, answers[place], undecidedNotes[k])) answers[place] = NO_BODY;
  }
  return walker.dropNegative(count);
}

export function walkNearestFirstSimd(walker: Walker, kernel: NearestKernel, categories: number, scratch: Scratch): void {
  walker.begin(kernel.simdKind, 0, categories);
  walkOn(walker, kernel, scratch);
}

/** Goes on with a walk. */
export function walkOn(walker: Walker, kernel: NearestKernel, scratch: Scratch): void {
  const { nearest, distances, shape } = walker;
  const { slotDistances } = scratch;
  walker.isBusy = true;
  try {
    for (let count = walker.nextNearest(); count > 0; count = walker.nextNearest()) {
      for (let k = count - 1; k >= 0; k--) {
        // In a lane of Float64, like those of the other walk: a number that is passed to a call may have to become an object first.
        slotDistances[0] = distances[k];
        if (kernel.mayHold(slotDistances, 0)) kernel.visit(nearest[k]);
      }
      kernel.writeMost(shape);
    }
    readCosts(walker, scratch);
  } finally {
    walker.isBusy = false;
  }
}

/** Adds what the walk has cost so far. */
export function readCosts(walker: Walker, scratch: Scratch): void {
  scratch.nodesVisited += walker.nodesVisited;
  scratch.nodesWhole += walker.nodesWhole;
  scratch.bodiesTested += walker.bodiesTested;
}
