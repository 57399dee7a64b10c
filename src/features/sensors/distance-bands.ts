/** The public class `DistanceBands`, which `watchDistances` returns. */

import type { Body } from '../../octree/bodies/body.ts';
import { requireDistances, requireFunction, requireHysteresis } from '../../octree/input/input-checks.ts';
import { readMaskAndFilter, type KnownOptions } from '../../octree/input/known-options.ts';
import type { MathTypes, PlainMath } from '../../octree/input/math-types.ts';
import type { PointLike } from '../../octree/input/shapes.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import type { SensorSet } from './sensor-set.ts';
import { SensorState } from './sensor-state.ts';
import { SensorVolume } from './sensor-volume.ts';
import { moveCenter } from './volume-arguments.ts';

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
export class DistanceBands<T, M extends MathTypes = PlainMath> {
  /** The distances, ascending. World units. */
  readonly distances: readonly number[];

  private readonly set: SensorSet;
  private readonly state: SensorState;

  /** @internal */
  constructor(
    where: string,
    set: SensorSet,
    volume: SensorVolume,
    distances: readonly number[],
    { filter, onChange }: BandOptions<T, M>,
  ) {
    this.distances = distances;
    this.set = set;
    this.state = new SensorState(where, volume, {
      filter,
      onChange: onChange && ((body, from, to) => onChange(body as Body<T, M>, from, to, this)),
    });
    set.add(this.state);
  }

  /** Bodies whose band has changed, by index. Three numbers each: the index, the band before, the band now. */
  get changed(): IndexList {
    return this.state.changed;
  }

  /** Bodies within the last distance, by index. */
  get inside(): IndexList {
    return this.state.inside;
  }

  /** Whether `stop` was called. */
  get isStopped(): boolean {
    return this.state.isStopped;
  }

  /**
   * The band of a body at the last update; `distances.length` for a body beyond the last distance, for a body that
   * `mask` or `filter` excludes, and for a body inserted since.
   *
   * @throws {RangeError} If the index belongs to no body.
   */
  bandOf(index: number): number {
    this.set.bodyAt('DistanceBands.bandOf', index);
    return this.state.bandOf(this.state.zones.zoneOf(index));
  }

  /**
   * Moves the point. Counts from the next update on. The numbers are copied.
   *
   * @throws {RangeError} If the bands were stopped, or a number is not finite or beyond 2^50. Then the point stays as
   *   it was.
   * @throws {TypeError} If the argument is not shaped like a point.
   */
  moveTo(point: PointLike): this {
    const where = 'DistanceBands.moveTo';
    this.set.move(where, this.state, 'these bands were stopped; call watchDistances again', (workspace) =>
      moveCenter(where, point, workspace, this.state.volume),
    );
    return this;
  }

  /**
   * The body of an index in the lists. For a body that was removed it is a handle with `index` -1 and the body's data,
   * until the next update begins.
   *
   * @throws {RangeError} If the index belongs to no body.
   */
  bodyAt(index: number): Body<T, M> {
    return this.set.bodyAt('DistanceBands.bodyAt', index) as Body<T, M>;
  }

  /**
   * Ends the bands: the lists are empty from now on, and no callback is called. Does nothing if it was called before.
   */
  stop(): void {
    if (!this.state.isStopped) this.set.stop(this.state);
  }
}

const BAND_OPTIONS: KnownOptions = /* @__PURE__ */ Object.keys({
  mask: true,
  filter: true,
  hysteresis: true,
  onChange: true,
} satisfies Record<keyof BandOptions<never>, true>);

/** Checks the distances and options of bands; returns their volume, without the point, and a copy of the distances. */
export function readBands<T, M extends MathTypes>(
  where: string,
  distances: ArrayLike<number>,
  options: BandOptions<T, M>,
): { readonly volume: SensorVolume; readonly distances: readonly number[] } {
  const categories = readMaskAndFilter(where, options, BAND_OPTIONS);
  requireFunction(where, 'options.onChange', options.onChange);
  const { hysteresis = 0 } = options;
  requireHysteresis(where, 'options.hysteresis', hysteresis);
  requireDistances(where, distances);
  const copy = Array.from(distances);
  return { volume: new SensorVolume('sphere', categories, copy, hysteresis), distances: copy };
}
