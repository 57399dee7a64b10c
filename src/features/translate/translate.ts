/** Translation of the whole world, for worlds so large that their coordinates lose precision. */

import { translatePlanes } from '../../math/frustum-planes.ts';
import type { IntegerCube } from '../../math/integer-cube.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { refitSome } from '../../tree/update/refit.ts';
import { relocateMany } from '../../tree/update/relocate.ts';
import { BEYOND_LIMIT, findShifts, storeHalfSizes, translateBodies, translateNodes } from './translate-tree.ts';
import type { OwnedVolume } from '../../octree/change-readers.ts';
import { requireObject } from '../../octree/input/input-checks.ts';
import type { MathTypes } from '../../octree/input/math-types.ts';
import {
  AXES,
  POINT_REMEDY,
  powerText,
  REGION_LIMIT,
  requireSteps,
  type PointLike,
} from '../../octree/input/shapes.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';

/**
 * Moves the whole world by a vector of integers, or, if `minCellSize` is below 1, of multiples of it: all bodies, the
 * region, and the volumes of all sensors and bands. For large worlds, whose camera stays near 0. Nothing is rebuilt,
 * and a translation alone reports no events. Queued writes are applied first. Handles, indices and ids stay. Your
 * application must move what it keeps itself, such as cameras and boxes.
 *
 * A coordinate becomes the sum, rounded to the nearest double. It is exact if the body comes nearer to 0 on that axis,
 * or if the sum has enough bits: always for coordinates that are multiples of 2^-k, as long as they stay below 2^(53 -
 * k). Otherwise it is off by at most half a unit in the last place, which may change what touches, as any move may.
 * Cells are exact, and so are queries: they use the rounded bounds.
 *
 * Cost: linear in the bodies; about half the cost of a rebuild, and a fifth of moving all bodies. The next update
 * makes a query for each sensor, and a search for the contacts of the bodies that were rounded.
 *
 * @param octree The octree whose world is moved.
 * @param vector How far, world units along each axis.
 * @throws {RangeError} If a number is not an integer or not such a multiple, or a body would lie beyond 2^50, the
 *   region or a sensor beyond 2^51; in units of `minCellSize` if that is below 1. Then nothing changes.
 * @throws {TypeError} If the argument is not shaped like a vector.
 * @throws {Error} If called from a callback of a query or of `update`.
 *
 * @example
 * ```ts
 * import { Octree, translate } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * const ship = octree.insert({ center: { x: 100_003, y: 0, z: 0 }, radius: 1 }, 'ship');
 * translate(octree, { x: -100_000, y: 0, z: 0 }); // the new origin is near the ship
 * console.log(ship.getSphere().center.x); // prints: 3
 * ```
 */
export function translate<T, M extends MathTypes>(octree: Octree<T, M>, vector: PointLike): void {
  const where = 'translate';
  const internals = internalsOf(where, octree);
  internals.storeToWrite(where);
  internals.refuseInCallback(where);
  const shift = new Float64Array(3);
  readSteps(where, 'vector', vector, internals.store.tree.step, shift);
  if (shift.every((value) => value === 0)) return;
  const { readers, store } = internals;
  const { tree } = store;
  store.flush();
  // Again: a body in the queue may have made the step larger.
  readSteps(where, 'vector', { x: shift[0], y: shift[1], z: shift[2] }, tree.step, shift);
  const shifts = findShifts(tree, shift);
  requireTranslatable(where, shifts, tree.step, store.region, shift);
  const volumes = readers.list.flatMap((reader) => reader.volumes ?? []);
  for (const volume of volumes) requireVolumeWithin(where, volume, shift);
  const mayGrow = store.options.outside === 'grow';
  const translation = { vector: shift, shifts, mayGrow, renewed: new IndexList(), displaced: new IndexList() };
  store.changes.reserve(tree.bodies.count, 0);
  storeHalfSizes(tree, shifts);
  translateBodies(tree, shift);
  try {
    store.writeTree(() => {
      translateNodes(tree, translation);
      store.changes.recordRenewed(translation.renewed);
      relocateMany(tree, translation.displaced);
      refitSome(tree);
    });
  } finally {
    // Bodies have moved even if there is no memory for the tree.
    for (const { planes, points, values } of volumes) {
      for (let k = 0; k < 3 * points; k++) values[k] += shift[k % 3];
      if (planes !== undefined) translatePlanes(planes, shift[0], shift[1], shift[2]);
    }
    for (const reader of readers.list) reader.volumesMoved?.();
  }
}

/** Throws if a translation would bring a point of a sensor's volume too far out. Planes may lie anywhere. */
function requireVolumeWithin(where: string, { points, values }: OwnedVolume, vector: Float64Array): void {
  for (let k = 0; k < 3 * points; k++)
    if (!(Math.abs(values[k] + vector[k % 3]) <= REGION_LIMIT))
      throw new RangeError(
        `${where}: vector would move a sensor beyond +-2^51, but is ${describeVector(vector)}; pass a shorter one, or stop the sensor first.`,
      );
}

/**
 * Throws if a translation would bring a body or the region too far out. A region that has grown beyond its limit may
 * still be translated towards 0.
 */
function requireTranslatable(
  where: string,
  shifts: Uint8Array,
  step: number,
  region: IntegerCube | null,
  vector: Float64Array,
): void {
  const index = shifts.indexOf(BEYOND_LIMIT);
  if (index >= 0)
    throw new RangeError(
      `${where}: vector would move body ${index} beyond +-${powerText(50, step)}, but is ${describeVector(vector)}; pass a shorter one, or remove the body first.`,
    );
  if (region === null) return;
  const mins = [region.minX, region.minY, region.minZ];
  const before = Math.max(...mins.map((min) => Math.max(-min, min + region.edge)));
  const after = Math.max(...mins.map((min, axis) => Math.max(-min - vector[axis], min + region.edge + vector[axis])));
  if (after > REGION_LIMIT * step && after > before)
    throw new RangeError(
      `${where}: vector would move the region beyond +-${powerText(51, step)}, but is ${describeVector(vector)}; pass a shorter one.`,
    );
}

/**
 * Reads a vector of multiples of the step of a tree, which is 1 or less, into `target`. Corners of cells are multiples
 * of it, so they move exactly. For 0 it writes -0: adding -0 leaves every coordinate as it is, while adding 0 would
 * turn -0 into 0.
 */
function readSteps(where: string, field: string, vector: PointLike, step: number, target: Float64Array): void {
  requireObject(where, field, vector, POINT_REMEDY);
  const { x, y, z } = vector;
  const numbers = [x, y, z];
  for (let axis = 0; axis < 3; axis++) {
    const value = requireSteps(where, `${field}.${AXES[axis]}`, numbers[axis], step, 'round it to an integer');
    target[axis] = value === 0 ? -0 : value;
  }
}

/** A vector as error sentences print it; without the sign of -0. */
function describeVector(vector: Float64Array): string {
  return `(${Array.from(vector, (value) => value + 0).join(', ')})`;
}
