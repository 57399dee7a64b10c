/**
 * Meshes of one key, written one behind the other into one geometry. Its mesh is what renderers draw: one draw call for
 * each of its `geometry.groups`, which each pass sets to the ranges of the meshes that it can see.
 *
 * The slot of a mesh holds its vertices and its indices. A slot whose mesh is hidden, moved or removed is blocked at
 * once, so that no range covers it; the next update erases its indices: equal numbers draw nothing, so ranges go over
 * it again.
 */

import {
  BufferAttribute,
  BufferGeometry,
  Matrix4,
  Mesh,
  Sphere,
  Vector3,
  type Camera,
  type EventDispatcher,
  type Material,
  type Object3D,
} from 'three';
import { BatchChunk, type ChunkPass, type ChunkSources } from './batch-chunk.ts';
import { bakeAttribute, bakeIndices, indexCountOf } from './bake.ts';
import { PALETTE_ATTRIBUTE, setDrawState, type BatchKey, type MergeableMesh } from './mergeable.ts';
import { writeTexel } from './palette.ts';
import { rangesOf, type GapBridging } from './ranges.ts';

/**
 * Two parts of a buffer with at most this many numbers between them are one upload: 4 kB more take less time than
 * another call. Test: chunks.test.
 */
const MAX_GAP = 1024;

export class MergedChunk extends BatchChunk {
  readonly mesh: Mesh<BufferGeometry, Material[]>;
  readonly indexStarts: Uint32Array;
  readonly vertexStarts: Uint32Array;
  private readonly indices: Uint32Array;

  constructor(key: BatchKey, sources: ChunkSources) {
    super(key, sources);
    this.indexStarts = Uint32Array.from(sources.indexStarts);
    this.vertexStarts = Uint32Array.from(sources.vertexStarts);
    // Never 16 bits: WebGPU uploads parts of a buffer in steps of 4 bytes.
    this.indices = new Uint32Array(this.indexStarts[this.members.length]);
    const geometry = new BufferGeometry().setIndex(new BufferAttribute(this.indices, 1));
    // Renderers would compute it from all vertices, to sort opaque objects.
    geometry.boundingSphere = new Sphere(new Vector3(), Infinity);
    this.mesh = this.createMesh(geometry, [key.material]);
    setDrawState(this.mesh, key);
    this.represent(this.mesh);
  }

  protected createMesh(geometry: BufferGeometry, materials: Material[]): Mesh<BufferGeometry, Material[]> {
    return new Mesh(geometry, materials);
  }

  private get buffers(): BufferAttribute[] {
    const { index, attributes } = this.mesh.geometry;
    return [index!, ...(Object.values(attributes) as BufferAttribute[])];
  }

  override get bytes(): number {
    return this.buffers.reduce((sum, { array }) => sum + array.byteLength, 0);
  }

  override get vertexCount(): number {
    return this.vertexStarts[this.members.length];
  }

  override *allocate(): Generator<void> {
    for (const [name, size] of this.key.attributes) {
      yield;
      const numbers = new Float32Array(this.vertexCount * size);
      this.mesh.geometry.setAttribute(name, new BufferAttribute(numbers, size));
    }
  }

  override fits(slot: number, { geometry }: MergeableMesh): boolean {
    return (
      indexCountOf(geometry) === this.indexStarts[slot + 1] - this.indexStarts[slot] &&
      geometry.attributes.position.count === this.vertexStarts[slot + 1] - this.vertexStarts[slot]
    );
  }

  override write(slot: number, toGroup: Matrix4, texel: number): boolean {
    const { attributes } = this.mesh.geometry;
    const { geometry } = this.objectOf(slot);
    const { key } = this;
    const first = this.vertexStarts[slot];
    const count = this.vertexStarts[slot + 1] - first;
    this.toLocal(toGroup);
    for (const name of key.attributes.keys()) {
      const target = attributes[name] as BufferAttribute;
      const numbers = target.array as Float32Array;
      if (key.hasPalette && name === PALETTE_ATTRIBUTE) writeTexel(texel, numbers, first, count);
      else bakeAttribute(geometry.attributes[name], count, name, toGroup, numbers, first);
      upload(target, first * target.itemSize, count * target.itemSize);
    }
    this.mirrored[slot] = Number(toGroup.determinant() < 0);
    return this.writeIndices(slot);
  }

