/**
 * Meshes of one key, written one behind the other into one geometry. Its mesh is what renderers draw: one draw call for
 * each of its `geometry.groups`, which each pass sets to the ranges of the meshes that it can see.
 *
 * A slot is the place of one mesh: its vertices, and its indices. The order of the slots is that of the octree, so a
 * frustum sees few contiguous ranges. A slot whose mesh is hidden, moved or removed is blocked at once, so that no
 * range covers it; the next update erases its indices: equal numbers draw nothing, and gaps over it may be bridged
 * again.
 */

import { BufferAttribute, BufferGeometry, Matrix4, Mesh, Sphere, Vector3, type Color, type Material } from 'three';
import type { Member } from '../group/member.ts';
import { bakeColors } from './colors.ts';
import { bakeAttribute, bakeIndices, indexCountOf } from './bake.ts';
import type { BatchKey, MergeableMesh, VertexAttribute } from './mergeable.ts';
import { rangesOf, SlotMarks, takeRuns, type GapBridging } from './ranges.ts';

export class BatchChunk {
  readonly key: BatchKey;
  readonly mesh: Mesh<BufferGeometry, Material[]>;
  /** By slot. Null: the slot is empty for good. */
  readonly members: (Member | null)[];
  /** By slot: what was baked. */
  readonly objects: MergeableMesh[];
  readonly geometries: BufferGeometry[];
  readonly materials: Material[];
  /** Undefined: nothing was written. */
  private readonly positions: (VertexAttribute | undefined)[] = [];
  private readonly versions: number[] = [];
  /** Slots to draw in this pass. */
  readonly marked = new SlotMarks();
  /** Number of slots whose member may come back to it: it is drawn from here, or for some time on its own. */
  usedCount: number;
  /** Whether a build writes its members into another chunk. */
  isOld = false;

  private readonly blocked = new SlotMarks();
  private blockedCount = 0;
  private readonly indexStarts: Uint32Array;
  private readonly vertexStarts: Uint32Array;
  private readonly indices: Uint32Array;
  private readonly origin: Vector3;
  /** What the current pass draws: pairs of a first slot and an end. */
  private readonly runs: number[] = [];

  /**
   * @param members In the order of the octree.
   * @param origin A point near the meshes, in the space of the group: float32 is most precise around it.
   */
  constructor(key: BatchKey, members: readonly Member[], origin: Vector3) {
    const count = members.length;
    this.key = key;
    this.members = members.slice();
    this.usedCount = count;
    this.objects = members.map(({ object }) => object as MergeableMesh);
    this.geometries = this.objects.map(({ geometry }) => geometry);
    this.materials = this.objects.map(({ material }) => material);
    this.origin = origin;
    this.marked.resize(count);
    this.blocked.resize(count);
    this.indexStarts = new Uint32Array(count + 1);
    this.vertexStarts = new Uint32Array(count + 1);
    for (let slot = 0; slot < count; slot++) {
      const geometry = this.geometries[slot];
      this.indexStarts[slot + 1] = this.indexStarts[slot] + indexCountOf(geometry);
      this.vertexStarts[slot + 1] = this.vertexStarts[slot] + geometry.attributes.position.count;
    }
    // Never 16 bits: WebGPU uploads parts of a buffer in steps of 4 bytes.
    this.indices = new Uint32Array(this.indexStarts[count]);
    this.mesh = this.createMesh(this.vertexStarts[count]);
  }

  /** Bytes of the buffers. */
  get bytes(): number {
    const { index, attributes } = this.mesh.geometry;
    return Object.values(attributes).reduce((sum, { array }) => sum + array.byteLength, index!.array.byteLength);
  }

  get vertexCount(): number {
    return this.vertexStarts[this.members.length];
  }

  /** Whether the geometry of a slot fits into it. */
  fits(slot: number, geometry: BufferGeometry): boolean {
    return (
      indexCountOf(geometry) === this.indexStarts[slot + 1] - this.indexStarts[slot] &&
      geometry.attributes.position.count === this.vertexStarts[slot + 1] - this.vertexStarts[slot]
    );
  }

