// Builds one world at a time, in slices, behind a progress bar; a new build stops the one before it.

import type { ProgressBar } from '../shared/progress.ts';
import { runInSlices } from '../shared/slices.ts';
import type { DataSet } from './data-set.ts';
import type { Settings } from './settings.ts';
import { buildWorld, type World } from './world.ts';

export class Builder {
  /** True while a world is being built. */
  isBusy = false;
  /** Milliseconds the page was held up at most by the last build. */
  longestSlice = 0;
  private readonly progress: ProgressBar;
  private running = new AbortController();

  constructor(progress: ProgressBar) {
    this.progress = progress;
  }

  /** Resolves to the new world once that is prepared for drawing, or to undefined if the build was stopped. */
  async build(dataSet: DataSet, settings: Settings, last: World | undefined, prepare: (world: World) => Promise<void>): Promise<World | undefined> {
    this.running.abort();
    const { signal } = (this.running = new AbortController());
    this.isBusy = true;
    this.longestSlice = 0;
    this.progress.begin(`Building ${settings.count.toLocaleString('en')} ${dataSet.bodyName}`, () => this.running.abort());
    try {
      await dataSet.load();
      const world = await runInSlices(buildWorld(dataSet, settings, last), {
        signal,
        onProgress: (fraction) => this.progress.set(fraction),
        onSlice: (milliseconds) => (this.longestSlice = Math.max(this.longestSlice, milliseconds)),
      });
      await prepare(world);
      if (!signal.aborted) return world;
      world.dispose();
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
