/**
 * An octree and the reference side by side. Every write goes to both, every answer of one is held against the other. Writes made in a filter or in
 * onIntersection reach the reference when the outermost call has ended, as the octree promises for itself.
 */
import type { Body, BodyOptions, OctreeOptions, TickStatistics } from '../../src/index.ts';
import { IndexList, Octree } from '../../src/index.ts';
import { BruteForce } from '../../src/debug/brute-force.ts';
import { expectIndices, expectRecords, expectSameForms } from './compare.ts';
import type { Question } from './queries.ts';
import { askFirstHit, askIndices, askRecords, askReference, isOrdered } from './queries.ts';
import type { Shape } from './shapes.ts';
import { boundsOf, boxOf, shapeOf, sphereOf } from './shapes.ts';

/** A living body: what was asked for, beside the handle. `serial` is its data, never used twice. */
export interface Resident {
  readonly body: Body<number>;
  readonly index: number;
  readonly serial: number;
  readonly options: { readonly mask?: number; readonly isStatic?: boolean };
  shape: Shape;
  isAlive: boolean;
}

export interface QuestionOptions {
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
  readonly residents: Resident[] = [];
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
  insert(shape: Shape, options: BodyOptions<number> = {}): Resident | null {
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

  move(resident: Resident, shape: Shape): void {
    const { body } = resident;
    const move = (): unknown => (shape.length === 6 ? body.setBox(boxOf(shape)) : body.setSphere(sphereOf(shape)));
    if (this.#isRefused(shape)) return void this.#expectRefusal(move);
    const isLost = this.#isLost(shape);
    move();
    if (isLost) this.#bury(resident);
    else this.#reshape(resident, shape);
  }

  /** All shapes are of one kind. A body named twice takes its last shape. */
  moveMany(residents: readonly Resident[], shapes: readonly Shape[]): void {
    const move = (): unknown => this.octree.moveMany(residents.map(({ index }) => index), new Float64Array(shapes.flat()));
    if (shapes.some((shape) => this.#isRefused(shape))) return void this.#expectRefusal(move);
    const last = new Map(residents.map((resident, i) => [resident, shapes[i]]));
    const lost = [...last].filter(([, shape]) => this.#isLost(shape)).map(([resident]) => resident);
    move();
    for (const [resident, shape] of last) this.#reshape(resident, shape);
    for (const resident of lost) this.#bury(resident);
  }

  remove(resident: Resident): void {
    if (!resident.body.remove()) throw new Error(`remove() of living body ${resident.index} returned false`);
    this.#bury(resident);
  }

  removeMany(residents: readonly Resident[]): void {
    const removed = this.octree.removeMany(residents.map(({ index }) => index));
    const once = new Set(residents);
    if (removed !== once.size) throw new Error(`removeMany returned ${removed}, expected ${once.size}`);
    for (const resident of once) this.#bury(resident);
  }

  clear(): void {
    this.octree.clear();
    this.oracle.clear();
    this.#serialOf.clear();
    for (const resident of this.residents) resident.isAlive = false;
    this.residents.length = 0;
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
  ask(question: Question, { mask, filter = () => true, onFilter, form }: QuestionOptions = {}): void {
    const serialOf = this.#serialOf;
    const categories = mask === undefined ? {} : { mask };
    const expected = askReference(this.oracle, question, { ...categories, filter: (index) => filter(serialOf.get(index)!) });
    const ask = (body: Body<number>): boolean => {
      onFilter?.(body.data);
      return filter(body.data);
    };
    const options = { ...categories, filter: ask };
    const records = form === 'indices' ? null : askRecords(this.octree, question, options);
    if (records !== null) expectRecords(records, expected, isOrdered(question), this.indexOf);
    if (form === undefined && question.kind === 'ray') expectRecords(askFirstHit(this.octree, question, options), expected.slice(0, 1), true, this.indexOf);
    if (form === 'records') return;
    const count = askIndices(this.octree, question, this.#list, options);
    const written = Array.from(this.#list.array.subarray(0, this.#list.length));
    if (records === null) expectIndices(written, count, expected, isOrdered(question));
    else expectSameForms(written, count, records, this.indexOf);
  }

  /** The index a body has or had. */
  readonly indexOf = (body: Body<number>): number => this.#indexOf.get(body) ?? body.index;

  #welcome(body: Body<number>, shape: Shape, serial: number, options: Resident['options']): Resident | null {
    if (this.#isLost(shape)) {
      if (body.index !== -1) throw new Error(`body outside the region has index ${body.index}, expected -1`);
      return null;
    }
    const resident = { body, index: body.index, serial, options, shape, isAlive: true };
    this.residents.push(resident);
    this.#indexOf.set(body, body.index);
    this.#later(() => this.#serialOf.set(resident.index, serial));
    this.#reshape(resident, shape);
    return resident;
  }

  #reshape(resident: Resident, shape: Shape): void {
    resident.shape = shape;
    this.#later(() => {
      if (shape.length === 6) this.oracle.setBox(resident.index, shape, resident.options);
      else this.oracle.setSphere(resident.index, shape, resident.options);
    });
  }

  #bury(resident: Resident): void {
    resident.isAlive = false;
    this.residents.splice(this.residents.indexOf(resident), 1);
    this.#later(() => {
      this.oracle.remove(resident.index);
      this.#serialOf.delete(resident.index);
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
