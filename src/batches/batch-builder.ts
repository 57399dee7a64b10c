/** Builds chunks of the members that wait, in slices of a few milliseconds. */

import type { BufferGeometry, Material } from 'three';
import { IndexList } from '../tree/storage/index-list.ts';
import { vertexCountOf } from '../three/bounds/vertex-bounds.ts';
import type { Member } from '../three/group/member.ts';
import { ChunkSources, type BatchChunk } from './batch-chunk.ts';
import { visitMaterials } from './batch-keys.ts';
import { BAD_INDEX, materialOf, type BatchMembers } from './batch-members.ts';
import { MAX_SLOTS } from './draw-states.ts';
import type { DrawState } from './draw-states.ts';
import { canInstance, InstancedChunk } from './instanced-chunk.ts';
import { geometryOf, type BatchKey, type MergeableMesh } from './mergeable.ts';
import { MergedChunk } from './merged-chunk.ts';
import { MAX_BONES, PosedChunk, PosedInstances } from './posed-chunk.ts';
import { endsStep, runSteps } from './steps.ts';

/** First value of `BatchBuilder.minMembers`. Test: mergeable.test. */
const MIN_MEMBERS = 4;
/**
 * First value of `BatchBuilder.minInstances`. Instancing saves memory, and costs a draw call and the copies of
 * matrices: 10,000 boxes of one geometry take 1.0 to 1.25 of the time of merged ones and 1/11 of the memory, of 10
 * geometries 1.1 to 1.5, of 40 geometries 1.2 to 2.8. Test: instanced.test.
 */
const MIN_INSTANCES = 256;
/** Why a member is not merged: see `BatchChunk.isPrecise`. */
const TOO_TINY = 'tiny, and far from the middle of its batch: float32 would shift its vertices';
/**
 * Vertices of a chunk: a sixteenth of its key, within these limits. So a renderer uploads a new chunk in a few
 * milliseconds (5.8 MB with normals, colours and texture coordinates), and a pass over a large scene has few of them.
 * Measured: chunks of 2^16 to 2^20 vertices are drawn in equally many calls, because each may bridge gaps. Test:
 * chunks.test.
 */
const MIN_CHUNK_VERTICES = 2 ** 17;
const CHUNKS_PER_KEY = 16;
/** The limit of coordinates of an octree. */
const LIMIT = 2 ** 50;

/** States in which a member has a key, or none because of it. */
const REKEYED: readonly DrawState[] = ['waiting', 'placed', 'rebuilding', 'refused'];

export class BatchBuilder {
  /** Fewest members of a key that are worth a chunk. */
  minMembers = MIN_MEMBERS;
  /** Fewest members with the same geometry, and the same key, that are drawn instanced. */
  minInstances = MIN_INSTANCES;

  private readonly members: BatchMembers;
  private readonly order = new IndexList();
  private steps: Iterator<void> | null = null;

  constructor(members: BatchMembers) {
    this.members = members;
  }

  get isBuilding(): boolean {
    const { hasNew, detector } = this.members;
    return this.steps !== null || hasNew || !detector.hasAll;
  }

  /**
   * Goes on building, by at least one step.
   *
   * @param deadline Time at which to stop.
   */
  run(deadline: number): void {
    // Of all members: later builds would write many again.
    if (!this.isBuilding || !this.members.detector.hasAll) return;
    this.steps ??= this.build();
    this.members.isInBuild = true;
    try {
      if (runSteps(this.steps, deadline)) this.end();
    } catch (error) {
      // What is built is kept. The rest waits for another build.
      this.end();
      this.members.hasNew = true;
      throw error;
    }
  }

  private end(): void {
    this.steps = null;
    this.members.isInBuild = false;
    this.members.slots.placing = null;
    this.members.movers?.candidates.clear();
  }

