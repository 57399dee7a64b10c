/**
 * The box around the vertices that each bone moves, in the space of the geometry, and the box around a pose.
 *
 * A skinned vertex is a weighted mean of the places to which its bones move it. If no weight is negative, it lies in
 * the box around these places, so in the box around the transformed boxes of all bones. Morph targets add to a vertex
 * before its bones move it: by at most the box of their offsets. If the weights of a vertex have a sum s other than 1,
 * renderers multiply the mean by s in the space of the mesh, and three's `applyBoneTransform` in the space of the
 * bones; both are in the box.
 */

import { Box3, Matrix4, Vector3, type Bone, type BufferAttribute, type BufferGeometry, type SkinnedMesh } from 'three';
import { POSE_TOLERANCE } from '../math/tolerances.ts';
import { attributeVersionOf, GETTERS } from '../three/bounds/vertex-bounds.ts';
import { MATRIX_STRIDE } from '../three/bounds/bounds-math.ts';

export interface BoneBoxes {
  /** By bone the box around the vertices that it moves; undefined for a bone that moves none. */
  readonly boxes: readonly (Box3 | undefined)[];
  /** By morph target the box around its offsets. */
  readonly offsets: readonly Box3[];
  /** Range of the sum of the weights of a vertex. */
  readonly leastSum: number;
  readonly greatestSum: number;
}

/**
 * The boxes of the geometry of a mesh, computed once for each geometry, and again after a change of its attributes.
 * Null if there is no bound: a weight is negative or no number, an attribute is missing, or an index is beyond the
 * bones of the mesh or their inverses.
 */
export function boneBoxesOf({ geometry, skeleton }: SkinnedMesh): BoneBoxes | null {
  const source = sourceOf(geometry);
  let cached = cache.get(geometry);
  if (cached === undefined || !cached.source.every((value, k) => value === source[k]))
    cache.set(geometry, (cached = { source, boxes: read(geometry) }));
  const { boxes } = cached;
  if (boxes === null || skeleton === undefined) return null;
  return boxes.boxes.length <= Math.min(skeleton.bones.length, skeleton.boneInverses.length) ? boxes : null;
}

/** The box around the current pose of a mesh, in its local space. Reads the world matrices of its bones. */
export function boxAroundPose(mesh: SkinnedMesh, boneBoxes: BoneBoxes, target: Box3): Box3 {
  const { bindMatrix, bindMatrixInverse, skeleton, morphTargetInfluences } = mesh;
  const { offset, matrix } = scratch;
  const { boxes, leastSum, greatestSum } = boneBoxes;
  setOffset(boneBoxes, morphTargetInfluences, offset);
  const isBound = !bindMatrix.equals(IDENTITY);
  low.fill(Infinity);
  high.fill(-Infinity);
  for (let bone = 0; bone < boxes.length; bone++) {
    const box = boxes[bone];
    if (box === undefined) continue;
    // Renderers take the identity for a bone that is missing.
    const world = (skeleton.bones[bone] as Bone | undefined)?.matrixWorld ?? IDENTITY;
    multiplyAffine(bindMatrixInverse.elements, world.elements, matrix);
    multiplyAffine(matrix, skeleton.boneInverses[bone].elements, matrix);
    if (isBound) multiplyAffine(matrix, bindMatrix.elements, matrix);
    addBox(matrix, box, offset);
  }
  target.min.set(low[0], low[1], low[2]);
  target.max.set(high[0], high[1], high[2]);
  if (leastSum !== 1 || greatestSum !== 1) scaleBox(target, boneBoxes, bindMatrixInverse);
  // What cancels out in the space of the mesh.
  const distance = largestOf(scratch.point.setFromMatrixPosition(bindMatrixInverse));
  return target.expandByScalar(POSE_TOLERANCE * (largestOf(target.min) + largestOf(target.max) + distance));
}

/** The sum of the offsets of all morph targets with their influences. */
function setOffset({ offsets }: BoneBoxes, influences: readonly number[] | undefined, { min, max }: Box3): void {
  min.set(0, 0, 0);
  max.set(0, 0, 0);
  for (let k = 0; k < offsets.length; k++) {
    const { min: low, max: high } = offsets[k];
    const influence = influences?.[k] ?? 0;
    min.addScaledVector(influence < 0 ? high : low, influence);
    max.addScaledVector(influence < 0 ? low : high, influence);
  }
}

/** Adds what vertices get whose weights have another sum than 1: see the top of this file. */
function scaleBox(box: Box3, { leastSum, greatestSum }: BoneBoxes, bindMatrixInverse: Matrix4): void {
  const { part, shift } = scratch;
  const whole = part.copy(box);
  for (const sum of [leastSum, greatestSum]) {
    shift.setFromMatrixPosition(bindMatrixInverse).multiplyScalar(1 - sum);
    for (const corner of [whole.min, whole.max]) {
      box.expandByPoint(scratch.point.copy(corner).multiplyScalar(sum));
      box.expandByPoint(scratch.point.add(shift));
    }
  }
}

