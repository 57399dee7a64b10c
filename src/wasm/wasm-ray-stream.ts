/** The walk of ray streams in WebAssembly, in the memory of a WASM traversal. See assembly/ray-stream.ts. */

import * as map from './memory-map.ts';
import { rayStreamCode } from './ray-stream-code.ts';
import type { WasmMemory } from './wasm-memory.ts';
import { WasmModule } from './wasm-module.ts';

const module = /* @__PURE__ */ new WasmModule(rayStreamCode);

interface Exports {
  readonly beginRays: (count: number, nearest: number, categories: number) => void;
  readonly nextRays: () => number;
}

export class WasmRayStream {
  /** The rays, STREAM_RAY_LENGTH numbers each, in the order of the ray kernel. Their maximum distances may be reduced between two calls of `next`. */
  readonly rays: Float32Array;
  /** Bodies that `next` has found, and for each of them the ray and a lower bound of the distance. */
  readonly bodies: Int32Array;
  readonly bodyRays: Int32Array;
  readonly bodyDistances: Float32Array;

  /** Begins a walk with the first `count` rays; `nearest` is the octant on the side from which all of them come, see `beginRays`. */
  readonly begin: Exports['beginRays'];
  /** Continues to the next bodies; returns their number, 0 at the end. */
  readonly next: Exports['nextRays'];

  private constructor({ buffer }: WasmMemory, exports: Exports) {
    this.begin = exports.beginRays;
    this.next = exports.nextRays;
    this.rays = new Float32Array(buffer, map.RAYS, map.MAX_STREAM_RAYS * map.STREAM_RAY_LENGTH);
    this.bodies = new Int32Array(buffer, map.RESULTS, (map.RESULT_DISTANCES - map.RESULTS) >> 2);
    this.bodyRays = new Int32Array(buffer, map.RESULT_RAYS, this.bodies.length);
    this.bodyDistances = new Float32Array(buffer, map.RESULT_DISTANCES, this.bodies.length);
  }

  /** Null if the module cannot be compiled, or without enough memory. */
  static create(memory: WasmMemory): WasmRayStream | null {
    const exports = memory.exportsOf(module) as Exports | null;
    return exports === null ? null : new WasmRayStream(memory, exports);
  }
}
