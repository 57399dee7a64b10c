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
import { transformSphere } from '../three/bounds/bounds-math.ts';
import { boundingSphereOf } from '../three/bounds/vertex-bounds.ts';
import { MAX_DISTANCE, type ChunkSources } from './batch-chunk.ts';
import { InstancedChunk } from './instanced-chunk.ts';
import { MergedChunk } from './merged-chunk.ts';
import type { BatchKey } from './mergeable.ts';
import type { GapBridging } from './ranges.ts';

/** Most members: WebGPU allows 64 kB of uniforms, and a matrix takes 64 bytes. Test: posed.test. */
export const MAX_BONES = 1024;
/** Fewest bones. Few different numbers: WebGPURenderer compiles a shader for each. A power of four fills a texture. */
const MIN_BONES = 64;
/** Largest cosine of an angle that counts as right, and largest difference of two scales that count as equal. */
const TOLERANCE = 1e-4;

export class PosedChunk extends MergedChunk {
  override readonly isPosed = true;
  private readonly skeleton: PosedSkeleton;
  /** By slot: inverse of the linear part that is baked into the vertices. */
  private readonly inverses: Matrix3[] = [];
  /** By slot: radius of the mesh when it was written. */
  private readonly radii: number[] = [];

  constructor(key: BatchKey, sources: ChunkSources) {
    super(key, sources);
    this.skeleton = new PosedSkeleton(this.members.length);
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
    this.inverses[slot] = inverse.invert();
    transformSphere(boundingSphereOf(geometry)!, toGroup, write_sphere);
    this.radii[slot] = write_sphere.radius;
    const { array } = this.mesh.geometry.attributes.skinIndex;
    for (let k = this.vertexStarts[slot]; k < this.vertexStarts[slot + 1]; k++) array[4 * k] = slot;
    write_matrix.copy(toGroup).setPosition(this.origin);
    return this.pose(slot, toGroup) && super.write(slot, write_matrix, texel);
  }

  override pose(slot: number, { elements }: Matrix4): boolean {
    const { origin, skeleton } = this;
    const [x, y, z] = [elements[12] - origin.x, elements[13] - origin.y, elements[14] - origin.z];
    const limit = MAX_DISTANCE * this.radii[slot];
    if (!(x * x + y * y + z * z <= limit * limit)) return false;
    const [a, b, c, , d, e, f, , g, h, i] = elements;
    const from = this.inverses[slot].elements;
    const to = pose_linear;
    for (let k = 0; k < 9; k += 3) {
      const [u, v, w] = [from[k], from[k + 1], from[k + 2]];
      to[k] = a * u + d * v + g * w;
      to[k + 1] = b * u + e * v + h * w;
      to[k + 2] = c * u + f * v + i * w;
    }
    if (!turnsAndScales(to)) return false;
    skeleton.set(slot, to, x, y, z);
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
const pose_linear = /* @__PURE__ */ new Float64Array(9);

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
    let bones = MIN_BONES;
    while (bones < members) bones *= 4;
    const inverse = new Matrix4();
    super(
      Array.from<Bone>({ length: bones }),
      Array.from({ length: bones }, () => inverse),
    );
  }

  /** Renderers call it once a frame, to compute matrices from bones. */
  override update(): void {}

  /** @param linear 3 columns. */
  set(slot: number, linear: Float64Array, x: number, y: number, z: number): void {
    const { boneTexture } = this;
    // Renderers may replace it.
    const matrices = this.boneMatrices!;
    const at = 16 * slot;
    for (let column = 0; column < 3; column++)
      for (let row = 0; row < 3; row++) matrices[at + 4 * column + row] = linear[3 * column + row];
    matrices[at + 12] = x;
    matrices[at + 13] = y;
    matrices[at + 14] = z;
    matrices[at + 15] = 1;
    if (boneTexture !== null) boneTexture.needsUpdate = true;
  }
}

/** Whether a linear map turns, and scales all directions alike, but does not mirror. False if it holds a NaN. */
function turnsAndScales([a, b, c, d, e, f, g, h, i]: Float64Array): boolean {
  const length = a * a + b * b + c * c;
  const limit = TOLERANCE * length;
  return (
    Math.abs(d * d + e * e + f * f - length) <= limit &&
    Math.abs(g * g + h * h + i * i - length) <= limit &&
    Math.abs(a * d + b * e + c * f) <= limit &&
    Math.abs(d * g + e * h + f * i) <= limit &&
    Math.abs(g * a + h * b + i * c) <= limit &&
    a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g) > 0
  );
}
