// The terrain: gentle hills, woods and clearings, the same on every visit. 1 unit = 1 m.

import { smoothNoise } from '../shared/noise.ts';

/** Metres above the lowest valley. */
export function heightAt(x: number, z: number): number {
  return hillsAt(x, z) + smoothNoise(x / 37, z / 37, 2) * 3.5;
}

/** Height of the hills without small bumps, for the camera path. */
export function hillsAt(x: number, z: number): number {
  return smoothNoise(x / 160, z / 160, 1) * 26;
}

/** Density of the wood: 0 in a clearing, 1 in a dense wood. */
export function woodAt(x: number, z: number): number {
  return smoothNoise(x / 64, z / 64, 3) * 0.7 + smoothNoise(x / 19, z / 19, 4) * 0.3;
}

/** Share of conifers: 0 for broadleaf trees only, 1 for conifers only. */
export function needlesAt(x: number, z: number): number {
  return smoothNoise(x / 210 + 50, z / 210, 5);
}
