// Collects the triangles of one house: flat faces with a colour, and with windows where a wall has them. One collector
// serves all houses, one after the other.

import { BufferAttribute, BufferGeometry, type Color } from 'three';
import { PLASTER, windowsAt } from './facade.ts';

export type Corner = readonly [x: number, y: number, z: number];

/** Light at the foot of a wall, as a share of that at its top: streets are narrow. */
const FOOT = 0.58;

export class Faces {
  private positions: number[] = [];
  private normals: number[] = [];
  private colors: number[] = [];
  private places: number[] = [];
  private indices: number[] = [];

  /** Number of vertices so far. */
  get count(): number {
    return this.positions.length / 3;
  }

  /**
   * An upright wall from one point of the ground to another, seen from its right side.
   *
   * @param storeys Rows of windows; 0: a blind wall.
   */
  addWall(
    [x0, z0]: readonly [number, number],
    [x1, z1]: readonly [number, number],
    low: number,
    high: number,
    color: Color,
    storeys: number,
    chance: number,
  ): void {
    const length = Math.sqrt((x1 - x0) * (x1 - x0) + (z1 - z0) * (z1 - z0));
    const foot = low > 0 ? 1 : FOOT;
    const first = this.addCorners(
      [
        [x0, low, z0],
        [x1, low, z1],
        [x1, high, z1],
        [x0, high, z0],
      ],
      color,
      [foot, foot, 1, 1],
    );
    if (storeys > 0) this.places.push(...windowsAt(length, storeys, chance));
    else this.addPlaster(4);
    this.indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }

  /** A triangle, or a flat face with four corners; counter-clockwise as seen from outside. */
  addFace(corners: readonly Corner[], color: Color): void {
    const first = this.addCorners(corners, color, [1, 1, 1, 1]);
    this.addPlaster(corners.length);
    for (let k = 2; k < corners.length; k++) this.indices.push(first, first + k - 1, first + k);
  }

  /** A box without its bottom. */
  addBox([x0, y0, z0]: Corner, [x1, y1, z1]: Corner, sides: Color, top: Color): void {
    const round = [
      [x0, z1],
      [x1, z1],
      [x1, z0],
      [x0, z0],
    ] as const;
    for (let k = 0; k < 4; k++) {
      const [[ax, az], [bx, bz]] = [round[k], round[(k + 1) % 4]];
      this.addFace(
        [
          [ax, y0, az],
          [bx, y0, bz],
          [bx, y1, bz],
          [ax, y1, az],
        ],
        sides,
      );
    }
    this.addFace(
      round.map(([x, z]) => [x, y1, z] as const),
      top,
    );
  }

  /** The geometry of what was added. The next house begins. */
  take(): BufferGeometry {
    const geometry = new BufferGeometry()
      .setAttribute('position', new BufferAttribute(new Float32Array(this.positions), 3))
      .setAttribute('normal', new BufferAttribute(new Float32Array(this.normals), 3))
      .setAttribute('color', new BufferAttribute(new Float32Array(this.colors), 3))
      .setAttribute('uv', new BufferAttribute(new Float32Array(this.places), 2))
      .setIndex(new BufferAttribute(new Uint16Array(this.indices), 1));
    for (const list of [this.positions, this.normals, this.colors, this.places, this.indices]) list.length = 0;
    return geometry;
  }

  private addCorners(corners: readonly Corner[], { r, g, b }: Color, shades: readonly number[]): number {
    const first = this.count;
    const [nx, ny, nz] = normalOf(corners[0], corners[1], corners[2]);
    for (let k = 0; k < corners.length; k++) {
      const [x, y, z] = corners[k];
      const shade = shades[k];
      this.positions.push(x, y, z);
      this.normals.push(nx, ny, nz);
      this.colors.push(r * shade, g * shade, b * shade);
    }
    return first;
  }

  private addPlaster(count: number): void {
    for (let k = 0; k < count; k++) this.places.push(PLASTER, PLASTER);
  }
}

function normalOf(a: Corner, b: Corner, c: Corner): Corner {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.sqrt(x * x + y * y + z * z) || 1;
  return [x / length, y / length, z / length];
}
