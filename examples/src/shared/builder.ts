// Builds one scene at a time, in slices, and shows a progress bar. A new build aborts the previous one.

import type { ProgressBar } from './progress.ts';
import { runInSlices, type SlicedWork } from './slices.ts';

/** The steps that build one scene. */
export interface BuildPlan<Scene> {
  readonly title: string;
  /** Fetches what the build needs. */
  load(): Promise<void>;
  build(): SlicedWork<Scene>;
  /** Compiles and uploads a built scene to the GPU. */
  prepare(scene: Scene): Promise<void>;
}

export class Builder {
  /** True while a scene is being built. */
  isBusy = false;
  /** Longest slice of the last build, in milliseconds. The page is blocked during a slice. */
  longestSlice = 0;
  private readonly progress: ProgressBar;
  private running = new AbortController();

  constructor(progress: ProgressBar) {
    this.progress = progress;
  }

  /** Resolves to the new scene once it is ready to draw, or to undefined if the build was aborted. */
  async build<Scene extends { dispose(): void }>(plan: BuildPlan<Scene>): Promise<Scene | undefined> {
    this.running.abort();
    const { signal } = (this.running = new AbortController());
    this.isBusy = true;
    this.longestSlice = 0;
    this.progress.begin(plan.title, () => this.running.abort());
    try {
      await plan.load();
      const scene = await runInSlices(plan.build(), {
        signal,
        onProgress: (fraction) => this.progress.set(fraction),
        onSlice: (milliseconds) => (this.longestSlice = Math.max(this.longestSlice, milliseconds)),
      });
      await plan.prepare(scene);
      if (!signal.aborted) return scene;
      scene.dispose();
      return undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      // If a newer build aborted this one, the progress bar belongs to the newer build.
      if (this.running.signal === signal) {
        this.isBusy = false;
        this.progress.end();
      }
    }
  }
}
