// The figures of the page for its tests and the console, in the global `bulletsProbe`.

import type { PageProbe } from '../shared/page-probe.ts';
import type { CellPhase } from './cell-history.ts';
import type { CountName } from './tick-counts.ts';

export interface SideFigures {
  readonly nodes: number;
  readonly totals: Readonly<Record<CountName, number>>;
}

export interface BulletsFigures {
  /** Simulated steps. */
  readonly steps: number;
  readonly seconds: number;
  readonly alive: number;
  readonly fired: number;
  readonly hits: number;
  readonly missed: number;
  /** Ticks in which the way of a bullet crossed a target, and those of them that end inside a target. */
  readonly crossed: number;
  readonly overlapped: number;
  /** Targets that move or spin. */
  readonly movingTargets: number;
  /** The octrees with and without lifespans. */
  readonly on: SideFigures;
  readonly off: SideFigures;
  /** Nodes created per second without lifespans, divided by those with lifespans. */
  readonly saving: number;
  /** Number of drawn cells by phase. */
  readonly cells: Readonly<Record<CellPhase, number>>;
  readonly aim: readonly [x: number, y: number, z: number];
  readonly camera: readonly [x: number, y: number, z: number];
}

declare global {
  var bulletsProbe: PageProbe<BulletsFigures> | undefined;
}
