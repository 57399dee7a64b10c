// Draws cells of the octree, in the colour of their overlap with the frustum of the last cull.

import type { Frustum } from 'three';
import { Octree } from '../../../src/index.ts';
import { type HelperOutline, OctreeHelper, type VisitResult } from '../../../src/three.ts';
import { palette } from '../shared/colours.ts';

/** Which cells are drawn: none, those where the cull stops, all at one depth, or all. */
export type CellChoice = 'off' | 'decided' | 'all' | number;

/** Maximum number of cells; more lines are unreadable. */
const LIMIT = 8192;
const INTERSECTING = { color: palette.intersecting, opacity: 0.65 };
const STYLES: Readonly<Record<VisitResult, typeof INTERSECTING>> = {
  skipped: { color: palette.outside, opacity: 0.3 },
  contained: { color: palette.contained, opacity: 0.8 },
  split: INTERSECTING,
  tested: INTERSECTING,
};

export class CullCells {
  readonly object: OctreeHelper;
  private choice: CellChoice = 'off';

  constructor() {
    this.object = new OctreeHelper(new Octree(), {
      limit: LIMIT,
      coloring: ({ bodyCount }, color, result) => {
        const style = STYLES[result ?? 'tested'];
        color.copy(style.color);
        // The cull tests no body of such a node; it only visits the children.
        return this.choice === 'decided' && result === 'split' && bodyCount === 0 ? 0 : style.opacity;
      },
    });
    this.object.renderOrder = 1;
    this.object.visible = false;
  }

  /** Number of cells drawn. */
  get count(): number {
    return this.object.visible ? this.object.boxCount : 0;
  }

  update(octree: Octree<number>, frustum: Frustum, choice: CellChoice, outline: HelperOutline): void {
    const { object } = this;
    object.visible = choice !== 'off';
    if (!object.visible) return;
    this.choice = choice;
    object.octree = octree;
    object.query = frustum;
    object.outline = outline;
    object.includesUnvisited = choice !== 'decided';
    object.minDepth = typeof choice === 'number' ? choice : 0;
    object.maxDepth = typeof choice === 'number' ? choice : Infinity;
    object.update();
  }
}
