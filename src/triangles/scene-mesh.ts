/** The mesh, or the instance of a mesh, that a query looks at. */

import { Matrix3, type BufferGeometry, type Material, type Object3D } from 'three';
import type { Body, Octree } from '../three-math/octree.ts';
import type { GeometryTriangles } from './geometry-triangles.ts';
import type { QueriedMesh } from './triangle-options.ts';

/**
 * Largest product of the norms of a matrix and its inverse up to which boxes are tested in the local space of a mesh.
 * Beyond it, the inverse has lost three digits, or there is none: boxes are transformed to the world.
 */
const MAX_CONDITION = 1e3;
/** Of the determinant, relative to the lengths of the rows: less is rounding. Test: rounding.test. */
const MIN_VOLUME = 1e-9;

export class SceneMesh implements QueriedMesh {
  octree: Octree | null = null;
  /** Null for a body of an octree whose callback names none. */
  object: Object3D | null = null;
  /** The body that the mesh belongs to; -1 for an object outside the octree. */
  bodyIndex = -1;
  /** -1 without instances. */
  instanceId = -1;
  geometry: BufferGeometry | null = null;
  material: Material | Material[] | null = null;
  /** Of the geometry, or of its present pose. */
  triangles: GeometryTriangles | null = null;
  /** From local space to the world: the 16 numbers of a matrix of three. */
  readonly matrix = new Float64Array(16);
  /** From the world to the space in which boxes are tested: the upper 3 x 3 part, row by row. */
  readonly inverse = new Float64Array(9);
  /** The length of each row. */
  readonly rowLengths = new Float64Array(3);
  /** By how much a length in local space may grow along each axis of that space. */
  readonly stretches = new Float64Array(3);
  /** Whether the inverse is too inexact, or missing: boxes are transformed to the world, and tested there. */
  isSkewed = false;
  /** Whether the rows are perpendicular: squared distances along them add up. */
  isOrthogonal = false;
  get body(): Body<unknown> | null {
    return this.bodyIndex < 0 ? null : this.octree!.bodyAt(this.bodyIndex);
  }

  /** Whether the matrix makes a point of the mesh. */
  get isEmpty(): boolean {
    const { matrix: m } = this;
    for (let k = 0; k < 11; k++) if (m[k] !== 0 && k % 4 !== 3) return false;
    return true;
  }

  /** From the space in which boxes are tested to the world. */
  get toWorld(): Float64Array {
    return this.isSkewed ? IDENTITY : this.matrix;
  }

  /** -1 for a mirrored mesh, whose triangles turn the other way; else 1. */
  get orientation(): number {
    const { matrix: m } = this;
    orientation_matrix.set(m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]);
    return orientation_matrix.determinant() < 0 ? -1 : 1;
  }

  /** Computes the inverse. */
  invert(): void {
    const { matrix: m, inverse: r, rowLengths, stretches } = this;
    for (let k = 0; k < 3; k++) {
      const i = (4 * k + 4) % 12;
      const j = (4 * k + 8) % 12;
      r[3 * k] = m[i + 1] * m[j + 2] - m[i + 2] * m[j + 1];
      r[3 * k + 1] = m[i + 2] * m[j] - m[i] * m[j + 2];
      r[3 * k + 2] = m[i] * m[j + 1] - m[i + 1] * m[j];
    }
    const determinant = m[0] * r[0] + m[1] * r[1] + m[2] * r[2];
    let largest = 0;
    let largestInverse = 0;
    let volume = Math.abs(determinant);
    for (let k = 0; k < 3; k++) {
      for (let j = 3 * k; j < 3 * k + 3; j++) r[j] /= determinant;
      const row = m[k] * m[k] + m[k + 4] * m[k + 4] + m[k + 8] * m[k + 8];
      largest = Math.max(largest, row);
      volume /= Math.sqrt(row);
      const square = r[3 * k] * r[3 * k] + r[3 * k + 1] * r[3 * k + 1] + r[3 * k + 2] * r[3 * k + 2];
      rowLengths[k] = Math.sqrt(square);
      largestInverse = Math.max(largestInverse, square);
    }
    // NaN and Infinity, as of a singular matrix, fail the comparisons. Where rows are parallel but for rounding, the
    // inverse is noise, and may be small.
    this.isSkewed = !(largest * largestInverse <= MAX_CONDITION * MAX_CONDITION && volume > MIN_VOLUME);
    stretches.fill(1);
    if (this.isSkewed) {
      for (let k = 0; k < 3; k++) stretches[k] = Math.abs(m[k]) + Math.abs(m[k + 4]) + Math.abs(m[k + 8]);
      for (let k = 0; k < 9; k++) r[k] = k % 4 === 0 ? 1 : 0;
      rowLengths.fill(1);
    }
    this.isOrthogonal =
      Math.abs(r[0] * r[3] + r[1] * r[4] + r[2] * r[5]) <= ORTHOGONAL * rowLengths[0] * rowLengths[1] &&
      Math.abs(r[3] * r[6] + r[4] * r[7] + r[5] * r[8]) <= ORTHOGONAL * rowLengths[1] * rowLengths[2] &&
      Math.abs(r[6] * r[0] + r[7] * r[1] + r[8] * r[2]) <= ORTHOGONAL * rowLengths[2] * rowLengths[0];
  }
}

const IDENTITY = /* @__PURE__ */ Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
const orientation_matrix = /* @__PURE__ */ new Matrix3();
/** Cosine of the angle between two rows, up to which they count as perpendicular. */
const ORTHOGONAL = 1e-12;
