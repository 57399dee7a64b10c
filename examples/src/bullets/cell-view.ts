// Draws the cells as lines, each in the colour of what happens to it.

import { Color } from 'three';
import { BoxLines } from '../../../src/three/index.ts';
import type { CellLife, CellPhase, ShownCells } from './cell-lives.ts';
import type { CellChoice } from './settings.ts';

/** The page's style sheet has the same colours for the legend. */
const COLOURS: Readonly<Record<CellPhase, Color>> = {
  used: new Color('#5a6c8f'), fresh: new Color('#6fe7ff'), waiting: new Color('#a78bff'), reused: new Color('#4ce38a'), expired: new Color('#ff5168'),
};
const PHASES = Object.keys(COLOURS) as CellPhase[];
const LIMIT = 16_384;

export class CellView {
  readonly object = new BoxLines(LIMIT);
  /** Cells drawn in each phase. */
  readonly counts: Record<CellPhase, number> = { used: 0, fresh: 0, waiting: 0, reused: 0, expired: 0 };
  private readonly max = { x: 0, y: 0, z: 0 };

  constructor() {
    this.object.renderOrder = 1;
  }

  update(lives: ShownCells, choice: CellChoice): void {
    const { object, counts, max } = this;
    for (const phase of PHASES) counts[phase] = 0;
    object.begin();
    if (choice !== 'off') {
      for (const life of lives.shown()) {
        if (choice === 'changing' && life.phase === 'used') continue;
        counts[life.phase]++;
        max.x = life.min.x + life.edge;
        max.y = life.min.y + life.edge;
        max.z = life.min.z + life.edge;
        object.addBox(life.min, max, COLOURS[life.phase], opacityOf(life, lives.now));
      }
    }
    object.end();
  }
}

/** A cell in use is a hint only; one that waits fades as its time runs out; what passes, passes gently. Small cells crowd, so they are fainter. */
function opacityOf(life: CellLife, now: number): number {
  const { phase, left, edge } = life;
  const clarity = Math.min(1, 0.25 + edge / CLEAR_EDGE);
  if (phase === 'used') return USED_OPACITY * clarity;
  if (phase === 'waiting') return (0.15 + 0.6 * left) * clarity;
  const rest = 1 - life.ageAt(now);
  return (phase === 'expired' ? 0.85 * rest : USED_OPACITY + 0.7 * rest) * clarity;
}
const USED_OPACITY = 0.2;
/** Cells of this edge and larger are drawn with all their opacity, in metres. */
const CLEAR_EDGE = 20;
