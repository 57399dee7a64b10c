/** Tells whether a pass sees just what it saw the last time, so that nobody needs to be asked. */

import type { Camera, Frustum, FrustumArray } from 'three';

export class PassKey {
  private lanes: number[] = [];
  private spare: number[] = [];

  /** Whether all is as the last time; keeps what it is now. Never true for an array of frusta, which is rare. */
  isAsBefore(frustum: Frustum | FrustumArray, camera: Camera | null, ...rest: (number | boolean)[]): boolean {
    const { lanes: before, spare: now } = this;
    now.length = 0;
    if ('planes' in frustum) for (const { normal, constant } of frustum.planes) now.push(normal.x, normal.y, normal.z, constant);
    if (camera !== null) now.push(...camera.matrixWorld.elements, (camera as { zoom?: number }).zoom ?? 1);
    for (const value of rest) now.push(Number(value));
    this.lanes = now;
    this.spare = before;
    // The planes of an infinite far may be NaN.
    return 'planes' in frustum && now.length === before.length && now.every((lane, k) => Object.is(lane, before[k]));
  }

  forget(): void {
    this.lanes.length = 0;
  }
}
