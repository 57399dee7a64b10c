/**
 * Meshes of one key with the same geometry. They are drawn by instanced meshes, one draw call for all that
 * a pass sees. The slot of a mesh holds its matrix. A renderer uploads a buffer at most once a frame, and may prepare
 * several passes before it draws the first, so each pass has instanced meshes of its own: see `PassRegistry`. With a
 * palette, instances have the coordinates of a texel.
 */

import {
  BufferGeometry,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  Sphere,
  Vector3,
  type Object3D,
} from 'three';
import { dot, MATRIX_STRIDE } from '../three/bounds/bounds-math.ts';
import { capacityFor, PassRegistry, type Views } from '../three/passes/pass-registry.ts';
import { BatchChunk, type ChunkPass, type ChunkSources } from './batch-chunk.ts';
import { hasMorphTargets, PALETTE_ATTRIBUTE, setDrawState, type BatchKey, type MergeableMesh } from './mergeable.ts';
import { writeTexel } from './palette.ts';

/** Largest cosine of the angle between two axes of a matrix that counts as unsheared. */
const MAX_SHEAR = 1e-4;

export class InstancedChunk extends BatchChunk {
  /** What is repeated. */
  readonly geometry: BufferGeometry;
  /** By slot: from the space of the geometry to that of `matrix`; of a mirrored mesh, mirrored once more, in x. */
  readonly matrices: Float32Array;
  /** By slot: the coordinates of the texel of the mesh; empty without a palette. */
  readonly texels: Float32Array;
  /** From the space of `matrices` to that of the group. */
  readonly matrix: Matrix4;
  /** How often a slot was written. */
  version = 0;
  private readonly passes = new PassRegistry(() => new InstancedView(this));

  constructor(key: BatchKey, sources: ChunkSources) {
    super(key, sources);
    const { length } = this.members;
    this.matrices = new Float32Array(length * MATRIX_STRIDE);
    this.texels = new Float32Array(key.hasPalette ? 2 * length : 0);
    this.matrix = new Matrix4().makeTranslation(this.origin);
    this.geometry = this.objectOf(0).geometry;
  }

  override get bytes(): number {
    return this.matrices.byteLength + this.texels.byteLength;
  }

  override fits(_slot: number, { geometry }: MergeableMesh, toGroup: Matrix4): boolean {
    return geometry === this.geometry && canInstance(this.key, toGroup);
  }

  override write(slot: number, toGroup: Matrix4, texel: number): boolean {
    if (this.key.hasPalette) writeTexel(texel, this.texels, slot, 1);
    return this.place(slot, toGroup);
  }

  /** Writes the matrix of a slot. @param toGroup As for `write`. */
  protected place(slot: number, toGroup: Matrix4): boolean {
    const { elements } = this.toLocal(toGroup);
    const isMirrored = toGroup.determinant() < 0;
    if (isMirrored) for (let k = 0; k < MATRIX_STRIDE; k += 4) elements[k] = -elements[k];
    this.matrices.set(elements, slot * MATRIX_STRIDE);
    this.mirrored[slot] = Number(isMirrored);
    this.version++;
    return true;
  }

  override draw(objects: Object3D[], { world, camera, frustum }: ChunkPass): void {
    const { runs, key, passes } = this;
    if (camera !== null) passes.restartShadows();
    // Renderers throw if a geometry has morph targets that its mesh does not have.
    if (
      runs.length === 0 ||
      hasMorphTargets(this.geometry) ||
      (camera === null && !key.castShadow && !key.receiveShadow)
    )
      return;
    const view = camera === null ? passes.ofShadow(frustum) : passes.ofCamera(camera);
    view.draw(runs, world, objects);
  }

  override dispose(): void {
    this.passes.dispose();
  }
}

/** What a pass draws of a chunk. */
class InstancedView implements Views {
  frame = 0;
  private readonly chunk: InstancedChunk;
  private readonly upright = new InstancedSide();
  private readonly mirrored = new InstancedSide();
  /** The runs and the version of the chunk that the buffers hold. */
  private runs: readonly number[] = [];
  private version = -1;

  constructor(chunk: InstancedChunk) {
    this.chunk = chunk;
  }

  /**
   * Appends what draws the meshes in slots.
   *
   * @param runs Pairs of a first slot and an end.
   * @param world World matrix of the group.
   */
  draw(runs: readonly number[], world: Matrix4, objects: Object3D[]): void {
    const { chunk, upright, mirrored } = this;
    if (chunk.version !== this.version || runs.length !== this.runs.length || runs.some((n, k) => n !== this.runs[k]))
      this.fill(runs);
    draw_matrix.multiplyMatrices(world, chunk.matrix);
    upright.appendTo(objects, draw_matrix);
    mirrored.appendTo(objects, draw_matrix.multiply(MIRROR));
  }

  dispose(): void {
    this.upright.dispose();
    this.mirrored.dispose();
  }

