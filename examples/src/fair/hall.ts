// The hall of doors: three rows of walls with doors that slide and doors that swing.

import type { Group, Object3D } from 'three';
import { type Mover, thereAndBack } from './mover.ts';
import type { Colour, Parts } from './parts.ts';
import { HALL } from './plan.ts';

/** Seconds of opening and closing with both rests. */
const PERIOD = 8;
const [SLIDING, SWINGING] = [2.4, 1.5];
const DOOR_HIGH = 2.5;
const WALL = 0.24;
/** Between a leaf and what is around it. */
const GAP = 0.02;

interface Leaf {
  readonly object: Group;
  /** Its place along the wall. */
  readonly closed: number;
  readonly phase: number;
  /** @param share 0: closed, 1: open. */
  readonly open: (share: number) => void;
}

export class Hall implements Mover {
  readonly objects: readonly Object3D[];
  readonly leaves: Leaf[] = [];

  constructor(parts: Parts, parent: Object3D) {
    const { x, z, width, depth, high } = HALL;
    const hall = parts.group(parent, 'hall', [x, 0, z]);
    parts.add(hall, 'box', 'stone', 'floor', [0, -0.2, 0], [width + 0.6, 0.24, depth + 0.6]);
    const rows = [
      [depth / 2, [-8, 0, 8], [SLIDING, SLIDING, SLIDING]],
      [0, [-9, -3, 3, 9], [SWINGING, SLIDING, SLIDING, SWINGING]],
      [-depth / 2, [-8, 0, 8], [SWINGING, SWINGING, SWINGING]],
    ] as const;
    for (const [at, places, widths] of rows) {
      let left = -width / 2;
      for (const [k, place] of places.entries()) {
        const wide = widths[k];
        addWall(parts, hall, left, place - wide / 2, at);
        parts.add(hall, 'box', 'cream', 'lintel', [place, DOOR_HIGH, at], [wide, high - DOOR_HIGH, WALL]);
        if (wide === SLIDING) this.addSliding(parts, hall, place, at, k);
        else this.addSwinging(parts, hall, place, at, k);
        left = place + wide / 2;
      }
      addWall(parts, hall, left, width / 2, at);
    }
    for (const place of rows[0][1])
      parts.awning(hall, 'coral', 'cream', 'awning', [place, DOOR_HIGH + 0.3, depth / 2 + 0.85], [3.6, 0.6, 1.5]);
    for (const place of [-12.8, -10.9, -5.3, -2.7, 2.7, 5.3, 10.9, 12.8])
      for (const at of [depth / 2, -depth / 2])
        parts.add(hall, 'box', 'white', 'pilaster', [place, 0, at], [0.34, high, WALL + 0.16]);
    for (const side of [-1, 1])
      for (const [y, tall, colour] of BANDS)
        parts.add(hall, 'box', colour, 'side wall', [(side * width) / 2, y, 0], [WALL, tall, depth - WALL]);
    addRoof(parts, hall);
    for (let k = 0; k < 10; k++) {
      const place = [-10.5 + 2.3 * k, 0.04, (k % 2 === 0 ? 4.4 : -4.6) + 0.3 * (k % 3)] as const;
      parts.add(hall, 'barrel', k % 3 === 0 ? 'loaf' : 'wood', 'barrel', place, [0.8, 1.05, 0.8]);
    }
    this.objects = this.leaves.map(({ object }) => object);
    this.move(0);
  }

  move(seconds: number): void {
    for (const { phase, open } of this.leaves) open(thereAndBack(seconds + phase, PERIOD));
  }

  /** A leaf of the sliding door in the middle of the front. */
  get middleLeaf(): Leaf {
    return this.leaves[2];
  }

  private addSliding(parts: Parts, hall: Group, x: number, z: number, k: number): void {
    for (const side of [-1, 1]) {
      const wide = SLIDING / 2;
      const object = parts.group(hall, 'sliding door', [x, 0, z]);
      addLeaf(parts, object, 'teal', (side * wide) / 2, wide - GAP, side === 1 ? -0.42 : 0.42);
      const open = (share: number): void => void (object.position.x = x + side * 0.94 * wide * share);
      this.leaves.push({ object, closed: x, phase: 2.1 * (k - 1), open });
    }
  }

  private addSwinging(parts: Parts, hall: Group, x: number, z: number, k: number): void {
    const object = parts.group(hall, 'swinging door', [x - SWINGING / 2, 0, z]);
    addLeaf(parts, object, 'coral', SWINGING / 2, SWINGING - 2 * GAP, 0.58);
    const open = (share: number): void => void (object.rotation.y = 1.75 * share);
    this.leaves.push({ object, closed: object.position.x, phase: 1.3 + 2.7 * k, open });
  }
}

const BANDS: readonly (readonly [y: number, tall: number, colour: Colour])[] = [
  [0.04, 1.1, 'teal'],
  [1.14, HALL.high - 1.14, 'cream'],
];

function addWall(parts: Parts, hall: Group, left: number, right: number, z: number): void {
  for (const [y, tall, colour] of BANDS)
    parts.add(hall, 'box', colour, 'wall', [(left + right) / 2, y, z], [right - left, tall, WALL]);
}

/** @param x Its middle. @param handle Place of the handle from there. */
function addLeaf(parts: Parts, object: Group, colour: Colour, x: number, wide: number, handle: number): void {
  const high = DOOR_HIGH - 0.08;
  parts.add(object, 'box', colour, 'leaf', [x, 0.06, 0], [wide, high, 0.1]);
  for (const y of [0.3, 1.35]) parts.add(object, 'box', 'cream', 'panel', [x, y, 0], [wide * 0.72, 0.85, 0.13]);
  parts.add(object, 'ball', 'mustard', 'handle', [x + handle, 1.15, 0], [0.1, 0.1, 0.34]);
}

/** Slats with gaps for the light. */
function addRoof(parts: Parts, hall: Group): void {
  const { width, depth, high } = HALL;
  const rise = 2.6;
  const slope = Math.atan2(rise, depth / 2);
  for (let k = 0; k < 20; k++) {
    const x = (k / 19 - 0.5) * (width + 0.6);
    for (const side of [-1, 1]) {
      const length = depth / 2 / Math.cos(slope) + 0.5;
      const slat = parts.add(hall, 'box', k % 2 === 0 ? 'coral' : 'cream', 'slat', [0, 0, 0], [0.9, 0.08, length]);
      slat.position.set(x, high + rise / 2 - 0.05, (side * depth) / 4 + side * 0.1);
      slat.rotation.x = side * slope;
    }
  }
  parts.add(hall, 'box', 'wood', 'ridge', [0, high + rise - 0.2, 0], [width + 1, 0.2, 0.3]);
}
