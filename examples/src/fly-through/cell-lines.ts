// Draws boxes of the octree as lines, coloured by their overlap with the frustum of the last cull.

import { BoxLines } from '../../../src/three/index.ts';
import { palette } from '../shared/colours.ts';

/** Overlap of a node's fitted box with the frustum. */
export type CellOverlap = 'outside' | 'intersecting' | 'contained';

/** Maximum number of boxes; more lines are unreadable. */
const LIMIT = 8192;

interface Corner {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export class CellLines {
  readonly object = new BoxLines(LIMIT);

  constructor() {
    this.object.renderOrder = 1;
    this.end();
  }

  get count(): number {
    return this.object.boxCount;
  }

  get isFull(): boolean {
    return this.object.isFull;
  }

  /** Removes all boxes. */
  begin(): void {
    this.object.begin();
  }

  add(overlap: CellOverlap, min: Corner, max: Corner): void {
    this.object.addBox(min, max, palette[overlap], opacity[overlap]);
  }

  /** Uploads the boxes added since `begin`. */
  end(): void {
    this.object.end();
    this.object.visible = this.count > 0;
  }
}

const opacity: Readonly<Record<CellOverlap, number>> = { outside: 0.3, intersecting: 0.65, contained: 0.8 };
