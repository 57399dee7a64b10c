/** `watch`, its options and its result: what is inside a volume, followed from update to update. */

import type { Body } from '../../octree/bodies/body.ts';
import { readMask, requireFunction } from '../../octree/input/input-checks.ts';
import { requireOptions, type KnownOptions } from '../../octree/input/known-options.ts';
import type { MathTypes, PlainMath } from '../../octree/input/math-types.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import { SensorSet } from './sensor-set.ts';
import { readVolume, type SensorShape } from './sensor-volumes.ts';
import { OUTSIDE } from './zone-list.ts';
import { ZoneSensor } from './zone-sensor.ts';

const WHERE = 'watch';

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
    super(set, WHERE, 'Sensor', (workspace) => [readVolume(volume, workspace)], 1, mask, callbacks.filter);
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
  const internals = internalsOf(WHERE, octree);
  requireOptions(WHERE, options, SENSOR_OPTIONS);
  const { mask, filter, onEnter, onLeave } = options;
  const categories = readMask(WHERE, 'options.mask', mask);
  requireFunction(WHERE, 'options.filter', filter);
  requireFunction(WHERE, 'options.onEnter', onEnter);
  requireFunction(WHERE, 'options.onLeave', onLeave);
  return new Sensor<T, M>(internals.stateOf(SensorSet), volume, categories, { filter, onEnter, onLeave });
}
