/**
 * Members that move, and which of them a build writes into posed chunks. A member that moves rests at first: the
 * renderer draws it. Once enough others move as well, a build looks at all of them.
 */

import type { Matrix4, Object3D } from 'three';
import type { Member } from '../three/group/member.ts';
import { vertexCountOf } from '../three/bounds/vertex-bounds.ts';
import type { BatchKeys } from './batch-keys.ts';
import { slotOf, type DrawStates, type Resting } from './draw-states.ts';
import { geometryOf, type BatchKey } from './mergeable.ts';
import type { Slots } from './slots.ts';
import { endsStep } from './steps.ts';

/** First value of `Movers.minPosed`. Fewer movers are drawn as fast one by one. Test: posed.test. */
export const MIN_POSED = 50;
/** First value of `Movers.movingUpdates`: a door that opens is drawn alone. Test: posed.test. */
const MOVING_UPDATES = 8;
/**
 * Most vertices of a mover: a posed chunk draws all of its members where a pass sees one. Test: posed.test.
 */
const MAX_POSED_VERTICES = 4096;
/** Updates between two looks at which posed members have come to rest. */
const UPDATES_PER_REST = 16;

/** The batches of the members. */
interface PosedBatches {
  /** From the space of an object to that of the group. */
  matrixOf(object: Object3D): Matrix4;
  /** Leaves a member to the renderer. */
  rest(member: Member, isMoved: boolean): void;
}

export class Movers {
  /** Fewest movers that are worth posed chunks. */
  minPosed = MIN_POSED;
  /** Updates in which a member moves until it counts as a mover. */
  movingUpdates = MOVING_UPDATES;
  /** Those that the build under way may write into posed chunks. They leave it when they change otherwise. */
  readonly candidates = new Set<Member>();
  /** Posed members that have moved since the last update. */
  private readonly moved: Member[] = [];
  private readonly states: DrawStates;
  private readonly slots: Slots;
  private readonly keys: BatchKeys;

  constructor(states: DrawStates, slots: Slots, keys: BatchKeys) {
    this.states = states;
    this.slots = slots;
    this.keys = keys;
  }

  /** Number of members that may soon be drawn from posed chunks; 0 if they are too few. */
  get expectedCount(): number {
    const { resting, tried } = this.states;
    const count = resting.size - tried.size + this.candidates.size;
    return count < this.minPosed ? 0 : count;
  }

  /** Whether a build should look at the movers: at many that none has looked at. @param update Number of the update. */
  isBuildDue(update: number): boolean {
    const { resting, tried } = this.states;
    let count = 0;
    for (const [member, state] of resting)
      if (this.isMover(member, state, update) && !tried.has(member) && ++count >= this.minPosed) return true;
    return false;
  }

  /** A member that a posed chunk draws has moved again. @param update Number of the update. */
  moveOn(member: Member, update: number): void {
    const { states } = this;
    const { index } = member.body!;
    states.returns[index] = update + states.delays[index];
    // It may have rested, and wait for a build.
    if (!states.posed.has(member)) states.setPosed(member, states.addresses[index]);
    this.moved.push(member);
  }

  /** Has posed chunks draw their members where they are; those that cannot be posed there rest. */
  poseMoved(batches: PosedBatches): void {
    const { moved, slots, states } = this;
    for (const member of moved) {
      if (!slots.isPosed(member)) continue;
      const address = states.placedAt(member);
      if (!slots.chunkAt(address).pose(slotOf(address), batches.matrixOf(member.object))) batches.rest(member, true);
    }
    moved.length = 0;
  }

  /** Has members that no longer move wait for a build. Returns whether there are any. In some updates only. */
  endMotion(update: number): boolean {
    const { states } = this;
    let hasRested = false;
    if (update % UPDATES_PER_REST !== 0) return false;
    for (const member of states.posed) {
      if (update < states.returns[member.body!.index]) continue;
      states.setWaiting(member, null);
      hasRested = true;
    }
    return hasRested;
  }

  /** Begins a build: all movers whose meshes a batch can hold are candidates, and their materials are known. */
  *collect(update: number): Generator<void> {
    const { candidates, states, keys } = this;
    candidates.clear();
    for (const member of states.resting.keys()) {
      if (endsStep()) yield;
      // It may have been removed meanwhile.
      const state = states.resting.get(member);
      if (state === undefined || !this.isMover(member, state, update)) continue;
      states.tried.add(member);
      if (typeof keys.of(member) !== 'string' && vertexCountOf(geometryOf(member)) <= MAX_POSED_VERTICES)
        candidates.add(member);
    }
  }

  /**
   * The candidates by their keys, without those of too few. Those that posed chunks draw are among them, if a chunk is
   * half empty or draws no more than the other candidates of its key, or if its key has changed.
   */
  *chooseKeys(minMembers: number): Generator<void, Map<string, BatchKey>> {
    const { candidates, states } = this;
    const found = new Map<string, { readonly key: BatchKey; count: number }>();
    for (const member of candidates) {
      if (endsStep()) yield;
      const key = this.keyOf(member);
      if (key === null) continue;
      const amount = found.get(key.id) ?? { key, count: 0 };
      amount.count++;
      found.set(key.id, amount);
    }
    let total = candidates.size;
    for (const member of states.posed) {
      if (endsStep()) yield;
      // It may have left meanwhile.
      if (!states.posed.has(member)) continue;
      const chunk = this.slots.chunkAt(states.placedAt(member));
      const key = this.keys.of(member);
      if (typeof key === 'string') continue;
      const { count } = found.get(key.id) ?? { count: 0 };
      if (!chunk.isOld && key.id === chunk.key.id && chunk.usedCount > count) continue;
      total++;
      candidates.add(member);
      if (!found.has(key.id)) found.set(key.id, { key, count: chunk.usedCount });
    }
    const chosen = new Map<string, BatchKey>();
    if (total >= this.minPosed) for (const [id, { key, count }] of found) if (count >= minMembers) chosen.set(id, key);
    return chosen;
  }

  /** The key of a candidate; null if it is none, or can no longer be merged. */
  keyOf(member: Member): BatchKey | null {
    if (!this.candidates.has(member)) return null;
    const key = this.keys.of(member);
    return typeof key === 'string' ? null : key;
  }

  private isMover(member: Member, { isMoved, since }: Resting, update: number): boolean {
    return (
      isMoved &&
      update - since >= this.movingUpdates &&
      !member.isStatic &&
      update < this.states.returns[member.body!.index]
    );
  }
}
