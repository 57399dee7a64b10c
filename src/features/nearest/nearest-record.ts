/** Where a body is nearest to a point, in records. */

import { clamp } from '../../math/clamp.ts';
import { setPoint, type PlainPoint } from '../../octree/input/math-types.ts';
import type { AnyRecord } from '../../octree/queries/intersection-record.ts';

/** The point of a body nearest to a point, and the normal from there. `bounds` are those of the body. */
export function writeNearest({ position, normal }: AnyRecord, bounds: Float64Array, x: number, y: number, z: number, isSphere: boolean, distance: number): void {
  if (distance === 0) {
    setPoint(position, x, y, z);
    setPoint(normal, 0, 0, 0);
  } else if (isSphere) {
    setUnit(normal, x - bounds[0], y - bounds[1], z - bounds[2]);
    setPoint(position, bounds[0] + normal.x * bounds[3], bounds[1] + normal.y * bounds[3], bounds[2] + normal.z * bounds[3]);
  } else {
    setPoint(position, clamp(x, bounds[0], bounds[3]), clamp(y, bounds[1], bounds[4]), clamp(z, bounds[2], bounds[5]));
    setUnit(normal, x - position.x, y - position.y, z - position.z);
  }
}

/** Sets a vector, scaled to length 1. The zero vector stays. */
function setUnit(vector: PlainPoint, x: number, y: number, z: number): void {
  const scale = 1 / (Math.sqrt(x * x + y * y + z * z) || 1);
  setPoint(vector, x * scale, y * scale, z * scale);
}
