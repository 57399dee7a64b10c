// The camera path through the forest: a closed curve around the centre of the world, so far from its edge that the fog
// hides the edge.

import type { Vector3 } from 'three';
import { hillsAt } from './land.ts';

/** Metres above the hills. */
const ALTITUDE = 16;
/** Number of waves of the curve. */
const WAVES = 5;

export class ForestPath {
  /** Metres. */
  readonly length: number;
  private readonly radius: number;

  /** @param edge Edge of the world in metres. @param view Far plane of the camera in metres. */
  constructor(edge: number, view: number) {
    this.radius = Math.max(edge / 2 - view, edge / 6);
    this.length = 2 * Math.PI * this.radius;
  }

  /** The point at a share of the path, 0 to 1. */
  pointAt(at: number, target: Vector3): Vector3 {
    const angle = at * 2 * Math.PI;
    const radius = this.radius * (0.86 + 0.14 * Math.sin(angle * WAVES));
    const [x, z] = [Math.sin(angle) * radius, Math.cos(angle) * radius];
    return target.set(x, hillsAt(x, z) + ALTITUDE, z);
  }
}
