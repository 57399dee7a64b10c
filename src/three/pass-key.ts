/** Tells whether a pass sees just what it saw the last time, so that nobody needs to be asked. */

import type { Frustum, FrustumArray } from 'three';

const PLANE_LANES = 4;

export class PassKey {
  private lanes = new Float64Array(0);

  /** Whether all is as the last time; keeps what it is now. Never true for an array of frusta, which is rare. */
  isAsBefore(frustum: Frustum | FrustumArray, version: number, ...flags: boolean[]): boolean {
    if (!('planes' in frustum)) return this.forget();
    const { planes } = frustum;
    const { length } = flags;
    if (this.lanes.length !== planes.length * PLANE_LANES + 1 + length) this.lanes = new Float64Array(planes.length * PLANE_LANES + 1 + length).fill(-1);
    let isSame = true;
    let at = 0;
    const keep = (value: number): void => {
      // The planes of an infinite far may be NaN.
      if (!Object.is(this.lanes[at], value)) isSame = false;
      this.lanes[at++] = value;
    };
    for (const { normal, constant } of planes) {
      keep(normal.x);
      keep(normal.y);
      keep(normal.z);
      keep(constant);
    }
    keep(version);
    for (const flag of flags) keep(Number(flag));
    return isSame;
  }

  forget(): false {
    this.lanes = new Float64Array(0);
    return false;
  }
}
