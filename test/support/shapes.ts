/** Shapes as flat numbers, and conversions to the argument types of the octree. */

import type { BoxLike, FrustumLike, PointLike, RayLike, SphereLike } from '../../src/index.ts';

/** Six numbers for a box (min, max), four for a sphere (centre, radius). */
export type Shape = readonly number[];

export function point([x, y, z]: readonly number[]): PointLike {
  return { x, y, z };
}

export function boxOf(numbers: readonly number[]): BoxLike {
  return { min: point(numbers), max: point(numbers.slice(3)) };
}

export function sphereOf(numbers: readonly number[]): SphereLike {
  return { center: point(numbers), radius: numbers[3] };
}

export function shapeOf(shape: Shape): BoxLike | SphereLike {
  return shape.length === 6 ? boxOf(shape) : sphereOf(shape);
}

export function rayOf(origin: readonly number[], direction: readonly number[]): RayLike {
  return { origin: point(origin), direction: point(direction) };
}

export function planesOf(planes: readonly (readonly number[])[]): FrustumLike {
  return { planes: planes.map((plane) => ({ normal: point(plane), constant: plane[3] })) };
}

/** A cube around a point; `half` is half of its edge. */
export function cube(x: number, y: number, z: number, half = 0.5): Shape {
  return [x - half, y - half, z - half, x + half, y + half, z + half];
}

export function boundsOf(shape: Shape): number[] {
  if (shape.length === 6) return [...shape];
  const [x, y, z, radius] = shape;
  return [x - radius, y - radius, z - radius, x + radius, y + radius, z + radius];
}

/** The six planes of a box, normals inwards, in the order of three: right, left, bottom, top, far (-z), near (+z). */
export function planesOfBox([minX, minY, minZ, maxX, maxY, maxZ]: readonly number[]): number[][] {
  return [
    [-1, 0, 0, maxX],
    [1, 0, 0, -minX],
    [0, 1, 0, -minY],
    [0, -1, 0, maxY],
    [0, 0, 1, -minZ],
    [0, 0, -1, maxZ],
  ];
}
