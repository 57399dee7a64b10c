// Closed paths through waypoints, parametrised by arc length for a constant speed.

import { CatmullRomCurve3, type Vector3 } from 'three';

/** A closed path; `at` is 0 to 1 along it. */
export interface Tour {
  /** Seconds for the whole path. */
  readonly duration: number;
  /** Radians above the horizon. */
  readonly pitch: number;
  pointAt(at: number, target: Vector3): Vector3;
}

export function pointsOf(waypoints: Vector3[]): Tour['pointAt'] {
  const curve = new CatmullRomCurve3(waypoints, true, 'centripetal');
  curve.arcLengthDivisions = 400;
  return (at, target) => curve.getPointAt(at - Math.floor(at), target);
}
