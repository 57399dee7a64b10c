// What a page publishes to its tests and to the console, as a global.

import { Interval } from './interval.ts';

const REPORT_EVERY_MS = 250;

export class PageProbe<Figures> {
  /** Frames drawn since the page opened. */
  frames = 0;
  /** Number of updates of the figures; four per second. */
  reports = 0;
  /** Undefined before the first report. */
  figures: Figures | undefined;
  private readonly interval = new Interval(REPORT_EVERY_MS);

  /** Counts a frame. When figures are due, publishes what `report` returns. */
  frame(now: number, report: () => Figures): void {
    if (this.interval.isDue(now)) {
      this.figures = report();
      this.reports++;
    }
    this.frames++;
  }
}

/**
 * Publishes the figures of a page as a global; each page declares the type of its own.
 *
 * @param name Such as `sensorsProbe`.
 */
export function publish<Probe>(name: string, probe: Probe): Probe {
  Reflect.set(globalThis, name, probe);
  return probe;
}
