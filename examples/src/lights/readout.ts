// The figures of the page: draws and times, with all maps drawn in each frame, and with those that have changed.

import { type FigureBoard, milliseconds } from '../shared/figure-board.ts';
import { RecentTimes } from '../shared/recent-times.ts';

const WINDOW_MS = 4000;

/** What one frame has drawn. */
export interface FrameCosts {
  /** Lamps whose maps were drawn. */
  readonly maps: number;
  readonly shadowDraws: number;
  readonly draws: number;
  /** Main thread, `render()`, in milliseconds. */
  readonly time: number;
}

/** The figures that the page publishes to its tests. */
export interface LightsFigures {
  /** Frames that were drawn. While the town stands still none is. */
  readonly drawn: number;
  readonly usesUpdates: boolean;
  /** The last frame with all maps; null before the first one. */
  readonly always: FrameCosts | null;
  /** The last frame with updates. */
  readonly changed: FrameCosts | null;
}

const MODES = ['always', 'changed'] as const;

export class Readout {
  readonly last: Record<(typeof MODES)[number], FrameCosts | null> = { always: null, changed: null };
  private readonly times = { always: new RecentTimes(WINDOW_MS), changed: new RecentTimes(WINDOW_MS) };

  add(usesUpdates: boolean, costs: FrameCosts, now: number): void {
    const mode = usesUpdates ? 'changed' : 'always';
    this.last[mode] = costs;
    this.times[mode].add(costs.time, now);
  }

  /** @param lamps Number of all maps. */
  write(
    board: FigureBoard,
    usesUpdates: boolean,
    lamps: number,
    objects: number,
    now: number,
  ): Omit<LightsFigures, 'drawn'> {
    const { always, changed } = this.last;
    for (const mode of MODES) {
      const costs = this.last[mode];
      if (costs === null) continue;
      board.setCount(`${mode}-maps`, costs.maps);
      board.setCount(`${mode}-shadow-draws`, costs.shadowDraws);
      board.setCount(`${mode}-draws`, costs.draws);
      const time = this.times[mode].medianAt(now);
      if (!Number.isNaN(time)) board.set(`${mode}-time`, milliseconds(time));
      board.mark(`${mode}-maps`, 'is-drawing', usesUpdates === (mode === 'changed'));
    }
    board.set('maps', `${(usesUpdates ? changed : always)?.maps ?? 0} of ${lamps}`);
    board.setCount('objects', objects);
    return { usesUpdates, always, changed };
  }
}
