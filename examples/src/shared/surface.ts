// The ground, flat or a globe: its up direction and the altitude of a position.

import type { Vector3 } from 'three';

export interface Surface {
  /** Unit vector away from the ground. */
  upAt(position: Vector3, target: Vector3): Vector3;
  /** World units above the ground, negative below it. */
  altitudeAt(position: Vector3): number;
  /** Moves the position vertically so that its altitude is in the range. */
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

/** Unit vector from the centre of the globe to a place, in radians: +y is the north pole, longitude 0 is +z. */
export function onGlobe(longitude: number, latitude: number, target: Vector3): Vector3 {
  const ring = Math.cos(latitude);
  return target.set(Math.sin(longitude) * ring, Math.sin(latitude), Math.cos(longitude) * ring);
}