  private *build(): Generator<void> {
    const { members } = this;
    const { waiting } = members.states;
    members.hasNew = false;
    const { movers } = members;
    yield* this.noteOrder();
    if (movers !== null) yield* movers.collect(members.updates);
    yield* this.shareMaterials();
    const amounts = new Map<string, Amount>();
    let hasLate = false;
    for (const member of waiting.keys()) {
      if (endsStep()) yield;
      // It may have been removed meanwhile, or its key may be another one.
      if (!waiting.has(member)) continue;
      const key = waiting.get(member) ?? members.keyOf(member);
      if (key === null) {
        hasLate ||= waiting.has(member);
        continue;
      }
      members.states.setWaiting(member, key);
      const amount = amounts.get(key.id) ?? { key, count: 0, vertices: 0 };
      amount.count++;
      amount.vertices += vertexCountOf(geometryOf(member));
      amounts.set(key.id, amount);
    }
    members.hasNew ||= hasLate;
    const lists = yield* this.chooseLists(amounts);
    const posed = new Map<string, BuildList>();
    for (const [id, key] of movers === null ? [] : yield* movers.chooseKeys(this.minMembers))
      posed.set(id, { key, members: [], builtVertices: 0 });
    if (lists.size + posed.size === 0) return;
    const everything = { min: { x: -LIMIT, y: -LIMIT, z: -LIMIT }, max: { x: LIMIT, y: LIMIT, z: LIMIT } };
    const { octree, ordered } = members.children.bodies;
    octree.collectBox(everything, this.order);
    const { array, length } = this.order;
    for (let k = 0; k < length; k++) {
      if (endsStep()) yield;
      const member = ordered.memberAt(array[k]) as Member | undefined;
      if (member === undefined) continue;
      const key = waiting.get(member) ?? null;
      const list = key === null ? undefined : lists.get(key.id);
      if (list !== undefined && !members.refuseCoplanar(member, key!)) list.members.push(member);
      const mover = movers?.keyOf(member) ?? null;
      if (mover !== null && posed.has(mover.id) && members.coplanar.partnersOf(member, () => mover).length === 0)
        posed.get(mover.id)!.members.push(member);
    }
    members.coplanar.clear();
    for (const list of lists.values()) yield* this.buildKey(list);
    for (const list of posed.values()) yield* this.buildKey(list, true);
  }

  /**
   * Looks at all new materials of waiting members, and has those that can be drawn as one: their members get new keys,
   * and until then their slots draw them. A material keeps drawing itself if batches draw more of its members than
   * wait, or are drawn as one: one mesh with another colour must not have a whole city built again.
   */
  private *shareMaterials(): Generator<void> {
    const { members } = this;
    const { keys, states } = members;
    for (const member of states.waiting.keys()) {
      if (endsStep()) yield;
      const isKnown = keys.known(materialOf(member)) !== undefined;
      // It may have been removed meanwhile.
      if (!isKnown && states.waiting.has(member)) members.keyOf(member);
    }
    const { due } = keys.shared;
    if (due.length === 0) return;
    const waiting = new Map<Material, number>();
    const placed = new Map<Material, number>();
    for (const member of members.children.allMembers) {
      if (endsStep()) yield;
      const material = materialOf(member);
      const isPlaced = states.placedAt(member) >= 0;
      const isWaiting = states.waiting.has(member) || members.movers?.candidates.has(member) === true;
      const counts = isWaiting || (isPlaced && keys.known(material)?.hasPalette) ? waiting : placed;
      if (isWaiting || isPlaced) counts.set(material, (counts.get(material) ?? 0) + 1);
    }
    const opened = new Set<Material>();
    for (const shared of due) {
      const users: Material[] = [];
      // A copy: a material that is dropped and comes back meanwhile would be visited twice.
      for (const user of Array.from(shared.users)) {
        yield;
        if (shared.matches(user, false)) users.push(user);
      }
      let count = users.reduce((sum, user) => sum + (waiting.get(user) ?? 0), 0);
      const placedOf = (user: Material): number => placed.get(user) ?? 0;
      const chosen: Material[] = [];
      // Those with the fewest first, so that it does not depend on further builds which ones are chosen.
      for (const user of users.sort((a, b) => placedOf(a) - placedOf(b))) {
        // It may have been dropped meanwhile, or a material whose order shows may have come between.
        if (!shared.users.has(user) || !keys.areNeighbours(shared.id, user.id)) continue;
        if (shared.draws(user) || placedOf(user) > count) continue;
        chosen.push(user);
        count += placedOf(user);
      }
      if (chosen.length === 0 || chosen.length + shared.drawnCount < 2) continue;
      shared.open(chosen);
      for (const material of chosen) if (shared.draws(material)) opened.add(material);
    }
    for (const member of members.children.allMembers) {
      if (endsStep()) yield;
      if (opened.has(materialOf(member)) && REKEYED.includes(states.of(member))) states.setWaiting(member, null);
    }
  }

