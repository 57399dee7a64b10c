/** What is done when a member or its material changes. States are in draw-states.ts, slots in slots.ts. */

import { Matrix4, type Material, type Object3D } from 'three';
import { clock } from '../math/clock.ts';
import {
  ATTRIBUTES,
  CALLS,
  CASTS,
  GEOMETRY,
  KIND,
  LAYERS,
  LOOK,
  MATERIAL,
  ORDER,
  OWN_DEPTH,
  PLACE,
  RECEIVES,
  SHOWN,
  TRAITS,
  VALUES,
  VERTICES,
} from '../three/detector/change-bits.ts';
import { Detector, type ChangeSubscriber } from '../three/detector/detector.ts';
import type { Member } from '../three/group/member.ts';
import type { OctreeGroup } from '../three/group/octree-group.ts';
import type { BatchChunk } from './batch-chunk.ts';
import { BatchKeys, visitMaterials } from './batch-keys.ts';
import { CoplanarMembers, INDICES_PER_UPDATE } from './coplanar.ts';
import { DrawStates, KEPT_UPDATES, MOVED, REST_UPDATES, slotOf, type Resting } from './draw-states.ts';
import type { BatchKey, MergeableMesh } from './mergeable.ts';
import { Movers } from './movers.ts';
import { Slots } from './slots.ts';
import { endsStep } from './steps.ts';
import { ReplacedGeometries } from './replaced-geometries.ts';

/**
 * First value of `BatchMembers.updatesPerBuild`, of what has come to rest without a slot, or moves: a build looks at
 * all members. Test: resting.test.
 */
export const UPDATES_PER_BUILD = 32;
/** Changes after which a slot is drawn as it was written, but for other keys. */
const DRAW_STATE = SHOWN | CASTS | RECEIVES | LAYERS | ORDER;
/** Changes after which a slot is written again, if the member may still be merged. */
const REWRITTEN = CALLS | OWN_DEPTH | KIND | GEOMETRY | VERTICES | ATTRIBUTES | MATERIAL;
/** Members that are out, compared per update; those that have not moved do not count. Test: batch-members.test. */
const OUT_PER_UPDATE = 512;

/** Reason to refuse a member whose indices cannot be written. */
export const BAD_INDEX = 'an index beyond its vertices';
/** Reason to refuse a member with a face in one plane with another one. */
const COPLANAR = 'faces in one plane with those of another mesh, which they overlap: the order of drawing shows';
export function materialOf({ object }: Member): Material {
  return (object as MergeableMesh).material;
}

export class BatchMembers implements ChangeSubscriber<Member> {
  readonly wants: number;
  readonly geometriesPerUpdate = 64;
  readonly materialsPerUpdate = 8;
  readonly canMissMoves = true;
  readonly states = new DrawStates();
  readonly slots = new Slots(this.states);
  /** Geometries of merged meshes, whose buffers are freed. */
  readonly replaced = new ReplacedGeometries();
  /** Meshes that the user has left out: they keep their slots. */
  readonly leftOut = new WeakSet<Object3D>();
  /** Whether any member waits that no build has seen. */
  hasNew = false;
  /** Whether a build is at work, maybe since an earlier update. */
  isInBuild = false;

  readonly detector: Detector<Member>;
  readonly keys: BatchKeys;
  /** Materials whose meshes need new keys since the last update. */
  private readonly forgotten = new Set<Material>();
  readonly children: OctreeGroup['groupChildren'];
  /** Null: members that move are drawn alone. */
  readonly movers: Movers | null;
  readonly coplanar: CoplanarMembers;
  updates = 0;
  updatesPerBuild = UPDATES_PER_BUILD;
  /** From the first resting member at which the next update looks. A Map may change while it is iterated. */
  private restingFrom = this.states.resting.entries();
  /** Whether members wait that have come to rest without a slot. */
  private hasRested = false;
  private readonly fromWorld = new Matrix4();
  private readonly matrix = new Matrix4();

  /**
   * @param mergesMaterials Whether materials that differ in the values of a palette only are drawn as one.
   * @param posesMovers Whether posed chunks draw members that move.
   */
  constructor(group: OctreeGroup, mergesMaterials: boolean, posesMovers: boolean) {
    const { groupChildren } = group;
    this.wants = PLACE | DRAW_STATE | REWRITTEN | TRAITS | (mergesMaterials ? VALUES | LOOK : 0);
    this.children = groupChildren;
    this.coplanar = new CoplanarMembers(groupChildren.bodies, this);
    this.keys = new BatchKeys(mergesMaterials, (material) => this.detector.materials.get(material) !== undefined);
    this.movers = posesMovers ? new Movers(this.states, this.slots, this.keys) : null;
    this.detector = Detector.subscribe(groupChildren.bodies, this);
  }

  /** Whether slots may draw, now or after the build at work, which compares all that it places. */
  private get hasSlots(): boolean {
    return this.chunks.length > 0 || this.isInBuild;
  }

  get chunks(): readonly (BatchChunk | null)[] {
    return this.slots.chunks;
  }

  added(member: Member): void {
    const { index } = member.body!;
    this.states.add(index);
    this.replaced.keepThoseOf(member);
    if (this.hasSlots) this.coplanar.moved.add(member);
    if (member.isStatic) this.wait(member, null);
    else {
      this.states.setResting(member, { address: -1, isMoved: false, since: this.updates });
      this.states.returns[index] = this.updates + REST_UPDATES;
    }
  }

  /** Blocks slots. It writes and frees no buffers: a pass may be drawing. */
  changing(member: Member, bits: number): void {
    const { states, updates } = this;
    const { index } = member.body!;
    // All bodies get other bounds with a group that moves, too.
    const hasMoved = (bits & PLACE) !== 0 && member.hasMoved;
    const isRewritten = (bits & REWRITTEN) !== 0 || hasMoved;
    // The side that a material draws is a trait.
    const isCompared = isRewritten || (bits & TRAITS) !== 0;
    if (isCompared && this.hasSlots)
      this.coplanar[(bits & (REWRITTEN | TRAITS)) === 0 ? 'moved' : 'changed'].add(member);
    if (bits !== PLACE) this.movers?.candidates.delete(member);
    if ((bits & (GEOMETRY | ATTRIBUTES)) !== 0) this.replaced.keepThoseOf(member);
    // Most calls: it moves on.
    if (bits === PLACE && states.addresses[index] === MOVED) {
      if (hasMoved) states.returns[index] = updates + states.delays[index];
      return;
    }
    if (bits === PLACE && this.slots.isPosed(member)) {
      if (hasMoved) this.movers!.moveOn(member, updates);
      return;
    }
    if (states.addressOf(member) < 0) {
      if (hasMoved) this.rest(member, true);
      // A build may have found its key.
      else if (
        (isRewritten && !states.resting.has(member)) ||
        ((bits & DRAW_STATE) !== 0 && states.waiting.has(member))
      )
        this.wait(member, null);
    } else if (isRewritten || (bits & DRAW_STATE) !== 0) {
      const isShowing = (bits & SHOWN) !== 0 && (bits & ~(SHOWN | CASTS | RECEIVES)) === 0;
      if (isShowing && this.slots.hideOrShow(member, !this.isShown(member))) return;
      if (bits === PLACE && states.addresses[index] >= 0) states.lengthenRest(index, updates);
      this.rest(member, isRewritten);
    }
  }

  tookMaterial(material: Material): void {
    if (this.keys.noteOrder(material)) this.forgetDisplaced();
  }

  changingMaterial(material: Material, bits: number): void {
    if ((bits & TRAITS) !== 0) this.tookMaterial(material);
    const isOfValues = (bits & (TRAITS | LOOK)) === 0;
    const canDiffer = (bits & VALUES) !== 0 || !isOfValues;
    if (canDiffer && this.keys.known(material)?.takeChange(isOfValues) === false) this.forget(material);
  }

  forgotMaterial(material: Material): void {
    this.keys.drop(material);
    // Members without bodies may have it, too: a build looks at them.
    if (this.keys.noteOrder(material, false)) this.hasNew = true;
  }

  /** Call it once the detector has reported all changes of an update. @param world World matrix of the group. */
  endChanges(world: Matrix4): void {
    // The detector has none without a body.
    for (const member of this.children.bodies.unculled)
      visitMaterials(member, (material) => this.tookMaterial(material));
    this.endForgotten();
    this.fromWorld.copy(world).invert();
    this.poseMoved();
    this.coplanar.compareChanged();
  }

  /** Has the members of forgotten materials wait for new keys. */
  endForgotten(): void {
    const { forgotten } = this;
    if (forgotten.size > 0)
      for (const member of this.children.allMembers) {
        if (member.body === null || !forgotten.has(materialOf(member))) continue;
        this.slots.vacate(member);
        // The build under way may have written its former texel.
        this.movers?.candidates.delete(member);
        this.wait(member, null);
      }
    forgotten.clear();
  }

  /** Has posed chunks draw their members where they are. */
  poseMoved = (): void => this.movers?.poseMoved(this);

  /** A member loses its body. */
  removed(member: Member): void {
    this.movers?.candidates.delete(member);
    this.slots.vacate(member);
    this.states.setAlone(member);
    this.replaced.delete((member.object as MergeableMesh).geometry);
  }

  refuse(member: Member, reason: string, key: BatchKey | null): void {
    this.slots.vacate(member);
    this.states.setRefused(member, { reason, key });
  }

  /**
   * Refuses a member whose faces overlap those of others in one plane, and these others. Returns whether there are any.
   * Call `coplanar.clear` after the last member.
   */
  refuseCoplanar(member: Member, key: BatchKey): boolean {
    const partners = this.coplanar.partnersOf(member, () => key);
    if (partners.length === 0) return false;
    this.refuse(member, COPLANAR, key);
    for (const partner of partners) {
      const address = this.states.addressOf(partner);
      const known = address < 0 ? this.states.waiting.get(partner) : this.slots.chunkAt(address).key;
      if (known) this.refuse(partner, COPLANAR, known);
    }
    return true;
  }

  /** Queues a member for the next build. @param key Its key, if it is known. */
  wait(member: Member, key: BatchKey | null): void {
    this.states.setWaiting(member, key);
    this.hasNew = true;
  }

  /**
   * Whether a member is as the detector reported it last. If not, the next update reports the change. Invariant: the
   * buffers hold the reported state.
   */
  isAsTold(member: Member): boolean {
    return this.detector.isAsTold(member.body!.index);
  }

  /**
   * Brings slots up to date with their members.
   *
   * @param deadline Time at which to stop; the rest is left to the next update.
   */
  update(deadline: number): void {
    this.updates++;
    // Those that come to rest must not wait for those that move all the time.
    this.coplanar.clear(deadline < Infinity ? INDICES_PER_UPDATE : deadline);
    this.bringBack(deadline);
    this.coplanar.clear();
    for (const [number, chunk] of this.chunks.entries()) {
      if (chunk === null) continue;
      chunk.eraseReleased();
      this.slots.writeReturning(chunk, deadline, (member, geometry, isWritten) =>
        isWritten ? this.replaced.add(geometry) : this.refuse(member, BAD_INDEX, null),
      );
      if (chunk.usedCount === 0) this.slots.free(number);
      else if (!chunk.isOld && chunk !== this.slots.placing && 2 * chunk.usedCount < chunk.members.length) {
        if (chunk.isPosed) chunk.isOld = true;
        else Array.from(this.rebuild(chunk, this.isInBuild));
        this.hasNew = true;
      }
    }
  }

  /**
   * Queues the members of a chunk for a build into other chunks; this one draws until then.
   *
   * @param isForNext For the next build: the one under way may have written members as they were before they moved.
   */
  *rebuild(chunk: BatchChunk, isForNext = false): Generator<void> {
    chunk.isOld = true;
    for (const member of chunk.members) {
      if (endsStep()) yield;
      if (member === null) continue;
      if (!this.states.resting.has(member) || this.states.returns[member.body!.index] > this.updates) {
        if (this.states.of(member) === 'placed') this.states.setWaiting(member, chunk.key);
        continue;
      }
      // Out or about to return: its slot would keep the chunk. All go into one build: two could replace each other.
      const key = this.keyOf(member);
      if (key === null && this.isAsTold(member)) continue; // can no longer be merged
      this.slots.vacate(member);
      this.states.setWaiting(member, isForNext ? null : key);
      // The build under way has counted the others of another key.
      if (key !== chunk.key) this.hasNew = true;
    }
  }

  /**
   * The key of a member. Null, and the member no longer waits, if it cannot be merged; null, and it still waits, if it
   * has changed since the last update.
   */
  keyOf(member: Member): BatchKey | null {
    if (!this.isAsTold(member)) return null;
    const key = this.keys.of(member);
    if (typeof key !== 'string') return key;
    this.slots.vacate(member);
    this.states.setAlone(member);
    return null;
  }

  /** Why a member cannot be merged, in words; null if it can. */
  faultOf(member: Member): string | null {
    const refusal = this.states.refused.get(member);
    if (refusal !== undefined) return refusal.reason;
    const key = this.keys.of(member);
    return typeof key === 'string' ? key : null;
  }

  /**
   * From now on, draws the members that still wait for a new chunk from it. The other slots stay empty.
   *
   * @param isWritten By slot: whether the member could be written.
   */
  *place(chunk: BatchChunk, isWritten: readonly boolean[]): Generator<void> {
    const first = this.slots.add(chunk);
    chunk.finish();
    chunk.blocked.setAll(0, chunk.members.length);
    for (const [slot, member] of chunk.members.entries()) {
      if (endsStep()) yield;
      if (member === null || !isWritten[slot] || !this.awaits(member, chunk, slot)) {
        chunk.vacate(slot);
        chunk.erase(slot);
        continue;
      }
      this.slots.vacate(member);
      const address = first + slot;
      if (!this.isAsTold(member) || this.leftOut.has(member.object)) {
        chunk.erase(slot);
        this.states.setResting(member, { address, isMoved: false, since: this.updates });
        this.states.returns[member.body!.index] = this.updates;
        continue;
      }
      this.slots.occupy(member, address, this.updates);
      this.replaced.add(chunk.replacedGeometry(slot));
      if (!this.isShown(member)) this.slots.release(member, true);
    }
    this.slots.placing = null;
  }

  /** Whether a member still waits for a slot that was written for it. One that is to be posed may have moved since. */
  private awaits(member: Member, chunk: BatchChunk, slot: number): boolean {
    if (!chunk.isPosed) return this.states.waiting.get(member)?.id === chunk.key.id;
    return this.canPose(member, chunk.key) && chunk.pose(slot, this.matrixOf(member.object));
  }

  /** Whether a member may be written into a posed chunk with a key. */
  canPose(member: Member, key: BatchKey): boolean {
    return this.movers?.keyOf(member)?.id === key.id && !this.isOut(member);
  }

  /** From the space of an object to that of the group. Valid until the next call. */
  matrixOf({ matrixWorld }: Object3D): Matrix4 {
    return this.matrix.multiplyMatrices(this.fromWorld, matrixWorld);
  }

  keyInBatch(member: Member): BatchKey | null {
    const { states } = this;
    const { index } = member.body!;
    const isFar = states.returns[index] > this.updates + REST_UPDATES / 2;
    if (isFar && states.addresses[index] === MOVED && this.movers?.candidates.has(member) !== true) return null;
    const address = states.addressOf(member);
    if (address >= 0) return this.slots.chunkAt(address).key;
    return (this.isInBuild && (states.waiting.get(member) ?? this.movers?.keyOf(member))) || null;
  }

  leaveBatch(member: Member): void {
    const wasCandidate = this.movers?.candidates.delete(member);
    if (this.states.addressOf(member) >= 0) this.rest(member, true);
    else if (wasCandidate !== true || this.states.waiting.has(member)) this.wait(member, null);
  }

  /** Leaves a mesh to the renderer, until it is called again with false. */
  leaveOut(object: Object3D, isOut: boolean): void {
    if (!isOut) return void this.leftOut.delete(object);
    this.leftOut.add(object);
    const member = this.children.memberOf(object);
    if (member !== undefined && this.states.placedAt(member) >= 0) this.rest(member, false);
  }

  /** Whether a member with a slot is drawn by the renderer for now: it is hidden, left out, or has just changed. */
  private isOut(member: Member): boolean {
    return !this.isAsTold(member) || !this.isShown(member) || this.leftOut.has(member.object);
  }

  /** Whether the detector has reported a member as visible. */
  isShown(member: Member): boolean {
    return (this.detector.wordAt(member.body!.index) & SHOWN) !== 0;
  }

  /** Number of members that batches draw, or will soon draw. */
  get drawnCount(): number {
    return this.slots.placedCount + (this.movers?.expectedCount ?? 0);
  }

