// Accumulates the tick statistics of an octree: totals since the start, and rates over the last four simulated seconds.

import type { TickStatistics } from '../../../src/index.ts';
import { STEPS_PER_SECOND } from './range.ts';

const COUNTED = ['nodesCreated', 'nodesReused', 'nodesExpired', 'nodesMerged', 'bodiesRelocated', 'bodiesOutside', 'pairs'] as const;
/** Number of ticks for rates and the median. */
const WINDOW = 4 * STEPS_PER_SECOND;

export type CountName = typeof COUNTED[number];

export class TickCounts {
  readonly totals: Record<CountName, number> = { nodesCreated: 0, nodesReused: 0, nodesExpired: 0, nodesMerged: 0, bodiesRelocated: 0, bodiesOutside: 0, pairs: 0 };
  /** Nodes in use after the last tick. */
  nodes = 0;
  /** Ring buffers of the last ticks: one row of counts, in the order of `COUNTED`, and one time in milliseconds per tick. */
  private readonly rows = new Float64Array(WINDOW * COUNTED.length);
  private readonly times = new Float64Array(WINDOW);
  private ticks = 0;

  add(tick: TickStatistics, milliseconds: number): void {
    const row = this.ticks++ % WINDOW;
    for (const [column, name] of COUNTED.entries()) {
      this.totals[name] += tick[name];
      this.rows[row * COUNTED.length + column] = tick[name];
    }
    this.times[row] = milliseconds;
    this.nodes = tick.nodes;
  }

  /** Count per simulated second. */
  perSecond(name: CountName): number {
    return this.mean(COUNTED.indexOf(name)) * STEPS_PER_SECOND;
  }

  /** Median time of an update; NaN before the first. */
  get milliseconds(): number {
    if (this.ticks === 0) return Number.NaN;
    const times = this.times.slice(0, this.ticks).sort();
    return times[times.length >> 1];
  }

  private mean(column: number): number {
    const rows = Math.min(this.ticks, WINDOW);
    let sum = 0;
    for (let row = 0; row < rows; row++) sum += this.rows[row * COUNTED.length + column];
    return sum / Math.max(1, rows);
  }
}
