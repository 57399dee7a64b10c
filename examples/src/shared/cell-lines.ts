// Draws cubes of the octree as lines, coloured by what the last cull did with them.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments } from 'three';
import { palette } from './colours.ts';

/** What a cull did with a node. */
export type CellFate = 'outside' | 'crossing' | 'inside';

/** Lines beyond this many boxes tell nothing any more. */
const CAPACITY = 8192;
const CORNERS = 8;
const EDGES = [0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 2, 6, 3, 7];

interface Corner {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export class CellLines {
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;
  count = 0;
  private readonly positions = new BufferAttribute(new Float32Array(CAPACITY * CORNERS * 3), 3);
  private readonly colours = new BufferAttribute(new Uint8Array(CAPACITY * CORNERS * 4), 4, true);

  constructor() {
    const geometry = new BufferGeometry().setAttribute('position', this.positions).setAttribute('color', this.colours);
    for (const attribute of [this.positions, this.colours]) attribute.setUsage(DynamicDrawUsage);
    const indices = new Uint32Array(CAPACITY * EDGES.length);
    for (let lane = 0; lane < indices.length; lane++) indices[lane] = Math.floor(lane / EDGES.length) * CORNERS + EDGES[lane % EDGES.length];
    geometry.setIndex(new BufferAttribute(indices, 1));
    this.object = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }));
    this.object.frustumCulled = false;
    this.object.renderOrder = 1;
    this.end();
  }

  get isFull(): boolean {
    return this.count === CAPACITY;
  }

  /** Starts over. */
  begin(): void {
    this.count = 0;
  }

  add(fate: CellFate, min: Corner, max: Corner): void {
    if (this.isFull) return;
    const { positions, colours } = this;
    const { r, g, b } = palette[fate];
    const alpha = opacity[fate];
    for (let corner = 0, at = this.count * CORNERS; corner < CORNERS; corner++, at++) {
      positions.setXYZ(at, corner & 1 ? max.x : min.x, corner & 2 ? max.y : min.y, corner & 4 ? max.z : min.z);
      colours.setXYZW(at, r, g, b, alpha);
    }
    this.count++;
  }

  /** Draws what was added. */
  end(): void {
    const { positions, colours } = this;
    positions.clearUpdateRanges();
    colours.clearUpdateRanges();
    positions.addUpdateRange(0, this.count * CORNERS * 3);
    colours.addUpdateRange(0, this.count * CORNERS * 4);
    positions.needsUpdate = true;
    colours.needsUpdate = true;
    this.object.geometry.setDrawRange(0, this.count * EDGES.length);
    this.object.visible = this.count > 0;
  }
}

const opacity: Readonly<Record<CellFate, number>> = { outside: 0.3, crossing: 0.65, inside: 0.8 };
