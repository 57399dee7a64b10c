/**
 * `watch` and `watchDistances`, their options and their results: what is inside a volume, and within which distance of
 * a point each body is, followed from update to update.
 */

import type { Body } from '../../octree/bodies/body.ts';
import { readMask, requireFunction } from '../../octree/input/input-checks.ts';
import { requireOptions, type KnownOptions } from '../../octree/input/known-options.ts';
import type { MathTypes, PlainMath } from '../../octree/input/math-types.ts';
import { readPoint, type PointLike } from '../../octree/input/shapes.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { MAX_DISTANCES, readDistances, requireHysteresis } from '../distances/body-distances.ts';
import { reportedBodyAt } from '../tracking/reported-bodies.ts';
import { SensorSet } from './sensor-set.ts';
import { readVolume, WatchedSphere, type SensorShape } from './sensor-volumes.ts';
import type { Volume } from '../volumes/volumes.ts';
import { OUTSIDE, REFUSED } from './zone-list.ts';
import { ZoneSensor } from './zone-sensor.ts';

/** The options of `watch`. */
export interface SensorOptions<T, M extends MathTypes = PlainMath> {
  /** Watches only bodies with `(body.mask & mask) !== 0`. Default all ones. */
  readonly mask?: number;
  /**
   * Watches only bodies for which this returns true. Called by `update` when a body enters; the result holds until the
   * body leaves. It may query and write, as a callback. If it throws, the body is left out, and the first error is
   * thrown after the tick.
   */
  readonly filter?: (body: Body<T, M>) => boolean;
  /**
   * Called by `update` for each body that has entered, by index, after the lists of all sensors are filled. Errors as
   * in `BodyOptions.update`.
   */
  readonly onEnter?: (body: Body<T, M>, sensor: Sensor<T, M>) => void;
  /** Called before `onEnter` for each body that has left. If the body was removed, its `index` is -1. */
  readonly onLeave?: (body: Body<T, M>, sensor: Sensor<T, M>) => void;
}

type Callbacks<T, M extends MathTypes> = {
  readonly [Name in 'filter' | 'onEnter' | 'onLeave']: SensorOptions<T, M>[Name];
};

/**
 * Watches a volume: which bodies have entered, which have left, and which are inside. Each `octree.update` replaces the
 * contents of the three lists; nothing else does, so that they describe the moment of the last update. The lists belong
 * to the octree: read them, do not change them. All are ordered by index.
 *
 * `inside` are the bodies that a query with this volume and these options would report at that moment. A body that is
 * removed leaves. The index of a removed body is in no other use until the next update begins; `bodyAt` returns its
 * handle, whose `index` is -1.
 */
export class Sensor<T, M extends MathTypes = PlainMath> extends ZoneSensor<T, M> {
  /** Bodies that are inside now, but were not in the update before. */
  readonly entered: IndexList = new IndexList(0);
  /** Bodies that were inside in the update before, but are not now, or were removed. */
  readonly left: IndexList = new IndexList(0);

  /** @internal */
  protected readonly lists = [this.entered, this.left];
  /** @internal */
  protected readonly stride = 1;
  private readonly callbacks: Callbacks<T, M>;

  /** @internal */
  constructor(set: SensorSet, volume: SensorShape, mask: number, callbacks: Callbacks<T, M>) {
    super(set, 'watch', 'Sensor', (workspace) => [readVolume(volume, workspace)], 1, mask, callbacks.filter);
    this.callbacks = callbacks;
  }

  /**
   * Moves the volume, gives it another size, or replaces it by another one. Counts from the next update on. The numbers
   * are copied.
   *
   * @throws {RangeError} If the sensor was stopped, or the volume is wrong, as in `watch`. Then the volume stays as it
   *   was.
   * @throws {TypeError} If the volume is shaped like none of them.
   */
  moveTo(volume: SensorShape): this {
    return this.move((workspace) => [readVolume(volume, workspace)]);
  }

  /** @internal */
  protected list(index: number, before: number): void {
    (before === OUTSIDE ? this.entered : this.left).push(index);
  }

  /** @internal */
  call(errors: unknown[]): void {
    const { onEnter, onLeave } = this.callbacks;
    this.callEach(this.left, errors, onLeave && ((body) => onLeave(body, this)));
    this.callEach(this.entered, errors, onEnter && ((body) => onEnter(body, this)));
  }
}

const SENSOR_OPTIONS: KnownOptions<SensorOptions<never>> = ['mask', 'filter', 'onEnter', 'onLeave'];

