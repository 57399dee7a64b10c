/** Runs a history on a twin (an octree beside the reference), and checks the twin after every operation. */
import type { Body, BodyOptions, OctreeOptions } from '../../src/index.ts';
import { onIntersection } from '../../src/index.ts';
import type { ReferenceBody } from '../../src/debug/index.ts';
import type { ReferenceResult } from '../../src/debug/reference/brute-force.ts';
import { expectBody, expectWalk } from './expect-reads.ts';
import { LIMIT } from './nasty-numbers.ts';
import { expectKeptSizes, expectPlacement } from './placement-rules.ts';
import type { Operation, Script } from './operations.ts';
import { keepOptions, randomQueryNear } from './queries.ts';
import { createRandom } from './random.ts';
import { HISTORY_SCENES, uniform } from './scenes.ts';
import type { Shape } from './shapes.ts';
import { boundsOf, boxOf, shapeOf, sphereOf } from './shapes.ts';
import type { TrackedBody } from './twin.ts';
import { Twin } from './twin.ts';
import { BandTwin, ContactTwin, SensorTwin, type TwinSides, type ReaderTwin } from './reader-twins.ts';
import { validate } from '../../src/debug/index.ts';

/** Greatest number of bodies: enough for deep trees, and few enough for the loops of the reference. */
const MAX_BODIES = 60;

/** Greatest number of contacts, sensors and bands at a time. */
const MAX_READERS = 8;

