/** What the batches of a group draw in one pass. */

import type { Camera, Frustum, FrustumArray, InstancedMesh, Matrix4, Mesh, Object3D, Scene } from 'three';
import { LastRenderer, objectCodeOf, rendererOf, scenesAbove, velocityNodeOf } from '../three/passes/pass-renderer.ts';
import { isWebGpuShadowPass } from '../three/passes/render-pass.ts';
import type { OctreeGroup } from '../three/group/octree-group.ts';
import { groupOrderIn } from '../three/group/traversal-effects.ts';
import type { BatchChunk } from './batch-chunk.ts';
import type { BatchMembers } from './batch-members.ts';
import { slotOf } from './draw-states.ts';
import type { BatchRange } from './batch-range.ts';
import { canOverride, isFlat } from './mergeable.ts';
import { GapBridging, lowestBit, SlotMarks, WORD_SHIFT } from './ranges.ts';

/**
 * Bodies that each pass compares, in turn. About 20 ns each: the fields of an object are seldom in the cache. Test:
 * static-batches.test.
 */
const COMPARED_PER_PASS = 4096;

export class BatchPass {
  /** What the last pass that was not a shadow pass draws. */
  ranges: BatchRange[] = [];
  /** Why that pass draws nothing from batches, in words; empty if it can. */
  reason = '';

  private readonly group: OctreeGroup;
  private readonly members: BatchMembers;
  /**
   * Whether any member was found changed since the last update. Then all passes until the next update compare all:
   * effects such as OutlinePass change many objects between two passes.
   */
  private comparesAll = false;
  /** The bodies to compare. Clear between two searches. */
  private readonly compared = new SlotMarks();
  /** Where the next pass goes on that does not compare all. */
  private next = 0;
  /** The slots that are blocked in this pass only. */
  private readonly blocked: { readonly chunk: BatchChunk; readonly slot: number }[] = [];
  private readonly renderer = new LastRenderer();
  /** `fault` as the current pass has found it; undefined before the pass. */
  private passFault: string | null | undefined;
  /** Whether the renderer draws posed members in this pass. */
  leavesPosed = false;

  constructor(group: OctreeGroup, members: BatchMembers) {
    this.group = group;
    this.members = members;
  }

  /**
   * Why the scene is drawn without batches, in words; null if it need not be: its materials or nodes may read more than
   * is baked, code in the renderer may be called for each object, or the order of drawing of materials shows.
   * Only WebGLRenderer sorts by materials.
   */
  get fault(): string | null {
    if (!this.group.groupChildren.followRule.isFollowing)
      return 'most members move, so each pass lists all, and the renderer draws them';
    if (isFlat(this.group)) return 'the group has a scale of 0';
    for (const scene of scenesAbove(this.group)) {
      const { overrideMaterial, fogNode } = scene as Scene & { fogNode?: object | null };
      if (overrideMaterial !== null) {
        // A shadow map of WebGPURenderer, which is drawn by a function of the renderer.
        if ('isShadowPassMaterial' in overrideMaterial) continue;
        if (!canOverride(overrideMaterial))
          return 'scene.overrideMaterial reads more than is baked, or is drawn in a certain order';
      }
      if (fogNode) return 'scene.fogNode may read the object: use scene.fog';
      const renderer = rendererOf(scene);
      if (this.members.keys.showsOrder && (renderer?.sortObjects === false || renderer?.backend !== undefined))
        return 'the order of materials shows, and the renderer does not sort by them';
      const { precision = 'highp' } = renderer?.capabilities ?? {};
      if (precision !== 'highp' && this.members.keys.shared.isOn)
        return 'the renderer has a precision below highp: pass { mergesMaterials: false }';
      const code = objectCodeOf(scene);
      if (code !== null) return code;
    }
    return null;
  }

  /** Call it once per update. */
  restart(): void {
    this.comparesAll = false;
    // A pass may have ended by an error.
    this.passFault = undefined;
    this.unblock();
    if (this.group.groupChildren.followRule.isFollowing) return;
    this.ranges = [];
    this.reason = this.fault!;
  }

