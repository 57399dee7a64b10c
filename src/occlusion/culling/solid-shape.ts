/**
 * The solid parts of a mesh: boxes in the local space of its geometry, and where they are under a matrix.
 *
 * A matrix turns a box into a parallelepiped. An octree takes boxes that are parallel to its axes, so each part becomes
 * a box inside the parallelepiped: exact where the axes stay parallel, smaller where a mesh is turned by another angle.
 * With half axes a, b, c as the columns of A, a box with half sizes e lies inside if for each row r of the inverse of A
 * |r.x| e.x + |r.y| e.y + |r.z| e.z <= 1.
 */

import { Box3, Matrix4, Vector3, type BufferGeometry } from 'three';
import { BOX_STRIDE } from '../../math/box.ts';
import { nameOf, readSolid, type SolidBoxLike } from '../visible/occluders.ts';
import { VertexVersion, vertexBoxOf } from '../../three/bounds/vertex-bounds.ts';

/** What is solid of a mesh: the box around its vertices, or boxes inside it, in the local space of its geometry. */
export type SolidParts = true | SolidBoxLike | readonly SolidBoxLike[];

/** Numbers of a part: its centre and three half axes. */
const STRIDE = 12;
/**
 * By how much a part may leave the box around the vertices, as a share of the largest coordinate. Test:
 * solid-shape.test.
 */
const TOLERANCE = 1e-6;
/** Share of a half size below which a component counts as rounding. */
const NEGLIGIBLE = 1e-6;
/** Boxes shrink by this share, which is more than all rounding here. */
const SHRINK = 1 - 2 ** -40;
const REMEDY = 'pass true if the box around the vertices is solid, boxes in the local space of the mesh, or null';

/** A geometry, and its triangles when this was created. */
export class TriangleVersion {
  private readonly geometry: BufferGeometry;
  private readonly vertices: VertexVersion;
  private readonly index: BufferGeometry['index'];
  private readonly indexVersion: number | undefined;

  constructor(geometry: BufferGeometry) {
    this.geometry = geometry;
    this.vertices = new VertexVersion(geometry);
    this.index = geometry.index;
    this.indexVersion = geometry.index?.version;
  }

  /** Whether it is the same geometry, and still has the same vertices and triangles. */
  isOf(geometry: BufferGeometry): boolean {
    const { index } = geometry;
    return (
      geometry === this.geometry &&
      index === this.index &&
      index?.version === this.indexVersion &&
      this.vertices.isOf(geometry)
    );
  }
}

/** The solid parts that were named for a geometry. They hold until its vertices or triangles change. */
export class SolidShape {
  /** Null: the box around the vertices, whatever they are. */
  private readonly parts: Float64Array | null;
  private readonly triangles: TriangleVersion;

  /**
   * @throws {RangeError} If there is no box, or one is empty or leaves the box around the vertices.
   * @throws {TypeError} If it is of another shape.
   */
  constructor(where: string, parts: unknown, geometry: BufferGeometry) {
    this.triangles = new TriangleVersion(geometry);
    this.parts = parts === true ? null : readParts(where, parts, vertexBoxOf(geometry));
  }

  /** Centre and half axes of each part, in the local space of the geometry. Null if they belong to other triangles. */
  partsOf(geometry: BufferGeometry): Float64Array | null {
    if (this.parts === null) {
      const box = vertexBoxOf(geometry);
      return box === null || box.isEmpty() ? null : partOfBox(box);
    }
    return this.triangles.isOf(geometry) ? this.parts : null;
  }
}

function readParts(where: string, boxes: unknown, around: Box3 | null): Float64Array {
  const list = readSolid(where, boxes, REMEDY);
  const parts = Float64Array.from(list.flatMap((values) => [...partOf(values)]));
  for (let k = 0; k < list.length; k++) {
    if (around === null || isInside(parts, k * STRIDE, around)) continue;
    throw new RangeError(
      `${where}: ${nameOf(boxes, k)} must lie inside the box around the vertices of the mesh, but leaves it; give it in the local space of the mesh.`,
    );
  }
  return parts;
}

