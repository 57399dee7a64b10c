/** `watch`, its options and its result: what is inside a volume, followed from update to update. */

import type { Body } from '../../octree/bodies/body.ts';
import { requireFunction } from '../../octree/input/input-checks.ts';
import { readMaskAndFilter, type KnownOptions } from '../../octree/input/known-options.ts';
import type { MathTypes, PlainMath } from '../../octree/input/math-types.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import { SensorSet } from './sensor-set.ts';
import { SensorState } from './sensor-state.ts';
import { readVolume, type SensorShape, type WatchedVolume } from './sensor-volumes.ts';

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

/**
 * Watches a volume: which bodies have entered, which have left, and which are inside. Each `octree.update` replaces the
 * contents of the three lists; nothing else does, so that they describe the moment of the last update. The lists belong
 * to the octree: read them, do not change them. All are ordered by index.
 *
 * `inside` are the bodies that a query with this volume and these options would report at that moment. A body that is
 * removed leaves. The index of a removed body is in no other use until the next update begins; `bodyAt` returns its
 * handle, whose `index` is -1.
 */
export class Sensor<T, M extends MathTypes = PlainMath> {
  private readonly set: SensorSet;
  private readonly state: SensorState;

  /** @internal */
  constructor(
    set: SensorSet,
    volume: WatchedVolume,
    categories: number,
    { filter, onEnter, onLeave }: SensorOptions<T, M>,
  ) {
    this.set = set;
    this.state = new SensorState('watch', volume, categories, 1, {
      filter,
      onEnter: onEnter && ((body) => onEnter(body as Body<T, M>, this)),
      onLeave: onLeave && ((body) => onLeave(body as Body<T, M>, this)),
    });
    set.add(this.state);
  }

  /** Bodies that are inside now, but were not in the update before. */
  get entered(): IndexList {
    return this.state.entered;
  }

  /** Bodies that were inside in the update before, but are not now, or were removed. */
  get left(): IndexList {
    return this.state.left;
  }

  /** Bodies that are inside now. */
  get inside(): IndexList {
    return this.state.inside;
  }

  /** Whether `stop` was called. */
  get isStopped(): boolean {
    return this.state.isStopped;
  }

  /**
   * Moves the volume, gives it another size, or replaces it by another one. Counts from the next update on. The numbers
   * are copied.
   *
   * @throws {RangeError} If the sensor was stopped, or the volume is wrong, as in `watch`. Then the volume stays as it
   *   was.
   * @throws {TypeError} If the volume is shaped like none of them.
   */
  moveTo(volume: SensorShape<M>): this {
    const where = 'Sensor.moveTo';
    const { state } = this;
    this.set.move(where, state, 'this sensor was stopped; call watch again', (workspace, math) => {
      state.volume = readVolume(where, volume, workspace, math);
    });
    return this;
  }

  /**
   * The body of an index in the lists. For a body that was removed it is a handle with `index` -1 and the body's data,
   * until the next update begins.
   *
   * @throws {RangeError} If the index belongs to no body.
   */
  bodyAt(index: number): Body<T, M> {
    return this.set.bodyAt('Sensor.bodyAt', index) as Body<T, M>;
  }

  /**
   * Ends the sensor: the lists are empty from now on, and no callback is called. Does nothing if it was called before.
   */
  stop(): void {
    if (!this.state.isStopped) this.set.stop(this.state);
  }
}

const SENSOR_OPTIONS: KnownOptions = /* @__PURE__ */ Object.keys({
  mask: true,
  filter: true,
  onEnter: true,
  onLeave: true,
} satisfies Record<keyof SensorOptions<never>, true>);

/**
 * Watches a volume: after each `update` the lists of the sensor tell which bodies entered, left and are inside,
 * touching included. The first update after the call reports all bodies inside as entered.
 *
 * Cost: while a box or a sphere rests, it grows with the number of bodies that move near its boundary. A volume that
 * moves costs a query in every update. Any other volume costs a query in each update in which it has moved, or a body
 * was inserted, moved or removed.
 *
 * @param volume A Box3, a Sphere or a Frustum, or anything shaped like them; a volume as for `intersect`. Its numbers
 *   are copied; `sensor.moveTo` moves it. The callbacks of a `VolumeTest` run in `update`; call `moveTo` when their
 *   answers change, and after `translate`, which cannot move such a volume. If one throws, the lists stay as they were,
 *   and the first error is thrown after the tick.
 * @throws {RangeError} If a number is not finite, a coordinate is beyond 2^50, a box is inverted, a radius is negative,
 *   or `mask` is not an integer of 32 bits.
 * @throws {TypeError} If the volume is shaped like none of them, or an option is of the wrong type.
 */
export function watch<T, M extends MathTypes>(
  octree: Octree<T, M>,
  volume: SensorShape<M>,
  options: SensorOptions<T, M> = {},
): Sensor<T, M> {
  const where = 'watch';
  const internals = internalsOf(where, octree);
  const categories = readMaskAndFilter(where, options, SENSOR_OPTIONS);
  requireFunction(where, 'options.onEnter', options.onEnter);
  requireFunction(where, 'options.onLeave', options.onLeave);
  const set = internals.stateOf(SensorSet);
  const watched = set.read(where, (workspace, math) => readVolume(where, volume, workspace, math));
  return new Sensor<T, M>(set, watched, categories, options);
}
