/**
 * The slots of members in chunks, and which of them draw.
 *
 * Invariant: a slot that draws something belongs to a placed or posed member, or is blocked. The slot of a placed
 * member draws nothing while the member is hidden. If it was erased meanwhile, it draws again once it is written.
 */

import type { BufferGeometry } from 'three';
import { clock } from '../math/clock.ts';
import type { Member } from '../three/group/member.ts';
import type { BatchChunk } from './batch-chunk.ts';
import { chunkNumberOf, MAX_SLOTS, slotOf, type DrawStates } from './draw-states.ts';
import { endsStep } from './steps.ts';

export class Slots {
  /** By number; null: free. */
  readonly chunks: (BatchChunk | null)[] = [];
  /** Number of members that slots draw. */
  placedCount = 0;
  /** The chunk that was added last, while a build places its members. */
  placing: BatchChunk | null = null;
  private readonly states: DrawStates;

  constructor(states: DrawStates) {
    this.states = states;
  }

  chunkAt(address: number): BatchChunk {
    return this.chunks[chunkNumberOf(address)]!;
  }

  /** Whether a posed chunk draws a member. */
  isPosed(member: Member): boolean {
    const address = this.states.placedAt(member);
    return address >= 0 && this.chunkAt(address).isPosed;
  }

  /** Whether a slot draws a member. */
  draws(member: Member): boolean {
    const address = this.states.placedAt(member);
    return address >= 0 && this.chunkAt(address).draws(slotOf(address));
  }

  /** Adds a chunk. Returns the address of its first slot. */
  add(chunk: BatchChunk): number {
    let number = this.chunks.indexOf(null);
    if (number < 0) number = this.chunks.length;
    this.chunks[number] = this.placing = chunk;
    return number * MAX_SLOTS;
  }

  /** Has a slot draw a member. @param update Number of the update. */
  occupy(member: Member, address: number, update: number): void {
    const { index } = member.body!;
    const chunk = this.chunkAt(address);
    if (chunk.isPosed) this.states.setPosed(member, address);
    else {
      this.states.setPlaced(member, address);
      this.states.returns[index] = update;
    }
    this.draw(member, chunk, slotOf(address));
  }

  /** Has the slot of a placed member draw it. The slot must be written. */
  draw({ body }: Member, chunk: BatchChunk, slot: number): void {
    chunk.blocked.clear(slot);
    chunk.returning.clear(slot);
    if (!chunk.draws(slot)) this.placedCount++;
    chunk.bodyOfSlot[slot] = body!.index;
  }

  /** Ends the drawing of a member by its chunk. @param isHidden Whether it stays placed. */
  release(member: Member, isHidden = false): void {
    const address = this.states.placedAt(member);
    if (address < 0) return;
    if (this.chunkAt(address).release(slotOf(address))) this.placedCount--;
    if (!isHidden) this.states.addresses[member.body!.index] = -1;
  }

  /**
   * Has the slot of a member draw nothing, or draw it again: at once, or after `writeReturning`, if it was erased.
   *
   * @returns False if the slot cannot draw it as it is, or the member is posed or not placed.
   */
  hideOrShow(member: Member, isShown: boolean): boolean {
    const address = this.states.placedAt(member);
    const chunk = address < 0 ? null : this.chunkAt(address);
    if (chunk === null || chunk.isPosed) return false;
    const { castShadow, receiveShadow } = member.object;
    if (!isShown) this.release(member, true);
    // No report tells of the shadows of a hidden object.
    else if (castShadow !== chunk.key.castShadow || receiveShadow !== chunk.key.receiveShadow) return false;
    else if (chunk.erased.has(slotOf(address))) chunk.returning.set(slotOf(address));
    else this.draw(member, chunk, slotOf(address));
    return true;
  }

  /**
   * Has the erased slots of a chunk draw the members that are visible again, up to a deadline.
   *
   * @param visitor Gets each member, the geometry that its vertices were copied from, and whether that was possible.
   */
  writeReturning(
    chunk: BatchChunk,
    deadline: number,
    visitor: (member: Member, geometry: BufferGeometry | null, isWritten: boolean) => void,
  ): void {
    const { returning, members } = chunk;
    const { length } = members;
    for (let slot = -1; (slot = returning.firstIn(slot + 1, length)) < length;) {
      const member = members[slot]!;
      const isWritten = chunk.restore(slot);
      if (isWritten) this.draw(member, chunk, slot);
      visitor(member, chunk.replacedGeometry(slot), isWritten);
      if (endsStep() && clock.now() > deadline) return;
    }
  }

  /** Takes the slot of a member away, if it has one. */
  vacate(member: Member): void {
    const address = this.states.addressOf(member);
    if (address < 0) return;
    this.release(member);
    this.states.resting.delete(member);
    this.chunkAt(address).vacate(slotOf(address));
  }

  /** Frees a chunk. */
  free(number: number): void {
    const chunk = this.chunks[number]!;
    for (const member of chunk.members) if (member !== null) this.vacate(member);
    this.chunks[number] = null;
    chunk.dispose();
  }
}