/** The part of a box as `readSolid` returns it. */
function partOf(values: Float64Array): Float64Array {
  if (values.length === BOX_STRIDE) return partOfBox(new Box3().setFromArray(values));
  const axes = values.subarray(6).map((value, k) => value * values[3 + Math.floor(k / 3)]);
  return Float64Array.of(...values.subarray(0, 3), ...axes);
}

function partOfBox({ min, max }: Box3): Float64Array {
  const [x, y, z] = [(max.x - min.x) / 2, (max.y - min.y) / 2, (max.z - min.z) / 2];
  return Float64Array.of(min.x + x, min.y + y, min.z + z, x, 0, 0, 0, y, 0, 0, 0, z);
}

function isInside(parts: Float64Array, at: number, around: Box3): boolean {
  const tolerance = TOLERANCE * Math.max(...[...around.min, ...around.max].map(Math.abs));
  const reach = new Vector3(reachOf(parts, at, 0), reachOf(parts, at, 1), reachOf(parts, at, 2));
  const center = new Vector3().fromArray(parts, at);
  const box = new Box3(center.clone().sub(reach), center.add(reach));
  return around.clone().expandByScalar(tolerance).containsBox(box);
}

/** Half the size of a part along a coordinate. */
function reachOf(parts: Float64Array, at: number, axis: number): number {
  return Math.abs(parts[at + 3 + axis]) + Math.abs(parts[at + 6 + axis]) + Math.abs(parts[at + 9 + axis]);
}

/**
 * Boxes that are parallel to the axes and lie inside the parts under a matrix, cut to the bounds of a body. Parts that
 * a matrix flattens, and those outside the bounds, give none.
 */
export function innerBoxes(parts: Float64Array, matrix: Matrix4, bounds: Box3): Box3[] {
  const boxes: Box3[] = [];
  for (let at = 0; at < parts.length; at += STRIDE) {
    const box = innerBox(parts, at, matrix);
    if (box === null) continue;
    box.intersect(bounds);
    if (box.min.x < box.max.x && box.min.y < box.max.y && box.min.z < box.max.z) boxes.push(box);
  }
  return boxes;
}

function innerBox(parts: Float64Array, at: number, matrix: Matrix4): Box3 | null {
  const center = new Vector3().fromArray(parts, at).applyMatrix4(matrix);
  const m = matrix.elements;
  // The half axes as columns, and their inverse.
  const a = innerBox_axes.elements;
  for (let column = 0; column < 3; column++) {
    const [x, y, z] = [parts[at + 3 + 3 * column], parts[at + 4 + 3 * column], parts[at + 5 + 3 * column]];
    for (let row = 0; row < 3; row++) a[4 * column + row] = m[row] * x + m[4 + row] * y + m[8 + row] * z;
  }
  const inverse = innerBox_inverse.copy(innerBox_axes).invert().elements;
  const reach = [0, 1, 2].map((row) => Math.abs(a[row]) + Math.abs(a[4 + row]) + Math.abs(a[8 + row]));
  const half = reach.slice();
  // Each row has an equal share for each of its components that count, so all rows hold.
  for (let row = 0; row < 3; row++) {
    const counting = [0, 1, 2].filter((k) => Math.abs(inverse[row + 4 * k]) * reach[k] > NEGLIGIBLE);
    for (const k of counting) half[k] = Math.min(half[k], 1 / (counting.length * Math.abs(inverse[row + 4 * k])));
  }
  let largest = 0;
  for (let row = 0; row < 3; row++)
    largest = Math.max(
      largest,
      [0, 1, 2].reduce((sum, k) => sum + Math.abs(inverse[row + 4 * k]) * half[k], 0),
    );
  // Also false for a matrix that flattens the part, or holds a NaN.
  if (!(largest > 0 && largest < Infinity)) return null;
  const size = new Vector3().fromArray(half).multiplyScalar(SHRINK / largest);
  return new Box3(center.clone().sub(size), center.add(size));
}
const innerBox_axes = /* @__PURE__ */ new Matrix4();
const innerBox_inverse = /* @__PURE__ */ new Matrix4();
