// Writes the figures four times per second.

import { FigureBoard, milliseconds, times } from '../shared/figure-board.ts';
import type { CityViews } from './city-views.ts';
import type { Comparison } from './comparison.ts';

const EVERY_MS = 250;

export class Readout {
  private readonly board: FigureBoard;
  private readonly root: HTMLElement;
  private writtenAt = -Infinity;

  constructor(root: HTMLElement) {
    this.root = root;
    this.board = new FigureBoard(root);
  }

  /** Whether the figures are due. */
  isDue(now: number): boolean {
    return now - this.writtenAt >= EVERY_MS;
  }

  write({ active, all, found, sets, unseen }: CityViews, { octree, loop, doAgree }: Comparison, now: number): void {
    this.writtenAt = now;
    const { board } = this;
    for (const view of all) board.set(view.name, active.includes(view) ? view.list.length.toLocaleString('en') : '-');
    board.setCount('sum', found);
    board.setCount('view-count', active.length);
    board.setCount('unseen', unseen);
    board.setCount('buildings', sets.length);
    const [octreeTime, loopTime] = [octree.medianAt(now), loop.medianAt(now)];
    board.set('octree-time', milliseconds(octreeTime));
    board.set('loop-time', milliseconds(loopTime));
    board.set('gain', times(loopTime, octreeTime));
    const greatest = Math.max(octreeTime, loopTime);
    this.root.style.setProperty('--octree', String(octreeTime / greatest || 0));
    this.root.style.setProperty('--loop', String(loopTime / greatest || 0));
    const agreement = board.set('agreement', doAgree === null ? '-' : doAgree ? 'equal' : 'not equal!');
    agreement.dataset.agree = String(doAgree);
  }
}
