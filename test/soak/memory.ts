/** What a program holds, and how fast it grows. Needs Node with `--expose-gc`. */
import { getHeapSnapshot, promiseHooks } from 'node:v8';

/** The part of a heap snapshot that is read. */
interface Snapshot {
  readonly snapshot: { readonly meta: { readonly node_fields: string[]; readonly node_types: [string[]] } };
  readonly nodes: number[];
}

/**
 * Bytes of all that a program has created and still holds: objects, arrays, strings, closures. Compiled code, and what
 * V8 notes for it, grows for tens of thousands of calls, and is not counted; nor is the content of array buffers.
 */
export async function bytesOfObjects(): Promise<number> {
  globalThis.gc!();
  const chunks: Buffer[] = [];
  for await (const chunk of getHeapSnapshot()) chunks.push(chunk as Buffer);
  const { snapshot, nodes } = JSON.parse(Buffer.concat(chunks).toString()) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = ['type', 'self_size'].map((name) => fields.indexOf(name));
  const isOfEngine = types[0].map((name) => ['code', 'hidden', 'object shape', 'native', 'synthetic'].includes(name));
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length) if (!isOfEngine[nodes[at + type]]) bytes += nodes[at + size];
  return bytes;
}

/** Bytes of all array buffers that are still held. */
export function bytesOfBuffers(): number {
  // A collection frees buffers in the background; the next one waits for it.
  globalThis.gc!();
  globalThis.gc!();
  return process.memoryUsage().arrayBuffers;
}

/**
 * The median of the slopes between all pairs of points: single points that are off do not change it (Theil and Sen).
 */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const slopes = points.flatMap(([x, y], k) =>
    points.slice(k + 1).map(([otherX, otherY]) => (otherY - y) / (otherX - x)),
  );
  return slopes.sort((a, b) => a - b)[slopes.length >> 1];
}

/** What some ticks leave behind, for each 1,000 ticks. */
export interface Growth {
  /** kB of the arrays. */
  readonly buffers: number;
  /** kB of objects, arrays of JavaScript, strings and closures; without compiled code and what the engine notes. */
  readonly objects: number;
  /** Promises that were created. */
  readonly promises: number;
}

/** Runs a world for some ticks. The first 40 % are warm-up: arrays reach their size. */
export async function measureGrowth(world: { step(): void }, ticks: number): Promise<Growth> {
  const buffers: [tick: number, bytes: number][] = [];
  const objects: typeof buffers = [];
  let promises = 0;
  // A snapshot of the heap takes seconds.
  const every = ticks > 5000 ? 6 : 12;
  const stop = promiseHooks.onInit(() => promises++) as () => void;
  for (let tick = 1; tick <= ticks; tick++) {
    world.step();
    const part = tick / ticks;
    if (part < 0.4 || tick % (ticks / 20) !== 0) continue;
    const own = promises;
    // The target of a WeakRef that was created or read in a task stays alive until that task ends.
    await new Promise((resolve) => void setImmediate(resolve));
    if (buffers.length % every === 0) objects.push([tick, await bytesOfObjects()]);
    promises = own;
    buffers.push([tick, bytesOfBuffers()]);
  }
  stop();
  const perThousand = 1000 / 1024;
  return {
    buffers: slopeOf(buffers) * perThousand,
    objects: slopeOf(objects) * perThousand,
    promises: (promises / ticks) * 1000,
  };
}
