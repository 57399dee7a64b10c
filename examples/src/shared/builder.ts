// Builds one scene at a time, in slices, behind a progress bar; a new build stops the one before it.

import type { ProgressBar } from './progress.ts';
import { runInSlices, type SlicedWork } from './slices.ts';

/** How a scene comes to be. */
export interface BuildPlan<Scene> {
  readonly title: string;
  /** Fetches what the build needs. */
  load(): Promise<void>;
  build(): SlicedWork<Scene>;
  /** Brings a built scene to the graphics card. */
  prepare(scene: Scene): Promise<void>;
}

export class Builder {
  /** True while a scene is being built. */
  isBusy = false;
  /** Milliseconds the page was held up at most by the last build. */
  longestSlice = 0;
  private readonly progress: ProgressBar;
  private running = new AbortController();

  constructor(progress: ProgressBar) {
    this.progress = progress;
  }

  /** Resolves to the new scene once that is prepared for drawing, or to undefined if the build was stopped. */
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
      // A build that was stopped by the next one leaves the bar to it.
      if (this.running.signal === signal) {
        this.isBusy = false;
        this.progress.end();
      }
    }
  }
}
