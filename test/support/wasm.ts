/** What an octree has in WebAssembly. */
import type { Octree } from '../../src/index.ts';
import type { WasmAccelerator } from '../../src/wasm/accelerator.ts';
import type { WasmTraversal } from '../../src/wasm/wasm-traversal.ts';
import { collectGarbage } from './garbage.ts';

function acceleratorOf(octree: Octree<number>): WasmAccelerator | null {
  return octree.internals.store.tree.accelerator as WasmAccelerator | null;
}

/** Null while the walks of the octree run in JavaScript. */
export function traversalOf(octree: Octree<number>): WasmTraversal | null {
  return acceleratorOf(octree)?.walker ?? null;
}

/**
 * Collects the octrees that earlier files have left: there are no more than 64 memories, and files share a worker. Call
 * it in `beforeAll` of tests that need one.
 */
export const freeMemories = collectGarbage;
