/**
 * Meshes of one key with the same geometry and material. They are drawn by instanced meshes, one draw call for all that
 * a pass sees. The slot of a mesh holds its matrix. Each pass has instanced meshes of its own: see instanced-view.ts.
 */

import { Matrix4, type BufferGeometry, type Material, type Object3D, type Vector3 } from 'three';
import { MATRIX_STRIDE } from '../bounds/bounds-math.ts';
import { BatchChunk, type ChunkPass, type ChunkSources } from './batch-chunk.ts';
import type { InstancedViews, InstanceSource } from './instanced-view.ts';
import type { BatchKey, MergeableMesh } from './mergeable.ts';

/** Largest cosine of the angle between two axes of a matrix that counts as unsheared. */
const MAX_SHEAR = 1e-4;

export class InstancedChunk extends BatchChunk implements InstanceSource {
  readonly geometry: BufferGeometry;
  /** That of its meshes, also where a white copy draws merged ones. */
  readonly material: Material;
  readonly matrices: Float32Array;
  readonly matrix: Matrix4;
  readonly mirrored: Uint8Array;
  version = 0;
  readonly views = new Set<InstancedViews>();

  constructor(key: BatchKey, sources: ChunkSources, origin: Vector3) {
    super(key, sources, origin);
    const { members } = this;
    this.geometry = this.geometries[0];
    this.material = this.materials[0];
    this.matrices = new Float32Array(members.length * MATRIX_STRIDE);
    this.mirrored = new Uint8Array(members.length);
    this.matrix = new Matrix4().makeTranslation(origin);
  }

  override get bytes(): number {
    return this.matrices.byteLength;
  }

  override get vertexCount(): number {
    return 0;
  }

  override fits(_slot: number, { geometry, material }: MergeableMesh, toGroup: Matrix4): boolean {
    return geometry === this.geometry && material === this.material && canInstance(this.key, toGroup);
  }

  override write(slot: number, toGroup: Matrix4): boolean {
    const { elements } = toGroup;
    const { origin, matrices } = this;
    elements[12] -= origin.x;
    elements[13] -= origin.y;
    elements[14] -= origin.z;
    const isMirrored = toGroup.determinant() < 0;
    if (isMirrored) for (let k = 0; k < MATRIX_STRIDE; k += 4) elements[k] = -elements[k];
    matrices.set(elements, slot * MATRIX_STRIDE);
    this.mirrored[slot] = Number(isMirrored);
    this.version++;
    return this.restore(slot);
  }

  override restore(slot: number): boolean {
    this.unblock(slot);
    return true;
  }

  /** The material draws them. */
  override writeColors(): void {}

  /** A slot that no pass marks is not drawn. */
  override erase(slot: number): void {
    this.unblock(slot);
  }

  /** The geometry itself is drawn. */
  override freeSource(): void {}

  /** Renderers find them. */
  override hasNewVertices(): boolean {
    return false;
  }

  override draw(objects: Object3D[], { world, isShadowMap, views }: ChunkPass): void {
    const { runs, key } = this;
    if (runs.length > 0 && (!isShadowMap || key.castShadow || key.receiveShadow))
      views().of(this).draw(runs, world, objects);
  }

  override finish(): void {}

  override dispose(): void {
    for (const views of this.views) views.drop(this);
  }
}

/**
 * Whether a shader transforms the directions of an instance as those of a mesh with the same matrix. Shaders leave
 * shear out of normals, and those of WebGPURenderer do not transform tangents.
 */
export function canInstance({ attributes }: BatchKey, { elements }: Matrix4): boolean {
  if (attributes.has('tangent')) return false;
  const [a, b, c, , d, e, f, , g, h, i] = elements;
  const lengths = [a * a + b * b + c * c, d * d + e * e + f * f, g * g + h * h + i * i];
  const products = [a * d + b * e + c * f, d * g + e * h + f * i, g * a + h * b + i * c];
  // False for a matrix that flattens: its axes have no directions to compare.
  return products.every((product, k) => product ** 2 < MAX_SHEAR ** 2 * lengths[k] * lengths[(k + 1) % 3]);
}
