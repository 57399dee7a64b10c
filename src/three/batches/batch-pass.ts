/** What the batches of a group draw in one pass. */

import {
  Vector3,
  type BufferGeometry,
  type Camera,
  type Frustum,
  type FrustumArray,
  type InstancedMesh,
  type Matrix4,
  type Mesh,
  type Object3D,
} from 'three';
import { scenesAbove } from '../passes/pass-renderer.ts';
import { PassRegistry } from '../passes/pass-registry.ts';
import { isWebGpuShadowPass } from '../passes/render-pass.ts';
import type { ChunkPass } from './batch-chunk.ts';
import { MAX_SLOTS, slotOf, type BatchMembers } from './batch-members.ts';
import { InstancedViews } from './instanced-view.ts';
import { canOverride } from './mergeable.ts';
import { GapBridging, markIn } from './ranges.ts';

/**
 * Members that each pass compares with what was baked, in turn. A pass that finds a changed one compares all, and so do
 * the passes after it until the next update: effects such as OutlinePass change many objects between two passes. To
 * compare an object takes up to 200 ns, because its fields are seldom in the cache.
 */
const COMPARED_PER_PASS = 1024;

/** Members that are read ahead of their comparison: they fit into the cache. */
const READ_AHEAD = 128;

const NO_WORDS = /* @__PURE__ */ new Int32Array(0);

/**
 * What one draw call draws: a part of a baked geometry, or a repeated one. Read-only, and valid until the next pass.
 */
export interface BatchRange {
  /** Its attributes hold vertices in the space of `matrixWorld`, or of the instances. */
  readonly geometry: BufferGeometry;
  /** From the space of the vertices, or of the matrices of the instances, to world space. */
  readonly matrixWorld: Matrix4;
  /** First index. */
  readonly start: number;
  /** Number of indices; of vertices, if the geometry has no index. */
  readonly count: number;
  /** Repeated geometry: what draws it, with the matrix of each instance; otherwise null. */
  readonly instances: InstancedMesh | null;
}

export class BatchPass {
  /** What the last pass that was not a shadow pass draws. */
  ranges: BatchRange[] = [];

  private readonly group: Object3D;
  private readonly members: BatchMembers;
  /** Whether any member was found changed since the last update. */
  private comparesAll = false;
  private nextCompared = 0;
  /** Result of the last `readAhead`. Unused; stored so that the compiler keeps the loops. */
  readAheadSum = 0;
  /** Places of the slots that are blocked in this pass only. */
  private readonly blocked: number[] = [];
  private readonly bridging = new GapBridging();
  private readonly registry = new PassRegistry(() => new InstancedViews());
  private lastParent: Object3D | null = null;
  private isLastParentHidden = false;

  constructor(group: Object3D, members: BatchMembers) {
    this.group = group;
    this.members = members;
  }

  /** Whether the scene overrides no material, or by one that needs nothing that was not baked. */
  private get canDraw(): boolean {
    return scenesAbove(this.group).every(({ overrideMaterial: o }) => o === null || canOverride(o));
  }

  /** Call it once per update. */
  restart(): void {
    this.comparesAll = false;
  }

  /** As `MemberDrawing.take`. A member that is found changed is left to the renderer. */
  take(bodies: Uint32Array, count: number): number {
    if (!this.canDraw) return count;
    const { members } = this;
    const { placeOfBody } = members;
    // Its visibility may have changed since the last pass.
    this.lastParent = null;
    this.comparesAll ||= this.findsChange(bodies, count);
    const { comparesAll } = this;
    const { length } = placeOfBody;
    let rest = 0;
    // The bodies come in the order of the octree, so many in succession have the same chunk.
    let first = 0;
    let end = 0;
    let words: Int32Array = NO_WORDS;
    for (let k = 0; k < count; k++) {
      const body = bodies[k];
      const place = body < length ? placeOfBody[body] : -1;
      if (place < 0 || (comparesAll && this.leaves(place))) {
        bodies[rest++] = body;
        continue;
      }
      if (place < first || place >= end) {
        first = place - slotOf(place);
        end = first + MAX_SLOTS;
        ({ words } = members.chunkAt(place).marked);
      }
      markIn(words, place - first);
    }
    return rest;
  }

