/**
 * An octree beside a reference implementation. Every write goes to both, and the results of every query are compared. A
 * write in a filter or in onIntersection reaches the reference after the outermost call has ended, as the octree
 * documents for itself.
 */
import type { Body, BodyOptions, OctreeOptions, TickStatistics } from '../../src/index.ts';
import { IndexList, moveManyById, Octree, removeManyById, setMaskManyById, translate } from '../../src/index.ts';
import { BruteForce } from '../../src/debug/reference/brute-force.ts';
import { DistanceTwin } from './distance-twin.ts';
import { expectIndices, expectRecords, expectSameForms } from './compare.ts';
import type { Query } from './queries.ts';
import { LIMIT } from './nasty-numbers.ts';
import { IdBook } from './id-book.ts';
import { borderlineOf, isOrdered, queryIndices, queryRecords, queryReference } from './queries.ts';
import { expectSingleForms } from './single-forms.ts';
import type { Shape } from './shapes.ts';
import { boundsOf, boxOf, point, shapeOf, sphereOf } from './shapes.ts';
import type { TwinSides, ReaderTwin } from './reader-twins.ts';

/**
 * A body of the octree: its handle, and the values that the test has set. `serial` is its data; no two bodies have the
 * same.
 */
export interface TrackedBody {
  readonly body: Body<number>;
  readonly index: number;
  readonly serial: number;
  options: { readonly mask?: number; readonly isStatic?: boolean };
  shape: Shape;
  /** Half of the size of a box along each axis, which moves by its centre keep; empty for a sphere. */
  halfSize: readonly number[];
  isAlive: boolean;
  /**
   * Whether it has moved since its insertion. Then its node accepts its bounds, but need not be the deepest that does.
   */
  hasMoved: boolean;
}

export interface TwinQueryOptions {
  readonly mask?: number;
  /** Takes a serial, so that it can run on both sides. */
  readonly filter?: (serial: number) => boolean;
  /** A body that both sides leave out. */
  readonly except?: TrackedBody | undefined;
  /** Runs before the filter, on the octree only. */
  readonly onFilter?: (serial: number) => void;
  /** Default: both forms, which must then give the same results in the same order. */
  readonly form?: 'records' | 'indices';
}

/** Minimum number of moves in a batch that runs in WebAssembly. */
const LONG_BATCH = 64;

export class Twin {
  readonly octree: Octree<number>;
  readonly bruteForce = new BruteForce();
  /**
   * The bodies after all writes, also those that the reference does not have yet: the state of `size`, `has` and
   * `index`.
   */
  readonly trackedBodies: TrackedBody[] = [];
  /** Handles of removed bodies. */
  readonly removedBodies: Body<number>[] = [];
  /** Contacts, sensors and bands on both sides. */
  readonly readerTwins: ReaderTwin[] = [];
  readonly ids: IdBook;
  readonly #outside: 'grow' | 'remove' | 'throw';
  readonly #list = new IndexList();
  readonly #distances = new DistanceTwin();
  readonly #indexOf = new WeakMap<Body<number>, number>();
  /** Serial of each body of the reference, by index. */
  readonly #serialOf = new Map<number, number>();
  /** A copy of them, which contacts and sensors keep; null after a change. */
  #serials: ReadonlyMap<number, number> | null = null;
  #heldWrites: (() => void)[] = [];
  #depth = 0;
  /** Called once in every tick, after the moves. */
  onReports = (): void => {};
  /** Whether the running tick has come to its callbacks. */
  #isReporting = false;
  #nextSerial = 0;

  constructor(options: OctreeOptions = {}) {
    this.octree = new Octree(options);
    this.ids = new IdBook(this.octree);
    this.#outside = options.outside ?? 'grow';
  }