  /**
   * Writes the vertices and indices of a slot.
   *
   * @param toGroup From the space of the mesh to that of the group. It is changed.
   * @param color Of the material, if it is baked into the vertices; otherwise null.
   * @returns False if an index is beyond the vertices: the slot stays empty.
   */
  write(slot: number, toGroup: Matrix4, color: Color | null): boolean {
    const { attributes } = this.mesh.geometry;
    const { geometry, material } = this.objects[slot];
    const { origin } = this;
    this.geometries[slot] = geometry;
    this.materials[slot] = material;
    this.positions[slot] = geometry.attributes.position;
    this.versions[slot] = this.versionOf(geometry);
    const first = this.vertexStarts[slot];
    const count = this.vertexStarts[slot + 1] - first;
    toGroup.elements[12] -= origin.x;
    toGroup.elements[13] -= origin.y;
    toGroup.elements[14] -= origin.z;
    for (const name of this.key.attributes.keys()) {
      if (name === 'color' && color !== null) continue;
      const target = attributes[name] as BufferAttribute;
      bakeAttribute(geometry.attributes[name], count, name, toGroup, target.array as Float32Array, first);
      upload(target, first * target.itemSize, count * target.itemSize);
    }
    if (color !== null) this.writeColors(slot, color);
    return this.writeIndices(slot, toGroup.determinant() < 0);
  }

  /** Writes the colours of a slot again. @param color Of its material. */
  writeColors(slot: number, color: Color): void {
    const target = this.mesh.geometry.attributes.color as BufferAttribute;
    const first = this.vertexStarts[slot];
    const count = this.vertexStarts[slot + 1] - first;
    const source = this.materials[slot].vertexColors ? this.geometries[slot].attributes.color : null;
    bakeColors(color, source, target.itemSize, count, target.array as Float32Array, first);
    upload(target, first * target.itemSize, count * target.itemSize);
  }

  /** Writes the indices of a slot again. Its vertices must be up to date. Returns as `write`. */
  writeIndices(slot: number, isMirrored: boolean): boolean {
    const start = this.indexStarts[slot];
    const isValid = bakeIndices(this.geometries[slot], isMirrored, this.indices, this.vertexStarts[slot], start);
    if (isValid) {
      this.unblock(slot);
      this.uploadIndices(slot);
    } else this.erase(slot);
    return isValid;
  }

  /** Whether the object of a slot still has the geometry and the material that are baked for it. */
  hasSource(slot: number): boolean {
    const { geometry, material } = this.objects[slot];
    return geometry === this.geometries[slot] && material === this.materials[slot];
  }

  /**
   * Whether an object has the draw state that was baked for its slot, as far as it can change without a report: see
   * `StaticBatches`.
   */
  isAsBaked(slot: number, object: MergeableMesh): boolean {
    const { key } = this;
    return (
      object.visible &&
      object.material === this.materials[slot] &&
      object.geometry === this.geometries[slot] &&
      object.layers.mask === key.layerMask &&
      object.castShadow === key.castShadow &&
      object.receiveShadow === key.receiveShadow &&
      object.renderOrder === key.renderOrder
    );
  }

  /** Whether the vertices of a slot have changed within their geometry: arrays, or the attributes themselves. */
  hasNewVertices(slot: number): boolean {
    const geometry = this.geometries[slot];
    return geometry.attributes.position !== this.positions[slot] || this.versionOf(geometry) !== this.versions[slot];
  }

  /**
   * Reads the objects and geometries of some slots, to load what is compared next into the cache: see `BatchPass`.
   *
   * @returns A number that depends on everything that was read.
   */
  readAhead(first: number, end: number): number {
    const { members, objects, geometries, positions } = this;
    let sum = 0;
    for (let slot = first; slot < end; slot++) sum += members[slot]?.order ?? 0;
    for (let slot = first; slot < end; slot++) sum += objects[slot].children.length;
    for (let slot = first; slot < end; slot++) sum += geometries[slot].id;
    for (let slot = first; slot < end; slot++) sum += geometries[slot].index?.version ?? 0;
    for (let slot = first; slot < end; slot++) sum += positions[slot]?.count ?? 0;
    return sum;
  }

  /** Takes the member of a slot away for good. The slot must be blocked, and erased later. */
  vacate(slot: number): void {
    if (this.members[slot] === null) return;
    this.members[slot] = null;
    this.usedCount--;
  }

  /** Has no pass draw a slot from now on. */
  block(slot: number): void {
    if (this.blocked.has(slot)) return;
    this.blocked.set(slot);
    this.blockedCount++;
  }

  unblock(slot: number): void {
    if (!this.blocked.has(slot)) return;
    this.blocked.clear(slot);
    this.blockedCount--;
  }

  /** Has the buffers draw nothing for a slot. Gaps over it may be bridged. */
  erase(slot: number): void {
    this.unblock(slot);
    this.indices.fill(0, this.indexStarts[slot], this.indexStarts[slot + 1]);
    this.uploadIndices(slot);
  }

