// The lie of the land: gentle hills, woods and clearings, the same at every visit. 1 unit = 1 m.

import { smoothNoise } from '../shared/noise.ts';

/** Metres above the lowest valley. */
export function heightAt(x: number, z: number): number {
  return hillsAt(x, z) + smoothNoise(x / 37, z / 37, 2) * 3.5;
}

/** The hills without their bumps: what a flyer follows. */
export function hillsAt(x: number, z: number): number {
  return smoothNoise(x / 160, z / 160, 1) * 26;
}

/** 0 on a bare clearing, 1 in the thick of a wood. */
export function woodAt(x: number, z: number): number {
  return smoothNoise(x / 64, z / 64, 3) * 0.7 + smoothNoise(x / 19, z / 19, 4) * 0.3;
}

/** 0 where leaves fall, 1 where needles stay. */
export function needlesAt(x: number, z: number): number {
  return smoothNoise(x / 210 + 50, z / 210, 5);
}
