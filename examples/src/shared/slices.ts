// Long work in short slices: a generator that yields its progress runs for a few milliseconds at a time, and the page
// stays alive in between. Cancelled through an AbortSignal.

/** Milliseconds of work between two turns of the event loop: half a frame at 60 Hz. */
const SLICE_MS = 8;

/** Work that yields how far it is, 0 to 1, every few hundred microseconds, and returns its product. */
export type SlicedWork<Product> = Generator<number, Product, void>;

export interface SliceOptions {
  readonly signal?: AbortSignal;
  /** Called once a slice. */
  readonly onProgress?: (fraction: number) => void;
  /** Called once a slice with its length in milliseconds. */
  readonly onSlice?: (milliseconds: number) => void;
}

/** Runs the work to its end; throws the signal's reason once that is aborted. */
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

/** Runs one part of a longer work, which fills the given share of its progress. */
export function* partOf<Product>(work: SlicedWork<Product>, from: number, to: number): SlicedWork<Product> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    yield from + (to - from) * step.value;
  }
}

/** A timer lets input, frames and other timers have their turn; messages and promises would go before them. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
