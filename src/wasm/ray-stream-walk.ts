/** The walk of ray streams in WebAssembly, in the memory of a WASM traversal. See assembly/ray-stream.ts. */

import type { Tree } from '../tree/tree.ts';
import * as map from './memory-map.ts';
import { rayStreamCode } from './ray-stream-code.ts';
import { WasmModule } from './wasm-module.ts';
import { traversalOf, type WasmTraversal } from './wasm-traversal.ts';

export { MAX_STREAM_RAYS, STREAM_RAY_LENGTH } from './memory-map.ts';

const module = /* @__PURE__ */ new WasmModule(rayStreamCode);
/** The walk of each traversal, created at its first use. */
const streams = /* @__PURE__ */ new WeakMap<WasmTraversal, RayStreamWalk>();

interface Exports {
  /**
   * Begins a walk with the first `count` rays; `nearest` is the octant on the side from which all of them come, see
   * `beginRays` in assembly/ray-stream.ts.
   */
  readonly beginRays: (count: number, nearest: number, categories: number) => void;
  /** Continues to the next bodies; returns their number, 0 at the end. */
  readonly nextRays: () => number;
}

export class RayStreamWalk {
  /**
   * The rays, STREAM_RAY_LENGTH numbers each, in the order of the ray kernel. Their maximum distances may be reduced
   * between two calls of `nextRays`.
   */
  readonly rays: Float32Array;
  /** Bodies that `nextRays` has found, and for each of them the ray and a lower bound of the distance. */
  readonly bodies: Int32Array;
  readonly bodyRays: Int32Array;
  readonly bodyDistances: Float32Array;
  /** Owns the memory and counts the costs. Set `isBusy` from `beginRays` to the end of the walk. */
  readonly traversal: WasmTraversal;
  readonly exports: Exports;

  private constructor(traversal: WasmTraversal) {
    const { buffer } = traversal;
    this.traversal = traversal;
    this.exports = traversal.instantiate(module) as Exports;
    this.rays = new Float32Array(buffer, map.RAYS, map.MAX_STREAM_RAYS * map.STREAM_RAY_LENGTH);
    this.bodies = new Int32Array(buffer, map.RESULTS, (map.RESULT_DISTANCES - map.RESULTS) >> 2);
    this.bodyRays = new Int32Array(buffer, map.RESULT_RAYS, this.bodies.length);
    this.bodyDistances = new Float32Array(buffer, map.RESULT_DISTANCES, this.bodies.length);
  }

  /** The walk of ray streams for a tree; null if there is none now. */
  static of(tree: Tree): RayStreamWalk | null {
    const traversal = traversalOf(tree);
    if (traversal === null || traversal.isBusy || !module.compile()) return null;
    try {
      const stream = streams.get(traversal) ?? new RayStreamWalk(traversal);
      streams.set(traversal, stream);
      return stream;
    } catch (error) {
      // No memory for an instance.
      if (error instanceof RangeError) return null;
      throw error;
    }
  }
}
