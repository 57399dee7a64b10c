/**
 * The slots of members: which batch draws each, and what is done when a member or its material changes. The states of
 * members are in draw-states.ts.
 *
 * Invariant: a slot that draws something belongs to a placed member, or is blocked.
 */

import { Matrix4, type Color, type Material, type Object3D } from 'three';
import { clock } from '../math/clock.ts';
import type { GroupChildren } from '../three/group/group-children.ts';
import type { Member } from '../three/group/member.ts';
import type { BatchChunk } from './batch-chunk.ts';
import { BatchKeys } from './batch-keys.ts';
import { CoplanarMembers } from './coplanar.ts';
import { DrawStates, type Resting } from './draw-states.ts';
import { memberFault, type BatchKey, type MaterialTraits, type MergeableMesh } from './mergeable.ts';
import { PlacedBodies } from './placed-bodies.ts';
import { endsStep } from './steps.ts';
import { ReplacedGeometries } from './replaced-geometries.ts';

/** Updates without a report after which a moved member is baked again: half a second. */
const REST_UPDATES = 30;
/**
 * Members whose properties and vertices each update compares, in turn. About 0.5 microseconds each, because their data
 * are seldom in the cache: in a scene of 9,000 meshes it is a quarter of what a frame pays for batches.
 */
const RARE_PER_UPDATE = 128;
/** Bodies among which each update looks for them. */
const SEARCHED_PER_UPDATE = 1024;
/** Members that are out, compared per update. */
const OUT_PER_UPDATE = 512;
/** Reason to refuse a member whose indices cannot be written. */
export const BAD_INDEX = 'an index beyond its vertices';
/** Reason to refuse a member with a face in one plane with another one. */
const COPLANAR = 'faces in one plane with those of another mesh, which they overlap: the order of drawing shows';
/**
 * Largest number of slots, and of vertices, of a chunk. An address is the number of a chunk times this, plus a slot: a
 * double, because there may be more than 2,047 chunks.
 */
export const MAX_SLOTS = 2 ** 20;

export function slotOf(address: number): number {
  return address & (MAX_SLOTS - 1);
}

function chunkNumberOf(address: number): number {
  return Math.floor(address / MAX_SLOTS);
}

export class BatchMembers {
  /** By number; null: free. */
  readonly chunks: (BatchChunk | null)[] = [];
  /** The chunk that a build writes, before it is placed. */
  building: BatchChunk | null = null;
  readonly states = new DrawStates();
  /** The addresses of members, and what was written for them, by body. */
  readonly placed = new PlacedBodies();
  /** Geometries of merged meshes, whose buffers are freed. */
  readonly replaced = new ReplacedGeometries();
  /** Meshes that the user has left out: they keep their slots. */
  readonly leftOut = new WeakSet<Object3D>();
  /** Whether any member waits that no build has seen. */
  hasNew = false;

  /** Placed members that a pass has found changed. */
  private readonly foundChanged = new Set<Member>();
  private readonly keys: BatchKeys;
  private readonly allMembers: () => readonly Member[];
  private readonly coplanar: CoplanarMembers;
  private updates = 0;
  /** The body at which `findRareChanges` goes on. */
  private rareBody = 0;
  private readonly fromWorld = new Matrix4();
  private readonly matrix = new Matrix4();

  /**
   * @param children The children of the group.
   * @param mergesColors Whether materials that differ in colour only are drawn as one.
   */
  constructor(children: GroupChildren, mergesColors: boolean) {
    this.allMembers = () => children.allMembers;
    this.coplanar = new CoplanarMembers(children.bodies);
    this.keys = new BatchKeys(mergesColors);
  }

  /** The colour to bake into the vertices of a member; null if its material draws it. */
  colorOf({ object }: Member): Color | null {
    return this.keys.colorOf((object as MergeableMesh).material);
  }

  chunkAt(address: number): BatchChunk {
    return this.chunks[chunkNumberOf(address)]!;
  }

  /** A member has got a body: it may be merged. */
  add(member: Member): void {
    this.placed.add(member.body!.index);
    this.wait(member, null);
  }

  /** The user has reported a change: the renderer draws the member until it rests. */
  change(member: Member): void {
    if (this.states.addressOf(member) >= 0) this.rest(member, true, REST_UPDATES);
    else if (member.body !== null) this.wait(member, null);
  }

  /** A member loses its body. */
  remove(member: Member): void {
    this.vacate(member);
    this.states.setAlone(member);
    this.keys.remove(member);
    this.replaced.delete((member.object as MergeableMesh).geometry);
  }

  /** A build leaves a member that waits to the renderer. */
  refuse(member: Member, reason: string, key: BatchKey | null): void {
    this.vacate(member);
    this.states.setRefused(member, { reason, key });
  }

  /**
   * Refuses a member whose faces overlap those of others in one plane, and these others. Returns whether there are any.
   * Call `forgetShapes` after the last member.
   */
  refuseCoplanar(member: Member, key: BatchKey): boolean {
    const partners = this.coplanar.partnersOf(member, key, (each) => this.matrixOf(each));
    if (partners.length === 0) return false;
    this.refuse(member, COPLANAR, key);
    for (const partner of partners) {
      const address = this.states.addressOf(partner);
      const known = address < 0 ? this.states.waiting.get(partner) : this.chunkAt(address).key;
      if (known) this.refuse(partner, COPLANAR, known);
    }
    return true;
  }

  forgetShapes(): void {
    this.coplanar.clear();
  }

  /** Queues a member for the next build. @param key Its key, if it is known. */
  wait(member: Member, key: BatchKey | null): void {
    this.waitAgain(member, key);
    this.hasNew = true;
  }

  /** As `wait`, for a build that is going on and has yet to list what waits. */
  waitAgain(member: Member, key: BatchKey | null): void {
    this.states.setWaiting(member, key);
  }

  /** A pass has found that a placed member has other properties than were baked. The next update looks at it. */
  noteChange(member: Member): void {
    this.foundChanged.add(member);
  }

  /**
   * Finds changes of materials, and takes out the members that passes have found changed. It blocks slots, but writes
   * and frees no buffers, but for vertex colours: a pass may be drawing.
   *
   * @param isBuilding Whether a build goes on, or begins in this update.
   */
  findChanges(isBuilding: boolean): void {
    this.keys.update(
      (traits) => this.forget(traits),
      (traits) => this.recolor(traits),
      !isBuilding && !this.hasChunks,
    );
    for (const member of this.foundChanged) {
      const { slotAddress: address } = member;
      if (address >= 0 && (!this.chunkAt(address).isAsWritten(slotOf(address)) || member.hasHiddenAncestor))
        this.rest(member, false);
    }
    this.foundChanged.clear();
  }

  /**
   * Brings slots up to date with their members. Call it after `findChanges`.
   *
   * @param world World matrix of the group.
   * @param deadline Time at which to stop; the rest is left to the next update.
   */
  update(world: Matrix4, deadline: number): void {
    this.updates++;
    this.fromWorld.copy(world).invert();
    this.findRareChanges();
    for (const chunk of this.chunks) chunk?.eraseReleased();
    this.bringBack(deadline);
    this.forgetShapes();
    for (const [number, chunk] of this.chunks.entries()) {
      if (chunk === null) continue;
      if (chunk.usedCount === 0) this.free(number);
      else if (!chunk.isOld && 2 * chunk.usedCount < chunk.members.length) {
        Array.from(this.rebuild(chunk));
        this.hasNew = true;
      }
    }
    this.keys.sweep(this.allMembers, this.usedKeys(), deadline);
  }

  /**
   * Queues the members of a chunk for a build, which writes them into another one; this one draws until then.
   */
  *rebuild(chunk: BatchChunk): Generator<void> {
    chunk.isOld = true;
    for (const member of chunk.members) {
      if (endsStep()) yield;
      if (member !== null && this.states.of(member) === 'placed') this.waitAgain(member, chunk.key);
    }
  }

  /** Whether the group has opaque materials whose place among the others shows. */
  get showsOrder(): boolean {
    return this.keys.showsOrder;
  }

  /** See `BatchKeys.countDifferent`. */
  countDifferent(materials: Iterable<Material>): number {
    return this.keys.countDifferent(materials);
  }

  /** Finds such materials (`showsOrder`), also of members that cannot be merged. */
  *noteOrder(): Generator<void> {
    for (const member of this.allMembers()) {
      if (endsStep()) yield;
      this.keys.noteOrder(member);
    }
  }

  /** The key of a member; null, and the member no longer waits, if it cannot be merged. */
  keyOf(member: Member): BatchKey | null {
    const key = this.keys.of(member);
    if (typeof key !== 'string') return key;
    this.vacate(member);
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
    let number = this.chunks.indexOf(null);
    if (number < 0) number = this.chunks.length;
    this.chunks[number] = chunk;
    this.building = null;
    chunk.finish();
    chunk.blocked.setAll(0, chunk.members.length);
    for (const [slot, member] of chunk.members.entries()) {
      if (endsStep()) yield;
      if (member === null || !isWritten[slot] || this.states.waiting.get(member) !== chunk.key) {
        chunk.vacate(slot);
        chunk.erase(slot);
        continue;
      }
      this.vacate(member);
      const address = number * MAX_SLOTS + slot;
      if (!chunk.isAsWritten(slot) || this.leftOut.has(member.object)) {
        // Hidden, or changed meanwhile: it may come back, as others that rest.
        chunk.erase(slot);
        this.states.setResting(member, { address, isMoved: false, until: this.updates });
        continue;
      }
      this.occupy(member, address);
      chunk.blocked.clear(slot);
      this.replaced.add(chunk.replacedGeometry(slot));
    }
  }

  private get hasChunks(): boolean {
    return this.chunks.some((chunk) => chunk !== null);
  }

  /** From the space of a member to that of the group. Valid until the next call. */
  matrixOf(member: Member): Matrix4 {
    return this.matrix.multiplyMatrices(this.fromWorld, member.object.matrixWorld);
  }

  /** Gives all members back to the renderer. */
  clear(): void {
    for (const number of this.chunks.keys()) if (this.chunks[number] !== null) this.free(number);
    for (const member of this.allMembers()) this.states.setAlone(member);
    this.keys.dispose();
  }

  private occupy(member: Member, address: number): void {
    this.states.setPlaced(member, address);
    const { index } = member.body!;
    const chunk = this.chunkAt(address);
    const slot = slotOf(address);
    chunk.bodyOfSlot[slot] = index;
    this.placed.set(index, address, chunk, slot);
  }

  /**
   * Leaves a member with a slot to the renderer for some time.
   *
   * @param updates For which it rests at least.
   */
  private rest(member: Member, isMoved: boolean, updates = 0): void {
    const address = this.states.addressOf(member);
    this.release(member);
    this.replaced.delete((member.object as MergeableMesh).geometry);
    this.states.setResting(member, { address, isMoved, until: this.updates + updates });
  }

  /** Ends the drawing of a placed member by its chunk. */
  private release(member: Member): void {
    const { slotAddress: address } = member;
    if (address < 0) return;
    this.chunkAt(address).release(slotOf(address));
    member.slotAddress = -1;
    this.placed.clear(member.body!.index);
  }

  /** Takes the slot of a member away, if it has one. */
  private vacate(member: Member): void {
    const address = this.states.addressOf(member);
    if (address < 0) return;
    this.release(member);
    this.states.resting.delete(member);
    const chunk = this.chunkAt(address);
    this.keys.leave(chunk.materials[slotOf(address)]!);
    chunk.vacate(slotOf(address));
  }