/**
 * Watches a volume: after each `update` the lists of the sensor tell which bodies entered, left and are inside,
 * touching included. The first update after the call reports all bodies inside as entered.
 *
 * Cost: while a box or a sphere rests, it grows with the number of bodies that move near its boundary. A volume that
 * moves costs a query in every update. Any other volume costs a query in each update in which it has moved, or a body
 * was inserted, moved or removed.
 *
 * @param octree The octree to follow.
 * @param volume A Box3, a Sphere or a Frustum, or anything shaped like them; a volume as for `intersect`. Its numbers
 *   are copied; `sensor.moveTo` moves it. The callbacks of a `CustomVolume` run in `update`; call `moveTo` when their
 *   answers change, and after `translate`, which cannot move such a volume. If one throws, the lists stay as they were,
 *   and the first error is thrown after the tick.
 * @param options `onEnter`, `onLeave`, `mask`, `filter`: see `SensorOptions`.
 * @throws {RangeError} If a number is not finite, a coordinate is beyond 2^50, a box is inverted, a radius is negative,
 *   or `mask` is not an integer of 32 bits.
 * @throws {TypeError} If the volume is shaped like none of them, or an option is of the wrong type.
 *
 * @example
 * ```ts
 * import { Octree, watch } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * const player = octree.insert({ center: { x: 0, y: 0, z: 0 }, radius: 0.5 }, 'player');
 * const room = { min: { x: 5, y: -1, z: -5 }, max: { x: 15, y: 4, z: 5 } };
 * watch(octree, room, {
 *   onEnter: ({ data }) => console.log(data, 'enters'),
 *   onLeave: ({ data }) => console.log(data, 'leaves'),
 * });
 * for (const x of [6, 40]) {
 *   player.setCenter({ x, y: 0, z: 0 });
 *   octree.update(1 / 60);
 * }
 * // prints: player enters
 * // prints: player leaves
 * ```
 */
export function watch<T, M extends MathTypes>(
  octree: Octree<T, M>,
  volume: SensorShape,
  options: SensorOptions<T, M> = {},
): Sensor<T, M> {
  const where = 'watch';
  const internals = internalsOf(where, octree);
  requireOptions(where, options, SENSOR_OPTIONS);
  const { mask, filter, onEnter, onLeave } = options;
  const categories = readMask(where, 'options.mask', mask);
  requireFunction(where, 'options.filter', filter);
  requireFunction(where, 'options.onEnter', onEnter);
  requireFunction(where, 'options.onLeave', onLeave);
  return new Sensor<T, M>(internals.stateOf(SensorSet), volume, categories, { filter, onEnter, onLeave });
}

/** The options of `watchDistances`. */
export interface BandOptions<T, M extends MathTypes = PlainMath> {
  /** Watches only bodies with `(body.mask & mask) !== 0`. Default all ones. */
  readonly mask?: number;
  /** As in `SensorOptions`: called when a body comes within the last distance. */
  readonly filter?: (body: Body<T, M>) => boolean;
  /**
   * A fraction of a distance. A body in a farther band comes back only within (1 - hysteresis) times the distance, so
   * that it does not flicker between two bands. A body that is new counts as one that was in the last band, beyond all
   * distances. At least 0, below 1. Default 0.
   */
  readonly hysteresis?: number;
  /**
   * Called by `update` for each body whose band has changed, by index, after the lists are filled. If the body was
   * removed, its `index` is -1. Errors as in `BodyOptions.update`.
   */
  readonly onChange?: (body: Body<T, M>, from: number, to: number, bands: DistanceBands<T, M>) => void;
}

/**
 * Watches in which band of distance from a point each body is. Band 0 reaches to the first distance, band 1 from there
 * to the second, and so on, the distance itself included; a body beyond the last distance is in the band
 * `distances.length`. The distance is measured to the surface of the body: without `hysteresis`, a body is in band k or
 * in a nearer band exactly if a sphere query with radius `distances[k]` reports it.
 *
 * Each `octree.update` replaces the contents of the lists; nothing else does. They belong to the octree: read them, do
 * not change them. A removed body goes to the last band; `bodyAt` returns its handle, whose `index` is -1, until the
 * next update begins.
 */
export class DistanceBands<T, M extends MathTypes = PlainMath> extends ZoneSensor<T, M> {
  /** The distances, ascending. World units. */
  readonly distances: readonly number[];
  /** Bodies whose band has changed, by index. Three numbers each: the index, the band before, the band now. */
  readonly changed: IndexList = new IndexList(0);

  /** @internal */
  protected readonly lists = [this.changed];
  /** @internal */
  protected readonly stride = 3;
  /** Of the zones, the outermost first; then with hysteresis of their return volumes. */
  private readonly radii: readonly number[];
  private readonly onChange: BandOptions<T, M>['onChange'];

