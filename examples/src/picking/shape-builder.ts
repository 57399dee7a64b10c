// Builds small solids from flat faces. Each face has one colour; walls may have windows.

import { BufferGeometry, type Color, Float32BufferAttribute } from 'three';
import { DARK, type WindowGrid, windowsAt } from './windows.ts';

type Corner = readonly [x: number, y: number, z: number];

export class ShapeBuilder {
  private readonly positions: number[] = [];
  private readonly normals: number[] = [];
  private readonly colors: number[] = [];
  private readonly places: number[] = [];

  /** Corners in counter-clockwise order as seen from outside, from the lower left one. */
  addQuad([a, b, c, d]: readonly [Corner, Corner, Corner, Corner], color: Color, windows?: WindowGrid): this {
    const [left, bottom, right, top] = windows ? windowsAt(windows) : [...DARK, ...DARK];
    return this.addTriangle([a, b, c], color, [left, bottom, right, bottom, right, top]).addTriangle([a, c, d], color, [
      left,
      bottom,
      right,
      top,
      left,
      top,
    ]);
  }

  /** @param places Texture coordinates in the window texture, two numbers per corner. */
  addTriangle(
    corners: readonly [Corner, Corner, Corner],
    color: Color,
    places: readonly number[] = [...DARK, ...DARK, ...DARK],
  ): this {
    const normal = normalOf(corners);
    for (const corner of corners) {
      this.positions.push(...corner);
      this.normals.push(...normal);
      this.colors.push(color.r, color.g, color.b);
    }
    this.places.push(...places);
    return this;
  }

  /**
   * An axis-aligned box between two opposite corners, without its bottom face. All four walls have the same number of
   * windows.
   */
  addBox([x0, y0, z0]: Corner, [x1, y1, z1]: Corner, wall: Color, roof: Color, windows?: WindowGrid): this {
    return this.addQuad(
      [
        [x0, y0, z1],
        [x1, y0, z1],
        [x1, y1, z1],
        [x0, y1, z1],
      ],
      wall,
      windows,
    )
      .addQuad(
        [
          [x1, y0, z1],
          [x1, y0, z0],
          [x1, y1, z0],
          [x1, y1, z1],
        ],
        wall,
        windows && { ...windows, seed: windows.seed + 1 },
      )
      .addQuad(
        [
          [x1, y0, z0],
          [x0, y0, z0],
          [x0, y1, z0],
          [x1, y1, z0],
        ],
        wall,
        windows && { ...windows, seed: windows.seed + 2 },
      )
      .addQuad(
        [
          [x0, y0, z0],
          [x0, y0, z1],
          [x0, y1, z1],
          [x0, y1, z0],
        ],
        wall,
        windows && { ...windows, seed: windows.seed + 3 },
      )
      .addQuad(
        [
          [x0, y1, z1],
          [x1, y1, z1],
          [x1, y1, z0],
          [x0, y1, z0],
        ],
        roof,
      );
  }

  build(): BufferGeometry {
    return new BufferGeometry()
      .setAttribute('position', new Float32BufferAttribute(this.positions, 3))
      .setAttribute('normal', new Float32BufferAttribute(this.normals, 3))
      .setAttribute('color', new Float32BufferAttribute(this.colors, 3))
      .setAttribute('uv', new Float32BufferAttribute(this.places, 2));
  }
}

function normalOf([a, b, c]: readonly [Corner, Corner, Corner]): Corner {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
}
