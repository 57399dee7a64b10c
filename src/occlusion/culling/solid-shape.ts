/**
 * The solid parts of a mesh: boxes in the local space of its geometry, and where they are under a matrix.
 *
 * A matrix turns a box into a parallelepiped. What hides is a box inside it: parallel to the axes of the octree where
 * the parallelepiped is, else with axes of its own, the first two along its edges. That is all of it but where a matrix
 * shears. With half axes a, b, c as the columns of A, in the axes of the box, a box with half sizes e lies inside if
 * for each row r of the inverse of A |r.x| e.x + |r.y| e.y + |r.z| e.z <= 1.
 */

import { Box3, Matrix3, Vector3, type BufferGeometry, type Matrix4, type Sphere } from 'three';
import { BOX_STRIDE } from '../../math/box.ts';
import { GIVEN_ERROR } from '../../math/tolerances.ts';
import { nameOf, readSolid, type SolidBoxLike } from '../visible/occluders.ts';
import { VertexVersion, vertexBoxOf } from '../../three/bounds/vertex-bounds.ts';

/** What is solid of a mesh: the box around its vertices, or boxes inside it, in the local space of its geometry. */
export type SolidParts = true | SolidBoxLike | readonly SolidBoxLike[];

const AXES = ['x', 'y', 'z'] as const;
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
 * Boxes that lie inside the parts under a matrix, and inside a body: its bounds, and its sphere if it is one. A box
 * that leaves the bounds becomes smaller. Parts that a matrix flattens, those with their centre outside, and those that
 * leave the sphere, give none.
 */
export function innerBoxes(parts: Float64Array, matrix: Matrix4, bounds: Box3, sphere: Sphere | null): SolidBoxLike[] {
  const boxes: SolidBoxLike[] = [];
  for (let at = 0; at < parts.length; at += STRIDE) {
    const edges = new Matrix3().setFromMatrix4(matrix).multiply(innerBoxes_part.fromArray(parts, at + 3));
    const rotation = new Matrix3();
    let inner = halfSizeIn(edges);
    const isAligned = inner.isExact;
    if (!isAligned) inner = halfSizeIn(edges.premultiply(setAlong(rotation, edges).clone().transpose()));
    const center = new Vector3().fromArray(parts, at).applyMatrix4(matrix);
    const halfSize = inner.halfSize.multiplyScalar(shareInside(bounds, center, inner.halfSize, rotation.elements));
    // Also false for a matrix that is flat or holds a NaN.
    if (!(halfSize.x > 0 && (sphere === null || isInSphere(sphere, center, halfSize, rotation)))) continue;
    boxes.push(
      isAligned ? new Box3(center.clone().sub(halfSize), center.add(halfSize)) : { center, halfSize, rotation },
    );
  }
  return boxes;
}
const innerBoxes_part = /* @__PURE__ */ new Matrix3();

/** Sets three axes at right angles: the first edge, the second as far as it is perpendicular to it, and the third. */
function setAlong(rotation: Matrix3, { elements }: Matrix3): Matrix3 {
  const x = new Vector3().fromArray(elements).normalize();
  const y = new Vector3().fromArray(elements, 3);
  // Twice: of nearly parallel edges little is left, which is rounded.
  for (let k = 0; k < 2; k++) y.addScaledVector(x, -x.dot(y)).normalize();
  const z = new Vector3().crossVectors(x, y);
  return rotation.set(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z);
}

/**
 * Half sizes of a box inside a parallelepiped whose half edges are the columns of a matrix, and whether it is all of
 * it. Numbers that are not positive for a matrix that is flat or holds a NaN.
 */
function halfSizeIn(edges: Matrix3): { readonly halfSize: Vector3; readonly isExact: boolean } {
  const a = edges.elements;
  const inverse = halfSizeIn_inverse.copy(edges).invert().elements;
  const reach = [0, 1, 2].map((row) => Math.abs(a[row]) + Math.abs(a[3 + row]) + Math.abs(a[6 + row]));
  const half = reach.slice();
  let isExact = true;
  // Each row has an equal share for each of its components that count, so all rows hold.
  for (let row = 0; row < 3; row++) {
    const counting = [0, 1, 2].filter((k) => Math.abs(inverse[row + 3 * k]) * reach[k] > NEGLIGIBLE);
    if (counting.length > 1) isExact = false;
    for (const k of counting) half[k] = Math.min(half[k], 1 / (counting.length * Math.abs(inverse[row + 3 * k])));
  }
  const sums = [0, 1, 2].map((row) => half.reduce((sum, size, k) => sum + Math.abs(inverse[row + 3 * k]) * size, 0));
  return { halfSize: new Vector3().fromArray(half).multiplyScalar(SHRINK / Math.max(...sums)), isExact };
}
const halfSizeIn_inverse = /* @__PURE__ */ new Matrix3();

/** The share of a box, 1 or less, that lies inside the bounds if it shrinks towards its centre. */
function shareInside({ min, max }: Box3, center: Vector3, halfSize: Vector3, axes: readonly number[]): number {
  const shares = AXES.map((axis, row) => {
    const reach = AXES.reduce((sum, own, k) => sum + Math.abs(axes[row + 3 * k]) * halfSize[own], 0);
    return Math.min(max[axis] - center[axis], center[axis] - min[axis]) / reach;
  });
  return Math.min(1, ...shares);
}

/** Whether all corners of a box lie inside a sphere. */
function isInSphere(sphere: Sphere, center: Vector3, halfSize: Vector3, rotation: Matrix3): boolean {
  const corner = sphere.center.clone().sub(center).applyMatrix3(rotation.clone().transpose());
  corner.set(Math.abs(corner.x), Math.abs(corner.y), Math.abs(corner.z)).add(halfSize);
  return corner.length() < sphere.radius * (1 - GIVEN_ERROR);
}
