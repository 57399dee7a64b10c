/**
 * The walks of src/tree/traverse/walk.ts in WebAssembly (assembly/walk.ts), batch by batch. WebAssembly computes in Float32 and
 * keeps more than necessary; the exact decisions are made here, in the same order as in walk.ts, so that the results are the
 * same.
 */

import { SHARED_BIT } from '../math/frustum-planes.ts';
import { BODY_HAS_TIGHT_SLOT, BODY_SPHERE, NO_BODY } from '../tree/layout.ts';
import { SURE } from '../tree/overlap.ts';
import type { BodyArrays } from '../tree/storage/body-arrays.ts';
import type { IndexList } from '../tree/storage/index-list.ts';
import type { ExactTest, NearestKernel, RangeKernel, SimdVolume } from '../tree/traverse/kernel.ts';
import type { Scratch } from '../tree/traverse/scratch.ts';
import { NO_SIMD_KERNEL } from '../tree/traverse/simd-kernels.ts';
import type { WasmTraversal } from './wasm-traversal.ts';

/**
 * Largest number of results that are copied one by one. For more, one `set` of the entire batch array is faster, although it
 * copies unused numbers too. A `set` of the results alone would allocate a view.
 */
const MAX_SINGLE_COPIES = 200;

/** SURE counts only without the shared bit: the WASM traversal does not test the planes that it stands for. */
const SURE_BITS = SURE | (1 << SHARED_BIT);

/** Writes the volume of a query to the memory of the traversal. Returns whether it can walk: it has a kernel for the volume, and no other walk is under way. */
export function isWalkable(traversal: WasmTraversal, query: SimdVolume): boolean {
  return !traversal.isBusy && query.simdKernel !== NO_SIMD_KERNEL && query.writeVolume?.(traversal.volume) === true;
}

export function walkOverlapping(
  traversal: WasmTraversal,
  bodies: BodyArrays,
  kernel: RangeKernel,
  exactTest: ExactTest | null,
  categories: number,
  scratch: Scratch,
  out: IndexList,
): void {
  const { results } = traversal;
  traversal.begin(kernel.simdKernel, kernel.rootOverlap, categories);
  for (let count = traversal.nextOverlapping(); count > 0; count = traversal.nextOverlapping()) {
    const kept = exactTest === null ? count : testCandidates(traversal, bodies, exactTest, count);
    const { length } = out;
    out.reserve(length + (kept > MAX_SINGLE_COPIES ? results.length : kept));
    const { array } = out;
    if (kept > MAX_SINGLE_COPIES) array.set(results, length);
    else for (let k = 0; k < kept; k++) array[length + k] = results[k];
    out.length = length + kept;
  }
  addCosts(traversal, scratch);
}

/** Removes the candidates that fail the exact test from a batch of `count` results; returns how many results are left. */
function testCandidates(traversal: WasmTraversal, bodies: BodyArrays, exactTest: ExactTest, count: number): number {
  const { flags } = bodies;
  const { results, candidates, candidateOverlaps, candidateCount } = traversal;
  // No overlap has all bits.
  const sure = exactTest.testsOnlyPlanes === true ? SURE : -1;
  for (let k = 0; k < candidateCount; k++) {
    const position = candidates[k];
    const overlap = candidateOverlaps[k];
    const index = results[position];
    // Most bodies that do not move end here. Their exact bounds are not read, which saves a cache miss.
    if ((overlap & SURE_BITS) === sure && (flags[index] & (BODY_HAS_TIGHT_SLOT | BODY_SPHERE)) === BODY_HAS_TIGHT_SLOT) continue;
    if (!exactTest.touches(bodies, index, overlap & ~SURE)) results[position] = NO_BODY;
  }
  return traversal.compactResults(count);
}

export function walkNearestFirst(traversal: WasmTraversal, kernel: NearestKernel, categories: number, scratch: Scratch): void {
  traversal.begin(kernel.simdKernel, 0, categories);
  resumeNearestFirst(traversal, kernel, scratch);
}

/** The rest of a walk that has begun. */
export function resumeNearestFirst(traversal: WasmTraversal, kernel: NearestKernel, scratch: Scratch): void {
  const { kept, keptDistances, volume } = traversal;
  const { slotDistances } = scratch;
  traversal.isBusy = true;
  try {
    for (let count = traversal.nextNearest(); count > 0; count = traversal.nextNearest()) {
      for (let k = count - 1; k >= 0; k--) {
        // Passed in an array, as in the other walk: V8 may box a double that is an argument.
        slotDistances[0] = keptDistances[k];
        if (kernel.isNearEnough(slotDistances, 0)) kernel.visitBody(kept[k]);
      }
      kernel.writeMaxDistance(volume);
    }
    addCosts(traversal, scratch);
  } finally {
    traversal.isBusy = false;
  }
}

/** Adds the costs of the walk since `begin`. */
export function addCosts(traversal: WasmTraversal, scratch: Scratch): void {
  scratch.nodesVisited += traversal.nodesVisited;
  scratch.nodesContained += traversal.nodesContained;
  scratch.bodiesTested += traversal.bodiesTested;
}
