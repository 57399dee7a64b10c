/**
 * The WebAssembly half of the speculative search for the nearest bodies: see src/features/nearest/speculative-search.ts
 * and `searchSpeculatively` in assembly/walk.ts.
 */

import { ALL_CATEGORIES } from '../tree/layout.ts';
import type { NearestKernel } from '../tree/traverse/kernel.ts';
import type { Tree } from '../tree/tree.ts';
import * as map from './memory-map.ts';
import { traversalOf, type WasmTraversal } from './wasm-traversal.ts';

/**
 * The traversal of a tree, with the query's volume written to its memory; null if there can be no speculative search.
 */
export function traversalFor(tree: Tree, query: NearestKernel): WasmTraversal | null {
  const traversal = traversalOf(tree);
  return traversal !== null && traversal.takesVolume(query) ? traversal : null;
}

/**
 * Finds the bodies with the nearest slot bounds in one call, at least `count` if possible; returns how many are in
 * `results`.
 */
export function searchSpeculatively({ exports }: WasmTraversal, kernel: NearestKernel, count: number): number {
  exports.begin(kernel.simdKernel, 0, ALL_CATEGORIES);
  return exports.searchSpeculatively(count);
}

/**
 * Counts results beyond `count`, up to `found`, while their slot bounds are no farther away than the volume reaches.
 */
export function countNearEnough({ floats }: WasmTraversal, count: number, found: number): number {
  const maxDistance = floats[(map.VOLUME >> 2) + map.MAX_DISTANCE_OFFSET];
  while (count < found && floats[(map.RESULT_DISTANCES >> 2) + count] <= maxDistance) count++;
  return count;
}

/** Whether the last search has stopped early, so that `resumeNearestFirst` has to continue. */
export function hasStoppedEarly({ integers }: WasmTraversal): boolean {
  return integers[map.STOPPED_EARLY >> 2] !== 0;
}

/** Whether the last search has found every body whose slot bounds lie within the volume. */
export function isComplete({ floats }: WasmTraversal): boolean {
  const completeSq = floats[map.COMPLETE_DISTANCE_SQ >> 2];
  return completeSq === Infinity || completeSq > floats[(map.VOLUME >> 2) + map.MAX_DISTANCE_OFFSET];
}
