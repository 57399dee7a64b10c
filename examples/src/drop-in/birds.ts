// Flocks of birds over the path: plain meshes whose position changes in every frame. No call informs the group about
// the moves.

import type { MeshPair } from './group-pair.ts';

/** Radians per second around the centre of the flock. */
const TURN_SPEED = 0.35;

interface Bird {
  readonly pair: MeshPair;
  readonly centre: readonly [x: number, y: number, z: number];
  readonly radius: number;
  readonly phase: number;
}

export class Birds {
  private readonly birds: Bird[] = [];

  add(pair: MeshPair, centre: Bird['centre'], radius: number, phase: number): void {
    this.birds.push({ pair, centre, radius, phase });
  }

  get count(): number {
    return this.birds.length;
  }

  /** Moves both meshes of every pair to their place at a time in seconds. */
  moveTo(seconds: number): void {
    for (const { pair, centre, radius, phase } of this.birds) {
      const angle = phase + seconds * TURN_SPEED;
      for (const mesh of pair) {
        mesh.position.set(
          centre[0] + Math.cos(angle) * radius,
          centre[1] + Math.sin(angle * 3 + phase) * 1.5,
          centre[2] + Math.sin(angle) * radius,
        );
        mesh.rotation.set(0, -angle, 0.4 * Math.sin(seconds * 9 + phase * 7));
      }
    }
  }
}
