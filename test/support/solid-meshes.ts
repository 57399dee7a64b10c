/** Meshes for solid boxes: closed ones, and damage. Triangles are lists of points, without an index. */

import { BufferGeometry, ExtrudeGeometry, Ray, Shape, Vector2, Vector3 } from 'three';
import { createRandom } from './random.ts';

export type Point = readonly [number, number, number];
export type Triangle = readonly [Point, Point, Point];

/** The triangles of a geometry. */
export function trianglesOf(geometry: BufferGeometry): Triangle[] {
  const { position } = (geometry.index === null ? geometry : geometry.toNonIndexed()).attributes;
  const point = (k: number): Point => [position.getX(k), position.getY(k), position.getZ(k)];
  return Array.from({ length: position.count / 3 }, (_, k) => [point(3 * k), point(3 * k + 1), point(3 * k + 2)]);
}

/** Triangles as the arrays that solidBoxes takes. */
export function arraysOf(triangles: readonly Triangle[]): { positions: Float32Array } {
  return { positions: new Float32Array(triangles.flat(2)) };
}

/** A polygon of points (x, z), extruded upward from y = 0. */
export function extruded(corners: readonly (readonly [number, number])[], height: number): Triangle[] {
  const shape = new Shape(corners.map(([x, z]) => new Vector2(x, -z)));
  return trianglesOf(new ExtrudeGeometry(shape, { depth: height, bevelEnabled: false }).rotateX(-Math.PI / 2));
}

/** A house with a gable: 10 wide, 6 to the eaves, 9 to the ridge, and as deep as `depth`. */
export function gabled(depth: number = 14): Triangle[] {
  const profile = [
    [-5, 0],
    [5, 0],
    [5, 6],
    [0, 9],
    [-5, 6],
  ].map(([x, y]) => new Vector2(x, y));
  return trianglesOf(new ExtrudeGeometry(new Shape(profile), { depth, bevelEnabled: false }));
}

export const L_SHAPE = [
  [0, 0],
  [12, 0],
  [12, 5],
  [5, 5],
  [5, 14],
  [0, 14],
] as const;

/** A box from corner to corner. */
export function block(min: Point, max: Point): Triangle[] {
  const [x0, y0, z0] = min;
  const [x1, y1, z1] = max;
  return extruded(
    [
      [x0, z0],
      [x1, z0],
      [x1, z1],
      [x0, z1],
    ],
    y1 - y0,
  ).map((triangle) => triangle.map(([x, y, z]): Point => [x, y + y0, z]) as unknown as Triangle);
}

export function mapped(triangles: readonly Triangle[], map: (point: Point) => Point): Triangle[] {
  return triangles.map(([a, b, c]) => [map(a), map(b), map(c)]);
}

/** Turned about y, and moved. */
export function placed(triangles: readonly Triangle[], angle: number, [x, y, z]: Point): Triangle[] {
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  return mapped(triangles, (p) => [cosine * p[0] + sine * p[2] + x, p[1] + y, cosine * p[2] - sine * p[0] + z]);
}

/** With a triangular hole in the middle of one triangle, that many units in size. */
export function withHole(triangles: readonly Triangle[], which: number, size: number): Triangle[] {
  const [a, b, c] = triangles[which];
  const middle = [0, 1, 2].map((k) => (a[k] + b[k] + c[k]) / 3);
  const longest = Math.max(...[a, b, c].map((p) => distance(p, middle as unknown as Point)));
  const near = (p: Point): Point =>
    [0, 1, 2].map((k) => middle[k] + ((p[k] - middle[k]) * size) / longest) as unknown as Point;
  const [p, q, r] = [near(a), near(b), near(c)];
  const ring: Triangle[] = [
    [a, b, q],
    [a, q, p],
    [b, c, r],
    [b, r, q],
    [c, a, p],
    [c, p, r],
  ];
  return triangles.flatMap((triangle, k) => (k === which ? ring : [triangle]));
}

export function withFlipped(triangles: readonly Triangle[], which: number): Triangle[] {
  return triangles.map(([a, b, c], k) => (k === which ? [a, c, b] : [a, b, c]));
}

export function insideOut(triangles: readonly Triangle[]): Triangle[] {
  return triangles.map(([a, b, c]) => [a, c, b]);
}

/** With all triangles in the plane x = `x` moved outward: a slit around that wall. */
export function withSlit(triangles: readonly Triangle[], x: number, width: number): Triangle[] {
  return triangles.map((triangle) =>
    triangle.every((point) => Math.abs(point[0] - x) < 1e-6)
      ? (triangle.map(([px, py, pz]): Point => [px + Math.sign(x) * width, py, pz]) as unknown as Triangle)
      : triangle,
  );
}

