// The figures of the page.

import { type FigureBoard, fineTime, times } from '../shared/figure-board.ts';
import type { PageProbe } from '../shared/page-probe.ts';
import type { Comparison } from './comparison.ts';
import type { Sight } from './sight.ts';

export function writeFigures(
  board: FigureBoard,
  { rayCount, watchers, fan, people, seen }: Sight,
  { batch, single, doAgree }: Comparison,
  isBatch: boolean,
  now: number,
): void {
  const [batchTime, singleTime] = [batch.meanAt(now), single.meanAt(now)];
  board.setCount('rays', rayCount);
  board.setCount('fan-rays', Math.min(rayCount, watchers.count * fan));
  board.setCount('sight-rays', Math.max(0, rayCount - watchers.count * fan));
  board.setCount('seen', seen);
  board.setCount('people', people.count);
  board.set('batch-time', fineTime(batchTime));
  board.set('single-time', fineTime(singleTime));
  board.set('gain', times(singleTime, batchTime));
  board.mark('batch-label', 'is-drawing', isBatch);
  board.mark('single-label', 'is-drawing', !isBatch);
  board.setShares({ '--batch': batchTime, '--single': singleTime });
  board.setAgreement(doAgree, 'equal hits', 'other hits!');
}

/** The figures for tests and the console. */
export const figuresOf = (
  { rayCount, watchers, fan, people, seen }: Sight,
  { doAgree }: Comparison,
  steps: number,
) => ({
  steps,
  /** Rays of the last tick, and how many of them belong to fans. */
  rays: rayCount,
  fanRays: watchers.count * fan,
  people: people.count,
  seen,
  /** Whether the batch and single calls had equal hits. */
  doAgree,
});

export type SightFigures = ReturnType<typeof figuresOf>;

declare global {
  var sightProbe: PageProbe<SightFigures> | undefined;
}
