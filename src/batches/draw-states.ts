/** Who draws each member of a group that has batches: its state, and the members in each state. */

import { withCapacity } from '../math/typed-arrays.ts';
import type { Member } from '../three/group/member.ts';
import type { BatchKey } from './mergeable.ts';

/**
 * - alone: cannot be merged. The renderer draws it, as in all states but placed, rebuilding and posed.
 * - waiting: a later build looks at it, and writes it into a batch, if it can be merged and enough others wait.
 * - placed: a batch draws it from a slot, unless it is hidden.
 * - rebuilding: as placed, and waiting for a build that writes it into another batch.
 * - resting: the renderer draws it while it moves or is left out, and once it has changed. It keeps its slot, if it has
 *   one, which draws nothing. A new member that no report tells of rests at first: it may move by itself.
 * - posed: it moves, and a posed chunk draws it from a slot.
 * - refused: a build has found that it is not worth a batch, or cannot be written into one.
 */
export type DrawState = 'alone' | 'waiting' | 'placed' | 'rebuilding' | 'resting' | 'posed' | 'refused';

/** Updates without a change after which a moved member is baked again: half a second. Test: batch-members.test. */
export const REST_UPDATES = 30;
/**
 * Most such updates. A member that moves again before its batch has drawn it for as long as it had to rest, rests twice
 * as long from now on: baking it costs more than its draw calls. Test: resting.test.
 */
export const MAX_REST_UPDATES = 8 * REST_UPDATES;
/** Updates after which a member that goes on moving gives up its slot. Test: resting.test. */
export const KEPT_UPDATES = 20 * REST_UPDATES;

/**
 * Largest number of slots, and of vertices, of a chunk. An address is the number of a chunk times this, plus a slot: a
 * double, because there may be more than 2,047 chunks.
 */
export const MAX_SLOTS = 2 ** 20;

export function slotOf(address: number): number {
  return address & (MAX_SLOTS - 1);
}

export function chunkNumberOf(address: number): number {
  return Math.floor(address / MAX_SLOTS);
}

/** A member that the renderer draws for now. From which update on it may come back: see `DrawStates.returns`. */
export interface Resting {
  /** Of the slot that it keeps; -1: it has none. */
  readonly address: number;
  /** Whether its vertices may have changed. */
  readonly isMoved: boolean;
  /** Number of the update in which it began to rest. */
  readonly since: number;
}

/** In `DrawStates.addresses`: the renderer draws the member, which rests because its vertices may have changed. */
export const MOVED = -2;

/** A member that could be merged by its properties, and that a build has left to the renderer. */
export interface Refusal {
  /** In words. */
  readonly reason: string;
  /** With how many others of this key it is tried again; null: once it changes. */
  readonly key: BatchKey | null;
}

/** Lists of members by state. */
export class DrawStates {
  /** By body: the address of its slot if it is placed or posed (`Slots` has those that draw); else `MOVED` or -1. */
  addresses: Float64Array = new Float64Array(64).fill(-1);
  /**
   * By body: of a resting member the number of the update from which it may come back, of a placed one that of the
   * update in which a slot began to draw it.
   */
  returns: Float64Array = new Float64Array(64);
  /** By body: how many updates it rests after each move. */
  delays: Float64Array = new Float64Array(64);
  /** Waiting and rebuilding members, with their keys; null until a build has found the key. */
  readonly waiting = new Map<Member, BatchKey | null>();
  readonly resting = new Map<Member, Resting>();
  readonly posed = new Set<Member>();
  /** Resting members that a build has looked at as movers, or that have left a posed chunk: they ask for no build. */
  readonly tried = new Set<Member>();
  readonly refused = new Map<Member, Refusal>();
  private readonly lists = [this.waiting, this.resting, this.posed, this.tried, this.refused];

  /** Makes room for a body, which no batch draws yet. */
  add(body: number): void {
    const { length } = this.addresses;
    this.addresses = withCapacity(this.addresses, body + 1);
    this.addresses.fill(-1, length);
    this.returns = withCapacity(this.returns, body + 1);
    this.delays = withCapacity(this.delays, body + 1);
    this.delays[body] = 0;
  }

  /** A placed member has moved. */
  lengthenRest(body: number, update: number): void {
    const { returns, delays } = this;
    const isRestless = update - returns[body] < delays[body];
    delays[body] = isRestless ? Math.min(2 * delays[body], MAX_REST_UPDATES) : REST_UPDATES;
  }

  of(member: Member): DrawState {
    if (this.waiting.has(member)) return this.placedAt(member) >= 0 ? 'rebuilding' : 'waiting';
    if (this.resting.has(member)) return 'resting';
    if (this.posed.has(member)) return 'posed';
    if (this.refused.has(member)) return 'refused';
    return this.placedAt(member) >= 0 ? 'placed' : 'alone';
  }

  /**
   * The address of the slot of a placed or posed member; negative for others. The detector may not have it yet.
   */
  placedAt({ body }: Member): number {
    return body === null ? -1 : (this.addresses[body.index] ?? -1);
  }

  /** The address of the slot that a member has, also while it rests; negative if it has none. */
  addressOf(member: Member): number {
    const address = this.placedAt(member);
    return address >= 0 ? address : (this.resting.get(member)?.address ?? address);
  }

  setAlone(member: Member): void {
    // Most are empty, and deleting takes longer than asking.
    for (const members of this.lists) if (members.size > 0) members.delete(member);
    if (member.body !== null) this.addresses[member.body.index] = -1;
  }

  /** A placed member is rebuilding from now on. */
  setWaiting(member: Member, key: BatchKey | null): void {
    const address = this.placedAt(member);
    if (!this.waiting.has(member)) this.setAlone(member);
    if (address >= 0) this.addresses[member.body!.index] = address;
    this.waiting.set(member, key);
  }

  setPlaced(member: Member, address: number): void {
    this.setAlone(member);
    this.addresses[member.body!.index] = address;
  }

  setPosed(member: Member, address: number): void {
    this.setPlaced(member, address);
    this.posed.add(member);
  }

  setResting(member: Member, resting: Resting): void {
    this.setAlone(member);
    this.resting.set(member, resting);
    if (resting.isMoved) this.addresses[member.body!.index] = MOVED;
  }

  setRefused(member: Member, refusal: Refusal): void {
    this.setAlone(member);
    this.refused.set(member, refusal);
  }
}
