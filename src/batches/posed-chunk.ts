/**
 * Meshes of one key that move, in one draw call: a skinned mesh whose bones are the members. The linear part of the
 * matrix that a member has when it is written is baked into its vertices, so its bone only turns, moves and scales it
 * evenly: then shaders transform normals and tangents as those of a mesh. A member that is stretched, sheared or
 * mirrored otherwise leaves the chunk.
 *
 * Matrices are written when an update has found moves, and renderers upload them when they draw.
 */

import {
  BufferAttribute,
  Matrix3,
  Matrix4,
  Skeleton,
  SkinnedMesh,
  Sphere,
  Vector3,
  type Bone,
  type BufferGeometry,
  type Material,
  type Mesh,
} from 'three';
import { dot, isSimilarity, transformSphere } from '../three/bounds/bounds-math.ts';
import { boundingSphereOf } from '../three/bounds/vertex-bounds.ts';
import { MAX_DISTANCE, type ChunkSources } from './batch-chunk.ts';
import { InstancedChunk } from './instanced-chunk.ts';
import { MergedChunk } from './merged-chunk.ts';
import type { BatchKey } from './mergeable.ts';
import type { GapBridging } from './ranges.ts';

/** Most members: WebGPU allows 64 kB of uniforms, and a matrix takes 64 bytes. Test: posed.test. */
export const MAX_BONES = 1024;
/**
 * Numbers of bones: few, because WebGPURenderer compiles a shader for each; not too few, because unused matrices are
 * uploaded too. Each fills the texture of three, whose side is a multiple of four texels.
 */
const BONE_COUNTS = [64, 144, 256, 576, MAX_BONES];
/** Largest cosine of an angle that counts as right, and largest difference of two scales that count as equal. */
const TOLERANCE = 1e-4;

export class PosedChunk extends MergedChunk {
  override readonly isPosed = true;
  private readonly skeleton: PosedSkeleton;
  /** By slot, 9 numbers each: inverse of the linear part that is baked into the vertices. */
  private readonly inverses: Float64Array;
  /** By slot: radius of the mesh when it was written. */
  private readonly radii: number[] = [];

  constructor(key: BatchKey, sources: ChunkSources) {
    super(key, sources);
    this.skeleton = new PosedSkeleton(this.members.length);
    this.inverses = new Float64Array(9 * this.members.length);
    const mesh = this.mesh as Mesh as SkinnedMesh;
    mesh.bind(this.skeleton, new Matrix4());
    // Renderers would compute it from all vertices, to sort opaque objects.
    mesh.boundingSphere = new Sphere(new Vector3(), Infinity);
  }

  protected override createMesh(geometry: BufferGeometry, materials: Material[]): Mesh<BufferGeometry, Material[]> {
    return new SkinnedMesh(geometry, materials as unknown as Material) as Mesh as Mesh<BufferGeometry, Material[]>;
  }

  override get bytes(): number {
    return super.bytes + this.skeleton.boneMatrices!.byteLength;
  }

  override *allocate(): Generator<void> {
    yield* super.allocate();
    yield;
    const { geometry } = this.mesh;
    const weights = new Uint8Array(4 * this.vertexCount);
    for (let k = 0; k < weights.length; k += 4) weights[k] = 255;
    geometry.setAttribute('skinIndex', new BufferAttribute(new Uint16Array(4 * this.vertexCount), 4));
    geometry.setAttribute('skinWeight', new BufferAttribute(weights, 4, true));
  }

  override write(slot: number, toGroup: Matrix4, texel: number): boolean {
    const { geometry } = this.objectOf(slot);
    const inverse = new Matrix3().setFromMatrix4(toGroup);
    if (inverse.determinant() === 0) return false;
    inverse.invert().toArray(this.inverses, 9 * slot);
    transformSphere(boundingSphereOf(geometry)!, toGroup, write_sphere);
    this.radii[slot] = write_sphere.radius;
    const { array } = this.mesh.geometry.attributes.skinIndex;
    for (let k = this.vertexStarts[slot]; k < this.vertexStarts[slot + 1]; k++) array[4 * k] = slot;
    write_matrix.copy(toGroup).setPosition(this.origin);
    return this.pose(slot, toGroup) && super.write(slot, write_matrix, texel);
  }

  // Without destructuring it takes half the time.
  override pose(slot: number, { elements: m }: Matrix4): boolean {
    const { origin, skeleton, inverses } = this;
    const to = pose_bone;
    to[12] = m[12] - origin.x;
    to[13] = m[13] - origin.y;
    to[14] = m[14] - origin.z;
    const limit = MAX_DISTANCE * this.radii[slot];
    if (!(dot(to, 12, 12) <= limit * limit)) return false;
    for (let k = 0, at = 9 * slot; k < 12; k += 4, at += 3) {
      const u = inverses[at];
      const v = inverses[at + 1];
      const w = inverses[at + 2];
      to[k] = m[0] * u + m[4] * v + m[8] * w;
      to[k + 1] = m[1] * u + m[5] * v + m[9] * w;
      to[k + 2] = m[2] * u + m[6] * v + m[10] * w;
    }
    if (!turnsAndScales(to)) return false;
    skeleton.set(slot, to);
    return true;
  }

  /** Renderers of passes that stand back draw it. */
  override replacedGeometry(): null {
    return null;
  }

  /**
   * One range for all: WebGPURenderer uploads all matrices for each. What is not in view costs vertices only.
   */
  override takeMarked(bridging: GapBridging): void {
    const { marked, blocked, members } = this;
    const first = marked.firstIn(0, members.length);
    if (first < members.length) marked.setAll(first, marked.lastEndIn(first, members.length));
    for (let k = 0; k < marked.words.length; k++) marked.words[k] &= ~blocked.words[k];
    super.takeMarked(bridging);
  }

  override dispose(): void {
    super.dispose();
    this.skeleton.dispose();
  }
}
const write_sphere = /* @__PURE__ */ new Sphere();
const write_matrix = /* @__PURE__ */ new Matrix4();
const pose_bone = /* @__PURE__ */ Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

/** Meshes of one key with the same geometry that move. */
export class PosedInstances extends InstancedChunk {
  override readonly isPosed = true;

  override pose(slot: number, toGroup: Matrix4): boolean {
    return this.fits(slot, this.objectOf(slot), toGroup) && this.place(slot, toGroup);
  }
}

/** Holds matrices that are written by slot. It has no bones: three reads their number only. */
class PosedSkeleton extends Skeleton {
  constructor(members: number) {
    const bones = BONE_COUNTS.find((count) => count >= members)!;
    const inverse = new Matrix4();
    super(
      Array.from<Bone>({ length: bones }),
      Array.from({ length: bones }, () => inverse),
    );
  }

  /** Renderers call it once a frame, to compute matrices from bones. */
  override update(): void {}

  set(slot: number, bone: Float64Array): void {
    const { boneTexture } = this;
    // Renderers may replace it.
    const matrices = this.boneMatrices!;
    for (let k = 0, at = 16 * slot; k < 16; k++) matrices[at + k] = bone[k];
    if (boneTexture !== null) boneTexture.needsUpdate = true;
  }
}

/** Whether a matrix turns, and scales all directions alike, but does not mirror. False if it holds a NaN. */
function turnsAndScales(m: Float64Array): boolean {
  return (
    isSimilarity(m, TOLERANCE) &&
    m[0] * (m[5] * m[10] - m[6] * m[9]) + m[1] * (m[6] * m[8] - m[4] * m[10]) + m[2] * (m[4] * m[9] - m[5] * m[8]) > 0
  );
}
