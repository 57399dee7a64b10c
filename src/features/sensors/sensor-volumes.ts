/**
 * The volumes that sensors watch. Every volume has a query. Boxes and spheres have more: while they rest, a tracker
 * follows the bodies near them, by the box of the volume and an exact test.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { FrustumPlanes } from '../../math/frustum-planes.ts';
import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import { MAX_RADIUS } from '../../math/sphere.ts';
import { SPHERE_TOLERANCE } from '../../math/tolerances.ts';
import { requireObject, throwType } from '../../octree/input/input-checks.ts';
import { readFrustum, type FrustumLike } from '../../octree/input/query-shapes.ts';
import { readBox, readSphere, type BoxLike, type SphereLike } from '../../octree/input/shapes.ts';
import { boxTouchesBody, type RangeQuery, sphereTouchesBody } from '../../octree/queries/range-query.ts';
import { FrustumQuery } from '../../octree/queries/frustum-query.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import { copyOf, isVolume, Volume } from '../volumes/volumes.ts';

/** Shaped like three's `Box3`, `Sphere` or `Frustum`; or a volume, as for `intersect`. */
export type SensorShape = BoxLike | SphereLike | FrustumLike | Volume;

const REMEDY = 'pass a Box3, a Sphere, a Frustum, or a volume such as a Capsule or a CustomVolume';

/** Checks a volume and returns a copy for a sensor. The callbacks of a `CustomVolume` are not copied. */
export function readVolume(volume: SensorShape, { values, where }: Workspace): Volume {
  requireObject(where, 'volume', volume, REMEDY);
  if (isVolume(volume)) return copyOf(volume);
  if ('planes' in volume) {
    const frustum = new WatchedFrustum();
    readFrustum(where, volume, frustum.planes);
    return frustum;
  }
  if ('center' in volume) {
    readSphere(where, 'volume', volume, values);
    return new WatchedSphere(values, values[3]);
  }
  if ('min' in volume) {
    readBox(where, 'volume', volume, values);
    return new WatchedBox(values);
  }
  const isScene = 'isObject3D' in volume;
  const remedy = 'getBox' in volume ? 'pass body.getBox()' : isScene ? 'pass new Box3().setFromObject(object)' : REMEDY;
  return throwType(where, 'volume', 'have min and max, center and radius, or planes', volume, remedy);
}

class WatchedFrustum extends Volume {
  override readonly planes = new FrustumPlanes();

  queryIn(workspace: Workspace): RangeQuery {
    // Not the workspace's own: a query of the class may have left `exact` and `minSize` in it.
    const query = workspace.queryOf(FrustumQuery);
    query.planes.copy(this.planes);
    return query;
  }
}

/** A volume that the tracker can follow while it rests. */
export abstract class TrackedVolume extends Volume {
  /**
   * Writes a box that overlaps every body box that the exact test of the volume accepts. Returns false if there is none
   * within the limits of a tree, because the volume reaches too far out.
   */
  abstract writeBox(target: Float64Array): boolean;
  /** The exact test of a body, whatever its categories are. */
  abstract touches(bodies: BodyArrays, index: number): boolean;
}

class WatchedBox extends TrackedVolume {
  constructor(box: Float64Array) {
    super(box.slice(0, BOX_STRIDE), 2);
  }

  queryIn({ boxQuery }: Workspace): RangeQuery {
    boxQuery.set(this.values);
    return boxQuery;
  }

  writeBox(target: Float64Array): boolean {
    target.set(this.values);
    return this.values.every((value) => Math.abs(value) <= COORDINATE_LIMIT);
  }

  touches(bodies: BodyArrays, index: number): boolean {
    return boxTouchesBody(this.values, bodies, index);
  }
}

export class WatchedSphere extends TrackedVolume {
  constructor(center: Float64Array, radius: number) {
    super(center.slice(0, 4), 1);
    this.values[3] = Math.min(radius, MAX_RADIUS);
  }

  queryIn({ sphereQuery }: Workspace): RangeQuery {
    sphereQuery.set(this.values);
    return sphereQuery;
  }

  writeBox(target: Float64Array): boolean {
    const { values } = this;
    const largest = Math.max(Math.abs(values[0]), Math.abs(values[1]), Math.abs(values[2])) + values[3];
    const tolerantRadius = values[3] + largest * SPHERE_TOLERANCE;
    for (let axis = 0; axis < 3; axis++) {
      target[axis] = values[axis] - tolerantRadius;
      target[axis + 3] = values[axis] + tolerantRadius;
    }
    return largest * (1 + SPHERE_TOLERANCE) <= COORDINATE_LIMIT;
  }

  touches(bodies: BodyArrays, index: number): boolean {
    return sphereTouchesBody(this.values, bodies, index);
  }
}
