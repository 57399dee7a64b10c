/**
 * The walk of `collectVisible` in WebAssembly, in the memory of a WASM traversal: see assembly/walk.ts. Loaded by
 * occlusion-query.ts at the first query.
 */

import type { Search } from '../../octree/queries/search.ts';
import type { RangeKernel } from '../../tree/traverse/kernel.ts';
import type { Scratch } from '../../tree/traverse/scratch.ts';
import type { Tree } from '../../tree/tree.ts';
import { WasmModule, type WasmInstance } from '../../wasm/wasm-module.ts';
import { traversalOf, type WasmTraversal } from '../../wasm/wasm-traversal.ts';
import type { CameraProjection, Frame } from './camera-projection.ts';
import type { OcclusionWalk } from './plain-walk.ts';
import * as map from './walk-memory.ts';
import { occlusionCode } from './wasm-walk-code.ts';

const module = /* @__PURE__ */ new WasmModule(occlusionCode);
/** The walk of each traversal, created at its first use. */
const walks = /* @__PURE__ */ new WeakMap<WasmTraversal, WasmWalk>();
/** Numbers of one of the two maps of a frame. */
const MAP_LENGTH = 9;

interface Exports {
  readonly begin: (width: number, height: number, rootOverlap: number, categories: number) => void;
  readonly next: () => number;
  readonly isHidden: () => number;
  readonly rasterise: (frame: number, minCells: number) => number;
}

export class WasmWalk implements OcclusionWalk {
  readonly box: Float64Array;
  private readonly traversal: WasmTraversal;
  private readonly instance: WasmInstance;
  private exports!: Exports;
  private readonly eye: Float64Array;
  private readonly viewFrame: Float64Array;
  private readonly orientedFrame: Float64Array;
  private projection: CameraProjection | null = null;
  private scratch!: Scratch;

  private constructor(traversal: WasmTraversal) {
    const { memory } = traversal;
    const { buffer } = memory;
    this.traversal = traversal;
    this.instance = memory.instantiate(module);
    this.box = new Float64Array(buffer, map.RELATIVE_BOX, 6);
    this.eye = new Float64Array(buffer, map.VIEW_EYE, 5);
    this.viewFrame = new Float64Array(buffer, map.VIEW_FRAME, 2 * MAP_LENGTH);
    this.orientedFrame = new Float64Array(buffer, map.ORIENTED_FRAME, 2 * MAP_LENGTH);
  }

  /** The walk for a tree; null if there is none now. */
  static of(tree: Tree): WasmWalk | null {
    const traversal = traversalOf(tree);
    if (traversal === null || traversal.isBusy || !module.compile()) return null;
    const walk = walks.get(traversal) ?? new WasmWalk(traversal);
    walks.set(traversal, walk);
    const { exports } = walk.instance;
    if (exports === null) return null;
    walk.exports ??= { ...(exports as Exports) };
    return walk;
  }

  /** Resolves when code that is being compiled can be used, or has failed; for tests. */
  static get ready(): Promise<unknown> {
    return Promise.resolve(module.pending);
  }

  get overlap(): number {
    return this.traversal.integers[map.BODY_OVERLAP >> 2];
  }

  get area(): number {
    return this.traversal.integers[map.BODY_AREA >> 2];
  }

  get nodesTested(): number {
    return this.traversal.integers[map.NODES_TESTED >> 2];
  }

  get nodesHidden(): number {
    return this.traversal.integers[map.NODES_HIDDEN >> 2];
  }

  get bodiesHidden(): number {
    return this.traversal.integers[map.BODIES_HIDDEN >> 2];
  }

  begin(_tree: Tree, query: RangeKernel, { categories, scratch }: Search, projection: CameraProjection): boolean {
    const { traversal, eye } = this;
    const { width, height } = projection;
    if ((width * height) / 32 > map.MAX_TILES || !traversal.takesVolume(query)) return false;
    // The filter of a query may run other queries: these must not use the memory of this walk.
    traversal.isBusy = true;
    this.projection = projection;
    this.scratch = scratch;
    eye.set(projection.eye);
    eye[3] = projection.nearDepth;
    eye[4] = projection.nearRadiusSq;
    writeFrame(projection, this.viewFrame);
    this.exports.begin(width, height, query.rootOverlap, categories);
    return true;
  }

  next(): number {
    return this.exports.next();
  }

  isHidden(): boolean {
    return this.exports.isHidden() !== 0;
  }

  rasterise(frame: Frame, minCells: number): boolean {
    if (frame === this.projection) return this.exports.rasterise(map.VIEW_FRAME, minCells) !== 0;
    writeFrame(frame, this.orientedFrame);
    return this.exports.rasterise(map.ORIENTED_FRAME, minCells) !== 0;
  }

  end(): void {
    this.traversal.isBusy = false;
    this.traversal.addCosts(this.scratch);
    this.projection = null;
  }
}

function writeFrame({ toCells, toWorld }: Frame, target: Float64Array): void {
  target.set(toCells);
  target.set(toWorld, MAP_LENGTH);
}
