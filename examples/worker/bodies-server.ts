/**
 * Decodes saved bodies, builds their octree, and answers questions through a port: that of a worker, or one of a
 * MessageChannel where there are no workers.
 */

import { IndexList, Octree, type FrustumLike } from '../../src/core.ts';
import { decodeBodies } from '../../src/save/index.ts';

/** A file to open, or a question about its bodies. */
export interface Question {
  readonly id: number;
  readonly file?: ArrayBuffer;
  readonly frustum?: FrustumLike;
}

/** An answer has one of these, beside the id of its question. Progress may come several times before it. */
export interface Answer {
  readonly id: number;
  /** From 0 to 1. */
  readonly progress?: number;
  /** The number of bodies, once they are built. */
  readonly size?: number;
  /** Bounds for the drawing: six numbers for each box, four for each sphere. Transferred. */
  readonly bounds?: readonly (Float32Array | Float64Array)[];
  readonly indices?: Uint32Array;
  readonly error?: string;
}

/** A MessagePort, or the global scope of a worker. */
export interface Port {
  addEventListener(type: 'message', listener: (event: MessageEvent<Question>) => void): void;
  postMessage(answer: Answer, options?: { transfer: Transferable[] }): void;
}

/** Serves questions until the port is closed, or the worker is ended. */
export function serveBodies(port: Port): void {
  const octree = new Octree();
  const list = new IndexList();

  /** Takes three steps, between which the thread is free: two of them block it for 0.1 s per million bodies. */
  async function open(id: number, file: ArrayBuffer): Promise<void> {
    const groups = decodeBodies(file);
    port.postMessage({ id, progress: 0.3 });
    await pause();
    for (const { bounds, options } of groups) octree.insertMany(bounds, options);
    port.postMessage({ id, progress: 0.5 });
    await pause();
    octree.update(); // builds the tree
    // All are views of the file: it goes back with them.
    const bounds = groups.map((group) => group.bounds);
    port.postMessage({ id, size: octree.size, bounds }, { transfer: [file] });
  }

  async function answer({ id, file, frustum }: Question): Promise<void> {
    try {
      if (file !== undefined) await open(id, file);
      if (frustum === undefined) return;
      const count = octree.collectFrustum(frustum, list);
      const indices = list.array.slice(0, count);
      port.postMessage({ id, indices }, { transfer: [indices.buffer] });
    } catch (error) {
      port.postMessage({ id, error: String(error) });
    }
  }

  port.addEventListener('message', ({ data }) => void answer(data));
}

const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });
