/** What is inside a volume, or within which distance of a point, followed from update to update. */

import type { MathTypes } from '../../octree/input/math-types.ts';
import type { PointLike } from '../../octree/input/shapes.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import { DistanceBands, readBands, type BandOptions } from './distance-bands.ts';
import { readSensorOptions, Sensor, type SensorOptions } from './sensor.ts';
import { SensorSet } from './sensor-set.ts';
import { createVolume, moveCenter, type SensorShape } from './volume-arguments.ts';

/**
 * Watches a box, a sphere or a frustum: after each `update` the lists of the sensor tell which bodies entered, left and
 * are inside, touching included. The first update after the call reports all bodies inside as entered.
 *
 * Cost: while the volume rests, it grows with the number of bodies that move near its boundary. A volume that moves
 * costs a query in every update. A frustum costs a query in each update in which it has moved, or a body was inserted,
 * moved or removed.
 *
 * @param volume A Box3, a Sphere or a Frustum, or anything shaped like them. Its numbers are copied; `sensor.moveTo`
 *   moves it.
 * @throws {RangeError} If a number is not finite, a coordinate is beyond 2^50, a box is empty, a radius is negative,
 *   or `mask` is not an integer of 32 bits.
 * @throws {TypeError} If the volume is shaped like none of them, or an option is of the wrong type.
 */
export function watch<T, M extends MathTypes>(
  octree: Octree<T, M>,
  volume: SensorShape,
  options: SensorOptions<T, M> = {},
): Sensor<T, M> {
  const where = 'watch';
  const internals = internalsOf(where, octree);
  const categories = readSensorOptions(where, options);
  const workspace = internals.runner.begin(where);
  try {
    return new Sensor<T, M>(
      where,
      internals.stateOf(SensorSet),
      createVolume(where, volume, categories, workspace),
      options,
    );
  } finally {
    internals.runner.end();
  }
}

/**
 * Watches in which band of distance from a point each body is: after each `update` a list tells whose band has changed.
 * For levels of detail, for sleeping and waking, for sounds.
 *
 * Cost: as `watch` with a sphere of the last distance.
 *
 * @param distances World units, ascending, 1 to 100 of them; copied. Band 0 reaches to the first one.
 * @throws {RangeError} If a number is not finite or out of range, the distances do not ascend, or `mask` is not an
 *   integer of 32 bits.
 * @throws {TypeError} If an argument or an option is of the wrong type.
 */
export function watchDistances<T, M extends MathTypes>(
  octree: Octree<T, M>,
  point: PointLike,
  distances: ArrayLike<number>,
  options: BandOptions<T, M> = {},
): DistanceBands<T, M> {
  const where = 'watchDistances';
  const internals = internalsOf(where, octree);
  const bands = readBands(where, distances, options);
  const workspace = internals.runner.begin(where);
  try {
    moveCenter(where, point, workspace, bands.volume);
  } finally {
    internals.runner.end();
  }
  return new DistanceBands<T, M>(where, internals.stateOf(SensorSet), bands.volume, bands.distances, options);
}
