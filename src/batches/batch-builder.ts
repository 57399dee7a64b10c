/** Builds chunks of the members that wait, in slices of a few milliseconds. */

import { Sphere, type BufferGeometry } from 'three';
import { IndexList } from '../tree/storage/index-list.ts';
import { vertexCountOf } from '../three/bounds/vertex-bounds.ts';
import type { MemberBodies } from '../three/group/member-bodies.ts';
import type { Member } from '../three/group/member.ts';
import { ChunkSources, MAX_SPREAD, type BatchChunk } from './batch-chunk.ts';
import { BAD_INDEX, MAX_SLOTS, type BatchMembers } from './batch-members.ts';
import { canInstance, InstancedChunk } from './instanced-chunk.ts';
import type { BatchKey, MergeableMesh } from './mergeable.ts';
import { MergedChunk } from './merged-chunk.ts';

/** First value of `BatchBuilder.minMembers`. */
const MIN_MEMBERS = 16;
/**
 * First value of `BatchBuilder.minInstances`. Instancing saves memory, and costs a draw call and the copies of
 * matrices: 10,000 boxes of one geometry take 1.0 to 1.25 of the time of merged ones and 1/11 of the memory, of 10
 * geometries 1.1 to 1.5, of 40 geometries 1.2 to 2.8.
 */
const MIN_INSTANCES = 256;
/** Why a member is not merged: that distance leaves fewer than `minMembers` in its chunk. */
const SCATTERED = `tiny, and fewer than ${MIN_MEMBERS} of its kind near it`;
/**
 * Vertices of a chunk: a sixteenth of its key, within these limits. So a renderer uploads a new chunk in a few
 * milliseconds (5.8 MB with normals, colours and texture coordinates), and a pass over a large scene has few of them.
 * Measured: chunks of 2^16 to 2^20 vertices are drawn in equally many calls, because each may bridge gaps.
 */
const MIN_CHUNK_VERTICES = 2 ** 17;
const CHUNKS_PER_KEY = 16;
/**
 * Members that one step visits: 0.1 ms, if nothing of them is in the cache. `run` reads the clock between two steps.
 */
const STEP = 16;
/**
 * Maps that share the geometries of a key. A map that grows moves all of its entries in one step: 0.8 ms for 8,000.
 */
const COUNT_MAPS = 64;
/** The limit of coordinates of an octree. */
const LIMIT = 2 ** 50;

export class BatchBuilder {
  /** Fewest members of a key that are worth a chunk. */
  minMembers = MIN_MEMBERS;
  /** Fewest members with the same geometry, and the same key, that are drawn instanced. */
  minInstances = MIN_INSTANCES;

  private readonly members: BatchMembers;
  private readonly bodies: MemberBodies;
  private readonly order = new IndexList();
  private steps: Iterator<void> | null = null;

  constructor(members: BatchMembers, bodies: MemberBodies) {
    this.members = members;
    this.bodies = bodies;
  }

  get isBuilding(): boolean {
    return this.steps !== null || this.members.hasNew;
  }

  /**
   * Goes on building, by at least one step.
   *
   * @param deadline Time at which to stop.
   */
  run(deadline: number): void {
    if (!this.isBuilding) return;
    this.steps ??= this.build();
    do
      if (this.steps.next().done) {
        this.steps = null;
        return;
      }
    while (performance.now() < deadline);
  }

  private *build(): Generator<void> {
    const { members } = this;
    const { waiting } = members;
    members.hasNew = false;
    yield* members.noteOrder();
    const amounts = new Map<BatchKey, Amount>();
    let step = 0;
    for (const [member, known] of waiting) {
      if (++step % STEP === 0) yield;
      const key = known ?? members.keyOf(member);
      if (key === null || !waiting.has(member)) continue;
      waiting.set(member, key);
      const amount = amounts.get(key) ?? { count: 0, vertices: 0 };
      amount.count++;
      amount.vertices += vertexCountOf(geometryOf(member));
      amounts.set(key, amount);
    }
    members.hasNew = false;
    const lists = yield* this.chooseLists(amounts);
    if (lists.size === 0) return;
    const everything = { min: { x: -LIMIT, y: -LIMIT, z: -LIMIT }, max: { x: LIMIT, y: LIMIT, z: LIMIT } };
    this.bodies.octree.collectBox(everything, this.order);
    const { array, length } = this.order;
    for (let k = 0; k < length; k++) {
      if (k % STEP === 0) yield;
      const member = this.bodies.ordered.memberAt(array[k]) as Member | undefined;
      if (member === undefined) continue;
      const key = waiting.get(member) ?? null;
      const list = key === null ? undefined : lists.get(key);
      if (list !== undefined && !members.refuseCoplanar(member, key!)) list.add(member);
    }
    members.forgetShapes();
    for (const [key, list] of lists) yield* this.buildKey(key, list);
  }