/** A yard with a roof and walls on all sides, but for a slit in one of them. Nothing in the yard is solid. */
export function yardBehindSlit(width: number): Triangle[] {
  const s = width / 2;
  const walls = extruded(
    [
      [s, -8],
      [8, -8],
      [8, 8],
      [-8, 8],
      [-8, -8],
      [-s, -8],
      [-s, -6],
      [-6, -6],
      [-6, 6],
      [6, 6],
      [6, -6],
      [s, -6],
    ],
    6,
  );
  return [...walls, ...block([-8, 6, -8], [8, 7, 8])];
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/**
 * The winding number of a point: the sum of the signed solid angles of all triangles, divided by that of a sphere (van
 * Oosterom, Strackee, "The Solid Angle of a Plane Triangle", 1983).
 */
export function windingAt(triangles: readonly Triangle[], point: Point): number {
  let sum = 0;
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  const eye = new Vector3(...point);
  for (const [p, q, r] of triangles) {
    a.set(...p).sub(eye);
    b.set(...q).sub(eye);
    c.set(...r).sub(eye);
    const [la, lb, lc] = [a.length(), b.length(), c.length()];
    const below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    sum += Math.atan2(a.dot(b.clone().cross(c)), below) / (2 * Math.PI);
  }
  return sum;
}

/** A box by its corners. */
export interface Corners {
  /** The point at these parts of the box along its three axes. */
  readonly at: (u: number, v: number, w: number) => Point;
}

/** An oriented box, or one parallel to the axes. */
export function cornersOf(box: object): Corners {
  if ('min' in box) {
    const { min, max } = box as { min: Vector3; max: Vector3 };
    return {
      at: (u, v, w) => [min.x + u * (max.x - min.x), min.y + v * (max.y - min.y), min.z + w * (max.z - min.z)],
    };
  }
  const { center, halfSize, rotation } = box as {
    center: Vector3;
    halfSize: Vector3;
    rotation: { elements: readonly number[] };
  };
  const e = rotation.elements;
  return {
    at: (u, v, w) => {
      const [x, y, z] = [(2 * u - 1) * halfSize.x, (2 * v - 1) * halfSize.y, (2 * w - 1) * halfSize.z];
      return [
        center.x + e[0] * x + e[3] * y + e[6] * z,
        center.y + e[1] * x + e[4] * y + e[7] * z,
        center.z + e[2] * x + e[5] * y + e[8] * z,
      ];
    },
  };
}

export function volumeOf(box: object): number {
  const { at } = cornersOf(box);
  const origin = at(0, 0, 0);
  return distance(origin, at(1, 0, 0)) * distance(origin, at(0, 1, 0)) * distance(origin, at(0, 0, 1));
}

/**
 * Why a box is not solid, or null: its points have another winding number than 1 or more, or an eye outside the bounds
 * of the mesh sees one of its points before a triangle. Shares no code with the library.
 *
 * @param sides Whether front faces only are drawn, or both sides. `'closed'`: front faces, and all of the mesh is
 *   closed.
 * @param lowest Eyes are above this height.
 */
export function faultOf(
  triangles: readonly Triangle[],
  box: object,
  sides: 'closed' | 'front' | 'double',
  lowest: number = -Infinity,
): string | null {
  const { at } = cornersOf(box);
  const random = createRandom(5);
  const points: Point[] = [];
  for (let u = 0; u <= 4; u++)
    for (let v = 0; v <= 4; v++) for (let w = 0; w <= 4; w++) points.push(at(u / 4, v / 4, w / 4));
  for (const point of points) {
    if (sides === 'closed' && windingAt(triangles, point) < 0.99)
      return `the winding number at ${point.join(', ')} is not 1`;
    if (point[1] < lowest) return `${point.join(', ')} is below the mesh`;
  }
  const all = triangles.flat();
  const [low, high] = [Math.min, Math.max].map((extreme) =>
    [0, 1, 2].map((axis) => all.reduce((best, p) => extreme(best, p[axis]), all[0][axis])),
  );
  const size = Math.max(...high.map((value, k) => value - low[k]));
  const corners = triangles.map((triangle) => triangle.map((point) => new Vector3(...point)));
  const ray = new Ray();
  const hit = new Vector3();
  for (let k = 0; k < 300; k++) {
    // An eye outside the bounds: on a face of the bounds, grown.
    const eye = low.map((value, axis) => value + (high[axis] - value) * (1.5 * random.next() - 0.25));
    const axis = Math.floor(3 * random.next());
    eye[axis] = random.next() < 0.5 ? low[axis] - size * random.next() : high[axis] + size * random.next();
    if (eye[1] <= lowest) eye[1] = high[1] + size * random.next();
    const target = new Vector3(...points[Math.floor(random.next() * points.length)]);
    ray.origin.set(eye[0], eye[1], eye[2]);
    const reach = ray.origin.distanceTo(target);
    ray.direction.copy(target).sub(ray.origin).divideScalar(reach);
    const isHidden = corners.some(([a, b, c]) => {
      const found = ray.intersectTriangle(a, b, c, sides !== 'double', hit);
      return found !== null && found.distanceTo(ray.origin) < reach;
    });
    if (!isHidden) return `an eye at ${eye.join(', ')} sees ${target.toArray().join(', ')}`;
  }
  return null;
}