  /** @internal */
  constructor(
    set: SensorSet,
    point: PointLike,
    radii: readonly number[],
    distances: readonly number[],
    categories: number,
    filter: BandOptions<T, M>['filter'],
    onChange: BandOptions<T, M>['onChange'],
  ) {
    const read = (workspace: Workspace): Volume[] => spheresAround(point, radii, workspace);
    super(set, 'watchDistances', 'DistanceBands', read, distances.length, categories, filter);
    this.radii = radii;
    this.distances = distances;
    this.onChange = onChange;
  }

  /**
   * The band of a body at the last update; `distances.length` for a body beyond the last distance, for a body that
   * `mask` or `filter` excludes, and for a body inserted since.
   *
   * @throws {RangeError} If the index belongs to no body.
   */
  bandOf(index: number): number {
    reportedBodyAt('DistanceBands.bandOf', this.set.internals.store, index);
    const zone = this.zones.zoneOf(index);
    return this.zoneCount - (zone < REFUSED ? zone : OUTSIDE);
  }

  /**
   * Moves the point. Counts from the next update on. The numbers are copied.
   *
   * @throws {RangeError} If the bands were stopped, or a number is not finite or beyond 2^50. Then the point stays as
   *   it was.
   * @throws {TypeError} If the argument is not shaped like a point.
   */
  moveTo(point: PointLike): this {
    return this.move((workspace) => spheresAround(point, this.radii, workspace));
  }

  /** @internal */
  protected list(index: number, before: number, now: number): void {
    const { changed, zoneCount } = this;
    changed.push(index);
    // Bands are counted from the innermost, which is 0; the last one is outside.
    changed.push(zoneCount - before);
    changed.push(zoneCount - now);
  }

  /** @internal */
  call(errors: unknown[]): void {
    const { onChange } = this;
    this.callEach(this.changed, errors, onChange && ((body, from, to) => onChange(body, from, to, this)));
  }
}

const BAND_OPTIONS: KnownOptions<BandOptions<never>> = ['mask', 'filter', 'hysteresis', 'onChange'];

/**
 * Watches in which band of distance from a point each body is: after each `update` a list tells whose band has changed.
 * For levels of detail, for sleeping and waking, for sounds.
 *
 * Cost: as `watch` with a sphere of the last distance.
 *
 * @param octree The octree to follow.
 * @param point From where distances are measured, world units. Copied.
 * @param distances World units, ascending, 1 to 100 of them; copied. Band 0 reaches to the first one.
 * @param options `hysteresis`, `onChange` and others: see `BandOptions`.
 * @throws {RangeError} If a number is not finite or out of range, the distances do not ascend, or `mask` is not an
 *   integer of 32 bits.
 * @throws {TypeError} If an argument or an option is of the wrong type.
 *
 * @example
 * ```ts
 * import { Octree, watchDistances } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * const enemy = octree.insert({ center: { x: 100, y: 0, z: 0 }, radius: 1 }, 'enemy');
 * watchDistances(octree, { x: 0, y: 0, z: 0 }, [10, 50], {
 *   onChange: ({ data }, from, to) => console.log(data, 'from band', from, 'to', to),
 * });
 * enemy.setCenter({ x: 30, y: 0, z: 0 });
 * octree.update(1 / 60); // prints: enemy from band 2 to 1
 * ```
 */
export function watchDistances<T, M extends MathTypes>(
  octree: Octree<T, M>,
  point: PointLike,
  distances: ArrayLike<number>,
  options: BandOptions<T, M> = {},
): DistanceBands<T, M> {
  const where = 'watchDistances';
  const internals = internalsOf(where, octree);
  requireOptions(where, options, BAND_OPTIONS);
  const { mask, filter, hysteresis = 0, onChange } = options;
  const categories = readMask(where, 'options.mask', mask);
  requireFunction(where, 'options.filter', filter);
  requireFunction(where, 'options.onChange', onChange);
  requireHysteresis(where, 'options.hysteresis', hysteresis);
  const numbers = new Float64Array(MAX_DISTANCES);
  const copy = Array.from(numbers.subarray(0, readDistances(where, distances, numbers)));
  const radii = copy.map((_, k) => copy[copy.length - 1 - k]);
  if (hysteresis > 0) radii.push(...radii.map((radius) => radius * (1 - hysteresis)));
  return new DistanceBands<T, M>(internals.stateOf(SensorSet), point, radii, copy, categories, filter, onChange);
}

function spheresAround(point: PointLike, radii: readonly number[], { values, where }: Workspace): Volume[] {
  readPoint(where, 'point', '', point, values);
  return radii.map((radius) => new WatchedSphere(values, radius));
}
