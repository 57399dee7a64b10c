/**
 * An octree and the reference side by side. Every write goes to both, every answer of one is held against the other. Writes made in a filter or in
 * onIntersection reach the reference when the outermost call has ended, as the octree promises for itself.
 */
import type { Body, BodyOptions, OctreeOptions, TickStatistics } from '../../src/index.ts';
import { IndexList, Octree } from '../../src/index.ts';
import { BruteForce } from '../../src/debug/brute-force.ts';
import { expectIndices, expectRecords, expectSameForms } from './compare.ts';
import type { Query } from './queries.ts';
import { queryFirstHit, queryIndices, queryRecords, queryReference, isOrdered } from './queries.ts';
import type { Shape } from './shapes.ts';
import { boundsOf, boxOf, shapeOf, sphereOf } from './shapes.ts';

/** A living body: what was asked for, beside the handle. `serial` is its data, never used twice. */
export interface TrackedBody {
  readonly body: Body<number>;
  readonly index: number;
  readonly serial: number;
  readonly options: { readonly mask?: number; readonly isStatic?: boolean };
  shape: Shape;
  isAlive: boolean;
}

export interface TwinQueryOptions {
  readonly mask?: number;
  /** By serial, so that it can be asked of both. */
  readonly filter?: (serial: number) => boolean;
  /** Called before the filter answers, by the octree only. */
  readonly onFilter?: (serial: number) => void;
  /** Default both: then they must agree in order, too. */
  readonly form?: 'records' | 'indices';
}

export class Twin {
  readonly octree: Octree<number>;
  readonly oracle = new BruteForce();
  /** The state that counts at once: what `size`, `has` and `index` tell. */
  readonly trackedBodies: TrackedBody[] = [];
  readonly #outside: 'grow' | 'remove' | 'throw';
  readonly #list = new IndexList();
  readonly #indexOf = new WeakMap<Body<number>, number>();
  /** Serial of each body as the reference knows it now. */
  #serialOf = new Map<number, number>();
  #waiting: (() => void)[] = [];
  #depth = 0;
  #nextSerial = 0;

  constructor(options: OctreeOptions = {}) {
    this.octree = new Octree(options);
    this.#outside = options.outside ?? 'grow';
  }

