/** All numbers that decide what a pass can see. As long as they are equal, the result of the last query stays valid. */

import type { Camera, Frustum, FrustumArray } from 'three';

export class PassKey {
  private values: number[] = [];
  /** Receives the new values, which are compared with the old ones; then the two arrays are swapped. */
  private spare: number[] = [];

  /** Stores new values. Returns whether any differs from the last call; true for an array of frusta: it is rare, and not compared. */
  update(frustum: Frustum | FrustumArray, camera: Camera | null, ...rest: (number | boolean)[]): boolean {
    const { values: before, spare: now } = this;
    now.length = 0;
    if ('planes' in frustum) for (const { normal, constant } of frustum.planes) now.push(normal.x, normal.y, normal.z, constant);
    if (camera !== null) now.push(...camera.matrixWorld.elements, (camera as { zoom?: number }).zoom ?? 1);
    for (const value of rest) now.push(Number(value));
    this.values = now;
    this.spare = before;
    // Object.is, because the planes of an infinite frustum may hold NaN.
    return !('planes' in frustum) || now.length !== before.length || now.some((value, k) => !Object.is(value, before[k]));
  }

  /** Makes the next call of `update` return true. */
  clear(): void {
    this.values.length = 0;
  }
}