  /** Returns visible members at rest to their chunks. The longest out come first. */
  private bringBack(deadline: number): void {
    const { resting } = this.states;
    let left = Math.min(resting.size, OUT_PER_UPDATE);
    for (const [member, state] of resting) {
      if (left-- === 0 || clock.now() > deadline) return;
      const { object } = member;
      const isOut = !object.visible || member.hasHiddenAncestor || this.leftOut.has(object);
      // To the end of the list.
      if (isOut || this.updates < state.until) this.states.setResting(member, state);
      else this.bringBackOne(member, state);
    }
  }

  private bringBackOne(member: Member, { address, isMoved }: Resting): void {
    const chunk = this.chunkAt(address);
    const slot = slotOf(address);
    const key = this.keyOf(member);
    const mesh = member.object as MergeableMesh;
    if (isMoved && key !== null && this.refuseCoplanar(member, key)) return;
    const matrix = this.matrixOf(member);
    if (key !== chunk.key || !chunk.fits(slot, mesh, matrix) || !chunk.isPrecise(mesh.geometry, matrix)) {
      this.vacate(member);
      if (key !== null) this.wait(member, key);
      return;
    }
    const isSame = !isMoved && chunk.hasSource(slot);
    const isValid = isSame
      ? chunk.restore(slot, matrix.determinant() < 0)
      : chunk.write(slot, matrix, this.colorOf(member));
    if (!isValid) {
      this.refuse(member, BAD_INDEX, null);
      return;
    }
    this.occupy(member, address);
    this.replaced.add(chunk.replacedGeometry(slot));
  }

  /** Compares the next members with what no pass compares: what forbids merging them, and their vertices. */
  private findRareChanges(): void {
    const { addresses } = this.placed;
    if (this.rareBody >= addresses.length) this.rareBody = 0;
    const end = Math.min(this.rareBody + SEARCHED_PER_UPDATE, addresses.length);
    // In the order of the bodies: see placed-bodies.ts. In the order of the octree it takes twice as long.
    for (let left = RARE_PER_UPDATE; left > 0 && this.rareBody < end; this.rareBody++) {
      const address = addresses[this.rareBody];
      if (address < 0) continue;
      left--;
      this.findRareChange(this.chunkAt(address), slotOf(address));
    }
  }

  private findRareChange(chunk: BatchChunk, slot: number): void {
    const member = chunk.members[slot]!;
    if (memberFault(member) !== null || chunk.hasNewVertices(slot)) this.rest(member, true);
  }

  /** Gives the meshes of a material back to the renderer. Builds look at them again. */
  private forget({ material, drawnBy }: MaterialTraits): void {
    for (const chunk of this.chunks) {
      if (chunk === null || !drawnBy.has(chunk.key.material)) continue;
      for (const [slot, member] of chunk.members.entries()) {
        if (member === null || chunk.materials[slot] !== material) continue;
        this.vacate(member);
        this.wait(member, null);
      }
    }
    for (const member of this.allMembers())
      if (member.body !== null && member.slotAddress < 0 && (member.object as MergeableMesh).material === material)
        this.change(member);
  }

  private recolor({ material, drawnBy, color }: MaterialTraits): void {
    for (const chunk of [...this.chunks, this.building]) {
      if (chunk === null || !drawnBy.has(chunk.key.material)) continue;
      for (let slot = 0; slot < chunk.members.length; slot++)
        if (chunk.materials[slot] === material) chunk.writeColors(slot, color!);
    }
  }

  /** The keys of what waits and of what is built. */
  private *usedKeys(): Generator<BatchKey | null> {
    for (const chunk of [...this.chunks, this.building]) yield chunk?.key ?? null;
    for (const { key } of this.states.refused.values()) yield key;
    yield* this.states.waiting.values();
  }

  private free(number: number): void {
    const chunk = this.chunks[number]!;
    for (const member of chunk.members) if (member !== null) this.vacate(member);
    this.chunks[number] = null;
    chunk.dispose();
  }
}