  /** Takes the marked slots as what the current pass draws, and clears the marks. */
  takeMarked(bridging: GapBridging): void {
    takeRuns(this.marked, this.members.length, this.runs);
    bridging.add(this.runs, this.indexStarts);
  }

  /**
   * Prepares the mesh for the current pass. Returns false if there is nothing to draw.
   *
   * @param camera Where ranges are seen from, in world space; null: their order does not matter.
   */
  prepare(bridging: GapBridging, world: Matrix4, camera: Vector3 | null): boolean {
    if (this.runs.length === 0) return false;
    const { mesh } = this;
    const ranges = rangesOf(this.runs, this.indexStarts, bridging, this.blockedCount > 0 ? this.blocked : null);
    const { x, y, z } = this.origin;
    mesh.matrix.makeTranslation(x, y, z);
    mesh.matrixWorld.multiplyMatrices(world, mesh.matrix);
    // New arrays and objects: renderers keep them until they draw, and passes may nest.
    const groups: { start: number; count: number; materialIndex: number }[] = [];
    for (let k = 0; k < ranges.length; k += 2)
      groups.push({ start: ranges[k], count: ranges[k + 1] - ranges[k], materialIndex: 0 });
    if (camera !== null && groups.length > 1) this.sortFromNear(groups, camera);
    mesh.geometry.groups = groups;
    return true;
  }

  /** Call it once all slots are written: renderers upload whole buffers first, and parts only of later changes. */
  clearUpdateRanges(): void {
    const { index, attributes } = this.mesh.geometry;
    for (const attribute of [index!, ...Object.values(attributes)]) (attribute as BufferAttribute).clearUpdateRanges();
  }

  dispose(): void {
    this.mesh.geometry.dispose();
  }

  /** Sorts ranges by the distance of their first vertices, so that what is near hides what is behind it. */
  private sortFromNear(groups: { start: number }[], camera: Vector3): void {
    const { matrixWorld, geometry } = this.mesh;
    const { position } = geometry.attributes;
    const distances = new Map<object, number>();
    for (const group of groups) {
      sortFromNear_vertex.fromBufferAttribute(position, this.indices[group.start]).applyMatrix4(matrixWorld);
      distances.set(group, sortFromNear_vertex.distanceToSquared(camera));
    }
    groups.sort((a, b) => distances.get(a)! - distances.get(b)!);
  }

  /** How often `needsUpdate` was set of what is baked of a geometry; other numbers where an attribute is missing. */
  private versionOf({ attributes, index }: BufferGeometry): number {
    let sum = index === null ? -1 : index.version;
    for (const name of this.key.attributes.keys()) {
      const attribute = attributes[name] as VertexAttribute | undefined;
      sum += attribute === undefined ? 0.5 : 'data' in attribute ? attribute.data.version : attribute.version;
    }
    return sum;
  }

  private uploadIndices(slot: number): void {
    upload(this.mesh.geometry.index!, this.indexStarts[slot], this.indexStarts[slot + 1] - this.indexStarts[slot]);
  }

  private createMesh(vertices: number): Mesh<BufferGeometry, Material[]> {
    const { key } = this;
    const geometry = new BufferGeometry();
    geometry.setIndex(new BufferAttribute(this.indices, 1));
    for (const [name, size] of key.attributes)
      geometry.setAttribute(name, new BufferAttribute(new Float32Array(vertices * size), size));
    // Renderers would compute it from all vertices, to sort opaque objects.
    geometry.boundingSphere = new Sphere(new Vector3(), Infinity);
    const mesh = new Mesh(geometry, [key.material]);
    mesh.castShadow = key.castShadow;
    mesh.receiveShadow = key.receiveShadow;
    mesh.renderOrder = key.renderOrder;
    mesh.layers.mask = key.layerMask;
    mesh.frustumCulled = mesh.matrixAutoUpdate = mesh.matrixWorldAutoUpdate = false;
    return mesh;
  }
}
const sortFromNear_vertex = /* @__PURE__ */ new Vector3();

/** Has renderers upload a part of a buffer. Parts that follow one another become one. */
function upload(attribute: BufferAttribute, start: number, count: number): void {
  const { updateRanges } = attribute;
  const last = updateRanges.at(-1);
  if (last !== undefined && last.start + last.count === start) last.count += count;
  else attribute.addUpdateRange(start, count);
  attribute.needsUpdate = true;
}
