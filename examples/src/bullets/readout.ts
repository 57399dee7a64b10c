// Writes the figures of both octrees four times per second.

import { FigureBoard, milliseconds } from '../shared/figure-board.ts';
import type { Picture } from './picture.ts';
import type { BulletsFigures, SideFigures } from './probe.ts';
import type { Side, Simulation } from './simulation.ts';
import type { CountName, TickCounts } from './tick-counts.ts';

const EVERY_MS = 250;
const COUNTED: readonly CountName[] = ['nodesCreated', 'nodesReused', 'nodesExpired', 'nodesMerged', 'bodiesRelocated'];

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

  write(simulation: Simulation, isRuleShown: boolean, hasCasts: boolean, now: number): void {
    this.writtenAt = now;
    const { board } = this;
    const { withLifespans, withoutLifespans, flight, gun } = simulation;
    this.writeSide('on', withLifespans, isRuleShown);
    this.writeSide('off', withoutLifespans, !isRuleShown);
    this.writeBars(withLifespans.counts, withoutLifespans.counts);
    board.set('saving', savingText(savingOf(simulation)));
    board.setCount('alive', flight.count);
    board.setCount('fired', gun.fired);
    board.setCount('hits', simulation.hits);
    board.setCount('missed', simulation.missed);
    this.writeCrossings(simulation, hasCasts);
  }

  private writeSide(side: 'on' | 'off', { counts }: Side, isShown: boolean): void {
    const { board } = this;
    for (const name of COUNTED) {
      board.setCount(`${side}-${name}`, Math.round(counts.perSecond(name)));
      board.setCount(`${side}-total-${name}`, counts.totals[name]);
    }
    board.setCount(`${side}-nodes`, counts.nodes);
    board.set(`${side}-time`, milliseconds(counts.milliseconds));
    board.mark(`${side}-label`, 'is-drawing', isShown);
  }

  /** Of the crossed targets a cast finds all. */
  private writeCrossings({ impacts: { crossed, overlapped } }: Simulation, hasCasts: boolean): void {
    const { board } = this;
    board.setCount('crossed', crossed);
    board.setCount('overlapped', overlapped);
    board.set('tunnelled', crossed === 0 ? '-' : `${(100 * (1 - overlapped / crossed)).toFixed(crossed < 100 ? 0 : 1)} %`);
    board.set('tunnel-text', hasCasts ? 'of hits found by casts alone' : 'pass through a target');
    this.root.style.setProperty('--found-casts', crossed === 0 ? '0' : '1');
    this.root.style.setProperty('--found-overlaps', String(overlapped / Math.max(1, crossed)));
    board.mark('cast-label', 'is-drawing', hasCasts);
    board.mark('overlap-label', 'is-drawing', !hasCasts);
  }

  private writeBars(on: TickCounts, off: TickCounts): void {
    const greatest = Math.max(1, on.perSecond('nodesCreated'), off.perSecond('nodesCreated'));
    for (const [side, counts] of [['on', on], ['off', off]] as const) {
      this.root.style.setProperty(`--created-${side}`, String(counts.perSecond('nodesCreated') / greatest));
    }
  }
}

/** Nodes created per second without lifespans, divided by those with lifespans; NaN while none are created. */
export function savingOf({ withLifespans, withoutLifespans }: Simulation): number {
  const on = withLifespans.counts.perSecond('nodesCreated');
  const off = withoutLifespans.counts.perSecond('nodesCreated');
  return on > 0 ? off / on : Number.NaN;
}

const savingText = (saving: number): string => (Number.isNaN(saving) ? '-' : `${saving.toFixed(saving < 10 ? 1 : 0)}x`);

export function figuresOf(simulation: Simulation, { cells, camera }: Picture): BulletsFigures {
  const { flight, gun, targets, aim, steps, seconds, hits, missed, impacts: { crossed, overlapped }, withLifespans, withoutLifespans } = simulation;
  return {
    steps, seconds, hits, missed, crossed, overlapped,
    alive: flight.count,
    fired: gun.fired,
    movingTargets: targets.filter(({ isMoving }) => isMoving).length,
    on: sideFiguresOf(withLifespans),
    off: sideFiguresOf(withoutLifespans),
    saving: savingOf(simulation),
    cells: { ...cells.counts },
    aim: aim.toArray(),
    camera: camera.position.toArray(),
  };
}

const sideFiguresOf = ({ counts }: Side): SideFigures => ({ nodes: counts.nodes, totals: { ...counts.totals } });
