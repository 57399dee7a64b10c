// The chart: two lines of main-thread milliseconds per frame over time, from 0 upwards, the latest on the right.

import type { RecentTimes } from '../shared/recent-times.ts';
import { WINDOW_MS } from './frame-timer.ts';

/** Size of the SVG view box; the drawing is stretched to its element. */
const WIDTH = 600;
const HEIGHT = 100;
/** Possible values of the top of the axis, in milliseconds. */
const TOPS = [1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 80, 100, 150, 200, 300, 500, 1000, 2000, 5000];

export class TimeLines {
  private readonly lines: ReadonlyMap<string, SVGPolylineElement>;
  private readonly root: HTMLElement;
  private top = 0;

  /** @param root Contains an `svg` whose polylines have the attribute `data-line`. */
  constructor(root: HTMLElement) {
    this.root = root;
    root.querySelector('svg')!.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
    this.lines = new Map(
      [...root.querySelectorAll<SVGPolylineElement>('[data-line]')].map((line) => [line.dataset.line!, line]),
    );
  }

  draw(name: string, times: RecentTimes, now: number): void {
    const points: string[] = [];
    times.forEachAt(now, (value, takenAt) => {
      points.push(
        `${((1 - (now - takenAt) / WINDOW_MS) * WIDTH).toFixed(1)},${((1 - value / this.top) * HEIGHT).toFixed(2)}`,
      );
    });
    this.lines.get(name)!.setAttribute('points', points.join(' '));
  }

  /** Fits the scale to the longest frame of all lines, so that none is cut off. */
  fit(lines: readonly RecentTimes[], now: number): void {
    let longest = 0;
    for (const times of lines) times.forEachAt(now, (value) => (longest = Math.max(longest, value)));
    const top = TOPS.find((one) => one >= longest) ?? longest;
    if (top === this.top) return;
    this.top = top;
    this.root.querySelector('.top')!.textContent = `${Math.ceil(top)} ms`;
    this.root.querySelector('.half')!.textContent = `${Math.ceil(top) / 2} ms`;
  }
}
