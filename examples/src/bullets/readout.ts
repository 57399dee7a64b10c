// The figures of both octrees.

import { type FigureBoard, fineTime } from '../shared/figure-board.ts';
import type { PageProbe } from '../shared/page-probe.ts';
import type { Picture } from './picture.ts';
import type { Side, Simulation } from './simulation.ts';
import type { CountName } from './tick-counts.ts';

/** Simulated seconds until lifespans have told: before, both octrees create the same nodes. */
const SETTLED = 2;
const COUNTED: readonly CountName[] = ['nodesCreated', 'nodesReused', 'nodesExpired', 'nodesMerged', 'bodiesRelocated'];

/** @param showsLifespans Whether the cells of the octree with lifespans are drawn. */
export function writeFigures(
  board: FigureBoard,
  simulation: Simulation,
  showsLifespans: boolean,
  hasCasts: boolean,
): void {
  const { withLifespans, withoutLifespans, flight, gun, hits, missed } = simulation;
  writeSide(board, 'on', withLifespans, showsLifespans);
  writeSide(board, 'off', withoutLifespans, !showsLifespans);
  board.setShares({
    '--created-on': withLifespans.counts.perSecond('nodesCreated'),
    '--created-off': withoutLifespans.counts.perSecond('nodesCreated'),
  });
  board.set('saving', savingText(savingOf(simulation)));
  board.setCount('alive', flight.count);
  board.setCount('fired', gun.fired);
  board.setCount('hits', hits);
  board.setCount('missed', missed);
  writeCrossings(board, simulation, hasCasts);
}

function writeSide(board: FigureBoard, side: 'on' | 'off', { counts }: Side, isShown: boolean): void {
  for (const name of COUNTED) board.setCount(`${side}-${name}`, Math.round(counts.perSecond(name)));
  board.setCount(`${side}-total-nodesCreated`, counts.totals.nodesCreated);
  board.setCount(`${side}-nodes`, counts.nodes);
  board.set(`${side}-time`, fineTime(counts.milliseconds));
  board.mark(`${side}-label`, 'is-drawing', isShown);
}

/** A cast finds all of the crossed targets. */
function writeCrossings(board: FigureBoard, { impacts: { crossed, overlapped } }: Simulation, hasCasts: boolean): void {
  board.setCount('crossed', crossed);
  board.setCount('overlapped', overlapped);
  board.set(
    'tunnelled',
    crossed === 0 ? '-' : `${(100 * (1 - overlapped / crossed)).toFixed(crossed < 100 ? 0 : 1)} %`,
  );
  board.set('tunnel-text', hasCasts ? 'of hits found by casts alone' : 'pass through a target');
  board.setShares({ '--found-casts': crossed, '--found-overlaps': overlapped });
  board.mark('cast-label', 'is-drawing', hasCasts);
  board.mark('overlap-label', 'is-drawing', !hasCasts);
}

/**
 * Nodes created per second without lifespans, divided by nodes created per second with them; NaN in the first seconds,
 * and while none are created.
 */
export function savingOf({ seconds, withLifespans, withoutLifespans }: Simulation): number {
  const on = withLifespans.counts.perSecond('nodesCreated');
  const off = withoutLifespans.counts.perSecond('nodesCreated');
  return on > 0 && seconds >= SETTLED ? off / on : Number.NaN;
}

const savingText = (saving: number): string => (Number.isNaN(saving) ? '-' : `${saving.toFixed(saving < 10 ? 1 : 0)}x`);

/** The figures for tests and the console. */
export function figuresOf(simulation: Simulation, { cells, camera }: Picture) {
  const {
    flight,
    gun,
    targets,
    aim,
    steps,
    seconds,
    hits,
    missed,
    impacts: { crossed, overlapped },
    withLifespans,
    withoutLifespans,
  } = simulation;
  return {
    /** Simulated steps. */
    steps,
    seconds,
    alive: flight.count,
    fired: gun.fired,
    hits,
    missed,
    /** Motions of bullets, one per tick and bullet, that crossed a target; and how many of them ended in a target. */
    crossed,
    overlapped,
    /** Targets that move or spin. */
    movingTargets: targets.filter(({ isMoving }) => isMoving).length,
    /** The octrees with and without lifespans. */
    on: sideFiguresOf(withLifespans),
    off: sideFiguresOf(withoutLifespans),
    saving: savingOf(simulation),
    /** Number of drawn cells by phase. */
    cells: { ...cells.counts },
    aim: aim.toArray(),
    camera: camera.position.toArray(),
  };
}

const sideFiguresOf = ({ counts: { nodes, totals } }: Side) => ({ nodes, totals: { ...totals } });

export type BulletsFigures = ReturnType<typeof figuresOf>;

declare global {
  var bulletsProbe: PageProbe<BulletsFigures> | undefined;
}
