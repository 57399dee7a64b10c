/** The public class `Sensor`, which `watch` returns. */

import type { Body } from '../../octree/bodies/body.ts';
import { requireFunction } from '../../octree/input/input-checks.ts';
import { readMaskAndFilter, type KnownOptions } from '../../octree/input/known-options.ts';
import type { MathTypes, PlainMath } from '../../octree/input/math-types.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import type { SensorSet } from './sensor-set.ts';
import { SensorState } from './sensor-state.ts';
import type { SensorVolume } from './sensor-volume.ts';
import { moveVolume, type SensorShape } from './volume-arguments.ts';

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
  constructor(where: string, set: SensorSet, volume: SensorVolume, { filter, onEnter, onLeave }: SensorOptions<T, M>) {
    this.set = set;
    this.state = new SensorState(where, volume, {
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
   * Moves the volume, or gives it another size. Counts from the next update on. The numbers are copied.
   *
   * @param volume Of the same kind as before: a box, a sphere or a frustum.
   * @throws {RangeError} If the sensor was stopped, a number is not finite, a coordinate is beyond 2^50, a box is
   *   empty or a radius is negative.
   * Then the volume stays as it was.
   * @throws {TypeError} If the volume is of another kind or shape.
   */
  moveTo(volume: SensorShape): this {
    const where = 'Sensor.moveTo';
    this.set.move(where, this.state, 'this sensor was stopped; call watch again', (workspace) =>
      moveVolume(where, volume, workspace, this.state.volume),
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

/** Checks the options of a sensor, and returns the categories to report. */
export function readSensorOptions<T, M extends MathTypes>(where: string, options: SensorOptions<T, M>): number {
  const categories = readMaskAndFilter(where, options, SENSOR_OPTIONS);
  requireFunction(where, 'options.onEnter', options.onEnter);
  requireFunction(where, 'options.onLeave', options.onLeave);
  return categories;
}