  /**
   * An empty list for each key of which enough members wait. Small chunks that hold no more members than wait are built
   * again together with them: so a key has few chunks, and a member is built only a few times. Refused members are
   * tried again by the same rule.
   */
  private *chooseLists(waiting: ReadonlyMap<BatchKey, Amount>): Generator<void, Map<BatchKey, BuildList>> {
    const { members } = this;
    const chunks = byKey(members.chunks.filter((chunk) => chunk !== null && !chunk.isOld) as BatchChunk[]);
    const refused = byKey(Array.from(members.refused, ([member, { key }]) => ({ member, key })));
    yield;
    const lists = new Map<BatchKey, BuildList>();
    for (const [key, { count, vertices }] of waiting) {
      if (count < this.minMembers) continue;
      let total = count;
      const again = refused.get(key) ?? [];
      if (again.length <= count) {
        for (const [k, { member }] of again.entries()) {
          if (k % STEP === 0) yield;
          if (members.refused.has(member)) members.waitAgain(member, key);
        }
        total += again.length;
      }
      const own = chunks.get(key) ?? [];
      const all = own.reduce((sum, { vertexCount }) => sum + vertexCount, vertices);
      let builtVertices = all - vertices;
      for (const chunk of own.sort((a, b) => a.usedCount - b.usedCount)) {
        if (chunk.usedCount > total) break;
        if (chunk.vertexCount > chunkVerticesFor(all) / 2) continue;
        yield* members.rebuild(chunk);
        total += chunk.usedCount;
        builtVertices -= chunk.vertexCount;
      }
      lists.set(key, new BuildList(builtVertices));
    }
    return lists;
  }

  /**
   * Builds chunks of members in the order of the octree. Members that are tiny in comparison with the distances between
   * all get chunks of their own, so that they do not cut those of the others.
   */
  private *buildKey(key: BatchKey, list: BuildList): Generator<void> {
    if (!list.hasTiny) {
      yield* this.buildLists(key, list.members, list, false);
      return;
    }
    const others: Member[] = [];
    const tiny: Member[] = [];
    for (const [k, member] of list.members.entries()) {
      if (k % STEP === 0) yield;
      if (member.body !== null)
        (list.isTiny(member.body.getSphere(buildList_sphere).radius) ? tiny : others).push(member);
    }
    yield* this.buildLists(key, others, list, false);
    yield* this.buildLists(key, tiny, list, true);
  }

  /**
   * Builds chunks of many members with the same geometry, and of the others.
   *
   * @param list Some members of `all`.
   * @param areTiny Whether members that are far from one another must not share a chunk.
   */
  private *buildLists(key: BatchKey, list: readonly Member[], all: BuildList, areTiny: boolean): Generator<void> {
    let rest = list;
    let { vertices } = all;
    if (all.mostRepeated >= this.minInstances) {
      const repeated = new Map<string, Member[]>();
      /** For each member of the list, those that can be drawn with it. */
      const groups: (readonly Member[])[] = [];
      for (const [k, member] of list.entries()) {
        if (k % STEP === 0) yield;
        const isRepeated = all.countLike(member) >= this.minInstances;
        const canRepeat = isRepeated && canInstance(key, this.members.matrixOf(member));
        groups.push(canRepeat ? addToList(repeated, sourceOf(member), member) : []);
      }
      const others: Member[] = (rest = []);
      for (const [k, member] of list.entries()) {
        if (k % STEP === 0) yield;
        if (groups[k].length < this.minInstances) others.push(member);
        else vertices -= vertexCountOf(geometryOf(member));
      }
      for (const same of repeated.values())
        if (same.length >= this.minInstances) yield* this.buildParts(key, same, MAX_SLOTS, areTiny, InstancedChunk);
    }
    yield* this.buildParts(key, rest, chunkVerticesFor(vertices), areTiny, MergedChunk);
  }

  /** @param room Most vertices of a merged chunk, or members of an instanced one. */
  private *buildParts(
    key: BatchKey,
    list: readonly Member[],
    room: number,
    areTiny: boolean,
    Chunk: ChunkClass,
  ): Generator<void> {
    const { members } = this;
    let part = new ChunkSources(areTiny);
    for (const [k, member] of list.entries()) {
      if (k % STEP === 0) yield;
      // A member may have been removed or changed meanwhile.
      if (!this.keepsKey(member, key)) continue;
      const { members: before, vertexCount } = part;
      const isFull =
        Chunk === InstancedChunk
          ? before.length === room
          : before.length > 0 && vertexCount + vertexCountOf(geometryOf(member)) > room;
      if (isFull || !part.isNear(member)) {
        yield* this.buildChunk(key, part, Chunk);
        part = new ChunkSources(areTiny);
      }
      part.add(member, members.matrixOf(member));
    }
    yield* this.buildChunk(key, part, Chunk);
  }

