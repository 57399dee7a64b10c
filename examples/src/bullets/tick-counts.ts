// Accumulates the tick statistics of an octree: totals since the start, and rates over the last ticks.

import type { TickStatistics } from '../../../src/index.ts';
import { meanWithoutPauses } from '../shared/recent-times.ts';

const COUNTED = [
  'nodesCreated',
  'nodesReused',
  'nodesExpired',
  'nodesMerged',
  'bodiesRelocated',
  'bodiesOutside',
] as const;
/** Number of ticks for rates and the mean time. */
const WINDOW = 240;

export type CountName = (typeof COUNTED)[number];

export class TickCounts {
  readonly totals: Record<CountName, number> = {
    nodesCreated: 0,
    nodesReused: 0,
    nodesExpired: 0,
    nodesMerged: 0,
    bodiesRelocated: 0,
    bodiesOutside: 0,
  };
  /** Nodes in use after the last tick. */
  nodes = 0;
  /**
   * Ring buffers of the last ticks: one row of counts, in the order of `COUNTED`, the simulated seconds, and the time
   * in milliseconds.
   */
  private readonly rows = new Float64Array(WINDOW * COUNTED.length);
  private readonly lengths = new Float64Array(WINDOW);
  private readonly times = new Float64Array(WINDOW);
  private ticks = 0;

  add(tick: TickStatistics, milliseconds: number, seconds: number): void {
    const row = this.ticks++ % WINDOW;
    for (const [column, name] of COUNTED.entries()) {
      this.totals[name] += tick[name];
      this.rows[row * COUNTED.length + column] = tick[name];
    }
    this.times[row] = milliseconds;
    this.lengths[row] = seconds;
    this.nodes = tick.nodes;
  }

  /** Count per simulated second. */
  perSecond(name: CountName): number {
    const column = COUNTED.indexOf(name);
    const count = Math.min(this.ticks, WINDOW);
    let [sum, seconds] = [0, 0];
    for (let row = 0; row < count; row++) {
      sum += this.rows[row * COUNTED.length + column];
      seconds += this.lengths[row];
    }
    return count === 0 ? 0 : sum / seconds;
  }

  /** Mean time of an update, without pauses; NaN before the first. */
  get milliseconds(): number {
    return meanWithoutPauses(this.times.slice(0, this.ticks).sort());
  }
}