  /** Null if the shape lies outside the region and the octree rejected or dropped it. */
  insert(shape: Shape, options: BodyOptions<number> = {}): TrackedBody | null {
    const serial = this.#nextSerial++;
    const insert = (): Body<number> => this.octree.insert(shapeOf(shape), serial, options);
    if (this.#isRejected(shape)) return this.#expectRejection(insert);
    return this.#track(insert(), shape, serial, options);
  }

  insertMany(shapes: readonly Shape[], masks: number | readonly number[] | undefined, isStatic: boolean): void {
    const kind = shapes[0].length === 6 ? 'box' : 'sphere';
    const data = shapes.map(() => this.#nextSerial++);
    const insert = (): Uint32Array =>
      this.octree.insertMany(new Float64Array(shapes.flat()), {
        kind,
        data,
        isStatic,
        ...(masks !== undefined && { mask: masks }),
      });
    if (shapes.some((shape) => this.#isRejected(shape))) return void this.#expectRejection(insert);
    const isDropped = shapes.map((shape) => this.#isDropped(shape));
    const indices = insert();
    for (const [i, index] of indices.entries()) {
      if (isDropped[i]) continue;
      const mask = masks === undefined || typeof masks === 'number' ? masks : masks[i];
      this.#track(this.octree.bodyAt(index), shapes[i], data[i], { isStatic, ...(mask !== undefined && { mask }) });
    }
  }

  move(tracked: TrackedBody, shape: Shape): void {
    const { body } = tracked;
    const move = (): unknown => (shape.length === 6 ? body.setBox(boxOf(shape)) : body.setSphere(sphereOf(shape)));
    if (this.#isRejected(shape)) return void this.#expectRejection(move);
    const isDropped = this.#isDropped(shape);
    move();
    if (isDropped) this.#untrack(tracked);
    else this.#moved(tracked, shape);
  }

  /** All shapes have the same kind. A body that is listed twice takes its last shape. */
  moveMany(trackedBodies: readonly TrackedBody[], shapes: readonly Shape[], ids: boolean): void {
    const move = (): unknown => this.#moveMany(trackedBodies, shapes, ids);
    if (shapes.some((shape) => this.#isRejected(shape))) return void this.#expectRejection(move);
    const last = new Map(trackedBodies.map((tracked, i) => [tracked, shapes[i]]));
    const dropped = [...last].filter(([, shape]) => this.#isDropped(shape)).map(([tracked]) => tracked);
    move();
    for (const [tracked, shape] of last) this.#moved(tracked, shape);
    for (const tracked of dropped) this.#untrack(tracked);
  }

  /**
   * Moves bodies by their centres, a single one through its handle. A body that is listed twice takes its last centre.
   */
  moveCenters(trackedBodies: readonly TrackedBody[], centers: readonly (readonly number[])[], ids: boolean): void {
    const [first] = trackedBodies;
    const move = (): unknown =>
      trackedBodies.length === 1
        ? first.body.setCenter(point(centers[0]))
        : this.#moveMany(trackedBodies, centers, ids);
    const shapes = trackedBodies.map((tracked, i) => shapeAround(tracked, centers[i]));
    if (shapes.some((shape) => this.#isRejected(shape))) return void this.#expectRejection(move);
    const last = new Map(trackedBodies.map((tracked, i) => [tracked, i]));
    const dropped = [...last].filter(([, i]) => this.#isDropped(shapes[i])).map(([tracked]) => tracked);
    move();
    for (const [tracked, i] of last) {
      tracked.hasMoved = true;
      tracked.shape = shapes[i];
      this.#writeReference(() => this.bruteForce.setCenter(tracked.index, centers[i]));
    }
    for (const tracked of dropped) this.#untrack(tracked);
  }

  /** Gives bodies, each listed once, another mask; a single one through its handle. */
  setMask(trackedBodies: readonly TrackedBody[], mask: number, ids: boolean): void {
    if (trackedBodies.length === 1) trackedBodies[0].body.setMask(mask);
    else if (ids) setMaskManyById(this.octree, this.#targets(trackedBodies, ids), mask);
    else this.octree.setMaskMany(this.#targets(trackedBodies, ids), mask);
    for (const tracked of trackedBodies) {
      tracked.options = { ...tracked.options, mask };
      this.#writeReference(() => this.bruteForce.setMask(tracked.index, mask));
    }
  }

  remove(tracked: TrackedBody): void {
    const { body, serial } = tracked;
    const isRemoved = serial % 2 === 0 ? body.remove() : this.octree.remove(body);
    if (!isRemoved) throw new Error(`remove() of living body ${tracked.index} returned false`);
    this.#untrack(tracked);
  }

  removeMany(trackedBodies: readonly TrackedBody[], ids: boolean): void {
    const targets = this.#targets(trackedBodies, ids);
    const removed = ids ? removeManyById(this.octree, targets) : this.octree.removeMany(targets);
    const once = new Set(trackedBodies);
    if (removed !== once.size) throw new Error(`removeMany returned ${removed}, expected ${once.size}`);
    for (const tracked of once) this.#untrack(tracked);
  }

  /** The indices of bodies, or their ids, and then that of a removed body in the second place, if there is one. */
  #targets(trackedBodies: readonly TrackedBody[], ids: boolean): number[] {
    if (!ids) return trackedBodies.map(({ index }) => index);
    const targets = trackedBodies.map((tracked) => this.ids.take(tracked));
    const stale = this.ids.stale();
    if (stale !== undefined) targets.splice(1, 0, stale);
    return targets;
  }

  /**
   * Numbers for a removed body are no bounds, because they are not read. Half of the short batches are repeated to
   * LONG_BATCH moves, so that they can run in WebAssembly. The last repetition is complete.
   */
  #moveMany(trackedBodies: readonly TrackedBody[], numbers: readonly (readonly number[])[], ids: boolean): void {
    const { length } = numbers;
    if (length < LONG_BATCH && Math.trunc(numbers[0][0] * 8) % 2 === 0) {
      const order = Array.from({ length: LONG_BATCH }, (_, k) => (length * LONG_BATCH + k - LONG_BATCH) % length);
      return this.#moveMany(
        order.map((k) => trackedBodies[k]),
        order.map((k) => numbers[k]),
        ids,
      );
    }
    const targets = this.#targets(trackedBodies, ids);
    const all =
      targets.length === numbers.length ? numbers : [numbers[0], numbers[0].map(() => NaN), ...numbers.slice(1)];
    const bounds = new Float64Array(all.flat());
    if (!ids) return this.octree.moveMany(targets, bounds);
    const moved = moveManyById(this.octree, targets, bounds);
    if (moved !== numbers.length) throw new Error(`moveManyById returned ${moved}, expected ${numbers.length}`);
  }

  /** Moves the world. Returns false if it would get too far out. */
  translate(vector: readonly number[]): boolean {
    const shapes = this.trackedBodies.map(({ shape }) =>
      shape.map((value, k) => (shape.length === 4 && k === 3 ? value : value + vector[k % 3])),
    );
    const { store } = this.octree.internals;
    store.flush();
    const { region } = this.octree;
    const limit = LIMIT * store.tree.step;
    const reach = (mins: readonly number[]): number =>
      Math.max(...mins.map((min) => Math.max(-min, min + (region?.edge ?? 0))));
    const mins = region === null ? [] : [region.min.x, region.min.y, region.min.z];
    const moved = mins.map((min, axis) => min + vector[axis]);
    // A vector of length 0 is accepted wherever the bodies are.
    const isMove = vector.some((value) => value !== 0);
    const isTooFar =
      isMove &&
      (vector.some((value) => Math.abs(value) > 2 * limit) ||
        shapes.some((shape) => boundsOf(shape).some((value) => Math.abs(value) > limit)) ||
        (reach(moved) > 2 * limit && reach(moved) > reach(mins)));
    const canReadersFollow = !isMove || this.readerTwins.every((reader) => reader.canTranslate(vector));
    const moveWorld = (): void => translate(this.octree, point(vector));
    if (isTooFar || !canReadersFollow) {
      this.#expectRejection(moveWorld);
      return false;
    }
    moveWorld();
    this.bruteForce.translate(vector);
    for (const [k, tracked] of this.trackedBodies.entries()) tracked.shape = shapes[k];
    for (const reader of this.readerTwins) reader.translate(vector);
    return true;
  }

  clear(): void {
    this.octree.clear();
    this.bruteForce.clear();
    this.#serialOf.clear();
    this.#serials = null;
    for (const reader of this.readerTwins) reader.clear();
    for (const tracked of this.trackedBodies) this.#markRemoved(tracked);
    this.trackedBodies.length = 0;
  }

  /** A tick, after which the contacts and sensors of both sides are compared. */
  update(deltaSeconds?: number): TickStatistics {
    try {
      const tick = this.octree.update(deltaSeconds);
      this.beginReports();
      for (const reader of this.readerTwins) reader.expectTick();
      return tick;
    } finally {
      if (this.#isReporting) this.releaseWrites();
      this.#isReporting = false;
    }
  }

  /**
   * Call it in every callback of a tick that comes after the moves. The first call fixes what the tick reports: from
   * then on writes are held back until the tick ends.
   */
  beginReports(): void {
    if (this.#isReporting) return;
    this.#isReporting = true;
    this.holdWrites();
    this.#serials ??= new Map(this.#serialOf);
    for (const reader of this.readerTwins) reader.update(this.#serials);
    this.onReports();
  }

  /** Adds contacts, a sensor or bands on both sides. The filter takes a serial. */
  addReader(
    make: (sides: TwinSides) => ReaderTwin,
    { mask, filter }: Pick<TwinQueryOptions, 'mask' | 'filter'> = {},
  ): void {
    const { octree, bruteForce } = this;
    const categories = mask === undefined ? {} : { mask };
    const onCallback = (): void => this.beginReports();
    const test = (body: Body<number>): boolean => {
      onCallback();
      return filter!(body.data);
    };
    const options = filter === undefined ? categories : { ...categories, filter: test };
    const referenceOptions =
      filter === undefined
        ? categories
        : { ...categories, filter: (index: number) => filter(this.#serialOf.get(index)!) };
    this.readerTwins.push(make({ octree, bruteForce, options, referenceOptions, onCallback }));
  }

  /** Runs a call whose callbacks may write; their writes reach the reference after the call. */
  within<R>(call: () => R): R {
    this.holdWrites();
    try {
      return call();
    } finally {
      this.releaseWrites();
    }
  }

  holdWrites(): void {
    this.#depth++;
  }

  releaseWrites(): void {
    this.#depth--;
    if (this.#depth > 0) return;
    const writes = this.#heldWrites;
    this.#heldWrites = [];
    for (const write of writes) write();
  }

  /** Runs a query on both, and throws unless the results are equal. */
  expectQuery(query: Query, { mask, filter, except, onFilter, form }: TwinQueryOptions = {}): void {
    const serialOf = this.#serialOf;
    const categories = mask === undefined ? {} : { mask };
    const borderline = borderlineOf(this.bruteForce, query);
    const isClear = (index: number): boolean => !borderline.has(index);
    let expected = queryReference(this.bruteForce, query, {
      ...categories,
      ...(filter !== undefined && { filter: (index) => filter(serialOf.get(index)!) }),
      ...(except !== undefined && serialOf.get(except.index) === except.serial && { except: except.index }),
    });
    if (borderline.size > 0) expected = expected.filter(({ index }) => isClear(index));
    const test = (body: Body<number>): boolean => {
      onFilter?.(body.data);
      return filter === undefined || filter(body.data);
    };
    const unfiltered = { ...categories, ...(except !== undefined && { except: except.body }) };
    const options = { ...unfiltered, filter: test };
    const records = form === 'indices' ? null : queryRecords(this.octree, query, options);
    if (records !== null)
      expectRecords(
        borderline.size === 0 ? records : records.filter(({ body }) => isClear(this.indexOf(body))),
        expected,
        isOrdered(query),
        this.indexOf,
      );
    if (form === undefined) expectSingleForms(this.octree, query, options, expected, this.indexOf);
    if (form === 'records') return;
    // Without a filter where the records have one that accepts all: queries may take other paths then.
    const count = queryIndices(
      this.octree,
      query,
      this.#list,
      filter === undefined && onFilter === undefined ? unfiltered : options,
    );
    const written = this.#list.array.subarray(0, this.#list.length);
    // Not where a callback may have written: the reference gets these writes later.
    if (query.kind === 'frustum' && this.#depth === 0)
      this.#distances.expect(this.octree, this.bruteForce, written, query.eye ?? [1, 0, 2]);
    if (records === null)
      expectIndices(
        borderline.size === 0 ? written : written.filter(isClear),
        borderline.size === 0 ? count : expected.length,
        expected,
        isOrdered(query),
      );
    else expectSameForms(written, count, records, this.indexOf);
  }

  /** The index that a body has, or had before its removal. */
  readonly indexOf = (body: Body<number>): number => this.#indexOf.get(body) ?? body.index;

  #track(body: Body<number>, shape: Shape, serial: number, options: TrackedBody['options']): TrackedBody | null {
    if (this.#isDropped(shape)) {
      if (body.index !== -1) throw new Error(`body outside the region has index ${body.index}, expected -1`);
      return null;
    }
    const tracked = { body, index: body.index, serial, options, shape, halfSize: [], isAlive: true, hasMoved: false };
    this.trackedBodies.push(tracked);
    this.#indexOf.set(body, body.index);
    this.#writeReference(() => {
      this.#serialOf.set(tracked.index, serial);
      this.#serials = null;
    });
    this.#reshape(tracked, shape);
    return tracked;
  }

  #moved(tracked: TrackedBody, shape: Shape): void {
    tracked.hasMoved = true;
    this.#reshape(tracked, shape);
  }

  #reshape(tracked: TrackedBody, shape: Shape): void {
    tracked.shape = shape;
    tracked.halfSize = shape.length === 4 ? [] : [0, 1, 2].map((axis) => (shape[axis + 3] - shape[axis]) / 2);
    const { options } = tracked;
    this.#writeReference(() => {
      if (shape.length === 6) this.bruteForce.setBox(tracked.index, shape, options);
      else this.bruteForce.setSphere(tracked.index, shape, options);
    });
  }

  #untrack(tracked: TrackedBody): void {
    this.#markRemoved(tracked);
    this.trackedBodies.splice(this.trackedBodies.indexOf(tracked), 1);
    this.#writeReference(() => {
      this.bruteForce.remove(tracked.index);
      this.#serialOf.delete(tracked.index);
      this.#serials = null;
    });
  }

  #markRemoved(tracked: TrackedBody): void {
    tracked.isAlive = false;
    this.removedBodies.push(tracked.body);
  }

  #writeReference(write: () => void): void {
    if (this.#depth > 0) this.#heldWrites.push(write);
    else write();
  }

  #isRejected(shape: Shape): boolean {
    return this.#outside === 'throw' && this.#isOutside(shape);
  }

  #isDropped(shape: Shape): boolean {
    return this.#outside === 'remove' && this.#isOutside(shape);
  }

  /** False while the octree has no region yet. */
  #isOutside(shape: Shape): boolean {
    const { region } = this.octree;
    if (region === null) return false;
    const { min, edge } = region;
    const bounds = boundsOf(shape);
    return [min.x, min.y, min.z].some((low, axis) => bounds[axis] < low || bounds[axis + 3] > low + edge);
  }

  #expectRejection(write: () => unknown): null {
    try {
      write();
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
    throw new Error('what lies too far out was accepted, expected a RangeError');
  }
}

/** The shape of a body around another centre. */
function shapeAround({ shape, halfSize }: TrackedBody, center: readonly number[]): Shape {
  if (shape.length === 4) return [...center, shape[3]];
  return [...center.map((at, axis) => at - halfSize[axis]), ...center.map((at, axis) => at + halfSize[axis])];
}