  private *buildChunk(key: BatchKey, sources: ChunkSources, Chunk: ChunkClass): Generator<void> {
    const { members } = this;
    const { length } = sources.members;
    if (sources.areTiny && length < this.minMembers)
      for (const member of sources.members) members.refuse(member, SCATTERED, key);
    else if (length > 0) {
      const chunk = new Chunk(key, sources);
      yield* chunk.allocate();
      members.building = chunk;
      const isWritten: boolean[] = [];
      for (const [slot, member] of chunk.members.entries()) {
        isWritten.push(member !== null && this.write(chunk, slot, member));
        yield;
      }
      yield* members.place(chunk, isWritten);
    }
  }

  /**
   * Whether a member still waits with a key. Its material, geometry or draw state may have changed since the key was
   * found, without a report: then the next build looks at it.
   */
  private keepsKey(member: Member, key: BatchKey): boolean {
    const { members } = this;
    if (members.waiting.get(member) !== key) return false;
    if (members.keyOf(member) === key) return true;
    if (members.waiting.has(member)) members.wait(member, null);
    return false;
  }

  /** Writes a member into its slot, if it still waits for it. Returns whether it is written. */
  private write(chunk: BatchChunk, slot: number, member: Member): boolean {
    const { members } = this;
    if (!this.keepsKey(member, chunk.key)) return false;
    const matrix = members.matrixOf(member);
    if (!chunk.hasSource(slot) || !chunk.fits(slot, member.object as MergeableMesh, matrix)) {
      members.wait(member, null);
      return false;
    }
    const isWritten = chunk.write(slot, matrix, members.colorOf(member));
    if (!isWritten) members.refuse(member, BAD_INDEX, null);
    return isWritten;
  }
}

/** Members of a key, and their vertices. */
interface Amount {
  count: number;
  vertices: number;
}

/** Members of a key to build, in the order of the octree. */
class BuildList {
  readonly members: Member[] = [];
  /** Of the members, and of the merged chunks of the key that are not built again. */
  vertices: number;
  /** Largest number of members with the same geometry. */
  mostRepeated = 0;
  /** By the last bits of their ids: numbers of members with the same geometry. */
  private readonly counts = Array.from({ length: COUNT_MAPS }, () => new Map<BufferGeometry, number>());
  /** Around the bounds of the members, in body space. */
  private readonly around = new Sphere();
  private smallestRadius = Infinity;

  /** @param builtVertices Those of the merged chunks of the key that are not built again. */
  constructor(builtVertices: number) {
    this.vertices = builtVertices;
  }

  /** Whether some members are tiny in comparison with the distances between all. */
  get hasTiny(): boolean {
    return this.isTiny(this.smallestRadius);
  }

  add(member: Member): void {
    const geometry = geometryOf(member);
    const count = this.countLike(member) + 1;
    this.countsOf(geometry).set(geometry, count);
    this.mostRepeated = Math.max(this.mostRepeated, count);
    this.members.push(member);
    this.vertices += vertexCountOf(geometry);
    const bounds = member.body!.getSphere(buildList_sphere);
    this.around.union(bounds);
    this.smallestRadius = Math.min(this.smallestRadius, bounds.radius);
  }

  /** Number of members with the geometry of one. */
  countLike(member: Member): number {
    const geometry = geometryOf(member);
    return this.countsOf(geometry).get(geometry) ?? 0;
  }

  /** Whether a radius is tiny in comparison with the distances between all members. */
  isTiny(radius: number): boolean {
    return 2 * this.around.radius > MAX_SPREAD * radius;
  }

  private countsOf({ id }: BufferGeometry): Map<BufferGeometry, number> {
    return this.counts[id % COUNT_MAPS];
  }
}
const buildList_sphere = /* @__PURE__ */ new Sphere();

type ChunkClass = new (key: BatchKey, sources: ChunkSources) => BatchChunk;

/** Largest number of vertices of a merged chunk. @param all Those of its key. */
function chunkVerticesFor(all: number): number {
  return Math.min(Math.max(MIN_CHUNK_VERTICES, all / CHUNKS_PER_KEY), MAX_SLOTS);
}

/** Lists the items of each key. */
function byKey<T extends { readonly key: BatchKey | null }>(items: readonly T[]): Map<BatchKey | null, T[]> {
  const lists = new Map<BatchKey | null, T[]>();
  for (const item of items) addToList(lists, item.key, item);
  return lists;
}

/** Adds an item to the list of its key, and returns the list. */
function addToList<K, T>(lists: Map<K, T[]>, key: K, item: T): T[] {
  let list = lists.get(key);
  if (list === undefined) lists.set(key, (list = []));
  list.push(item);
  return list;
}

/** Equal for members that one instanced mesh can draw. */
function sourceOf({ object }: Member): string {
  const { geometry, material } = object as MergeableMesh;
  return `${geometry.id} ${material.id}`;
}

function geometryOf({ object }: Member): BufferGeometry {
  return (object as MergeableMesh).geometry;
}
