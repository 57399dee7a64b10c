// Writes the figures of the page four times per second.

import { FigureBoard, milliseconds, times } from '../shared/figure-board.ts';
import type { Stage } from '../shared/stage.ts';
import { RecentTimes } from '../shared/recent-times.ts';
import type { Culling } from './culling.ts';
import type { World } from './world.ts';

const EVERY_MS = 250;

/** The figures of one frame. */
export interface Figures {
  readonly visible: number;
  readonly culled: number;
  readonly total: number;
  readonly tested: number;
  readonly nodesVisited: number;
  readonly nodesContained: number;
  readonly nodes: number;
  readonly drawCalls: number;
  readonly triangles: number;
  /** Whether octree and brute force found the same bodies; null while nothing is compared. */
  readonly doAgree: boolean | null;
}

export class Readout {
  private readonly board: FigureBoard;
  private readonly frames = new RecentTimes();
  private writtenAt = -Infinity;

  constructor(root: HTMLElement) {
    this.board = new FigureBoard(root);
  }

  /** Counts a frame. Returns true when the figures are due. */
  isDue(now: number): boolean {
    this.frames.add(0, now);
    return now - this.writtenAt >= EVERY_MS;
  }

  write(figures: Figures, culling: Culling, now: number): void {
    const { board } = this;
    this.writtenAt = now;
    for (const name of ['visible', 'culled', 'total', 'tested', 'nodesVisited', 'nodesContained', 'nodes', 'drawCalls', 'triangles'] as const) {
      board.setCount(name, figures[name]);
    }
    const octree = culling.octreeTimes.medianAt(now);
    const bruteForce = culling.bruteForceTimes.medianAt(now);
    board.set('octreeTime', milliseconds(octree));
    board.set('bruteForceTime', milliseconds(bruteForce));
    board.set('gain', times(bruteForce, octree));
    board.setCount('framesPerSecond', this.frames.countAt(now));
    this.setAgreement(figures.doAgree);
  }

  private setAgreement(doAgree: boolean | null): void {
    const text = doAgree === null ? 'not checked' : doAgree ? '\u2713 equal' : '\u2717 differ';
    this.board.set('agreement', text).dataset.agree = String(doAgree);
  }
}

export function figuresOf(world: World, culling: Culling, nodes: number, { renderer }: Stage): Figures {
  const { count: total } = world.bodies.set;
  return {
    visible: culling.visible,
    culled: total - culling.visible,
    total,
    tested: culling.stats.bodiesTested,
    nodesVisited: culling.stats.nodesVisited,
    nodesContained: culling.stats.nodesContained,
    nodes,
    drawCalls: renderer.info.render.calls,
    triangles: renderer.info.render.triangles,
    doAgree: culling.doAgree,
  };
}
