// Runs long work in short slices: a generator that yields its progress runs for a few milliseconds at a time. The page
// stays responsive between slices. An AbortSignal cancels the work.

/** Milliseconds of work per turn of the event loop: half a frame at 60 Hz. */
const SLICE_MS = 8;

/** Work that yields its progress, 0 to 1, every few hundred microseconds, and returns its product. */
export type SlicedWork<Product> = Generator<number, Product, void>;

export interface SliceOptions {
  readonly signal?: AbortSignal;
  /** Called after each slice but the last, with the progress from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
  /** Called after each slice with its duration in milliseconds. */
  readonly onSlice?: (milliseconds: number) => void;
}

/** Runs the work to its end. Throws the signal's reason if it is aborted. */
export async function runInSlices<Product>(work: SlicedWork<Product>, options: SliceOptions = {}): Promise<Product> {
  for (;;) {
    options.signal?.throwIfAborted();
    const start = performance.now();
    let step = work.next();
    while (step.done !== true && performance.now() - start < SLICE_MS) step = work.next();
    options.onSlice?.(performance.now() - start);
    if (step.done === true) return step.value;
    options.onProgress?.(step.value);
    await nextTurn();
  }
}

/** Runs one part of a longer task. Its progress is mapped to the range `from` to `to`. */
export function* partOf<Product>(work: SlicedWork<Product>, from: number, to: number): SlicedWork<Product> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    yield from + (to - from) * step.value;
  }
}

/** Runs sliced work of which only the last counts, for instance a scene that is built for new settings. */
export class LatestWork {
  private running = new AbortController();

  /** Aborts the work before. Resolves to undefined if later work aborts this one. */
  async run<Product>(work: SlicedWork<Product>): Promise<Product | undefined> {
    this.running.abort();
    const { signal } = (this.running = new AbortController());
    try {
      return await runInSlices(work, { signal });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }
}

/**
 * Resolves in the next turn of the event loop, so that the code after it is a task of its own. Uses a timer, because
 * input, frames and other timers then run first; after a promise or a message they would not.
 */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
