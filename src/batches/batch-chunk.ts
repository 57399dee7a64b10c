/**
 * Meshes of one key that are drawn together, by slot. The order of the slots is that of the octree, so a frustum sees
 * few contiguous ranges of them. There are two kinds: `MergedChunk` has one geometry with the vertices of all meshes,
 * `InstancedChunk` draws one geometry with many matrices.
 */

import {
  Box3,
  Sphere,
  Vector3,
  type BufferGeometry,
  type Camera,
  type Frustum,
  type FrustumArray,
  type Matrix4,
  type Object3D,
} from 'three';
import type { Member } from '../three/group/member.ts';
import { transformSphere } from '../three/bounds/bounds-math.ts';
import { boundingSphereOf } from '../three/bounds/vertex-bounds.ts';
import { indexCountOf } from './bake.ts';
import type { BatchKey, MergeableMesh } from './mergeable.ts';
import { SlotMarks, takeRuns, type GapBridging } from './ranges.ts';

/** In `BatchChunk.bodyOfSlot`: the slot draws no body. */
const NO_BODY = 2 ** 32 - 1;

/** What chunks need of the pass that draws them. */
export interface ChunkPass {
  readonly bridging: GapBridging;
  /** World matrix of the group. */
  readonly world: Matrix4;
  /** As for `MemberDrawing.end`; null: a shadow map of WebGLRenderer. */
  readonly camera: Camera | null;
  readonly frustum: Frustum | FrustumArray;
}

/**
 * Largest distance of a mesh from the origin of its chunk, in radii of the mesh. Float32 has 24 digits: the error of a
 * vertex stays below 2^-11 of the radius, half a pixel where the mesh fills a thousand. Test: chunks.test.
 */
export const MAX_DISTANCE = 2 ** 13;

/**
 * The meshes of a chunk that is to be built, in the order of the octree. They are added one by one, so that a build may
 * stop between any two of them.
 */
export class ChunkSources {
  readonly members: Member[] = [];
  /** By slot, and one more element: numbers of indices and vertices before it. */
  readonly indexStarts: number[] = [0];
  readonly vertexStarts: number[] = [0];
  /** Around the first vertices of the members, in the space of the group. */
  private readonly box = new Box3();

  get vertexCount(): number {
    return this.vertexStarts[this.members.length];
  }

  /** A point near the members, in the space of the group. */
  get origin(): Vector3 {
    return this.box.getCenter(new Vector3());
  }

  /** @param toGroup From the space of the member to that of the group. */
  add(member: Member, toGroup: Matrix4): void {
    const { geometry } = member.object as MergeableMesh;
    const { position } = geometry.attributes;
    const slot = this.members.length;
    this.members.push(member);
    this.indexStarts.push(this.indexStarts[slot] + indexCountOf(geometry));
    this.vertexStarts.push(this.vertexStarts[slot] + position.count);
    this.box.expandByPoint(chunkSources_point.fromBufferAttribute(position, 0).applyMatrix4(toGroup));
  }
}
const chunkSources_point = /* @__PURE__ */ new Vector3();

export abstract class BatchChunk {
  readonly key: BatchKey;
  /** By slot. Null: the slot is empty for good. */
  readonly members: (Member | null)[];
  /**
   * By slot: the index of the body that it draws, or `NO_BODY`; one more element than slots, which is `NO_BODY`.
   */
  readonly bodyOfSlot: Uint32Array;
  /** Slots to draw in this pass. */
  readonly marked = new SlotMarks();
  /** Number of slots whose member may come back to it: it is drawn from here, or for some time on its own. */
  usedCount: number;
  /** Whether a build writes its members into another chunk. */
  isOld = false;
  /** Whether its members may move: `pose` writes where they are. */
  readonly isPosed: boolean = false;

  /** Slots that no pass may draw. */
  readonly blocked = new SlotMarks();
  /** Slots that draw nothing, although a range may cover them: runs of slots go over them. */
  readonly erased = new SlotMarks();
  /** Blocked slots to erase in the next update, in the order of the buffers: neighbours are one upload. */
  private readonly released = new SlotMarks();
  /** Erased slots to write in the next update: their members are visible again. Until then the renderer draws them. */
  readonly returning = new SlotMarks();
  /** By slot: 1 if the mesh is mirrored, as it is written. */
  readonly mirrored: Uint8Array;
  /** What the current pass draws: pairs of a first slot and an end. */
  readonly runs: number[] = [];
  /** A point near the meshes, in the space of the group: float32 is most precise around it. */
  readonly origin: Vector3;

  /** @param sources What it draws. Its lists become those of the chunk. */
  constructor(key: BatchKey, sources: ChunkSources) {
    const count = sources.members.length;
    this.key = key;
    this.origin = sources.origin;
    this.members = sources.members;
    this.usedCount = count;
    this.bodyOfSlot = new Uint32Array(count + 1).fill(NO_BODY);
    this.mirrored = new Uint8Array(count);
    for (const marks of [this.marked, this.blocked, this.erased, this.released, this.returning]) marks.resize(count);
  }