  /** Writes the indices of a slot again, if they were erased. */
  override restore(slot: number): boolean {
    return !this.erased.has(slot) || this.writeIndices(slot);
  }

  private writeIndices(slot: number): boolean {
    const { indices, indexStarts, vertexStarts, mirrored } = this;
    const { geometry } = this.objectOf(slot);
    const isValid = bakeIndices(geometry, mirrored[slot] === 1, indices, vertexStarts[slot], indexStarts[slot]);
    if (isValid) {
      this.erased.clear(slot);
      this.uploadIndices(slot);
    } else this.erase(slot);
    return isValid;
  }

  override erase(slot: number): void {
    super.erase(slot);
    this.erased.set(slot);
    this.indices.fill(0, this.indexStarts[slot], this.indexStarts[slot + 1]);
    this.uploadIndices(slot);
  }

  override replacedGeometry(slot: number): BufferGeometry | null {
    return this.objectOf(slot).geometry;
  }

  override takeMarked(bridging: GapBridging): void {
    super.takeMarked(bridging);
    bridging.add(this.runs, this.indexStarts);
  }

  override draw(objects: Object3D[], { bridging, world, camera }: ChunkPass): void {
    if (this.runs.length === 0) return;
    const { mesh } = this;
    const ranges = rangesOf(this.runs, this.indexStarts, bridging, this.blocked);
    const { x, y, z } = this.origin;
    mesh.matrix.makeTranslation(x, y, z);
    mesh.matrixWorld.multiplyMatrices(world, mesh.matrix);
    // New arrays and objects: renderers keep them until they draw, and passes may nest.
    const groups: { start: number; count: number; materialIndex: number }[] = [];
    for (let k = 0; k < ranges.length; k += 2)
      groups.push({ start: ranges[k], count: ranges[k + 1] - ranges[k], materialIndex: 0 });
    if (camera !== null && groups.length > 1) this.sortFromNear(groups, camera);
    mesh.geometry.groups = groups;
    objects.push(mesh);
  }

  /** Renderers upload whole buffers first, and parts only of later changes. */
  override finish(): void {
    for (const attribute of this.buffers) attribute.clearUpdateRanges();
  }

  override uploadAll(): void {
    for (const attribute of this.buffers) {
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, attribute.array.length);
    }
  }

  override dispose(): void {
    const { mesh } = this;
    mesh.geometry.dispose();
    // WebGPURenderer holds all that it has drawn until it is disposed of, or its material.
    (mesh as EventDispatcher<{ dispose: object }>).dispatchEvent({ type: 'dispose' });
  }

  /** Sorts ranges by the distance of their first vertices, so that what is near hides what is behind it. */
  private sortFromNear(groups: { start: number }[], camera: Camera): void {
    const eye = sortFromNear_eye.setFromMatrixPosition(camera.matrixWorld);
    const { matrixWorld, geometry } = this.mesh;
    const { position } = geometry.attributes;
    const distances = new Map<object, number>();
    for (const group of groups) {
      sortFromNear_vertex.fromBufferAttribute(position, this.indices[group.start]).applyMatrix4(matrixWorld);
      distances.set(group, sortFromNear_vertex.distanceToSquared(eye));
    }
    groups.sort((a, b) => distances.get(a)! - distances.get(b)!);
  }

  private uploadIndices(slot: number): void {
    upload(this.mesh.geometry.index!, this.indexStarts[slot], this.indexStarts[slot + 1] - this.indexStarts[slot]);
  }
}
const sortFromNear_eye = /* @__PURE__ */ new Vector3();
const sortFromNear_vertex = /* @__PURE__ */ new Vector3();

/** Marks a part of a buffer for upload. Parts that are near each other become one. */
function upload(attribute: BufferAttribute, start: number, count: number): void {
  const last = attribute.updateRanges.at(-1);
  const gap = last ? start - last.start - last.count : -1;
  if (gap >= 0 && gap <= MAX_GAP) last!.count += gap + count;
  else attribute.addUpdateRange(start, count);
  attribute.needsUpdate = true;
}