  /** Whether one of the next members in turn has changed. */
  private findsChange(bodies: Uint32Array, count: number): boolean {
    const { placeOfBody } = this.members;
    for (let left = Math.min(COMPARED_PER_PASS, count); left > 0;) {
      // Passes see different numbers of bodies.
      const first = this.nextCompared < count ? this.nextCompared : 0;
      const end = Math.min(first + READ_AHEAD, first + left, count);
      this.readAheadSum = this.readAhead(bodies, first, end);
      for (let k = first; k < end; k++) {
        const place = placeIn(placeOfBody, bodies[k]);
        if (place >= 0 && this.hasChanged(place)) return true;
      }
      this.nextCompared = end;
      left -= end - first;
    }
    return false;
  }

  /**
   * Reads the objects of some bodies, to load what is compared next into the cache. The objects are scattered in
   * memory: the cache misses of these short loops overlap, those of the comparisons would not.
   *
   * @returns A number that depends on everything that was read.
   */
  private readAhead(bodies: Uint32Array, first: number, end: number): number {
    const { objectOfBody } = this.members;
    let sum = 0;
    for (let k = first; k < end; k++) sum += objectOfBody[bodies[k]]?.renderOrder ?? 0;
    for (let k = first; k < end; k++) sum += objectOfBody[bodies[k]]?.geometry === null ? 1 : 0;
    for (let k = first; k < end; k++) sum += objectOfBody[bodies[k]]?.layers.mask ?? 0;
    return sum;
  }

  /** Leaves a member to the renderer in this pass, if it has changed. */
  private leaves(place: number): boolean {
    if (!this.hasChanged(place)) return false;
    const chunk = this.members.chunkAt(place);
    this.members.suspect(chunk.members[slotOf(place)]!);
    chunk.block(slotOf(place));
    // Another camera of the same pass may have marked it before.
    chunk.marked.clear(slotOf(place));
    this.blocked.push(place);
    return true;
  }

  private hasChanged(place: number): boolean {
    const chunk = this.members.chunkAt(place);
    const slot = slotOf(place);
    const object = chunk.objects[slot];
    const { parent } = object;
    if (parent !== this.lastParent) {
      this.lastParent = parent;
      this.isLastParentHidden = isHiddenBelow(parent, this.group);
    }
    return this.isLastParentHidden || !chunk.isAsWritten(slot, object);
  }

  /** As `MemberDrawing.end`. */
  end(objects: Object3D[], world: Matrix4, frustum: Frustum | FrustumArray, camera: Camera | null): void {
    const { members, blocked, bridging, registry } = this;
    if (camera !== null) registry.restartShadows();
    const isShown = camera !== null && !isWebGpuShadowPass(this.group);
    if (isShown) this.ranges = [];
    bridging.reset();
    for (const chunk of members.chunks) chunk?.takeMarked(bridging);
    bridging.choose();
    let views: InstancedViews | null = null;
    const pass: ChunkPass = {
      bridging,
      world,
      eye: camera === null ? null : end_eye.setFromMatrixPosition(camera.matrixWorld),
      isShadowMap: camera === null,
      views: () => (views ??= camera === null ? registry.ofShadow(frustum) : registry.ofCamera(camera)),
    };
    const first = objects.length;
    for (const chunk of members.chunks) chunk?.draw(objects, pass);
    if (isShown) for (let k = first; k < objects.length; k++) this.addRanges(objects[k] as Mesh | InstancedMesh);
    for (const place of blocked) members.chunkAt(place).unblock(slotOf(place));
    blocked.length = 0;
  }

  /** Frees the buffers of all passes. */
  dispose(): void {
    this.ranges = [];
    this.registry.dispose();
  }

  private addRanges(mesh: Mesh | InstancedMesh): void {
    const { geometry, matrixWorld } = mesh;
    if ('isInstancedMesh' in mesh) {
      const count = (geometry.index ?? geometry.attributes.position).count;
      this.ranges.push({ geometry, matrixWorld, start: 0, count, instances: mesh });
      return;
    }
    for (const { start, count } of geometry.groups)
      this.ranges.push({ geometry, matrixWorld, start, count, instances: null });
  }
}
const end_eye = /* @__PURE__ */ new Vector3();

/** The place of a body; -1 if the renderer draws it. Bodies of members that were added last may be beyond the array. */
function placeIn(placeOfBody: Float64Array, body: number): number {
  return body < placeOfBody.length ? placeOfBody[body] : -1;
}

/** Whether an object below a group, or one between them, is hidden. */
function isHiddenBelow(object: Object3D | null, group: Object3D): boolean {
  for (let node: Object3D | null = object; node !== null && node !== group; node = node.parent)
    if (!node.visible) return true;
  return false;
}