  /**
   * Finds opaque materials whose place among the others shows (`showsOrder`), also of members that cannot be merged.
   */
  private *noteOrder(): Generator<void> {
    const { members } = this;
    let isNew = false;
    for (const member of members.children.allMembers) {
      if (endsStep()) yield;
      visitMaterials(member, (material) => {
        if (members.keys.noteOrder(material)) isNew = true;
      });
    }
    members.keys.keepOrder();
    if (!isNew) return;
    members.forgetDisplaced();
    // Now: other materials may get their texels in this step.
    members.endForgotten();
  }

  /**
   * An empty list for each key of which enough members wait. Small chunks that hold no more members than wait are built
   * again together with them: so a key has few chunks, and a member is built only a few times. Refused members are
   * tried again by the same rule.
   */
  private *chooseLists(waiting: ReadonlyMap<string, Amount>): Generator<void, Map<string, BuildList>> {
    const { members } = this;
    const chunks = byKey(members.chunks.filter((chunk) => chunk?.isOld === false && !chunk.isPosed) as BatchChunk[]);
    const refused = byKey(Array.from(members.states.refused, ([member, { key }]) => ({ member, key })));
    if (endsStep()) yield;
    const lists = new Map<string, BuildList>();
    for (const [id, { key, count, vertices }] of waiting) {
      if (count < this.minMembers) continue;
      let total = count;
      const again = refused.get(id) ?? [];
      if (again.length <= count) {
        for (const { member } of again) {
          if (endsStep()) yield;
          if (members.states.refused.has(member)) members.states.setWaiting(member, key);
        }
        total += again.length;
      }
      const own = chunks.get(id) ?? [];
      const all = own.reduce((sum, { vertexCount }) => sum + vertexCount, vertices);
      let builtVertices = all - vertices;
      for (const chunk of own.sort((a, b) => a.usedCount - b.usedCount)) {
        if (chunk.usedCount > total) break;
        if (chunk.vertexCount > chunkVerticesFor(all) / 2) continue;
        total += chunk.usedCount;
        yield* members.rebuild(chunk);
        builtVertices -= chunk.vertexCount;
      }
      lists.set(id, { key, members: [], builtVertices });
    }
    return lists;
  }

  /** Builds chunks of members in the order of the octree: of many with the same geometry, and of the others. */
  private *buildKey({ key, members, builtVertices }: BuildList, isPosed = false): Generator<void> {
    const bySource = new Map<BufferGeometry, Member[]>();
    for (const member of members) {
      if (endsStep()) yield;
      addToList(bySource, geometryOf(member), member);
    }
    const instanced = new Set<Member>();
    for (const same of bySource.values()) {
      if (same.length < this.minInstances) continue;
      const able: Member[] = [];
      for (const member of same) {
        if (endsStep()) yield;
        if (canInstance(key, this.members.matrixOf(member.object))) able.push(member);
      }
      if (able.length < this.minInstances) continue;
      for (const member of able) instanced.add(member);
      yield* this.buildParts(key, able, MAX_SLOTS, Infinity, isPosed ? PosedInstances : InstancedChunk, isPosed);
    }
    const merged: Member[] = [];
    let vertices = builtVertices;
    for (const member of members) {
      if (endsStep()) yield;
      if (instanced.has(member)) continue;
      merged.push(member);
      vertices += vertexCountOf(geometryOf(member));
    }
    if (isPosed) yield* this.buildParts(key, merged, MAX_BONES, MIN_CHUNK_VERTICES, PosedChunk, true);
    else yield* this.buildParts(key, merged, Infinity, chunkVerticesFor(vertices), MergedChunk, false);
  }

