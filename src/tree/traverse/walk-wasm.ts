/**
 * Runs the walks of large trees in WebAssembly (src/wasm/assembly/walk.ts), batch by batch. WebAssembly computes in Float32 and
 * keeps more than necessary; the exact decisions are made here, in the same order as in walk.ts, so that the results are the
 * same.
 */

import { SHARED_BIT } from '../../math/frustum-planes.ts';
import { ALL_CATEGORIES, BODY_HAS_TIGHT_SLOT, BODY_SPHERE, NO_BODY } from '../layout.ts';
import { SURE } from '../overlap.ts';
import { NO_WASM_KERNEL } from '../../wasm/wasm-kernels.ts';
import type { WasmTraversal } from '../../wasm/wasm-traversal.ts';
import type { IndexList } from '../storage/index-list.ts';
import type { Tree } from '../tree.ts';
import type { ExactTest, NearestKernel, RangeKernel, WasmVolume } from './kernel.ts';
import type { Scratch } from './scratch.ts';

/**
 * Largest number of results that are copied one by one. For more, one `set` of the entire batch array is faster, although it
 * copies unused numbers too. A `set` of the results alone would allocate a view.
 */
const MAX_SINGLE_COPIES = 200;

/** The WASM traversal of the tree, with the query's volume written to its memory; null if the walk must run in JavaScript. */
export function wasmFor({ wasm }: Tree, query: WasmVolume): WasmTraversal | null {
  if (wasm === null || wasm.isBusy || query.wasmKernel === NO_WASM_KERNEL) return null;
  return query.writeVolume?.(wasm.volume) === true ? wasm : null;
}

/** SURE counts only without the shared bit: the WASM traversal does not test the planes that it stands for. */
const SURE_BITS = SURE | (1 << SHARED_BIT);

export function walkOverlappingWasm(
  tree: Tree,
  wasm: WasmTraversal,
  kernel: RangeKernel,
  exactTest: ExactTest | null,
  categories: number,
  scratch: Scratch,
  out: IndexList,
): void {
  const { results } = wasm;
  wasm.begin(kernel.wasmKernel, kernel.rootOverlap, categories);
  for (let count = wasm.nextOverlapping(); count > 0; count = wasm.nextOverlapping()) {
    const kept = exactTest === null ? count : testCandidates(tree, wasm, exactTest, count);
    const { length } = out;
    out.reserve(length + (kept > MAX_SINGLE_COPIES ? results.length : kept));
    const { array } = out;
    if (kept > MAX_SINGLE_COPIES) array.set(results, length);
    else for (let k = 0; k < kept; k++) array[length + k] = results[k];
    out.length = length + kept;
  }
  addCosts(wasm, scratch);
}

/** Removes the candidates that fail the exact test from a batch of `count` results; returns how many results are left. */
function testCandidates(tree: Tree, wasm: WasmTraversal, exactTest: ExactTest, count: number): number {
  const { bodies } = tree;
  const { flags } = bodies;
  const { results, candidates, candidateOverlaps, candidateCount } = wasm;
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
  return wasm.compactResults(count);
}

export function walkNearestFirstWasm(wasm: WasmTraversal, kernel: NearestKernel, categories: number, scratch: Scratch): void {
  wasm.begin(kernel.wasmKernel, 0, categories);
  resumeNearestFirstWasm(wasm, kernel, scratch);
}

/** The rest of a walk that has begun. */
export function resumeNearestFirstWasm(wasm: WasmTraversal, kernel: NearestKernel, scratch: Scratch): void {
  const { kept, keptDistances, volume } = wasm;
  const { slotDistances } = scratch;
  wasm.isBusy = true;
  try {
    for (let count = wasm.nextNearest(); count > 0; count = wasm.nextNearest()) {
      for (let k = count - 1; k >= 0; k--) {
        // Passed in an array, as in the other walk: V8 may box a double that is an argument.
        slotDistances[0] = keptDistances[k];
        if (kernel.isNearEnough(slotDistances, 0)) kernel.visitBody(kept[k]);
      }
      kernel.writeMaxDistance(volume);
    }
    addCosts(wasm, scratch);
  } finally {
    wasm.isBusy = false;
  }
}

/** Finds the bodies with the nearest slot bounds in one call, at least `count` if possible; returns how many are in `results`. See src/features/nearest/speculative-search.ts. */
export function searchSpeculativelyWasm(wasm: WasmTraversal, kernel: NearestKernel, count: number): number {
  wasm.begin(kernel.wasmKernel, 0, ALL_CATEGORIES);
  return wasm.searchSpeculatively(count);
}

/** Adds the costs of the walk since `begin`. */
export function addCosts(wasm: WasmTraversal, scratch: Scratch): void {
  scratch.nodesVisited += wasm.nodesVisited;
  scratch.nodesContained += wasm.nodesContained;
  scratch.bodiesTested += wasm.bodiesTested;
}
