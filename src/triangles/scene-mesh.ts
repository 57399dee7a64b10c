/** The mesh, or the instance of a mesh, that a query looks at. */

import { Matrix3, type BufferGeometry, type Material, type Object3D } from 'three';
import type { Body, Octree } from '../three-math/octree.ts';
import type { GeometryTriangles } from './geometry-triangles.ts';
import type { QueriedMesh } from './triangle-options.ts';

/**
 * Largest cosine of an angle between two axes of a mesh up to which boxes are tested in its local space; those of
 * matrices in Float32 are below it. Beyond it, boxes are transformed to the world.
 */
const MAX_SKEW = 1e-5;

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
  /** From the world to local space, without the shift: the upper 3 x 3 part, row by row. */
  readonly inverse = new Float64Array(9);
  /** The length of each row: 1 by the length of an axis in the world. */
  readonly rowLengths = new Float64Array(3);
  /** How far the axes are from perpendicular: the largest cosine of an angle between two. */
  skew = 0;

  get body(): Body<unknown> | null {
    return this.bodyIndex < 0 ? null : this.octree!.bodyAt(this.bodyIndex);
  }

  /** Whether the matrix makes a point of the mesh. */
  get isEmpty(): boolean {
    const { matrix: m } = this;
    for (let k = 0; k < 11; k++) if (m[k] !== 0 && k % 4 !== 3) return false;
    return true;
  }

  /** Computes the inverse. False, if the axes are not perpendicular, or one has no length. */
  invert(): boolean {
    const { matrix: m, inverse, rowLengths } = this;
    for (let k = 0; k < 3; k++) {
      const square = dotOfAxes(m, k, k);
      rowLengths[k] = 1 / Math.sqrt(square);
      for (let j = 0; j < 3; j++) inverse[3 * k + j] = m[4 * k + j] / square;
    }
    this.skew = 0;
    for (let k = 0; k < 3; k++) {
      const next = (k + 1) % 3;
      const cosine = dotOfAxes(m, k, next) * rowLengths[k] * rowLengths[next];
      this.skew = Math.max(this.skew, Math.abs(cosine));
    }
    // NaN, of an axis without length, fails too.
    return this.skew <= MAX_SKEW;
  }

  /** -1 for a mirrored mesh, whose triangles turn the other way; else 1. */
  get orientation(): number {
    const { matrix: m } = this;
    orientation_matrix.set(m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10]);
    return orientation_matrix.determinant() < 0 ? -1 : 1;
  }
}

/** Dot product of two axes of a matrix of three. */
function dotOfAxes(m: Float64Array, k: number, j: number): number {
  return m[4 * k] * m[4 * j] + m[4 * k + 1] * m[4 * j + 1] + m[4 * k + 2] * m[4 * j + 2];
}

const orientation_matrix = /* @__PURE__ */ new Matrix3();
