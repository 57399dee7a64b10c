/**
 * The walks of a large tree, done in WebAssembly (see assembly). There everything is Float32, and more is kept than strictly need be; what has
 * to be exact is decided here, as in the walks of ../walk.ts and in the same order.
 */

import { appendSubtree } from '../append-subtree.ts';
import type { IndexList } from '../index-list.ts';
import { WHOLE } from '../notes.ts';
import type { Scratch } from '../scratch.ts';
import type { Tree } from '../tree.ts';
import type { Confirmer, NearestKernel, RangeKernel } from '../walk.ts';
import { SUBTREE } from './memory-map.ts';
import type { Walker } from './walker.ts';

/** What the walker has to know of a kernel. */
export interface SimdKernel {
  /** Kind of the question, one of those in memory-map.ts. */
  readonly simdKind: number;
  /** Writes the numbers of the volume; false if they are beyond what can be computed in Float32. */
  writeSimd(lanes: Float32Array): boolean;
}

/** The walker, told what the kernel looks for; null if the walk has to be done without. */
export function walkerFor({ walker }: Tree, kernel: SimdKernel): Walker | null {
  return walker !== null && !walker.isBusy && kernel.writeSimd(walker.shape) ? walker : null;
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
  const { bodies } = tree;
  const { answers } = walker;
  walker.begin(kernel.simdKind, kernel.undecided, categories);
  for (let count = walker.nextOverlapping(); count > 0; count = walker.nextOverlapping()) {
    let { length } = out;
    out.reserve(length + count);
    let { array } = out;
    for (let k = 0; k < 2 * count; k += 2) {
      const item = answers[k];
      const note = answers[k + 1];
      if (note === SUBTREE) {
        out.length = length;
        appendSubtree(tree, item, 0, scratch.nodes, out);
        ({ length } = out);
        // The rest of the batch still needs its room.
        out.reserve(length + count);
        ({ array } = out);
      } else if (note === WHOLE || confirmer === null || confirmer.touches(bodies, item, note)) array[length++] = item;
    }
    out.length = length;
  }
  readCosts(walker, scratch);
}

export function walkNearestFirstSimd(walker: Walker, kernel: NearestKernel, categories: number, scratch: Scratch): void {
  const { answers, distances, shape } = walker;
  const { slotDistances } = scratch;
  walker.isBusy = true;
  try {
    walker.begin(kernel.simdKind, 0, categories);
    for (let count = walker.nextNearest(); count > 0; count = walker.nextNearest()) {
      for (let k = 0; k < 2 * count; k += 2) {
        slotDistances[0] = distances[k + 1];
        if (kernel.mayHold(slotDistances, 0)) kernel.visit(answers[k]);
      }
      kernel.writeMost(shape);
    }
    readCosts(walker, scratch);
  } finally {
    walker.isBusy = false;
  }
}

function readCosts(walker: Walker, scratch: Scratch): void {
  scratch.nodesVisited += walker.nodesVisited;
  scratch.nodesWhole += walker.nodesWhole;
  scratch.bodiesTested += walker.bodiesTested;
}
