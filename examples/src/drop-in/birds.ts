// Flocks that circle over the path: meshes like all others, moved by their position in every frame. Nobody tells the group.

import type { MeshPair } from './group-pair.ts';

/** Radians a second around the flock's middle. */
const TURN = 0.35;

interface Bird {
  readonly pair: MeshPair;
  readonly middle: readonly [x: number, y: number, z: number];
  readonly radius: number;
  readonly phase: number;
}

export class Birds {
  private readonly birds: Bird[] = [];

  add(pair: MeshPair, middle: Bird['middle'], radius: number, phase: number): void {
    this.birds.push({ pair, middle, radius, phase });
  }

  get count(): number {
    return this.birds.length;
  }

  /** Brings both of every pair to where they are after so many seconds. */
  moveTo(seconds: number): void {
    for (const { pair, middle, radius, phase } of this.birds) {
      const angle = phase + seconds * TURN;
      for (const mesh of pair) {
        mesh.position.set(middle[0] + Math.cos(angle) * radius, middle[1] + Math.sin(angle * 3 + phase) * 1.5, middle[2] + Math.sin(angle) * radius);
        mesh.rotation.set(0, -angle, 0.4 * Math.sin(seconds * 9 + phase * 7));
      }
    }
  }
}
