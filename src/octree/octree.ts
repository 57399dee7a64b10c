/** The public class `Octree`: ticks, contacts, sensors and visits. Its bodies are inherited from octree-bodies, its queries from octree-queries. */

import { validateTree } from '../tree/validate.ts';
import { walkNodes, WalkSignal } from '../tree/traverse/walk-nodes.ts';
import type { Body } from './bodies/body.ts';
import { ChangeReaders } from './change-readers.ts';
import { ContactReader } from '../features/contacts/contact-reader.ts';
import { Contacts } from '../features/contacts/contacts.ts';
import { DistanceBands, readBands, type BandOptions } from '../features/sensors/distance-bands.ts';
import { describe, requireFunction, requireNotNegative } from './input/input-checks.ts';
import { plainMath, type MathFactory, type MathTypes, type PlainMath } from './input/math-types.ts';
import { readIntegers, type PointLike, type Region } from './input/shapes.ts';
import { OctreeNode } from './bodies/octree-node.ts';
import { OctreeBodies } from './octree-bodies.ts';
import type { BodyOptions } from './bodies/body-options.ts';
import { readMaskAndFilter, type ContactOptions } from '../features/contacts/contact-options.ts';
import { resolveOptions, type OctreeOptions } from './bodies/octree-options.ts';
import { readSensorOptions, Sensor, type SensorOptions } from '../features/sensors/sensor.ts';
import { statisticsOf, type OctreeStatistics, type TickStatistics } from './statistics.ts';
import { Ticker } from './ticker.ts';
import { requireTranslatable } from '../features/translate/translation.ts';
import { createVolume, moveCenter, type Volume } from '../features/sensors/volume-arguments.ts';
import { SensorSet } from '../features/sensors/sensor-set.ts';

/**
 * A database of all bodies of a scene, moving or static, with queries for what a camera sees, what a ray hits, what is near and what overlaps.
 *
 * Inserts, moves and removals are queued and applied together, by the next query or by `update`. So a query never misses a body that was inserted
 * before it, and never reports one that was removed before it. Call `update` once per frame: only `update` removes empty leaves and merges
 * under-full nodes. `T` is the type of the data that the user stores with each body.
 */
export class Octree<T = unknown, M extends MathTypes = PlainMath> extends OctreeBodies<T, M> {
  private ticker: Ticker<T, M>;
  private readonly readers: ChangeReaders<T, M>;
  /** Created with the first sensor. */
  private sensors: SensorSet | null = null;

  /**
   * @throws {RangeError} If a value lies outside its range.
   * @throws {TypeError} If an option is of the wrong type.
   */
  constructor(options?: OctreeOptions);
  /** @internal */
  constructor(options: OctreeOptions | undefined, math: MathFactory<M>);
  constructor(options: OctreeOptions = {}, math: MathFactory<M> = plainMath as MathFactory<M>) {
    super(resolveOptions(options), math);
    this.readers = new ChangeReaders<T, M>(this.store, this.runner);
    this.ticker = new Ticker<T, M>(this.store, this.runner, this.readers);
  }

  /** The root's cell; null until the `region` option or a first batch has set it. */
  get region(): Region | null {
    const { region } = this.store;
    return region === null ? null : { min: { x: region.minX, y: region.minY, z: region.minZ }, edge: region.edge };
  }

  /** The state of the tree, and counts since the start. Does not apply the queue. */
  get statistics(): OctreeStatistics {
    return statisticsOf(this.store);
  }

  /** @internal */
  protected registerCallbacks(body: Body<T, M>, options: BodyOptions<T, M>): void {
    this.ticker.register(body, options);
  }

  /**
   * One tick: calls `update` of the bodies that have one, applies the queue, removes empty leaves whose lifespan has ended, merges under-full nodes,
   * and calls `onIntersection` for each overlap of a body that has one.
   *
   * @param deltaSeconds Seconds, finite and not negative, passed to the bodies' `update`. Lifespans count calls, not time.
   * @returns The state after the tick, and counts of what happened since the previous tick.
   * @throws {RangeError} If `deltaSeconds` is not finite or negative.
   * @throws {Error} If called from a callback of a query or of `update`.
   * @throws The first error that a callback has thrown, after the tick.
   */
  update(deltaSeconds: number = 0): TickStatistics {
    this.refuseInCallback('Octree.update');
    requireNotNegative('Octree.update', 'deltaSeconds', deltaSeconds, 'pass the seconds since the last frame');
    if (deltaSeconds === Infinity) throw new RangeError('Octree.update: deltaSeconds must be finite, but is Infinity; pass the seconds since the last frame.');
    return this.ticker.tick(deltaSeconds);
  }