export class HistoryRunner {
  readonly twin: Twin;
  readonly #options: Required<Pick<OctreeOptions, 'looseness' | 'leafCapacity' | 'minCellSize'>>;
  readonly #scripts = new Map<number, Script>();
  /** The calls of onIntersection in this tick, as `self>other`. */
  #contacts: string[] = [];
  #expectedContacts: string[] = [];
  /** The pairs of all bodies, and the array of bodies from which they were computed. */
  #pairs: { readonly bodies: readonly ReferenceBody[]; readonly results: readonly ReferenceResult[] } = {
    bodies: [],
    results: [],
  };
  #step = 0;
  /** A second octree, once an operation needs it: what all octrees of a process share must not show. */
  #elsewhere: Twin | null = null;

  constructor(options: OctreeOptions) {
    keepOptions();
    this.twin = new Twin(options);
    this.#options = { looseness: 2, leafCapacity: 16, minCellSize: 1, ...options };
    this.twin.onReports = () => this.#expectContacts();
  }

  /** Operations performed so far. */
  get steps(): number {
    return this.#step;
  }

  run(operations: readonly Operation[]): void {
    // Most begin with contacts. While there is no reader of changes, indices are free at once.
    if (operations.length % 4 > 0) this.twin.addReader((sides) => new ContactTwin(sides));
    for (const operation of operations) {
      this.#step++;
      this.#perform(operation);
      this.#check();
    }
    this.#checkAll();
  }

  /** Gives back the memory of its octrees: the number of WebAssembly memories is limited. */
  end(): void {
    this.twin.octree.clear();
    this.#elsewhere?.octree.clear();
  }

  #perform(operation: Operation): void {
    const { twin } = this;
    const { trackedBodies } = twin;
    switch (operation.op) {
      case 'insert':
        this.#insert(operation.shape, { mask: operation.mask, isStatic: operation.isStatic });
        return;
      case 'actor':
        this.#insertActor(operation.shape, operation.script, operation.step);
        return;
      case 'insertMany': {
        const masks =
          operation.masks === 'none'
            ? undefined
            : operation.masks === 'one'
              ? 2
              : operation.shapes.map((_, i) => 1 << (i % 4));
        if (trackedBodies.length < MAX_BODIES) twin.insertMany(operation.shapes, masks, operation.isStatic);
        return;
      }
      case 'crowd':
        if (trackedBodies.length < MAX_BODIES)
          twin.insertMany(
            Array.from({ length: operation.count }, () => operation.shape),
            undefined,
            false,
          );
        return;
      case 'scene':
        for (const shape of trackedBodies.length < MAX_BODIES ? HISTORY_SCENES[operation.scene]() : [])
          twin.insert(shape, { isStatic: operation.isStatic });
        return;
      case 'elsewhere':
        this.#queryElsewhere(operation);
        return;
      case 'tick':
        for (let i = 0; i < operation.times; i++) this.#tick();
        return;
      case 'clear':
        twin.clear();
        return;
      case 'translate':
        if (twin.translate(operation.by) && operation.back) twin.translate(operation.by.map((value) => -value));
        return;
      case 'track':
        this.#addReader(operation, (sides) => new ContactTwin(sides, operation));
        return;
      case 'watch':
        this.#addReader(operation, (sides) => new SensorTwin(operation.volume, sides));
        return;
      case 'watchDistances':
        this.#addReader(
          operation,
          (sides) => new BandTwin(operation.center, operation.distances, operation.hysteresis, sides),
        );
        return;
      case 'moveSensor': {
        const sensors = twin.readerTwins.filter((reader) => reader instanceof SensorTwin);
        if (sensors.length > 0) sensors[operation.reader % sensors.length].moveTo(operation.volume);
        return;
      }
      case 'moveBands': {
        const bands = twin.readerTwins.filter((reader) => reader instanceof BandTwin);
        if (bands.length > 0) bands[operation.reader % bands.length].moveTo(operation.center);
        return;
      }
      case 'untrack':
        twin.readerTwins.splice(operation.reader % twin.readerTwins.length, 1)[0]?.stop();
        return;
      case 'query':
        twin.expectQuery(operation.query, {
          mask: operation.mask,
          filter: (serial) => serial % operation.modulo === 0,
          except: this.#exceptOf(operation),
        });
        return;
      case 'reenter':
        this.#reenter(operation);
        return;
      case 'throw':
        this.#throwInFilter(operation);
        return;
      case 'burst':
        for (const write of operation.writes) this.#write(write);
        return;
      case 'invalid':
        this.#callInvalid(operation);
        return;
      default:
        if (trackedBodies.length > 0) this.#change(operation);
    }
  }

  #addReader(
    { mask, modulo }: { readonly mask: number; readonly modulo: number },
    make: (sides: TwinSides) => ReaderTwin,
  ): void {
    if (this.twin.readerTwins.length < MAX_READERS)
      this.twin.addReader(make, { mask, filter: (serial) => serial % modulo === 0 });
  }

  #change(operation: Operation): void {
    const { twin } = this;
    const tracked = (number: number): TrackedBody => selected(number, twin.trackedBodies);
    switch (operation.op) {
      case 'teleport':
        return twin.move(tracked(operation.body), operation.shape);
      case 'nudge':
        return this.#shift(tracked(operation.body), operation.by);
      case 'resize':
        return twin.move(tracked(operation.body), resized(tracked(operation.body).shape, operation.by));
      case 'remove':
        return twin.remove(tracked(operation.body));
      case 'removeMany':
        return twin.removeMany(operation.bodies.map(tracked), operation.ids);
      case 'moveMany':
        return twin.moveMany(operation.bodies.map(tracked), operation.shapes, operation.ids);
      case 'setMask':
        return twin.setMask([...new Set(operation.bodies.map(tracked))], operation.mask, operation.ids);
      case 'moveCenters':
        return this.#shiftCenters(operation.bodies.map(tracked), operation.by, operation.ids);
      default:
    }
  }

  /** Moves bodies by their centres, except those that would leave the limits. */
  #shiftCenters(trackedBodies: readonly TrackedBody[], by: readonly (readonly number[])[], ids: boolean): void {
    const moves = trackedBodies.map((tracked, i) => {
      const bounds = boundsOf(tracked.shape);
      return { tracked, bounds, center: [0, 1, 2].map((axis) => (bounds[axis] + bounds[axis + 3]) / 2 + by[i][axis]) };
    });
    const kept = moves.filter(({ bounds }) => bounds.every((value) => Math.abs(value) <= LIMIT - 8));
    if (kept.length > 0)
      this.twin.moveCenters(
        kept.map(({ tracked }) => tracked),
        kept.map(({ center }) => center),
        ids,
      );
  }

  #insert(shape: Shape, options: BodyOptions<number>): TrackedBody | null {
    return this.twin.trackedBodies.length < MAX_BODIES ? this.twin.insert(shape, options) : null;
  }

  #insertActor(shape: Shape, script: Script, step: readonly number[]): void {
    let tracked: TrackedBody | null = null;
    let age = 0;
    const live = (): boolean | void => {
      age++;
      if (tracked === null) return;
      this.#shift(
        tracked,
        step.map((component) => (age % 7 < 4 ? component : -component)),
      );
      if (!tracked.isAlive) return;
      if (script === 'query') this.twin.expectQuery(randomQueryNear(age, boundsOf(tracked.shape), createRandom(age)));
      if (script === 'spawn' && age < 4) this.#insert(shape, {});
      if (script === 'die' && age > 9) this.twin.remove(tracked);
      if (age % 2 === 0) return true;
    };
    const touch = (self: TrackedBody, other: number): void => {
      this.twin.beginReports();
      this.#contacts.push(`${self.index}>${other}`);
      if (script === 'touch and die' && self.isAlive) this.twin.remove(self);
    };
    const listens = script === 'touch' || script === 'touch and die';
    const inserted = this.#insert(shape, { update: live });
    tracked = inserted;
    if (inserted === null || !listens) return;
    onIntersection(this.twin.octree, inserted.body, (record) =>
      touch(inserted, record.other === null ? -1 : this.twin.indexOf(record.other)),
    );
    this.#scripts.set(inserted.serial, script);
  }

  #shift(tracked: TrackedBody, by: readonly number[]): void {
    const { shape } = tracked;
    const moved = shape.map((value, k) => (shape.length === 4 && k === 3 ? value : value + by[k % 3]));
    if (boundsOf(moved).every((value) => Math.abs(value) <= LIMIT)) this.twin.move(tracked, moved);
  }

  #tick(): void {
    this.#contacts = [];
    this.#expectedContacts = [];
    this.twin.update(0.5);
    const [called, expected] = [this.#contacts.join(' '), this.#expectedContacts.join(' ')];
    if (called !== expected) throw new Error(`onIntersection called [${called}], expected [${expected}]`);
  }

  /** Called after the moves of a tick. */
  #expectContacts(): void {
    if (this.#scripts.size === 0 || !this.twin.trackedBodies.some(({ serial }) => this.#scripts.has(serial))) return;
    const scripts = new Map(this.twin.trackedBodies.map(({ index, serial }) => [index, this.#scripts.get(serial)]));
    const { bruteForce } = this.twin;
    if (bruteForce.bodies() !== this.#pairs.bodies)
      this.#pairs = { bodies: bruteForce.bodies(), results: bruteForce.pairs() };
    this.#expectedContacts = expectedContacts(this.#pairs.results, scripts);
  }

  #reenter(operation: Operation & { op: 'reenter' }): void {
    const { query, at, inner, writes } = operation;
    // The writes may remove it.
    const except = this.#exceptOf(operation);
    let calls = 0;
    const onFilter = (): void => {
      if (calls++ !== at) return;
      this.twin.expectQuery(inner);
      for (const write of writes) this.#write(write);
      this.twin.expectQuery(inner, { filter: (serial) => serial % 2 === 0, except });
    };
    this.twin.within(() =>
      this.twin.expectQuery(query, {
        filter: (serial) => serial % 3 !== 0,
        onFilter,
        form: at % 2 === 0 ? 'records' : 'indices',
      }),
    );
    // Right after the query, the same bodies get other writes, before the writes of the callback are applied.
    for (let k = writes.length - 1; k >= 0; k--) this.#write(writes[k]);
  }

  #write(write: Operation): void {
    if (write.op === 'insert' || write.op === 'insertMany' || this.twin.trackedBodies.length > 0) this.#perform(write);
  }

  #queryElsewhere({ query, isNested, body, shape }: Operation & { op: 'elsewhere' }): void {
    const other = (this.#elsewhere ??= this.#createOther());
    const ask = (): void => {
      other.move(selected(body, other.trackedBodies), shape);
      other.expectQuery(query);
    };
    if (!isNested) return ask();
    let isFirst = true;
    this.twin.expectQuery(query, {
      onFilter: () => {
        if (isFirst) ask();
        isFirst = false;
      },
    });
  }

  /** With a few bodies, and other options. */
  #createOther(): Twin {
    const other = new Twin({
      leafCapacity: 1,
      looseness: 1,
      simdFrom: this.#options.leafCapacity === 1 ? 0 : Infinity,
    });
    for (const shape of uniform(12, 5, 16)) other.insert(shape);
    return other;
  }

  #exceptOf({ except }: { readonly except: number | null }): TrackedBody | undefined {
    const { trackedBodies } = this.twin;
    return except === null || trackedBodies.length === 0 ? undefined : selected(except, trackedBodies);
  }

  #throwInFilter({ query, at }: Operation & { op: 'throw' }): void {
    let calls = 0;
    const error = new Error('thrown by a filter');
    const onFilter = (): void => {
      if (calls++ === at) throw error;
    };
    try {
      this.twin.expectQuery(query, { onFilter, form: at % 2 === 0 ? 'records' : 'indices' });
    } catch (caught) {
      if (caught !== error) throw caught;
    }
  }

  /** Makes a call that must throw. It changes nothing: the checks after the operation would find it. */
  #callInvalid({ call, at, value, body, bodies }: Operation & { op: 'invalid' }): void {
    const { octree, trackedBodies } = this.twin;
    const tracked = trackedBodies.length === 0 ? undefined : selected(body, trackedBodies);
    const dead = this.twin.removedBodies.at(-1 - (at % 3));
    const shape = [...(tracked?.shape ?? [0, 0, 0, 1, 1, 1])];
    const isSphere = shape.length === 4;
    const place = at % shape.length;
    // Wrong by one number, or, for -0, by an order: min and max exchanged, or a negative radius.
    if (!Object.is(value, -0)) shape[place] = value;
    else if (isSphere) shape[3] = -1e-3;
    else {
      const axis = at % 3;
      const [min, max] = [shape[axis], shape[axis + 3]];
      shape[axis] = min === max ? min + 1 : max;
      shape[axis + 3] = min;
    }
    // The valid bounds before the invalid ones differ from those of today: a batch must not be half done.
    const moved = (tracked?.shape ?? [0, 0, 0, 1, 1, 1]).map((one, k) => (k === 3 && isSphere ? one : one + 0.125));
    const many = (): Float64Array => Float64Array.from([...bodies.flatMap(() => moved), ...shape]);
    const index = tracked?.index ?? 0;
    const calls: Readonly<Record<typeof call, (() => unknown) | null>> = {
      insert: () => octree.insert(shapeOf(shape), -1),
      insertMany: () => octree.insertMany(many(), { kind: isSphere ? 'sphere' : 'box' }),
      move: tracked === undefined ? null : () => moveTo(tracked.body, shape),
      moveMany: tracked === undefined ? null : () => octree.moveMany([...bodies.map(() => index), index], many()),
      moveDead: dead === undefined ? null : () => moveTo(dead, [0, 0, 0, 1, 1, 1]),
      unknownIndex: () => octree.moveMany([2 ** 20 + at], Float64Array.of(0, 0, 0, 1, 1, 1)),
    };
    const attempt = calls[call];
    if (attempt === null) return;
    try {
      attempt();
    } catch (error) {
      if (error instanceof RangeError && /^[\w.]+: /.test(error.message)) return;
      throw error;
    }
    throw new Error(`${call} accepts ${shape.join(' ')}`);
  }

  #check(): void {
    const { twin } = this;
    const { octree, trackedBodies } = twin;
    if (octree.size !== trackedBodies.length) throw new Error(`size ${octree.size}, expected ${trackedBodies.length}`);
    const random = createRandom(this.#step * 7919);
    for (let i = 0; i < 2 && trackedBodies.length > 0; i++) {
      twin.expectQuery(randomQueryNear(this.#step * 2 + i, boundsOf(random.pick(trackedBodies).shape), random), {
        except: i === 0 ? undefined : random.pick(trackedBodies),
      });
    }
    if (trackedBodies.length > 0) expectBody(octree, random.pick(trackedBodies));
    if (this.#step % 10 === 0) twin.expectQuery({ kind: 'pairs' });
    if (this.#step % 4 === 0) expectPlacement(octree, trackedBodies, this.#placement);
    expectKeptSizes(octree.internals.store.tree);
    twin.ids.check();
    this.#expectValid();
  }

  #checkAll(): void {
    const { twin } = this;
    twin.expectQuery({ kind: 'box', box: [-LIMIT, -LIMIT, -LIMIT, LIMIT, LIMIT, LIMIT] }, { mask: 1 });
    twin.expectQuery({ kind: 'pairs' }, { mask: 3 });
    twin.expectQuery({ kind: 'nearest', point: [0, 0, 0], count: MAX_BODIES * 2 });
    for (const { body, index, options, serial, shape } of twin.trackedBodies) {
      const isKnown =
        body.index === index &&
        twin.octree.bodyAt(index) === body &&
        twin.octree.dataAt(index) === serial &&
        twin.octree.has(body);
      if (body.mask !== (options.mask ?? -1))
        throw new Error(`body ${index} has mask ${body.mask}, expected ${options.mask}`);
      if (!isKnown || body.kind !== (shape.length === 6 ? 'box' : 'sphere'))
        throw new Error(`body ${index} differs from what was inserted`);
    }
    for (const tracked of twin.trackedBodies) expectBody(twin.octree, tracked);
    expectWalk(twin.octree, twin.trackedBodies);
    expectPlacement(twin.octree, twin.trackedBodies, this.#placement);
    this.#expectValid();
  }

  /** The smallest cell may be larger than the option where bodies are far from 0, and smaller in a container. */
  get #placement(): Required<Pick<OctreeOptions, 'looseness' | 'leafCapacity' | 'minCellSize'>> {
    return { ...this.#options, minCellSize: this.twin.octree.internals.store.tree.smallestEdge };
  }

  #expectValid(): void {
    const faults = validate(this.twin.octree);
    if (faults.length > 0) throw new Error(`validate: ${faults.join('; ')}`);
  }
}

