// Draws the cells as lines, in the colour of their phase. OctreeHelper cannot draw these: an expired cell is no longer
// a node of the octree.

import { Color } from 'three';
import { BoxLines } from '../../../src/three.ts';
import type { CellRecord, CellPhase, ShownCells } from './cell-history.ts';
import type { CellChoice } from './settings.ts';

/** bullets.css has the same colours for the legend. */
const COLOURS: Readonly<Record<CellPhase, Color>> = {
  used: new Color('#5a6c8f'),
  created: new Color('#6fe7ff'),
  countdown: new Color('#a78bff'),
  reused: new Color('#4ce38a'),
  expired: new Color('#ff5168'),
};
const PHASES = Object.keys(COLOURS) as CellPhase[];
const LIMIT = 16_384;

export class CellView {
  readonly object = new BoxLines(LIMIT);
  /** Cells drawn in each phase. */
  readonly counts: Record<CellPhase, number> = { used: 0, created: 0, countdown: 0, reused: 0, expired: 0 };
  private readonly max = { x: 0, y: 0, z: 0 };

  constructor() {
    this.object.renderOrder = 1;
  }

  update(history: ShownCells, choice: CellChoice): void {
    const { object, counts, max } = this;
    for (const phase of PHASES) counts[phase] = 0;
    object.begin();
    if (choice !== 'off') {
      for (const cell of history.shown()) {
        if (choice === 'changing' && cell.phase === 'used') continue;
        counts[cell.phase]++;
        max.x = cell.min.x + cell.edge;
        max.y = cell.min.y + cell.edge;
        max.z = cell.min.z + cell.edge;
        object.addBox(cell.min, max, COLOURS[cell.phase], opacityOf(cell, history.now));
      }
    }
    object.end();
  }
}

/**
 * Cells in use are faint. Cells that count down fade with their remaining time; other phases fade with their age. Small
 * cells are fainter.
 */
function opacityOf(cell: CellRecord, now: number): number {
  const { phase, left, edge } = cell;
  const clarity = Math.min(1, 0.25 + edge / CLEAR_EDGE);
  if (phase === 'used') return USED_OPACITY * clarity;
  if (phase === 'countdown') return (0.15 + 0.6 * left) * clarity;
  const rest = 1 - cell.ageAt(now);
  return (phase === 'expired' ? 0.85 * rest : USED_OPACITY + 0.7 * rest) * clarity;
}
const USED_OPACITY = 0.2;
/** Cells with edges of 3/4 of this length in metres, or longer, have full opacity. */
const CLEAR_EDGE = 20;
