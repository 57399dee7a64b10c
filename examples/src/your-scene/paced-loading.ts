// A plugin of GLTFLoader that paces it: nodes and meshes begin one after the other, in slices, so that a file with thousands of them does not block the page.

import type { GLTFLoaderPlugin, GLTFParser } from 'three/addons/loaders/GLTFLoader.js';

/** Milliseconds of work per turn of the event loop. */
const SLICE_MS = 8;
/** Turns of the queue of microtasks in which the loader goes on with what has begun. */
const MICROTASKS = 6;

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
      loadNode: (index) => this.turn().then(() => parser.loadNode(index)),
      loadMesh: (index) => this.turn().then(() => parser.loadMesh(index)),
    };
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
      await new Promise((resolve) => setTimeout(resolve));
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
