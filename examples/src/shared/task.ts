// Runs one long task at a time, with the progress bar and its button. A new task cancels the running one.

import { element } from './elements.ts';
import { ProgressBar } from './progress.ts';
import { runInSlices, type SlicedWork } from './slices.ts';
import { showToast } from './toast.ts';

/** What a task calls to report its progress, and to notice that it was cancelled. */
export interface TaskContext {
  readonly signal: AbortSignal;
  /** @param fraction 0 to 1. @param title The current step, if it changes. */
  readonly progress: (fraction: number, title?: string) => void;
  /** Runs work in short slices; its progress is mapped to the range `from` to `to`. */
  readonly slices: <Product>(work: SlicedWork<Product>, from: number, to: number) => Promise<Product>;
  /** Settles as the promise does, or rejects once the task is cancelled. */
  readonly unlessCancelled: <Value>(promise: Promise<Value>) => Promise<Value>;
}

/** The steps that build one scene. */
export interface BuildPlan<Scene> {
  readonly title: string;
  /** Fetches what the build needs. */
  readonly load?: () => Promise<void>;
  readonly build: () => SlicedWork<Scene>;
  /** Makes a built scene ready to draw: what else it computes, shaders, uploads. */
  readonly prepare: (scene: Scene, context: TaskContext) => Promise<void>;
  /** Shown after the user has cancelled the build: how to go on. */
  readonly hint: string;
}

export class TaskRunner {
  /** True while a task runs. */
  isBusy = false;
  /** Longest slice of the last task, in milliseconds. The page is blocked during a slice. */
  longestSlice = 0;
  private readonly bar = new ProgressBar(element('progress'));
  private running = new AbortController();

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
        slices: (work, from, to) =>
          runInSlices(work, {
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

  /** Resolves to a new scene once it is ready to draw, or to undefined if the build was cancelled. */
  async build<Scene extends { dispose(): void }>({
    title,
    load,
    build,
    prepare,
    hint,
  }: BuildPlan<Scene>): Promise<Scene | undefined> {
    const built = await this.run(title, async (context) => {
      await load?.();
      const scene = await context.slices(build(), 0, 1);
      try {
        await prepare(scene, context);
        context.signal.throwIfAborted();
      } catch (error) {
        scene.dispose();
        throw error;
      }
      return scene;
    });
    if (!built && !this.isBusy) showToast(`Stopped. ${hint}`);
    return built;
  }
}

/** Rejects once the signal is aborted. */
const rejectionOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
