// Rates per second of numbers that count events since the start of a simulation, over its last steps.

import type { FigureBoard } from './figure-board.ts';

export class Rates {
  private readonly steps: number;
  private readonly secondsPerStep: number;
  /** The counts at the earlier reports, the oldest first. */
  private history: { steps: number; counts: Record<string, number> }[] = [];

  /** @param steps Steps over which the rates are computed. */
  constructor(steps: number, secondsPerStep: number) {
    this.steps = steps;
    this.secondsPerStep = secondsPerStep;
  }

  clear(): void {
    this.history = [];
  }

  /** Writes the rate of each count to the figure of its name; a dash until time has passed. */
  write(board: FigureBoard, steps: number, counts: Record<string, number>): void {
    const { history } = this;
    while (history.length > 1 && steps - history[0].steps > this.steps) history.shift();
    const [first] = history;
    const seconds = first === undefined ? 0 : (steps - first.steps) * this.secondsPerStep;
    for (const [name, count] of Object.entries(counts))
      board.set(name, seconds > 0 ? Math.round((count - first.counts[name]) / seconds).toLocaleString('en') : '-');
    if (history.at(-1)?.steps !== steps) history.push({ steps, counts });
  }
}