const cache = /* @__PURE__ */ new WeakMap<BufferGeometry, { source: readonly unknown[]; boxes: BoneBoxes | null }>();
const scratch = {
  offset: /* @__PURE__ */ new Box3(),
  part: /* @__PURE__ */ new Box3(),
  matrix: /* @__PURE__ */ new Float64Array(MATRIX_STRIDE),
  shift: /* @__PURE__ */ new Vector3(),
  point: /* @__PURE__ */ new Vector3(),
};
const IDENTITY = /* @__PURE__ */ new Matrix4();
/** The box around a pose. */
const low = /* @__PURE__ */ new Float64Array(3);
const high = /* @__PURE__ */ new Float64Array(3);

/** Writes a b, without their last rows, which are 0, 0, 0, 1. The target may be `a`. */
function multiplyAffine(a: ArrayLike<number>, b: ArrayLike<number>, target: Float64Array): void {
  for (let row = 0; row < 3; row++) {
    const x = a[row];
    const y = a[row + 4];
    const z = a[row + 8];
    target[row] = x * b[0] + y * b[1] + z * b[2];
    target[row + 4] = x * b[4] + y * b[5] + z * b[6];
    target[row + 8] = x * b[8] + y * b[9] + z * b[10];
    target[row + 12] = x * b[12] + y * b[13] + z * b[14] + a[row + 12];
  }
}

/** Adds the box around a transformed box, enlarged by offsets, to `low` and `high`. */
function addBox(m: Float64Array, { min, max }: Box3, offset: Box3): void {
  const x1 = max.x + offset.max.x;
  const y1 = max.y + offset.max.y;
  const z1 = max.z + offset.max.z;
  const x = (min.x + offset.min.x + x1) / 2;
  const y = (min.y + offset.min.y + y1) / 2;
  const z = (min.z + offset.min.z + z1) / 2;
  for (let row = 0; row < 3; row++) {
    const middle = m[row] * x + m[row + 4] * y + m[row + 8] * z + m[row + 12];
    const half = Math.abs(m[row]) * (x1 - x) + Math.abs(m[row + 4]) * (y1 - y) + Math.abs(m[row + 8]) * (z1 - z);
    // Math.min keeps a NaN, which a comparison would drop.
    low[row] = Math.min(low[row], middle - half);
    high[row] = Math.max(high[row], middle + half);
  }
}

/** Computes the boxes of a geometry; null if there is no bound. */
function read(geometry: BufferGeometry): BoneBoxes | null {
  const { position, skinIndex, skinWeight } = geometry.attributes;
  if (!position || !skinIndex || !skinWeight || typeof position.getX !== 'function') return null;
  const boxes: (Box3 | undefined)[] = [];
  let leastSum = 1;
  let greatestSum = 1;
  const vertex = new Vector3();
  const morphs = geometry.morphAttributes.position ?? [];
  const offsets = morphs.map(() => new Box3());
  const offset = new Vector3();
  for (let k = 0; k < position.count; k++) {
    vertex.fromBufferAttribute(position, k);
    let sum = 0;
    for (const get of GETTERS) {
      const weight = (skinWeight as BufferAttribute)[get](k);
      if (!(weight >= 0)) return null;
      sum += weight;
      if (weight > 0) (boxes[(skinIndex as BufferAttribute)[get](k)] ??= new Box3()).expandByPoint(vertex);
    }
    // Also by rounding: far from the bones' origin, the last bit of a weight moves a vertex.
    leastSum = Math.min(leastSum, sum);
    greatestSum = Math.max(greatestSum, sum);
    for (const [m, morph] of morphs.entries()) {
      offset.fromBufferAttribute(morph, k);
      offsets[m].expandByPoint(geometry.morphTargetsRelative ? offset : offset.sub(vertex));
    }
  }
  return { boxes, offsets, leastSum, greatestSum };
}

/** What the boxes of a geometry are computed from: its attributes with their versions. */
function sourceOf({ attributes, morphAttributes }: BufferGeometry): readonly unknown[] {
  const { position, skinIndex, skinWeight } = attributes;
  const versions = [position, skinIndex, skinWeight].map(attributeVersionOf);
  return [position, skinIndex, skinWeight, ...versions, morphAttributes.position, morphAttributes.position?.length];
}

/** The largest magnitude of a coordinate. */
function largestOf({ x, y, z }: Vector3): number {
  return Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
}
