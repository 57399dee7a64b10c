// The tower: a deck with two lifts, stairs and a ramp.

import type { Group, Object3D } from 'three';
import { type Mover, thereAndBack } from './mover.ts';
import type { Parts } from './parts.ts';
import { TOWER } from './plan.ts';

/** Seconds of a way up and down with both rests. */
const PERIOD = 18;
const CAGE = 2.7;
/** Thickness of the floor of a lift, which stands on the ground when it is down. */
const PLATE = 0.14;
/** Distance of both lifts from the middle of the deck. */
const ASIDE = 3;
const [HALF_WIDTH, HALF_DEPTH] = [6, 4];
const STEP = { high: 0.2, deep: 0.34 };

export class Tower implements Mover {
  readonly objects: readonly Object3D[];
  readonly lifts: readonly Group[];

  constructor(parts: Parts, parent: Object3D) {
    const tower = parts.group(parent, 'tower', [TOWER.x, 0, TOWER.z]);
    const { high } = TOWER;
    parts.add(tower, 'box', 'wood', 'deck', [0, high - 0.25, 0], [2 * HALF_WIDTH, 0.25, 2 * HALF_DEPTH]);
    for (const x of [-5.6, 0, 5.6])
      for (const z of [-3.6, 3.6]) {
        parts.add(tower, 'post', 'teal', 'pillar', [x, 0, z], [0.4, high - 0.25, 0.4]);
        parts.add(tower, 'box', 'stone', 'foot', [x, 0, z], [0.9, 0.3, 0.9]);
        if (x !== 0) parts.add(tower, 'post', 'white', 'post', [x, high, z], [0.14, 2.6, 0.14]);
      }
    parts.roof(tower, 'mustard', 'cream', 'roof', [0, high + 2.5, 0], [14, 2.6, 10]);
    parts.add(tower, 'post', 'white', 'mast', [0, high + 5, 0], [0.1, 2.4, 0.1]);
    const flag = parts.add(tower, 'flag', 'coral', 'flag', [0.05, high + 6.9, 0], [0.9, 1.6, 1]);
    flag.rotation.z = Math.PI / 2;
    addRails(parts, tower);
    addStairs(parts, tower);
    addRamp(parts, tower);
    this.lifts = [-ASIDE, ASIDE].map((x, k) => addLift(parts, tower, k, x));
    this.objects = this.lifts;
    this.move(0);
  }

  move(seconds: number): void {
    for (const [k, { position }] of this.lifts.entries())
      position.y = (TOWER.high - PLATE) * thereAndBack(seconds + (k * PERIOD) / 2, PERIOD);
  }
}

function addLift(parts: Parts, tower: Group, number: number, x: number): Group {
  const z = HALF_DEPTH + CAGE / 2 + 0.06;
  for (const dx of [-1.5, 1.5])
    for (const dz of [-1.25, 1.25])
      parts.add(tower, 'box', 'navy', 'shaft', [x + dx, 0, z + dz], [0.16, TOWER.high + 3, 0.16]);
  parts.add(tower, 'box', 'navy', 'shaft head', [x, TOWER.high + 3, z], [3.3, 0.3, 2.9]);
  parts.add(tower, 'box', 'navy', 'shaft gate', [x, 0, HALF_DEPTH + 0.03], [3.1, 1.1, 0.05]);
  const lift = parts.group(tower, `lift ${number + 1}`, [x, 0, z]);
  parts.add(lift, 'box', 'mustard', 'lift floor', [0, 0, 0], [CAGE, PLATE, CAGE]);
  for (const dx of [-1.3, 1.3]) {
    parts.add(lift, 'box', 'mustard', 'lift side', [dx, PLATE, 0], [0.06, 0.3, CAGE - 0.3]);
    for (const y of [0.6, 1]) parts.add(lift, 'box', 'white', 'lift rail', [dx, y, 0], [0.06, 0.06, CAGE - 0.3]);
    for (const dz of [-1.1, 0, 1.1])
      parts.add(lift, 'box', 'white', 'lift post', [dx, PLATE, dz], [0.06, dz === 0 ? 0.9 : 2.3, 0.06]);
  }
  parts.add(lift, 'box', 'mustard', 'lift roof', [0, PLATE + 2.3, 0], [CAGE, 0.1, CAGE]);
  return lift;
}

/** Around the deck, with openings at the lifts, the stairs and the ramp. */
function addRails(parts: Parts, tower: Group): void {
  const y = TOWER.high;
  const rail = (x0: number, z0: number, x1: number, z1: number): void => {
    const [dx, dz] = [x1 - x0, z1 - z0];
    for (const high of [0.5, 1])
      parts.add(tower, 'box', 'white', 'rail', [(x0 + x1) / 2, y + high, (z0 + z1) / 2], [dx + 0.06, 0.07, dz + 0.06]);
    const count = Math.ceil((dx + dz) / 1.2);
    for (let k = 0; k <= count; k++)
      parts.add(
        tower,
        'post',
        'white',
        'rail post',
        [x0 + (dx * k) / count, y, z0 + (dz * k) / count],
        [0.07, 1, 0.07],
      );
  };
  const [w, d] = [HALF_WIDTH - 0.1, HALF_DEPTH - 0.1];
  rail(-w, d, -ASIDE - 1.4, d);
  rail(-ASIDE + 1.4, d, ASIDE - 1.4, d);
  rail(ASIDE + 1.4, d, w, d);
  rail(w, -d, w, d);
  rail(-w, -d, -w, -1.3);
  rail(-w, 1.3, -w, d);
  rail(-w, -d, -1.4, -d);
  rail(1.4, -d, w, -d);
}

function addStairs(parts: Parts, tower: Group): void {
  const count = Math.round(TOWER.high / STEP.high) - 1;
  for (let k = 0; k < count; k++) {
    const top = TOWER.high - STEP.high * (k + 1);
    const x = -HALF_WIDTH - STEP.deep * (k + 0.5);
    parts.add(tower, 'box', k % 2 === 0 ? 'stone' : 'cream', 'step', [x, top - 0.2, 0], [STEP.deep + 0.02, 0.2, 2.4]);
  }
  const length = STEP.deep * count;
  const slope = Math.atan2(TOWER.high, length);
  for (const z of [-1.25, 1.25]) {
    const beam = parts.add(tower, 'box', 'teal', 'stringer', [0, 0, z], [length / Math.cos(slope), 0.4, 0.1]);
    beam.position.set(-HALF_WIDTH - length / 2, TOWER.high / 2 - 0.55, z);
    beam.rotation.z = slope;
  }
}

function addRamp(parts: Parts, tower: Group): void {
  const length = 17.5;
  const slope = Math.atan2(TOWER.high, length);
  const ramp = parts.add(tower, 'box', 'wood', 'ramp', [0, 0, 0], [2.6, 0.2, length / Math.cos(slope)]);
  ramp.position.set(0, TOWER.high / 2 - 0.2 / Math.cos(slope), -HALF_DEPTH - length / 2);
  ramp.rotation.x = -slope;
  for (const x of [-1.25, 1.25]) {
    const kerb = parts.add(tower, 'box', 'teal', 'kerb', [0, 0, 0], [0.1, 0.5, length / Math.cos(slope)]);
    kerb.position.set(x, TOWER.high / 2 - 0.2, -HALF_DEPTH - length / 2);
    kerb.rotation.x = -slope;
  }
}
