/**
 * The walks of a large tree, done in WebAssembly (see assembly). There everything is Float32, and more is kept than strictly need be; what has
 * to be exact is decided here, as in the walks of ../walk.ts and in the same order.
 */

import type { IndexList } from '../storage/index-list.ts';
import type { ExactTest, NearestKernel, RangeKernel, Shape } from './kernel.ts';
import { NO_BODY } from '../layout.ts';
import type { Scratch } from './scratch.ts';
import type { Tree } from '../tree.ts';
import type { WasmTraversal } from '../simd/wasm-traversal.ts';

/** Copied one by one; of more the whole batch is copied at once, for a part of it could only be had by a new object. */
const FEW = 200;

/** The walker, told what the kernel looks for; null if the walk has to be done without. */
export function wasmFor({ wasm }: Tree, kernel: Shape): WasmTraversal | null {
  return wasm !== null && !wasm.isBusy && kernel.writeShape(wasm.shape) ? wasm : null;
}

export function walkOverlappingSimd(
  tree: Tree,
  wasm: WasmTraversal,
  kernel: RangeKernel,
  exactTest: ExactTest | null,
  categories: number,
  scratch: Scratch,
  out: IndexList,
): void {
  const { answers } = wasm;
  wasm.begin(kernel.simdKind, kernel.undecided, categories);
  for (let count = wasm.nextOverlapping(); count > 0; count = wasm.nextOverlapping()) {
    const kept = exactTest === null ? count : decide(tree, wasm, exactTest, count);
    const { length } = out;
    out.reserve(length + (kept > FEW ? answers.length : kept));
    const { array } = out;
    if (kept > FEW) array.set(answers, length);
    else for (let k = 0; k < kept; k++) array[length + k] = answers[k];
    out.length = length + kept;
  }
  readCosts(wasm, scratch);
}

/** Drops those answers of a batch that do not touch the volume by their exact bounds. */
function decide(tree: Tree, wasm: WasmTraversal, exactTest: ExactTest, count: number): number {
  const { bodies } = tree;
  const { answers, undecided, undecidedCount, undecidedNotes } = wasm;
  for (let k = 0; k < undecidedCount; k++) {
    const place = undecided[k];
    if (!exactTest.touches(bodies, answers[place], undecidedNotes[k])) answers[place] = NO_BODY;
  }
  return wasm.dropNegative(count);
}

export function walkNearestFirstSimd(wasm: WasmTraversal, kernel: NearestKernel, categories: number, scratch: Scratch): void {
  wasm.begin(kernel.simdKind, 0, categories);
  walkOn(wasm, kernel, scratch);
}

/** Goes on with a walk. */
export function walkOn(wasm: WasmTraversal, kernel: NearestKernel, scratch: Scratch): void {
  const { nearest, distances, shape } = wasm;
  const { slotDistances } = scratch;
  wasm.isBusy = true;
  try {
    for (let count = wasm.nextNearest(); count > 0; count = wasm.nextNearest()) {
      for (let k = count - 1; k >= 0; k--) {
        // In a lane of Float64, like those of the other walk: a number that is passed to a call may have to become an object first.
        slotDistances[0] = distances[k];
        if (kernel.mayHold(slotDistances, 0)) kernel.visit(nearest[k]);
      }
      kernel.writeMaxDistance(shape);
    }
    readCosts(wasm, scratch);
  } finally {
    wasm.isBusy = false;
  }
}

/** Adds what the walk has cost so far. */
export function readCosts(wasm: WasmTraversal, scratch: Scratch): void {
  scratch.nodesVisited += wasm.nodesVisited;
  scratch.nodesContained += wasm.nodesContained;
  scratch.bodiesTested += wasm.bodiesTested;
}
