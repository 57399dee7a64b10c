/**
 * The triangles of a skinned mesh, or of one with morph targets, in its present pose. They are computed when a query
 * reaches the mesh and the pose has changed since the last one; the tree then gets new boxes.
 */

import { BufferAttribute, BufferGeometry, Matrix4, type Mesh, type Object3D, type SkinnedMesh } from 'three';
import { GeometryTriangles, numbersOf } from './geometry-triangles.ts';

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
    const influences = mesh.morphTargetInfluences ?? [];
    const attributes = [position, skinIndex, skinWeight, ...(geometry.morphAttributes.position ?? [])];
    const versions = attributes.map((one) => (one === undefined ? -1 : 'data' in one ? one.data.version : one.version));
    const bones = 'isSkinnedMesh' in mesh ? STRIDE * ((mesh as SkinnedMesh).skeleton.bones.length + 1) : 0;
    const state = new Float64Array(bones + influences.length + versions.length);
    if (bones > 0) writeBones(mesh as SkinnedMesh, state);
    state.set([...influences, ...versions], bones);
    const isSame =
      state.length === this.state.length &&
      state.every((value, k) => value === this.state[k]) &&
      attributes.every((one, k) => one === this.attributes[k]);
    if (isSame) return;
    this.computePositions(state.subarray(0, bones), influences);
    this.state = state;
    this.attributes = attributes;
    posed.attributes.position.needsUpdate = true;
  }

  private computePositions(bones: Float64Array, influences: readonly number[]): void {
    const { geometry } = this.mesh;
    const { position, skinIndex, skinWeight } = geometry.attributes;
    const points = this.posed.attributes.position.array;
    const rest = numbersOf(position, 3).subarray(0, points.length);
    points.set(rest);
    for (const [k, morph] of (geometry.morphAttributes.position ?? []).entries()) {
      if (!influences[k]) continue;
      const target = numbersOf(morph, 3);
      const from = geometry.morphTargetsRelative ? null : rest;
      for (let i = 0; i < points.length; i++) points[i] += influences[k] * (target[i] - (from === null ? 0 : from[i]));
    }
    if (bones.length === 0) return;
    const [joints, weights] = [numbersOf(skinIndex, 4), numbersOf(skinWeight, 4)];
    // The last matrix leads from the space of the skeleton back to that of the mesh.
    const back = bones.subarray(bones.length - STRIDE);
    for (let at = 0; at < points.length; at += 3) {
      const x = points[at];
      const y = points[at + 1];
      const z = points[at + 2];
      let X = 0;
      let Y = 0;
      let Z = 0;
      for (let k = (4 * at) / 3; k < (4 * at) / 3 + 4; k++) {
        const weight = weights[k];
        if (weight === 0) continue;
        const m = STRIDE * joints[k];
        X += weight * (bones[m] * x + bones[m + 4] * y + bones[m + 8] * z + bones[m + 12]);
        Y += weight * (bones[m + 1] * x + bones[m + 5] * y + bones[m + 9] * z + bones[m + 13]);
        Z += weight * (bones[m + 2] * x + bones[m + 6] * y + bones[m + 10] * z + bones[m + 14]);
      }
      for (let k = 0; k < 3; k++) points[at + k] = back[k] * X + back[k + 4] * Y + back[k + 8] * Z + back[k + 12];
    }
  }
}

const matrix = /* @__PURE__ */ new Matrix4();

/** Writes the way from the mesh to its skeleton in its pose, a matrix for each bone, and then the matrix back. */
function writeBones({ skeleton, bindMatrix, bindMatrixInverse }: SkinnedMesh, target: Float64Array): void {
  const { bones, boneInverses } = skeleton;
  for (let k = 0; k < bones.length; k++)
    matrix
      .multiplyMatrices(bones[k].matrixWorld, boneInverses[k])
      .multiply(bindMatrix)
      .toArray(target, STRIDE * k);
  bindMatrixInverse.toArray(target, STRIDE * bones.length);
}
