// The figures on the page: written four times a second into the elements marked `data-figure`.

import type { Stage } from '../shared/stage.ts';
import { RecentTimes } from '../shared/recent-times.ts';
import type { Culling } from './culling.ts';
import type { Settings } from './settings.ts';
import type { World } from './world.ts';

const EVERY_MS = 250;

/** Everything that is told at one moment. */
export interface Figures {
  readonly visible: number;
  readonly culled: number;
  readonly total: number;
  readonly tested: number;
  readonly nodesVisited: number;
  readonly nodesWhole: number;
  readonly nodes: number;
  readonly drawCalls: number;
  readonly triangles: number;
  /** Whether octree and brute force gave the same bodies; null while nothing is compared. */
  readonly doAgree: boolean | null;
}

export class Readout {
  private readonly cells = new Map<string, HTMLElement>();
  private readonly frames = new RecentTimes();
  private writtenAt = -Infinity;

  constructor(root: HTMLElement) {
    for (const cell of root.querySelectorAll<HTMLElement>('[data-figure]')) this.cells.set(cell.dataset.figure!, cell);
  }

  /** Notes a frame; true when it is time to write. */
  isDue(now: number): boolean {
    this.frames.add(0, now);
    return now - this.writtenAt >= EVERY_MS;
  }

  write(figures: Figures, culling: Culling, { culling: drawnBy }: Settings, now: number): void {
    this.writtenAt = now;
    for (const name of ['visible', 'culled', 'total', 'tested', 'nodesVisited', 'nodesWhole', 'nodes', 'drawCalls', 'triangles'] as const) {
      this.set(name, figures[name].toLocaleString('en'));
    }
    const octree = culling.octreeTimes.medianAt(now);
    const bruteForce = culling.bruteForceTimes.medianAt(now);
    this.set('octreeTime', milliseconds(octree));
    this.set('bruteForceTime', milliseconds(bruteForce));
    this.set('gain', octree > 0 && bruteForce > 0 ? `${(bruteForce / octree).toFixed(bruteForce < octree * 10 ? 1 : 0)}x` : '-');
    this.set('framesPerSecond', String(this.frames.countAt(now)));
    this.setAgreement(figures.doAgree);
    this.cells.get('octreeTime')!.classList.toggle('is-drawing', drawnBy === 'octree');
    this.cells.get('bruteForceTime')!.classList.toggle('is-drawing', drawnBy === 'brute force');
  }

  private setAgreement(doAgree: boolean | null): void {
    const cell = this.cells.get('agreement')!;
    cell.dataset.agree = String(doAgree);
    this.set('agreement', doAgree === null ? 'not checked' : doAgree ? '\u2713 equal' : '\u2717 differ');
  }

  private set(name: string, text: string): void {
    const cell = this.cells.get(name);
    if (cell && cell.textContent !== text) cell.textContent = text;
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
    nodesWhole: culling.stats.nodesWhole,
    nodes,
    drawCalls: renderer.info.render.calls,
    triangles: renderer.info.render.triangles,
    doAgree: culling.doAgree,
  };
}

const milliseconds = (time: number): string => (Number.isNaN(time) ? '-' : `${time.toFixed(time < 10 ? 2 : 1)} ms`);
