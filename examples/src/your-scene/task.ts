// Runs one long task at a time, with the progress bar and its button. A new task cancels the running one.

import type { ProgressBar } from '../shared/progress.ts';
import { runInSlices, type SlicedWork } from '../shared/slices.ts';

/** What a task gets to report its progress and to notice that it was cancelled. */
export interface TaskContext {
  readonly signal: AbortSignal;
  /** @param fraction 0 to 1. @param title The current step, if it changes. */
  readonly progress: (fraction: number, title?: string) => void;
  /** Runs work in short slices; its progress is mapped to the range `from` to `to`. */
  readonly slices: <Product>(work: SlicedWork<Product>, from: number, to: number) => Promise<Product>;
  /** Settles as the promise does, or rejects once the task is cancelled. */
  readonly unlessCancelled: <Value>(promise: Promise<Value>) => Promise<Value>;
}

export class TaskRunner {
  isBusy = false;
  /** Longest slice of the last task, in milliseconds. */
  longestSlice = 0;
  private readonly bar: ProgressBar;
  private running = new AbortController();

  constructor(bar: ProgressBar) {
    this.bar = bar;
  }

  /** Cancels the running task, if there is one. */
  cancel(): void {
    this.running.abort();
  }

  /** Resolves to the result of the task, or to undefined if it was cancelled. */
  async run<Result>(title: string, task: (context: TaskContext) => Promise<Result>): Promise<Result | undefined> {
    this.running.abort();
    const running = (this.running = new AbortController());
    const { signal } = running;
    this.isBusy = true;
    this.longestSlice = 0;
    this.bar.begin(title, () => running.abort());
    const progress = (fraction: number, title?: string): void => {
      if (!signal.aborted) this.bar.set(fraction, title);
    };
    try {
      return await task({
        signal,
        progress,
        slices: (work, from, to) => runInSlices(work, {
          signal,
          onProgress: (fraction) => progress(from + (to - from) * fraction),
          onSlice: (milliseconds) => (this.longestSlice = Math.max(this.longestSlice, milliseconds)),
        }),
        unlessCancelled: (promise) => Promise.race([promise, rejectionOf(signal)]),
      });
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      // If a newer task cancelled this one, the progress bar belongs to the newer one.
      if (this.running === running) {
        this.isBusy = false;
        this.bar.end();
      }
    }
  }
}

/** Rejects once the signal is aborted. */
const rejectionOf = (signal: AbortSignal): Promise<never> => new Promise((_, reject) => {
  if (signal.aborted) reject(signal.reason as Error);
  signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
});
