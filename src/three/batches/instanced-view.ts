/**
 * What one pass draws of instanced chunks. A renderer uploads a buffer at most once a frame, and may prepare several
 * passes before it draws the first, so each pass has buffers of its own: see `PassRegistry`.
 */

import {
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  Sphere,
  Vector3,
  type BufferGeometry,
  type Material,
  type Object3D,
} from 'three';
import { MATRIX_STRIDE } from '../bounds/bounds-math.ts';
import type { Views } from '../passes/pass-registry.ts';
import { setDrawState, type BatchKey } from './mergeable.ts';

/** Matrices of the smallest buffer: 4 kB, too little to be worth a smaller one. */
const MIN_CAPACITY = 64;

/** What views draw: an `InstancedChunk`. */
export interface InstanceSource {
  readonly key: BatchKey;
  readonly geometry: BufferGeometry;
  readonly material: Material;
  /** By slot: from the space of the geometry to that of `matrix`; of a mirrored mesh, mirrored once more, in x. */
  readonly matrices: Float32Array;
  /** From the space of `matrices` to that of the group. */
  readonly matrix: Matrix4;
  /** By slot: 1 if the mesh is mirrored. */
  readonly mirrored: Uint8Array;
  /** How often a slot was written. */
  readonly version: number;
  /** Those of the passes that have drawn it. */
  readonly views: Set<InstancedViews>;
}

/** The views of a pass. */
export class InstancedViews implements Views {
  frame = 0;
  private readonly views = new Map<InstanceSource, InstancedView>();

  of(chunk: InstanceSource): InstancedView {
    let view = this.views.get(chunk);
    if (view === undefined) {
      this.views.set(chunk, (view = new InstancedView(chunk)));
      chunk.views.add(this);
    }
    return view;
  }

  /** Disposes of the view of a chunk. */
  drop(chunk: InstanceSource): void {
    this.views.get(chunk)?.dispose();
    this.views.delete(chunk);
    chunk.views.delete(this);
  }

  dispose(): void {
    for (const chunk of this.views.keys()) this.drop(chunk);
  }
}

/** What a pass draws of a chunk. */
class InstancedView {
  private readonly chunk: InstanceSource;
  private readonly upright = new InstancedSide();
  private readonly mirrored = new InstancedSide();
  /** The runs and the version of the chunk that the buffers hold. */
  private runs: readonly number[] = [];
  private version = -1;

  constructor(chunk: InstanceSource) {
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
    this.runs = runs.slice();
    this.version = chunk.version;
    let count = 0;
    let mirroredCount = 0;
    for (let k = 0; k < runs.length; k += 2) {
      count += runs[k + 1] - runs[k];
      for (let slot = runs[k]; slot < runs[k + 1]; slot++) mirroredCount += chunk.mirrored[slot];
    }
    const target = upright.begin(chunk, count - mirroredCount);
    const mirroredTarget = mirrored.begin(chunk, mirroredCount);
    let at = 0;
    let mirroredAt = 0;
    for (let k = 0; k < runs.length; k += 2) {
      // Copies slots up to the next that is mirrored at once.
      for (let slot = runs[k], end = slot; slot < runs[k + 1]; slot = ++end) {
        while (end < runs[k + 1] && chunk.mirrored[end] === 0) end++;
        target.set(chunk.matrices.subarray(slot * MATRIX_STRIDE, end * MATRIX_STRIDE), at);
        at += (end - slot) * MATRIX_STRIDE;
        if (end === runs[k + 1]) break;
        mirroredTarget.set(chunk.matrices.subarray(end * MATRIX_STRIDE, (end + 1) * MATRIX_STRIDE), mirroredAt);
        mirroredAt += MATRIX_STRIDE;
      }
    }
  }
}
const draw_matrix = /* @__PURE__ */ new Matrix4();
const MIRROR = /* @__PURE__ */ new Matrix4().makeScale(-1, 1, 1);

/** The meshes of a view that are mirrored, or those that are not: renderers turn the faces of whole draw calls. */
class InstancedSide {
  private mesh: InstancedMesh | null = null;

  /** Makes room for matrices, and returns where to write them. */
  begin(chunk: InstanceSource, count: number): Float32Array {
    if (count > 0 && (this.mesh === null || count > this.mesh.instanceMatrix.count)) {
      this.dispose();
      this.mesh = createMesh(chunk, Math.max(MIN_CAPACITY, 2 ** (32 - Math.clz32(count - 1))));
    }
    const { mesh } = this;
    if (mesh === null) return NO_MATRICES;
    const { instanceMatrix } = mesh;
    mesh.count = count;
    if (count > 0) {
      instanceMatrix.clearUpdateRanges();
      instanceMatrix.addUpdateRange(0, count * MATRIX_STRIDE);
      instanceMatrix.needsUpdate = true;
    }
    return instanceMatrix.array as Float32Array;
  }

  appendTo(objects: Object3D[], matrixWorld: Matrix4): void {
    const { mesh } = this;
    if (mesh === null || mesh.count === 0) return;
    mesh.matrixWorld.copy(matrixWorld);
    objects.push(mesh);
  }

  dispose(): void {
    this.mesh?.dispose();
    this.mesh = null;
  }
}
const NO_MATRICES = /* @__PURE__ */ new Float32Array(0);

/**
 * The matrices of a view. WebGPURenderer clones them to keep those of the last frame, for motion vectors. The meshes
 * are at rest in the group: each instance had the matrix that it has now, whatever its place in the buffer was.
 */
class StillMatrices extends InstancedBufferAttribute {
  override clone(): this {
    return this;
  }
}

function createMesh({ key, geometry, material }: InstanceSource, capacity: number): InstancedMesh {
  const mesh = new InstancedMesh(geometry, material, 0);
  mesh.instanceMatrix = new StillMatrices(new Float32Array(capacity * MATRIX_STRIDE), MATRIX_STRIDE);
  // Renderers would compute it from all instances, to sort opaque objects.
  mesh.boundingSphere = new Sphere(new Vector3(), Infinity);
  setDrawState(mesh, key);
  return mesh;
}