  /** Gives all members back to the renderer. */
  dispose(): void {
    this.detector.unsubscribe(this);
    for (const [number, chunk] of this.chunks.entries()) if (chunk !== null) this.slots.free(number);
    for (const member of this.children.allMembers) this.states.setAlone(member);
    this.keys.dispose();
  }

  /**
   * Leaves a member to the renderer: for some time, if it has moved.
   *
   * @param isMoved Whether its vertices may have changed.
   */
  rest(member: Member, isMoved: boolean): void {
    const { states, updates } = this;
    const { returns, delays } = states;
    const { index } = member.body!;
    const before = states.resting.get(member);
    if (before !== undefined && !isMoved) return;
    const wasPosed = this.slots.isPosed(member);
    if (wasPosed) this.slots.vacate(member);
    const address = Math.max(states.addressOf(member), -1);
    if (isMoved) returns[index] = updates + (delays[index] ||= REST_UPDATES);
    else returns[index] = updates;
    this.slots.release(member);
    this.replaced.delete((member.object as MergeableMesh).geometry);
    states.setResting(member, { address, isMoved, since: before?.since ?? updates });
    if (wasPosed) states.tried.add(member);
  }

  /** Returns visible members at rest to their chunks, or has a build look at them. In turn. */
  private bringBack(deadline: number): void {
    const { states, updates } = this;
    const { resting, returns } = states;
    const isEnding = deadline === Infinity;
    for (let left = isEnding ? resting.size : Math.min(resting.size, OUT_PER_UPDATE); left > 0; left--) {
      let { value: entry, done } = this.restingFrom.next();
      if (done) {
        this.restingFrom = resting.entries();
        ({ value: entry, done } = this.restingFrom.next());
      }
      if (done) break;
      const [member, state] = entry as [Member, Resting];
      const isDue = updates >= returns[member.body!.index];
      if (state.address < 0) {
        if (!isDue && !isEnding) continue;
        states.setWaiting(member, null);
        this.hasRested = true;
        // It costs next to nothing, and all are to get into one build.
        left++;
      } else if (isDue && !this.isOut(member)) {
        this.bringBackOne(member, state);
        if (!state.isMoved && !resting.has(member)) left++;
      } else if (!isDue && updates - state.since > KEPT_UPDATES) {
        this.slots.vacate(member);
        states.setResting(member, { ...state, address: -1 });
      }
      if (clock.now() > deadline) break;
    }
    if (updates % this.updatesPerBuild === 0 && this.movers?.isBuildDue(updates)) this.hasNew = true;
    if (this.movers?.endMotion(updates)) this.hasRested = true;
    if (!this.hasRested || (updates % this.updatesPerBuild !== 0 && !isEnding)) return;
    this.hasRested = false;
    this.hasNew = true;
  }

  private bringBackOne(member: Member, state: Resting): void {
    const { address, isMoved } = state;
    const chunk = this.slots.chunkAt(address);
    const slot = slotOf(address);
    const key = this.keyOf(member);
    const mesh = member.object as MergeableMesh;
    if (isMoved && this.coplanar.isSpent) {
      // In a later update.
      this.states.setResting(member, state);
      return;
    }
    if (isMoved && key !== null && this.refuseCoplanar(member, key)) return;
    const matrix = this.matrixOf(mesh);
    if (
      chunk.isOld ||
      key?.id !== chunk.key.id ||
      !chunk.fits(slot, mesh, matrix) ||
      !chunk.isPrecise(mesh.geometry, matrix)
    ) {
      this.slots.vacate(member);
      // The build under way may have written it as it was before it moved: its key is left to the next one.
      if (key !== null) this.wait(member, this.isInBuild ? null : key);
      return;
    }
    const isValid = isMoved ? chunk.write(slot, matrix, this.keys.texelOf(mesh.material)) : chunk.restore(slot);
    if (!isValid) {
      this.refuse(member, BAD_INDEX, null);
      return;
    }
    this.slots.occupy(member, address, this.updates);
    this.replaced.add(chunk.replacedGeometry(slot));
  }

  /** Gives the meshes of a material back to the renderer, at the end of the update. Builds look at them again. */
  private forget(material: Material): void {
    this.keys.drop(material);
    this.forgotten.add(material);
  }

  /** Forgets the materials that can no longer be drawn at the place of another one. */
  forgetDisplaced(): void {
    for (const material of this.keys.displaced) this.forget(material);
  }
}
