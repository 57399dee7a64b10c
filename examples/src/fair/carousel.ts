// The merry-go-round: a disc that turns, with horses that go up and down.

import type { Group, Object3D } from 'three';
import type { Mover } from './mover.ts';
import type { Colour, Parts } from './parts.ts';
import { CAROUSEL } from './plan.ts';

/** Radians per second. */
const SPEED = 0.3;
const HORSES = 14;
const COATS: readonly Colour[] = ['white', 'loaf', 'cream', 'stone'];
const SADDLES: readonly Colour[] = ['coral', 'teal', 'mustard', 'navy', 'plum'];

export class Carousel implements Mover {
  readonly objects: readonly Object3D[];
  readonly disc: Group;
  private readonly horses: readonly Group[];

  constructor(parts: Parts, parent: Object3D) {
    const { x, z, radius, high } = CAROUSEL;
    const disc = (this.disc = parts.group(parent, 'merry-go-round', [x, 0, z]));
    parts.add(disc, 'drum', 'coral', 'edge', [0, 0.02, 0], [2 * radius, high - 0.08, 2 * radius]);
    parts.add(disc, 'drum', 'wood', 'floor', [0, high - 0.06, 0], [2 * radius - 0.2, 0.06, 2 * radius - 0.2]);
    parts.add(disc, 'drum', 'cream', 'column', [0, high, 0], [2.2, 3.5, 2.2]);
    for (let k = 0; k < 10; k++) {
      const angle = (Math.PI * k) / 5;
      const mirror = parts.add(disc, 'box', k % 2 === 0 ? 'sky' : 'mustard', 'panel', [0, 0, 0], [0.55, 2.1, 0.06]);
      mirror.position.set(1.12 * Math.sin(angle), high + 0.6, 1.12 * Math.cos(angle));
      mirror.rotation.y = angle;
    }
    parts.roof(disc, 'coral', 'cream', 'roof', [0, high + 3.4, 0], [2 * radius + 0.8, 2.4, 2 * radius + 0.8]);
    parts.add(disc, 'fruit', 'mustard', 'knob', [0, high + 5.7, 0], [0.5, 0.5, 0.5]);
    this.horses = Array.from({ length: HORSES }, (_, k) => addHorse(parts, disc, k));
    this.objects = [disc];
  }

  move(seconds: number): void {
    this.disc.rotation.y = SPEED * seconds;
    for (const [k, horse] of this.horses.entries())
      horse.position.y = CAROUSEL.high + 0.55 + 0.25 * Math.sin(1.5 * seconds + 2.3 * k);
  }
}

function addHorse(parts: Parts, disc: Group, number: number): Group {
  const ring = number % 2 === 0 ? 5 : 3.1;
  const angle = (2 * Math.PI * number) / HORSES;
  const at = [ring * Math.sin(angle), 0, ring * Math.cos(angle)] as const;
  parts.add(disc, 'post', 'mustard', 'pole', [at[0], CAROUSEL.high, at[2]], [0.07, 3.3, 0.07]);
  // Its head looks ahead, along its x.
  const horse = parts.group(disc, `horse ${number + 1}`, at, angle);
  const [coat, saddle] = [COATS[number % COATS.length], SADDLES[number % SADDLES.length]];
  parts.add(horse, 'ball', coat, 'body', [0, 0, 0], [1.2, 0.52, 0.46]);
  parts.add(horse, 'ball', saddle, 'saddle', [0, 0.24, 0], [0.5, 0.32, 0.44]);
  const neck = parts.add(horse, 'post', coat, 'neck', [0.42, 0.28, 0], [0.24, 0.6, 0.2]);
  neck.rotation.z = -0.5;
  const head = parts.add(horse, 'ball', coat, 'head', [0.84, 0.66, 0], [0.5, 0.26, 0.22]);
  head.rotation.z = -0.4;
  const mane = parts.add(horse, 'box', saddle, 'mane', [0.4, 0.36, 0], [0.1, 0.58, 0.08]);
  mane.rotation.z = -0.5;
  const tail = parts.add(horse, 'cone', saddle, 'tail', [-0.78, -0.18, 0], [0.2, 0.6, 0.2]);
  tail.rotation.z = -0.5;
  for (const [x, z, lean] of [
    [0.34, 0.14, 0.5],
    [0.38, -0.14, 0.2],
    [-0.4, 0.14, -0.3],
    [-0.36, -0.14, -0.6],
  ]) {
    const leg = parts.add(horse, 'post', coat, 'leg', [x + 0.4 * lean, -0.34, z], [0.12, 0.56, 0.12]);
    leg.rotation.z = lean;
  }
  return horse;
}
