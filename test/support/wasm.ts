/** What an octree has in WebAssembly. */
import type { Octree } from '../../src/index.ts';
import type { WasmAccelerator } from '../../src/wasm/accelerator.ts';
import type { WasmMoves } from '../../src/wasm/wasm-moves.ts';
import type { WasmTraversal } from '../../src/wasm/wasm-traversal.ts';
import { collectGarbage } from './garbage.ts';

function acceleratorOf(octree: Octree<number>): WasmAccelerator | null {
  return octree.internals.store.tree.accelerator as WasmAccelerator | null;
}

/** Null while the walks of the octree run in JavaScript. */
export function traversalOf(octree: Octree<number>): WasmTraversal | null {
  return acceleratorOf(octree)?.walker ?? null;
}

/** Null while the arrays of its bodies lie outside WebAssembly. */
export function movesOf(octree: Octree<number>): WasmMoves | null {
  const mover = acceleratorOf(octree)?.mover;
  mover?.releaseOutgrown(octree.internals.store.tree.bodies);
  return mover?.moves ?? null;
}

/** Waits for code that is being compiled or loaded. */
export async function wasmReady(octree: Octree<number>): Promise<void> {
  await acceleratorOf(octree)?.ready;
}

/**
 * Begins to load the code of bulk moves, and waits for it. All octrees of this copy of the library have it afterwards.
 */
export async function loadMoves(octree: Octree<number>): Promise<void> {
  const count = 64;
  octree.insertMany(new Float64Array(4 * count), { kind: 'sphere', data: Array.from({ length: count }, (_, k) => k) });
  octree.update();
  const indices = Uint32Array.from({ length: count }, (_, k) => k);
  for (let tick = 0; tick < 4; tick++) octree.moveMany(indices, new Float64Array(3 * count));
  await wasmReady(octree);
  octree.clear();
}

/**
 * Collects the octrees that earlier files have left: there are no more than 64 memories, and files share a worker. Call
 * it in `beforeAll` of tests that need one.
 */
export const freeMemories = collectGarbage;