  /** @param room Most members of a chunk. @param vertexRoom Most vertices. */
  private *buildParts(
    key: BatchKey,
    list: readonly Member[],
    room: number,
    vertexRoom: number,
    Chunk: ChunkClass,
    isPosed: boolean,
  ): Generator<void> {
    const { members } = this;
    let part = new ChunkSources();
    for (const member of list) {
      if (endsStep()) yield;
      // A member may have been removed or changed meanwhile.
      if (!this.keepsKey(member, key, isPosed)) continue;
      const { members: before, vertexCount } = part;
      const isFull = before.length === room || vertexCount + vertexCountOf(geometryOf(member)) > vertexRoom;
      if (before.length > 0 && isFull) {
        yield* this.buildChunk(key, part, Chunk);
        part = new ChunkSources();
      }
      part.add(member, members.matrixOf(member.object));
    }
    yield* this.buildChunk(key, part, Chunk);
  }

  private *buildChunk(key: BatchKey, sources: ChunkSources, Chunk: ChunkClass): Generator<void> {
    if (sources.members.length === 0) return;
    const { members } = this;
    const chunk = new Chunk(key, sources);
    yield* chunk.allocate();
    const isWritten: boolean[] = [];
    for (const [slot, member] of chunk.members.entries()) {
      isWritten.push(member !== null && this.write(chunk, slot, member));
      yield;
    }
    yield* members.place(chunk, isWritten);
  }

  /**
   * Whether a member still waits with a key, or is to be posed with it. It may have changed since the key was found:
   * then the next build looks at it.
   */
  private keepsKey(member: Member, key: BatchKey, isPosed: boolean): boolean {
    const { members } = this;
    if (isPosed) return members.canPose(member, key);
    if (members.states.waiting.get(member)?.id !== key.id) return false;
    if (members.keyOf(member)?.id === key.id) return true;
    if (members.states.waiting.has(member)) members.wait(member, null);
    return false;
  }

  /** Writes a member into its slot, if it still waits for it. Returns whether it is written. */
  private write(chunk: BatchChunk, slot: number, member: Member): boolean {
    const { members } = this;
    if (!this.keepsKey(member, chunk.key, chunk.isPosed)) return false;
    const matrix = members.matrixOf(member.object);
    const fits = chunk.fits(slot, member.object as MergeableMesh, matrix);
    const isPrecise = fits && chunk.isPrecise(geometryOf(member), matrix);
    const isWritten = isPrecise && chunk.write(slot, matrix, members.keys.texelOf(materialOf(member)));
    if (isWritten || chunk.isPosed) return isWritten;
    if (fits) members.refuse(member, isPrecise ? BAD_INDEX : TOO_TINY, null);
    else members.wait(member, null);
    return false;
  }
}

/** Members of a key, and their vertices. */
interface Amount {
  readonly key: BatchKey;
  count: number;
  vertices: number;
}

/** Members of a key to build, in the order of the octree. */
interface BuildList {
  readonly key: BatchKey;
  readonly members: Member[];
  /** Vertices of the merged chunks of the key that are not built again. */
  readonly builtVertices: number;
}

type ChunkClass = new (key: BatchKey, sources: ChunkSources) => BatchChunk;

/** Largest number of vertices of a merged chunk. @param all Those of its key. */
function chunkVerticesFor(all: number): number {
  return Math.min(Math.max(MIN_CHUNK_VERTICES, all / CHUNKS_PER_KEY), MAX_SLOTS);
}

/** Lists the items of each key, by its id. */
function byKey<T extends { readonly key: BatchKey | null }>(items: readonly T[]): Map<string | undefined, T[]> {
  const lists = new Map<string | undefined, T[]>();
  for (const item of items) addToList(lists, item.key?.id, item);
  return lists;
}

/** Adds an item to the list of its key, and returns the list. */
function addToList<K, T>(lists: Map<K, T[]>, key: K, item: T): T[] {
  let list = lists.get(key);
  if (list === undefined) lists.set(key, (list = []));
  list.push(item);
  return list;
}