  /**
   * Keeps the overlapping pairs of bodies from update to update: after each `update` the lists of the result tell which pairs began, stayed and ended.
   * The first update after the call reports all pairs as begun.
   *
   * Cost: grows with the number of bodies that move, not with the number of all bodies. Each call keeps pairs of its own.
   *
   * @throws {RangeError} If `mask` is not an integer of 32 bits.
   * @throws {TypeError} If an option is of the wrong type.
   */
  trackContacts(options: ContactOptions<T, M> = {}): Contacts<T, M> {
    const categories = readMaskAndFilter('Octree.trackContacts', options);
    return new Contacts<T, M>(new ContactReader(categories, options.filter), this.readers);
  }

  /**
   * Watches a box, a sphere or a frustum: after each `update` the lists of the sensor tell which bodies entered, left and are inside, touching included.
   * The first update after the call reports all bodies inside as entered.
   *
   * Cost: while the volume rests, it grows with the number of bodies that move near its boundary. A volume that moves costs a query in every update. A frustum
   * costs a query in each update in which it has moved, or a body was inserted, moved or removed.
   *
   * @param volume A Box3, a Sphere or a Frustum, or anything shaped like them. Its numbers are copied; `sensor.moveTo` moves it.
   * @throws {RangeError} If a number is not finite, a coordinate is beyond 2^50, a box is inverted, a radius is negative, or `mask` is not an integer
   *   of 32 bits.
   * @throws {TypeError} If the volume is shaped like none of them, or an option is of the wrong type.
   */
  watch(volume: Volume, options: SensorOptions<T, M> = {}): Sensor<T, M> {
    const where = 'Octree.watch';
    const categories = readSensorOptions(where, options);
    const workspace = this.runner.begin(where);
    try {
      this.sensors ??= new SensorSet(this.readers);
      return new Sensor<T, M>(where, this.sensors, createVolume(where, volume, categories, workspace), options);
    } finally {
      this.runner.end();
    }
  }

  /**
   * Watches in which band of distance from a point each body is: after each `update` a list tells whose band has changed. For levels of detail, for
   * sleeping and waking, for sounds.
   *
   * Cost: as `watch` with a sphere of the last distance.
   *
   * @param distances World units, ascending, 1 to 100 of them; copied. Band 0 reaches to the first one.
   * @throws {RangeError} If a number is not finite or out of range, the distances do not ascend, or `mask` is not an integer of 32 bits.
   * @throws {TypeError} If an argument or an option is of the wrong type.
   */
  watchDistances(point: PointLike, distances: ArrayLike<number>, options: BandOptions<T, M> = {}): DistanceBands<T, M> {
    const where = 'Octree.watchDistances';
    const bands = readBands(where, distances, options);
    const workspace = this.runner.begin(where);
    try {
      moveCenter(where, point, workspace, bands.volume);
    } finally {
      this.runner.end();
    }
    this.sensors ??= new SensorSet(this.readers);
    return new DistanceBands<T, M>(where, this.sensors, bands.volume, bands.distances, options);
  }

  /**
   * Moves the whole world by a vector of integers: all bodies, the region, and the volumes of all sensors and bands. For large worlds, whose camera stays
   * near 0. Nothing is rebuilt, and a translation alone reports no events. Queued writes are applied first. Handles, indices and ids stay. Your
   * application must move what it keeps itself, such as cameras and boxes.
   *
   * A coordinate becomes the sum, rounded to the nearest double. It is exact if the body comes nearer to 0 on that axis, or if the sum has enough bits:
   * always for coordinates that are multiples of 2^-k, as long as they stay below 2^(53 - k). Otherwise it is off by at most half a unit in the last place, which
   * may change what touches, as any move may. Cells are exact, and so are queries: they use the rounded bounds.
   *
   * Cost: linear in the bodies; about 0.4 times the cost of a rebuild, and a tenth of moving all bodies. The next update makes a query for each sensor, and
   * a search for the contacts of the bodies that were rounded.
   *
   * @throws {RangeError} If a number is not an integer, or a body would lie beyond 2^50, the region or a sensor beyond 2^51. Then nothing changes.
   * @throws {TypeError} If the argument is not shaped like a vector.
   * @throws {Error} If called from a callback of a query or of `update`.
   */
  translate(vector: PointLike): void {
    const where = 'Octree.translate';
    this.refuseInCallback(where);
    const shift = new Float64Array(3);
    readIntegers(where, 'vector', vector, shift);
    if (shift.every((value) => value === 0)) return;
    this.store.flush();
    requireTranslatable(where, this.store.tree, this.store.region, shift);
    this.sensors?.checkTranslation(where, shift);
    this.store.translate(shift);
    this.readers.translate(shift);
    this.ticker.translate();
  }