  private fill(runs: readonly number[]): void {
    const { chunk, upright, mirrored } = this;
    // Until all is copied: memory may be missing.
    this.version = -1;
    let count = 0;
    let mirroredCount = 0;
    for (let k = 0; k < runs.length; k += 2) {
      count += runs[k + 1] - runs[k];
      for (let slot = runs[k]; slot < runs[k + 1]; slot++) mirroredCount += chunk.mirrored[slot];
    }
    upright.begin(chunk, count - mirroredCount);
    mirrored.begin(chunk, mirroredCount);
    for (let k = 0; k < runs.length; k += 2) {
      // Copies slots up to the next that is mirrored at once.
      for (let slot = runs[k], end = slot; slot < runs[k + 1]; slot = ++end) {
        while (end < runs[k + 1] && chunk.mirrored[end] === 0) end++;
        if (end > slot) upright.append(chunk, slot, end);
        if (end < runs[k + 1]) mirrored.append(chunk, end, end + 1);
      }
    }
    this.runs = runs.slice();
    this.version = chunk.version;
  }
}
const draw_matrix = /* @__PURE__ */ new Matrix4();
const MIRROR = /* @__PURE__ */ new Matrix4().makeScale(-1, 1, 1);

/** The meshes of a view that are mirrored, or those that are not: renderers turn the faces of whole draw calls. */
class InstancedSide {
  private mesh: InstancedMesh | null = null;

  /** Makes room for some meshes, which `append` adds. */
  begin(chunk: InstancedChunk, count: number): void {
    if (count > 0 && (this.mesh === null || count > this.mesh.instanceMatrix.count)) {
      this.dispose();
      this.mesh = createMesh(chunk, capacityFor(count));
    }
    const { mesh } = this;
    if (mesh === null) return;
    mesh.count = 0;
    if (count === 0) return;
    uploadFirst(mesh.instanceMatrix, count);
    if (mesh.geometry instanceof TexelGeometry) uploadFirst(mesh.geometry.texels, count);
  }

  /** Adds slots of a chunk. */
  append({ matrices, texels }: InstancedChunk, slot: number, end: number): void {
    const { geometry, instanceMatrix, count } = this.mesh!;
    instanceMatrix.array.set(matrices.subarray(slot * MATRIX_STRIDE, end * MATRIX_STRIDE), count * MATRIX_STRIDE);
    if (geometry instanceof TexelGeometry) geometry.texels.array.set(texels.subarray(2 * slot, 2 * end), 2 * count);
    this.mesh!.count = count + end - slot;
  }

  appendTo(objects: Object3D[], matrixWorld: Matrix4): void {
    const { mesh } = this;
    if (mesh === null || mesh.count === 0) return;
    if (mesh.geometry instanceof TexelGeometry) mesh.geometry.follow();
    mesh.matrixWorld.copy(matrixWorld);
    objects.push(mesh);
  }

  dispose(): void {
    const { mesh } = this;
    if (mesh?.geometry instanceof TexelGeometry) mesh.geometry.release();
    mesh?.dispose();
    this.mesh = null;
  }
}

function uploadFirst(attribute: InstancedBufferAttribute, count: number): void {
  attribute.clearUpdateRanges();
  attribute.addUpdateRange(0, count * attribute.itemSize);
  attribute.needsUpdate = true;
}

/** Draws what another geometry has, by the same attributes, and has coordinates of a texel for each instance. */
class TexelGeometry extends BufferGeometry {
  readonly texels: InstancedBufferAttribute;
  private readonly source: BufferGeometry;

  constructor(source: BufferGeometry, capacity: number) {
    super();
    this.source = source;
    this.texels = new InstancedBufferAttribute(new Float32Array(2 * capacity), 2);
    source.addEventListener('dispose', this.disposeAll);
  }

  /** Takes the attributes over, which may be other ones than in the last pass. */
  follow(): void {
    const { source, texels } = this;
    this.index = source.index;
    this.attributes = { ...source.attributes, [PALETTE_ATTRIBUTE]: texels };
  }

  /** Frees what only this geometry has. */
  release(): void {
    this.source.removeEventListener('dispose', this.disposeAll);
    this.index = null;
    this.attributes = { [PALETTE_ATTRIBUTE]: this.texels };
    this.dispose();
  }

  /** A renderer does not notice that a buffer of one geometry was freed by way of another. */
  private readonly disposeAll = (): void => this.dispose();
}

/**
 * The matrices of a view. WebGPURenderer clones them to keep those of the last frame, for motion vectors. The meshes
 * are at rest in the group: each instance had the matrix that it has now, whatever its place in the buffer was.
 */
class StillMatrices extends InstancedBufferAttribute {
  override clone(): this {
    return this;
  }
}

function createMesh(chunk: InstancedChunk, capacity: number): InstancedMesh {
  const { key } = chunk;
  const geometry = key.hasPalette ? new TexelGeometry(chunk.geometry, capacity) : chunk.geometry;
  const mesh = new InstancedMesh(geometry, key.material, 0);
  mesh.instanceMatrix = new StillMatrices(new Float32Array(capacity * MATRIX_STRIDE), MATRIX_STRIDE);
  // Renderers would compute it from all instances, to sort opaque objects.
  mesh.boundingSphere = new Sphere(new Vector3(), Infinity);
  setDrawState(mesh, key);
  chunk.represent(mesh);
  return mesh;
}

/**
 * Whether a shader transforms the directions of an instance as those of a mesh with the same matrix. Shaders leave
 * shear out of normals, and those of WebGPURenderer do not transform tangents.
 */
export function canInstance({ attributes }: BatchKey, { elements: m }: Matrix4): boolean {
  if (attributes.has('tangent')) return false;
  // False for a matrix that flattens: its axes have no directions to compare.
  const isRight = (a: number, b: number): boolean => {
    const product = dot(m, a, b);
    return product * product < MAX_SHEAR * MAX_SHEAR * dot(m, a, a) * dot(m, b, b);
  };
  return isRight(0, 4) && isRight(4, 8) && isRight(8, 0);
}
