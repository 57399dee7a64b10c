// What the page tells tests and the curious: `bulletsProbe` in the console.

import type { CellPhase } from './cell-history.ts';
import type { CountName } from './tick-counts.ts';

export interface SideFigures {
  readonly nodes: number;
  readonly totals: Readonly<Record<CountName, number>>;
}

export interface BulletsFigures {
  /** Simulated steps, 60 a second. */
  readonly steps: number;
  readonly alive: number;
  readonly fired: number;
  readonly hits: number;
  readonly missed: number;
  /** Targets away from their places, or turning. */
  readonly movingTargets: number;
  /** Octrees with and without the lifespan rule. */
  readonly on: SideFigures;
  readonly off: SideFigures;
  /** How many times as many nodes are created without the rule. */
  readonly saving: number;
  /** Cells drawn, by what happens to them. */
  readonly cells: Readonly<Record<CellPhase, number>>;
  readonly aim: readonly [x: number, y: number, z: number];
  readonly camera: readonly [x: number, y: number, z: number];
}

export interface BulletsProbe {
  /** Frames drawn since the page opened. */
  frames: number;
  /** How often the figures were told: four times a second. */
  reports: number;
  /** Undefined before the first report. */
  figures: BulletsFigures | undefined;
}

declare global {
  var bulletsProbe: BulletsProbe | undefined;
}

export function openProbe(): BulletsProbe {
  const probe: BulletsProbe = { frames: 0, reports: 0, figures: undefined };
  globalThis.bulletsProbe = probe;
  return probe;
}