  /**
   * Removes all bodies and the tree. The octree is then as after its construction. But contacts and sensors continue, with empty lists: they report no
   * `ended` and no `left` for the bodies that were removed.
   *
   * @throws {Error} If called from a callback of a query or of `update`.
   */
  clear(): void {
    this.refuseInCallback('Octree.clear');
    this.reset();
    this.readers.restart(this.store, this.runner);
    this.ticker = new Ticker<T, M>(this.store, this.runner, this.readers);
  }

  /**
   * Calls the visitor for every node, parents first, children in octant order. Like every callback, the visitor may query and write.
   *
   * @param target Filled and passed for each node, so that nothing is allocated. Without it each node is a new object, which may be kept.
   */
  visitNodes(visitor: (node: OctreeNode<T, M>) => void, target?: OctreeNode<T, M>): void {
    this.walkFor('Octree.visitNodes', visitor, target, (node) => {
      visitor(node);
    });
  }

  /**
   * A walk for queries that the octree does not have. The visitor gets each node with its cell, fitted box and bodies, parents first. It returns
   * `WalkSignal.Continue` or nothing to visit the children, `Prune` to skip them, or `Stop` to end the walk.
   *
   * @param target As in `visitNodes`.
   * @throws {TypeError} If the visitor is not a function or returns anything else, or the target is not an OctreeNode.
   */
  walk(visitor: (node: OctreeNode<T, M>) => WalkSignal | void, target?: OctreeNode<T, M>): void {
    this.walkFor('Octree.walk', visitor, target, visitor);
  }

  /** Applies the queue, checks every invariant and describes each fault; [] if there is none. For tests. Cost: about a rebuild. */
  validate(): string[] {
    this.runner.begin('Octree.validate');
    try {
      this.runner.flush();
      return [...validateTree(this.store.tree), ...this.store.validate()];
    } finally {
      this.runner.end();
    }
  }

  /** Checks the arguments as given by the caller, then walks with `visitor`, which wraps the given one. */
  private walkFor(where: string, given: unknown, target: OctreeNode<T, M> | undefined, visitor: (node: OctreeNode<T, M>) => WalkSignal | void): void {
    if (given === undefined) throw new TypeError(`${where}: visitor must be a function, but is ${describe(given)}; pass (node) => {}.`);
    requireFunction(where, 'visitor', given);
    if (target !== undefined && !(target instanceof OctreeNode)) throw new TypeError(`${where}: target must be an OctreeNode, but is ${describe(target)}; leave it out for fresh ones.`);
    const { scratch } = this.runner.begin(where);
    try {
      this.runner.flush();
      walkNodes(this.store.tree, scratch, (node) => {
        const signal: unknown = visitor((target ?? new OctreeNode<T, M>(this.store.math)).read(this.store, node));
        if (isSignal(signal)) return signal;
        throw new TypeError(`${where}: visitor must return a WalkSignal or nothing, but returned ${describe(signal)}; use WalkSignal.Continue, Prune or Stop.`);
      });
    } finally {
      this.runner.end();
    }
  }

  private refuseInCallback(where: string): void {
    if (!this.ticker.isRunning && !this.runner.isRunning) return;
    throw new Error(`${where}: must not be called from a callback of a query or of update; call it afterwards.`);
  }
}

function isSignal(value: unknown): value is WalkSignal | undefined {
  return value === undefined || value === WalkSignal.Continue || value === WalkSignal.Prune || value === WalkSignal.Stop;
}