  /** Bytes of the buffers, those of single passes left out. */
  abstract get bytes(): number;

  /** Vertices that were written for it. */
  get vertexCount(): number {
    return 0;
  }

  /** Creates the buffers, before the first write: one in each step, which takes 0.2 to 0.4 ms. */
  *allocate(): Generator<void> {}

  /**
   * Whether a mesh that has changed can be written into its slot again.
   *
   * @param toGroup From the space of the mesh to that of the group.
   */
  abstract fits(slot: number, mesh: MergeableMesh, toGroup: Matrix4): boolean;

  /** Whether a mesh is not too tiny for its distance from the origin. @param toGroup As for `fits`. */
  isPrecise(geometry: BufferGeometry, toGroup: Matrix4): boolean {
    const sphere = isPrecise_sphere;
    transformSphere(boundingSphereOf(geometry)!, toGroup, sphere);
    return sphere.center.distanceTo(this.origin) <= MAX_DISTANCE * sphere.radius;
  }

  /**
   * Writes the mesh of a slot.
   *
   * @param toGroup From the space of the mesh to that of the group. It is changed.
   * @param texel Of its material in the palette, if the key has one.
   * @returns False if that is impossible: the slot stays empty.
   */
  abstract write(slot: number, toGroup: Matrix4, texel: number): boolean;

  /** Has a matrix lead to the space around the origin. It is changed. @param toGroup As for `fits`. */
  protected toLocal(toGroup: Matrix4): Matrix4 {
    return toGroup.setPosition(toLocal_position.setFromMatrixPosition(toGroup).sub(this.origin));
  }

  /** Writes what `erase` has taken out of the buffers. False if that is impossible. */
  restore(_slot: number): boolean {
    return true;
  }

  /**
   * Has a member that has moved drawn at its new place.
   *
   * @param toGroup As for `fits`. It is changed.
   * @returns False if the chunk cannot draw it there.
   */
  pose(_slot: number, _toGroup: Matrix4): boolean {
    return false;
  }

  /** Takes a slot out of the buffers: passes that do not mark it do not draw it. Ranges may cover it. */
  erase(slot: number): void {
    this.blocked.clear(slot);
  }

  /** Whether a slot draws a body. */
  draws(slot: number): boolean {
    return this.bodyOfSlot[slot] !== NO_BODY;
  }

  /**
   * Ends the drawing of a slot: at once, and without a write to a buffer, because a pass may be drawing.
   *
   * @returns Whether it has drawn a body.
   */
  release(slot: number): boolean {
    const isDrawing = this.draws(slot);
    this.blocked.set(slot);
    // A pass may have taken it.
    this.marked.clear(slot);
    this.bodyOfSlot[slot] = NO_BODY;
    this.returning.clear(slot);
    this.released.set(slot);
    return isDrawing;
  }

  eraseReleased(): void {
    const { released, members } = this;
    for (let slot = -1; (slot = released.firstIn(slot + 1, members.length)) < members.length; released.clear(slot))
      if (!this.draws(slot)) this.erase(slot);
  }

  /** The geometry of a slot, if renderers need no buffers of it while the chunk draws it; otherwise null. */
  replacedGeometry(_slot: number): BufferGeometry | null {
    return null;
  }

  /** Appends what draws the current pass. */
  abstract draw(objects: Object3D[], pass: ChunkPass): void;

  /** Call it once all slots are written, before the first pass. */
  finish(): void {}

  /** Has the next upload of each buffer take all of it, whatever has changed. */
  uploadAll(): void {}

  abstract dispose(): void;

  /**
   * Gives a mesh that draws members the user data of the first that is drawn, for sort functions of the user. By a
   * getter, so that nothing is kept of a member that was removed. Other user data that are assigned are dropped.
   */
  represent(mesh: Object3D): void {
    Object.defineProperty(mesh, 'userData', {
      get: () => this.members[this.runs[0]]?.object.userData ?? {},
      set() {},
    });
  }

  /** Takes the marked slots as what the current pass draws, and clears the marks. */
  takeMarked(_bridging: GapBridging): void {
    takeRuns(this.marked, this.erased, this.members.length, this.runs);
  }

  /** Takes the member of a slot away for good. The slot must be blocked, and erased later. */
  vacate(slot: number): void {
    if (this.members[slot] === null) return;
    this.members[slot] = null;
    this.usedCount--;
  }

  /** The object of a slot that has a member. */
  objectOf(slot: number): MergeableMesh {
    return this.members[slot]!.object as MergeableMesh;
  }
}
const toLocal_position = /* @__PURE__ */ new Vector3();
const isPrecise_sphere = /* @__PURE__ */ new Sphere();