/** A body by its number; negative numbers count from the newest one. */
function selected(number: number, bodies: readonly TrackedBody[]): TrackedBody {
  return bodies.at(number % bodies.length)!;
}

function moveTo(body: Body<number>, shape: Shape): void {
  if (shape.length === 6) body.setBox(boxOf(shape));
  else body.setSphere(sphereOf(shape));
}

function resized(shape: Shape, by: number): Shape {
  const bounds = boundsOf(shape);
  const maxGrowth = LIMIT - Math.max(...bounds.map(Math.abs));
  if (shape.length === 4) return [...shape.slice(0, 3), Math.min(shape[3] * by, shape[3] + maxGrowth)];
  return [0, 1, 2, 3, 4, 5].map((k) =>
    k < 3 ? bounds[k] : Math.min(bounds[k - 3] + (bounds[k] - bounds[k - 3]) * by, LIMIT),
  );
}

/**
 * The calls of onIntersection for these pairs. A pair is skipped if one of its bodies was removed before; otherwise
 * both bodies are called.
 */
function expectedContacts(
  pairs: readonly ReferenceResult[],
  scripts: ReadonlyMap<number, Script | undefined>,
): string[] {
  const dead = new Set<number>();
  const calls: string[] = [];
  for (const { index, other } of pairs) {
    if (dead.has(index) || dead.has(other)) continue;
    for (const [self, partner] of [
      [index, other],
      [other, index],
    ]) {
      const script = scripts.get(self);
      if (script === undefined) continue;
      calls.push(`${self}>${partner}`);
      if (script === 'touch and die') dead.add(self);
    }
  }
  return calls;
}