  /** Null where the octree rightly refused it. */
  insert(shape: Shape, options: BodyOptions<number> = {}): TrackedBody | null {
    const serial = this.#nextSerial++;
    const insert = (): Body<number> => this.octree.insert(shapeOf(shape), serial, options);
    if (this.#isRefused(shape)) return this.#expectRefusal(insert);
    return this.#welcome(insert(), shape, serial, options);
  }

  insertMany(shapes: readonly Shape[], masks: number | readonly number[] | undefined, isStatic: boolean): void {
    const kind = shapes[0].length === 6 ? 'box' : 'sphere';
    const data = shapes.map(() => this.#nextSerial++);
    const insert = (): Uint32Array =>
      this.octree.insertMany(new Float64Array(shapes.flat()), { kind, data, isStatic, ...(masks !== undefined && { mask: masks }) });
    if (shapes.some((shape) => this.#isRefused(shape))) return void this.#expectRefusal(insert);
    const isGone = shapes.map((shape) => this.#isLost(shape));
    const indices = insert();
    for (const [i, index] of indices.entries()) {
      if (isGone[i]) continue;
      const mask = masks === undefined || typeof masks === 'number' ? masks : masks[i];
      this.#welcome(this.octree.bodyAt(index), shapes[i], data[i], { isStatic, ...(mask !== undefined && { mask }) });
    }
  }

  move(tracked: TrackedBody, shape: Shape): void {
    const { body } = tracked;
    const move = (): unknown => (shape.length === 6 ? body.setBox(boxOf(shape)) : body.setSphere(sphereOf(shape)));
    if (this.#isRefused(shape)) return void this.#expectRefusal(move);
    const isLost = this.#isLost(shape);
    move();
    if (isLost) this.#bury(tracked);
    else this.#reshape(tracked, shape);
  }

  /** All shapes are of one kind. A body named twice takes its last shape. */
  moveMany(trackedBodies: readonly TrackedBody[], shapes: readonly Shape[]): void {
    const move = (): unknown => this.octree.moveMany(trackedBodies.map(({ index }) => index), new Float64Array(shapes.flat()));
    if (shapes.some((shape) => this.#isRefused(shape))) return void this.#expectRefusal(move);
    const last = new Map(trackedBodies.map((tracked, i) => [tracked, shapes[i]]));
    const lost = [...last].filter(([, shape]) => this.#isLost(shape)).map(([tracked]) => tracked);
    move();
    for (const [tracked, shape] of last) this.#reshape(tracked, shape);
    for (const tracked of lost) this.#bury(tracked);
  }

  remove(tracked: TrackedBody): void {
    if (!tracked.body.remove()) throw new Error(`remove() of living body ${tracked.index} returned false`);
    this.#bury(tracked);
  }

  removeMany(trackedBodies: readonly TrackedBody[]): void {
    const removed = this.octree.removeMany(trackedBodies.map(({ index }) => index));
    const once = new Set(trackedBodies);
    if (removed !== once.size) throw new Error(`removeMany returned ${removed}, expected ${once.size}`);
    for (const tracked of once) this.#bury(tracked);
  }

  clear(): void {
    this.octree.clear();
    this.oracle.clear();
    this.#serialOf.clear();
    for (const tracked of this.trackedBodies) tracked.isAlive = false;
    this.trackedBodies.length = 0;
  }

  update(deltaSeconds?: number): TickStatistics {
    return this.octree.update(deltaSeconds);
  }

  /** Runs a call whose callbacks may write: what they write reaches the reference afterwards. */
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
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const write of waiting) write();
  }

  /** Asks and throws where the answer is not exactly the reference's. */
  expectQuery(query: Query, { mask, filter = () => true, onFilter, form }: TwinQueryOptions = {}): void {
    const serialOf = this.#serialOf;
    const categories = mask === undefined ? {} : { mask };
    const expected = queryReference(this.oracle, query, { ...categories, filter: (index) => filter(serialOf.get(index)!) });
    const ask = (body: Body<number>): boolean => {
      onFilter?.(body.data);
      return filter(body.data);
    };
    const options = { ...categories, filter: ask };
    const records = form === 'indices' ? null : queryRecords(this.octree, query, options);
    if (records !== null) expectRecords(records, expected, isOrdered(query), this.indexOf);
    if (form === undefined && query.kind === 'ray') expectRecords(queryFirstHit(this.octree, query, options), expected.slice(0, 1), true, this.indexOf);
    if (form === 'records') return;
    const count = queryIndices(this.octree, query, this.#list, options);
    const written = Array.from(this.#list.array.subarray(0, this.#list.length));
    if (records === null) expectIndices(written, count, expected, isOrdered(query));
    else expectSameForms(written, count, records, this.indexOf);
  }

  /** The index a body has or had. */
  readonly indexOf = (body: Body<number>): number => this.#indexOf.get(body) ?? body.index;

  #welcome(body: Body<number>, shape: Shape, serial: number, options: TrackedBody['options']): TrackedBody | null {
    if (this.#isLost(shape)) {
      if (body.index !== -1) throw new Error(`body outside the region has index ${body.index}, expected -1`);
      return null;
    }
    const tracked = { body, index: body.index, serial, options, shape, isAlive: true };
    this.trackedBodies.push(tracked);
    this.#indexOf.set(body, body.index);
    this.#later(() => this.#serialOf.set(tracked.index, serial));
    this.#reshape(tracked, shape);
    return tracked;
  }

  #reshape(tracked: TrackedBody, shape: Shape): void {
    tracked.shape = shape;
    this.#later(() => {
      if (shape.length === 6) this.oracle.setBox(tracked.index, shape, tracked.options);
      else this.oracle.setSphere(tracked.index, shape, tracked.options);
    });
  }

  #bury(tracked: TrackedBody): void {
    tracked.isAlive = false;
    this.trackedBodies.splice(this.trackedBodies.indexOf(tracked), 1);
    this.#later(() => {
      this.oracle.remove(tracked.index);
      this.#serialOf.delete(tracked.index);
    });
  }

  #later(write: () => void): void {
    if (this.#depth > 0) this.#waiting.push(write);
    else write();
  }

  #isRefused(shape: Shape): boolean {
    return this.#outside === 'throw' && this.#isOutside(shape);
  }

  #isLost(shape: Shape): boolean {
    return this.#outside === 'remove' && this.#isOutside(shape);
  }

  /** Outside counts from the moment the region is known. */
  #isOutside(shape: Shape): boolean {
    const { region } = this.octree;
    if (region === null) return false;
    const { min, edge } = region;
    const bounds = boundsOf(shape);
    return [min.x, min.y, min.z].some((low, axis) => bounds[axis] < low || bounds[axis + 3] > low + edge);
  }

  #expectRefusal(write: () => unknown): null {
    try {
      write();
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
    throw new Error('a body outside the region was taken, expected a RangeError');
  }
}
