// The way through the forest: a closed curve around the middle of the world, so that the fog hides where the world ends.

import type { Vector3 } from 'three';
import { hillsAt } from './land.ts';

/** Metres above the hills. */
const ALTITUDE = 16;
/** Waves of the curve on its way around. */
const WAVES = 5;

export class ForestPath {
  /** Metres. */
  readonly length: number;
  private readonly radius: number;

  /** `edge` is that of the world, `view` how far one sees. */
  constructor(edge: number, view: number) {
    this.radius = Math.max(edge / 2 - view, edge / 6);
    this.length = 2 * Math.PI * this.radius;
  }

  /** A point of the path, 0 to 1 around it. */
  pointAt(at: number, target: Vector3): Vector3 {
    const angle = at * 2 * Math.PI;
    const radius = this.radius * (0.86 + 0.14 * Math.sin(angle * WAVES));
    const [x, z] = [Math.sin(angle) * radius, Math.cos(angle) * radius];
    return target.set(x, hillsAt(x, z) + ALTITUDE, z);
  }
}
