/** Where a ray enters a body: the position and the normal of a hit. */

import type { UnitRay } from './unit-ray.ts';

export class RayEntry {
  x = 0;
  y = 0;
  z = 0;
  normalX = 0;
  normalY = 0;
  normalZ = 0;
  /** Whether the ray starts in the body. The position is then the origin, and the normal is (0, 0, 0). */
  inside = false;

  /**
   * Sets the entry of a ray that hits a body at the distance at offset `k`. `values` are the exact bounds of the body,
   * centre and radius if it is a sphere; `box` is its box.
   */
  set(
    ray: UnitRay,
    values: Float64Array,
    isSphere: boolean,
    box: Float64Array,
    distances: Float64Array,
    k: number,
  ): void {
    const { originX: x, originY: y, originZ: z } = ray;
    const distance = distances[k];
    const isInBox = x >= box[0] && y >= box[1] && z >= box[2] && x <= box[3] && y <= box[4] && z <= box[5];
    this.inside = isInBox && (!isSphere || distance === 0);
    if (this.inside) {
      this.x = x;
      this.y = y;
      this.z = z;
      this.normalX = this.normalY = this.normalZ = 0;
      return;
    }
    this.x = x + ray.directionX * distance;
    this.y = y + ray.directionY * distance;
    this.z = z + ray.directionZ * distance;
    if (isSphere) this.setSphereNormal(ray, values);
    else this.setFaceNormal(ray, box);
  }

  /**
   * The outward normal of a sphere at the position. A sphere of radius 0 has no surface: its normal points against the
   * ray.
   */
  private setSphereNormal(ray: UnitRay, sphere: Float64Array): void {
    const x = this.x - sphere[0];
    const y = this.y - sphere[1];
    const z = this.z - sphere[2];
    const lengthSq = x * x + y * y + z * z;
    // The position is rounded, so it may differ from the centre even if the radius is 0.
    if (sphere[3] === 0 || lengthSq === 0) {
      // `0 - d` instead of `-d`, which would turn 0 into -0.
      this.normalX = 0 - ray.directionX;
      this.normalY = 0 - ray.directionY;
      this.normalZ = 0 - ray.directionZ;
      return;
    }
    const scale = 1 / Math.sqrt(lengthSq);
    this.normalX = x * scale;
    this.normalY = y * scale;
    this.normalZ = z * scale;
  }

  /**
   * The normal of the face through which a ray enters a box: the axis whose slab it enters last, x before y before z on
   * a tie.
   */
  private setFaceNormal(ray: UnitRay, box: Float64Array): void {
    const { inverseX, inverseY, inverseZ } = ray;
    // An infinite inverse means that the direction's component is 0 or too small to invert: the ray does not enter
    // through a face of this axis.
    const entryX = Number.isFinite(inverseX) ? ((inverseX < 0 ? box[3] : box[0]) - ray.originX) * inverseX : -Infinity;
    const entryY = Number.isFinite(inverseY) ? ((inverseY < 0 ? box[4] : box[1]) - ray.originY) * inverseY : -Infinity;
    const entryZ = Number.isFinite(inverseZ) ? ((inverseZ < 0 ? box[5] : box[2]) - ray.originZ) * inverseZ : -Infinity;
    const isX = entryX >= entryY && entryX >= entryZ;
    const isY = !isX && entryY >= entryZ;
    this.normalX = isX ? (inverseX > 0 ? -1 : 1) : 0;
    this.normalY = isY ? (inverseY > 0 ? -1 : 1) : 0;
    this.normalZ = isX || isY ? 0 : inverseZ > 0 ? -1 : 1;
  }
}
