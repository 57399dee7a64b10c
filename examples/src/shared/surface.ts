// What bodies stand on and a camera flies over: which way is up, and how high one is.

import type { Vector3 } from 'three';

export interface Surface {
  /** Unit vector away from the ground. */
  upAt(position: Vector3, target: Vector3): Vector3;
  /** Units above the ground, negative below it. */
  altitudeAt(position: Vector3): number;
  /** Moves the position up or down so that its altitude lies in the range. */
  clampAltitude(position: Vector3, low: number, high: number): Vector3;
}

export function createGlobeSurface(radius: number): Surface {
  return {
    upAt: (position, target) => target.copy(position).normalize(),
    altitudeAt: (position) => position.length() - radius,
    clampAltitude: (position, low, high) => position.clampLength(radius + low, radius + high),
  };
}

export const flatSurface: Surface = {
  upAt: (_position, target) => target.set(0, 1, 0),
  altitudeAt: (position) => position.y,
  clampAltitude(position, low, high) {
    position.y = Math.min(high, Math.max(low, position.y));
    return position;
  },
};

/** Unit vector of a place on the globe: y through the north pole, longitude 0 along +z. */
export function onGlobe(longitude: number, latitude: number, target: Vector3): Vector3 {
  const ring = Math.cos(latitude);
  return target.set(Math.sin(longitude) * ring, Math.sin(latitude), Math.cos(longitude) * ring);
}