  /** As `MemberDrawing.take`. A member that is found changed is left to the renderer. */
  take(bodies: Uint32Array, count: number): number {
    const { members } = this;
    if (members.chunks.length === 0) return count;
    if (this.passFault === undefined) {
      this.passFault = this.fault;
      // A query may have found moves since the update.
      members.poseMoved();
      // three keeps the matrices of the last frame for motion vectors by object.
      this.leavesPosed =
        members.states.posed.size > 0 && scenesAbove(this.group).some((scene) => velocityNodeOf(scene) !== null);
    }
    if (this.passFault !== null) return count;
    const { addresses } = members.states;
    this.comparesAll ||= this.findChange(bodies, count);
    const { comparesAll } = this;
    let rest = 0;
    for (let k = 0; k < count;) {
      // Bodies of members that were added last may be beyond the array.
      const address = bodies[k] < addresses.length ? addresses[bodies[k]] : -1;
      if (address < 0 || (comparesAll && this.leaves(bodies[k], address))) {
        bodies[rest++] = bodies[k++];
        continue;
      }
      const { bodyOfSlot, marked, isPosed } = members.slots.chunkAt(address);
      const first = slotOf(address);
      // It is hidden, or its slot is not written yet.
      if (bodyOfSlot[first] !== bodies[k] || (isPosed && this.leavesPosed)) {
        bodies[rest++] = bodies[k++];
        continue;
      }
      let end = first;
      const limit = comparesAll ? k + 1 : count;
      // The bodies come in the order of the octree, as the slots do: most follow one another. Reading their addresses
      // would be a cache miss for each.
      do {
        end++;
        k++;
      } while (k < limit && bodyOfSlot[end] === bodies[k]);
      marked.setAll(first, end);
    }
    return rest;
  }

  /** Leaves a member to the renderer in this pass, if it has changed. */
  private leaves(body: number, address: number): boolean {
    if (this.members.detector.isAsTold(body)) return false;
    this.block(address);
    return true;
  }

  /** Has a slot draw nothing in this pass. */
  private block(address: number): void {
    const chunk = this.members.slots.chunkAt(address);
    const slot = slotOf(address);
    if (!chunk.draws(slot)) return;
    chunk.blocked.set(slot);
    // Another camera of the same pass may have marked it before.
    chunk.marked.clear(slot);
    this.blocked.push({ chunk, slot });
  }

  /**
   * Whether one of the next bodies in turn has changed since the update. Most objects lie in memory in the order of
   * their bodies, in which they were created. Read in this order, they take two thirds of the time that they take in
   * the order of the octree.
   */
  private findChange(bodies: Uint32Array, count: number): boolean {
    const { compared, members } = this;
    const { addresses } = members.states;
    compared.makeRoom(addresses.length);
    if (count <= COMPARED_PER_PASS) for (let k = 0; k < count; k++) compared.set(bodies[k]);
    else {
      // Passes see different numbers of bodies.
      for (let left = COMPARED_PER_PASS; left > 0; left--) {
        if (this.next >= count) this.next = 0;
        compared.set(bodies[this.next++]);
      }
    }
    const { words } = compared;
    let isChanged = false;
    for (let word = 0; word < words.length; word++) {
      for (let bits = words[word]; bits !== 0 && !isChanged; bits &= bits - 1) {
        const body = (word << WORD_SHIFT) + lowestBit(bits);
        isChanged = addresses[body] >= 0 && !members.detector.isAsTold(body);
      }
      words[word] = 0;
    }
    return isChanged;
  }

  /** As `MemberDrawing.end`. */
  end(objects: Object3D[], world: Matrix4, frustum: Frustum | FrustumArray, camera: Camera | null): void {
    const { members } = this;
    const fault = this.passFault === undefined ? this.fault : this.passFault;
    this.passFault = undefined;
    const isShown = camera !== null && !isWebGpuShadowPass(this.group);
    if (isShown) {
      this.ranges = [];
      this.reason = (groupOrderIn(this.group, camera) === 0 ? fault : 'the group has a render order') ?? '';
    }
    // Those that were reported, or have moved, since the update: the renderer draws them.
    for (const member of this.group.groupChildren.pending) {
      const address = members.states.placedAt(member);
      if (address >= 0) this.block(address);
    }
    if (this.renderer.isOther(this.group)) for (const chunk of members.chunks) chunk?.uploadAll();
    const bridging = new GapBridging();
    for (const chunk of members.chunks) chunk?.takeMarked(bridging);
    bridging.choose();
    const pass = { bridging, world, camera, frustum };
    const first = objects.length;
    for (const chunk of members.chunks) chunk?.draw(objects, pass);
    if (isShown) for (let k = first; k < objects.length; k++) this.addRanges(objects[k] as Mesh | InstancedMesh);
    this.unblock();
  }

  private unblock(): void {
    // An update within the pass may have hidden a member.
    for (const { chunk, slot } of this.blocked) if (chunk.draws(slot)) chunk.blocked.clear(slot);
    this.blocked.length = 0;
  }

  private addRanges(mesh: Mesh | InstancedMesh): void {
    const { geometry, matrixWorld } = mesh;
    if ('isSkinnedMesh' in mesh) return;
    if ('isInstancedMesh' in mesh) {
      const count = (geometry.index ?? geometry.attributes.position).count;
      this.ranges.push({ geometry, matrixWorld, start: 0, count, instances: mesh });
      return;
    }
    for (const { start, count } of geometry.groups)
      this.ranges.push({ geometry, matrixWorld, start, count, instances: null });
  }
}
