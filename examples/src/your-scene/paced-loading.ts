// A plugin of GLTFLoader that paces it: nodes and meshes begin one after the other, in slices, so that a file with
// thousands of them does not block the page.

import type { GLTFLoaderPlugin, GLTFParser } from 'three/addons/loaders/GLTFLoader.js';
import { nextTurn } from '../shared/slices.ts';
import type { GltfJson } from './gltf-check.ts';

/** Milliseconds of work per turn of the event loop. */
const SLICE_MS = 8;
/** Microtasks to wait after a part has begun: in these the loader goes on with it. */
const MICROTASKS = 6;

/** Parts that are requested per turn: a few milliseconds. */
const REQUESTS = 500;

/** Whether a buffer needs no time to load: the content of a .glb, or an empty one in place of what meshopt decodes. */
const isInMemory = (uri: string | undefined): boolean => uri === undefined || uri.startsWith('blob:');

export class Pace {
  /** Nodes and meshes that have begun. */
  begun = 0;
  private readonly waiting: { readonly begin: () => void; readonly cancel: (reason: unknown) => void }[] = [];
  private readonly signal: AbortSignal;
  private readonly onBegun: (begun: number) => void;
  private isRunning = false;

  constructor(signal: AbortSignal, onBegun: (begun: number) => void) {
    this.signal = signal;
    this.onBegun = onBegun;
  }

  /** For `GLTFLoader.register`. */
  plugin(parser: GLTFParser): GLTFLoaderPlugin {
    return {
      name: 'PACED_LOADING',
      beforeRoot: () => this.begin(parser),
      loadNode: (index) => this.turn().then(() => parser.loadNode(index)),
      loadMesh: (index) => this.turn().then(() => parser.loadMesh(index)),
    };
  }

  /**
   * Begins buffers, then meshes, then nodes, one after the other. The loader then finds them begun. By itself it would
   * make everything that waits for a part in one go, once that part is loaded.
   */
  private async begin(parser: GLTFParser): Promise<void> {
    const { buffers = [], nodes = [], scenes = [] } = parser.json as GltfJson;
    await this.beginAll(
      parser,
      'buffer',
      buffers.flatMap(({ uri }, index) => (isInMemory(uri) ? [] : index)),
    );
    await this.beginAll(parser, 'mesh', [...new Set(nodes.flatMap(({ mesh }) => mesh ?? []))]);
    await this.beginAll(
      parser,
      'node',
      scenes.flatMap(({ nodes = [] }) => nodes),
    );
  }

  private async beginAll(parser: GLTFParser, kind: string, indices: readonly number[]): Promise<void> {
    const begun: Promise<unknown>[] = [];
    for (const [k, index] of indices.entries()) {
      if (k % REQUESTS === REQUESTS - 1) await nextTurn();
      begun.push(parser.getDependency(kind, index) as Promise<unknown>);
      // A failure is reported below. Until then it must not count as unhandled.
      begun.at(-1)!.catch(() => {});
    }
    await Promise.all(begun);
  }

  /** Resolves when it is the caller's turn; rejects once the signal is aborted. */
  private turn(): Promise<void> {
    const turn = new Promise<void>((resolve, reject) => this.waiting.push({ begin: resolve, cancel: reject }));
    if (!this.isRunning) void this.run();
    return turn;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) {
      await nextTurn();
      const start = performance.now();
      while (this.waiting.length > 0 && performance.now() - start < SLICE_MS) {
        const { begin, cancel } = this.waiting.shift()!;
        if (this.signal.aborted) cancel(this.signal.reason);
        else begin();
        this.begun++;
        for (let k = 0; k < MICROTASKS; k++) await Promise.resolve();
      }
      this.onBegun(this.begun);
    }
    this.isRunning = false;
  }
}
