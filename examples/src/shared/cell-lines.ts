// Draws cubes of the octree as lines, coloured by what the last cull did with them.

import { BoxLines } from '../../../src/three/index.ts';
import { palette } from './colours.ts';

/** What a cull did with a node. */
export type CellOverlap = 'outside' | 'intersecting' | 'contained';

/** Lines beyond this many boxes tell nothing any more. */
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

  /** Starts over. */
  begin(): void {
    this.object.begin();
  }

  add(overlap: CellOverlap, min: Corner, max: Corner): void {
    this.object.addBox(min, max, palette[overlap], opacity[overlap]);
  }

  /** Draws what was added. */
  end(): void {
    this.object.end();
    this.object.visible = this.count > 0;
  }
}

const opacity: Readonly<Record<CellOverlap, number>> = { outside: 0.3, intersecting: 0.65, contained: 0.8 };
