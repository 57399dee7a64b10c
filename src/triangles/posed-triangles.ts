/**
 * The triangles of a skinned mesh, or of one with morph targets, in its present pose. They are computed when a query
 * reaches the mesh and the pose has changed since the last one; the tree then gets new boxes.
 */

import { BufferAttribute, BufferGeometry, Matrix4, Vector3, type Mesh, type Object3D, type SkinnedMesh } from 'three';
import { GeometryTriangles } from './geometry-triangles.ts';

/** Numbers of a matrix. */
const STRIDE = 16;

/** Whether the vertices of an object are moved by bones or by morph targets. */
export function isPosed(object: Object3D | null, geometry: BufferGeometry): object is Mesh {
  // A callback may name an object, and another geometry in its place.
  if (object === null || (object as Mesh).geometry !== geometry) return false;
  const { attributes, morphAttributes } = geometry;
  if (!('position' in attributes)) return false;
  const { isSkinnedMesh, skeleton } = object as Partial<SkinnedMesh>;
  const isSkinned = isSkinnedMesh === true && skeleton !== undefined;
  return (isSkinned && 'skinIndex' in attributes) || (!isSkinned && (morphAttributes.position?.length ?? 0) > 0);
}

export class PosedTriangles {
  readonly triangles: GeometryTriangles;
  /** The geometry in its pose: its own positions, and all else of the geometry of the mesh. */
  private readonly posed = new BufferGeometry();
  private geometry: BufferGeometry | null = null;
  /** What the positions were computed from: matrices of the bones, influences, versions of attributes. */
  private state = new Float64Array(0);
  private attributes: readonly unknown[] = [];
  private readonly mesh: Mesh;

  constructor(mesh: Mesh) {
    this.mesh = mesh;
    this.triangles = new GeometryTriangles(this.posed);
  }

  /** Brings the positions up to date. */
  refresh(): void {
    const { mesh, posed } = this;
    const { geometry } = mesh;
    const { position, skinIndex, skinWeight } = geometry.attributes;
    if (geometry !== this.geometry || posed.attributes.position?.count !== position.count) {
      this.geometry = geometry;
      this.state = new Float64Array(0);
      posed.setAttribute('position', new BufferAttribute(new Float64Array(3 * position.count), 3));
    }
    posed.setIndex(geometry.index);
    posed.drawRange = geometry.drawRange;
    posed.groups = geometry.groups;
    const bones = bonesOf(mesh);
    const influences = mesh.morphTargetInfluences ?? [];
    const attributes = [position, skinIndex, skinWeight, ...(geometry.morphAttributes.position ?? [])];
    const versions = attributes.map((one) => (one === undefined ? -1 : 'data' in one ? one.data.version : one.version));
    const state = Float64Array.of(...bones, ...influences, ...versions);
    const isSame =
      state.length === this.state.length &&
      state.every((value, k) => value === this.state[k]) &&
      attributes.every((one, k) => one === this.attributes[k]);
    if (isSame) return;
    this.state = state;
    this.attributes = attributes;
    this.computePositions(bones, influences);
    posed.attributes.position.needsUpdate = true;
  }

  private computePositions(bones: Float64Array, influences: readonly number[]): void {
    const { geometry } = this.mesh;
    const { position, skinIndex, skinWeight } = geometry.attributes;
    const morphs = geometry.morphAttributes.position ?? [];
    const { array } = this.posed.attributes.position;
    // The last matrix leads from the space of the skeleton back to that of the mesh.
    const back = bones.subarray(bones.length - STRIDE);
    for (let vertex = 0; vertex < position.count; vertex++) {
      point.fromBufferAttribute(position, vertex);
      moved.copy(point);
      for (const [k, morph] of morphs.entries()) {
        if (!influences[k]) continue;
        target.fromBufferAttribute(morph, vertex);
        if (!geometry.morphTargetsRelative) target.sub(point);
        moved.addScaledVector(target, influences[k]);
      }
      if (bones.length > 0) {
        const { x, y, z } = moved;
        target.set(0, 0, 0);
        for (let k = 0; k < 4; k++) {
          const weight = skinWeight.getComponent(vertex, k);
          if (weight !== 0) addTransformed(bones, STRIDE * skinIndex.getComponent(vertex, k), x, y, z, weight);
        }
        const { x: X, y: Y, z: Z } = target;
        target.set(0, 0, 0);
        addTransformed(back, 0, X, Y, Z, 1);
        moved.copy(target);
      }
      moved.toArray(array, 3 * vertex);
    }
  }
}

const point = /* @__PURE__ */ new Vector3();
const moved = /* @__PURE__ */ new Vector3();
const target = /* @__PURE__ */ new Vector3();
const matrix = /* @__PURE__ */ new Matrix4();

/** Adds a point times a matrix, times a weight, to `target`. */
function addTransformed(m: Float64Array, at: number, x: number, y: number, z: number, weight: number): void {
  target.x += weight * (m[at] * x + m[at + 4] * y + m[at + 8] * z + m[at + 12]);
  target.y += weight * (m[at + 1] * x + m[at + 5] * y + m[at + 9] * z + m[at + 13]);
  target.z += weight * (m[at + 2] * x + m[at + 6] * y + m[at + 10] * z + m[at + 14]);
}

/** From the mesh to its skeleton in its pose, a matrix for each bone, and then the matrix back. None without bones. */
function bonesOf(mesh: Mesh): Float64Array {
  if (!('isSkinnedMesh' in mesh)) return new Float64Array(0);
  const { skeleton, bindMatrix, bindMatrixInverse } = mesh as SkinnedMesh;
  const { bones, boneInverses } = skeleton;
  const numbers = new Float64Array(STRIDE * (bones.length + 1));
  for (let k = 0; k < bones.length; k++)
    matrix
      .multiplyMatrices(bones[k].matrixWorld, boneInverses[k])
      .multiply(bindMatrix)
      .toArray(numbers, STRIDE * k);
  bindMatrixInverse.toArray(numbers, STRIDE * bones.length);
  return numbers;
}
