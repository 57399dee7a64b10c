/** `watchDistances`, its options and its result: within which distance of a point each body is. */

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
import { WatchedSphere } from './sensor-volumes.ts';
import type { Volume } from '../volumes/volumes.ts';
import { OUTSIDE, REFUSED } from './zone-list.ts';
import { ZoneSensor } from './zone-sensor.ts';

const WHERE = 'watchDistances';

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
    super(set, WHERE, 'DistanceBands', read, distances.length, categories, filter);
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
  const internals = internalsOf(WHERE, octree);
  requireOptions(WHERE, options, BAND_OPTIONS);
  const { mask, filter, hysteresis = 0, onChange } = options;
  const categories = readMask(WHERE, 'options.mask', mask);
  requireFunction(WHERE, 'options.filter', filter);
  requireFunction(WHERE, 'options.onChange', onChange);
  requireHysteresis(WHERE, 'options.hysteresis', hysteresis);
  const numbers = new Float64Array(MAX_DISTANCES);
  const copy = Array.from(numbers.subarray(0, readDistances(WHERE, distances, numbers)));
  const radii = copy.map((_, k) => copy[copy.length - 1 - k]);
  if (hysteresis > 0) radii.push(...radii.map((radius) => radius * (1 - hysteresis)));
  return new DistanceBands<T, M>(internals.stateOf(SensorSet), point, radii, copy, categories, filter, onChange);
}

function spheresAround(point: PointLike, radii: readonly number[], { values, where }: Workspace): Volume[] {
  readPoint(where, 'point', '', point, values);
  return radii.map((radius) => new WatchedSphere(values, radius));
}
