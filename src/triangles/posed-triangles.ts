/**
 * The triangles of a skinned mesh, or of one with morph targets, in its present pose. They are computed when a query
 * reaches the mesh and the pose has changed since the last one; the tree then gets new boxes.
 */

import { BufferAttribute, BufferGeometry, Matrix4, type Bone, type Mesh, type Object3D, type SkinnedMesh } from 'three';
import { MATRIX_STRIDE } from '../three/bounds/bounds-math.ts';
import { attributeVersionOf } from '../three/bounds/vertex-bounds.ts';
import { GeometryTriangles, numbersOf } from './geometry-triangles.ts';

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

const NO_BONES = /* @__PURE__ */ new Float64Array(0);

export class PosedTriangles {
  readonly triangles: GeometryTriangles;
  /** The geometry in its pose: its own positions, and all else of the geometry of the mesh. */
  private readonly posed = new BufferGeometry();
  /** What the positions were computed from: the geometry, its attributes and their versions, influences; and bones. */
  private source: readonly unknown[] = [];
  private bones = NO_BONES;
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
    // A tree of the user puts the index in another order, without a new version.
    const { boundsTree } = geometry as { readonly boundsTree?: unknown };
    const isOther = geometry !== this.source[0] || boundsTree !== this.source[1];
    if (isOther || posed.attributes.position?.count !== position.count) {
      this.source = [];
      posed.setAttribute('position', new BufferAttribute(new Float64Array(3 * position.count), 3));
    }
    posed.setIndex(geometry.index);
    posed.drawRange = geometry.drawRange;
    posed.groups = geometry.groups;
    const influences = mesh.morphTargetInfluences ?? [];
    const attributes = [position, skinIndex, skinWeight, ...(geometry.morphAttributes.position ?? [])];
    const bones = bonesOf(mesh);
    const versions = attributes.map(attributeVersionOf);
    const source = [geometry, boundsTree, bones.length, ...attributes, ...versions, ...influences];
    const isSame = source.length === this.source.length && source.every((one, k) => one === this.source[k]);
    if (isSame && bones.every((one, k) => one === this.bones[k])) return;
    this.computePositions(bones, influences);
    this.source = source;
    this.bones = bones;
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
    const back = bones.subarray(bones.length - MATRIX_STRIDE);
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
        const m = MATRIX_STRIDE * joints[k];
        X += weight * (bones[m] * x + bones[m + 4] * y + bones[m + 8] * z + bones[m + 12]);
        Y += weight * (bones[m + 1] * x + bones[m + 5] * y + bones[m + 9] * z + bones[m + 13]);
        Z += weight * (bones[m + 2] * x + bones[m + 6] * y + bones[m + 10] * z + bones[m + 14]);
      }
      for (let k = 0; k < 3; k++) points[at + k] = back[k] * X + back[k + 4] * Y + back[k + 8] * Z + back[k + 12];
    }
  }
}

const IDENTITY = /* @__PURE__ */ new Matrix4();
const matrix = /* @__PURE__ */ new Matrix4();

/** The ways from a skinned mesh to its skeleton in its pose, a matrix for each bone, and then the matrix back. */
function bonesOf(mesh: Mesh): Float64Array<ArrayBuffer> {
  if (!('isSkinnedMesh' in mesh)) return NO_BONES;
  const { skeleton, bindMatrix, bindMatrixInverse } = mesh as SkinnedMesh;
  const { bones, boneInverses } = skeleton;
  const target = new Float64Array(MATRIX_STRIDE * (bones.length + 1));
  for (let k = 0; k < bones.length; k++)
    matrix
      // Renderers take the identity for a bone that is missing.
      .multiplyMatrices((bones[k] as Bone | undefined)?.matrixWorld ?? IDENTITY, boneInverses[k])
      .multiply(bindMatrix)
      .toArray(target, MATRIX_STRIDE * k);
  bindMatrixInverse.toArray(target, MATRIX_STRIDE * bones.length);
  return target;
}
