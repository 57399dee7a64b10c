// The stalls: posts, a counter, a striped awning, and what they sell. And what stands between them.

import type { Object3D } from 'three';
import { hash } from '../shared/noise.ts';
import type { Colour, Parts, Shape } from './parts.ts';
import type { StallPlace } from './plan.ts';

const SALT = 31;
const CLOTHS: readonly (readonly [Colour, Colour])[] = [
  ['coral', 'cream'],
  ['teal', 'cream'],
  ['mustard', 'white'],
  ['navy', 'cream'],
  ['red', 'white'],
];
/** What a stall sells: in crates, or in rows on the counter. */
const GOODS: readonly (readonly [name: string, shape: Shape, colours: readonly Colour[], size: number])[] = [
  ['fruit', 'fruit', ['coral', 'mustard', 'moss'], 0.2],
  ['loaf', 'ball', ['loaf', 'wood'], 0.3],
  ['vase', 'vase', ['teal', 'coral', 'navy', 'cream'], 0.3],
  ['flower', 'cone', ['rose', 'plum', 'mustard'], 0.24],
  ['jar', 'post', ['mustard', 'red', 'plum'], 0.2],
  ['toy ball', 'ball', ['sky', 'rose', 'mint', 'mustard'], 0.28],
];

/** About 30 meshes. */
export function addStall(parts: Parts, parent: Object3D, { number, x, z, turn }: StallPlace): void {
  const stall = parts.group(parent, `stall ${number + 1}`, [x, 0, z], turn);
  const random = (k: number): number => hash(number, k, SALT);
  const cloth = CLOTHS[Math.floor(random(0) * CLOTHS.length)];
  const [good, shape, colours, size] = GOODS[Math.floor(random(1) * GOODS.length)];
  for (const [dx, dz, high] of [
    [-1.7, -1.1, 3],
    [1.7, -1.1, 3],
    [-1.7, 1.1, 2.35],
    [1.7, 1.1, 2.35],
  ] as const)
    parts.add(stall, 'post', 'white', 'post', [dx, 0, dz], [0.12, high, 0.12]);
  parts.add(stall, 'box', 'wood', 'counter', [0, 0, 0.85], [3.4, 0.86, 0.6]);
  parts.add(stall, 'box', 'cream', 'board', [0, 0.86, 0.82], [3.6, 0.07, 0.8]);
  parts.add(stall, 'box', cloth[0], 'back wall', [0, 0.1, -1.15], [3.3, 2.2, 0.08]);
  parts.add(stall, 'box', 'wood', 'shelf', [0, 1.25, -0.95], [3, 0.06, 0.36]);
  parts.awning(stall, ...cloth, 'awning', [0, 2.38, 0.1], [4, 0.78, 3]);
  const sign = parts.add(stall, 'box', cloth[0], 'sign', [0, 1.98, 1.2], [1.5, 0.34, 0.07]);
  sign.rotation.x = -0.1;
  for (let k = 0; k < 15; k++) {
    const colour = colours[Math.floor(random(10 + k) * colours.length)];
    const scale = size * (0.85 + 0.3 * random(40 + k));
    const [column, row] = [k % 8, Math.floor(k / 8)];
    const high = shape === 'vase' ? 1.5 * scale : shape === 'fruit' || shape === 'ball' ? scale * 0.85 : scale * 1.2;
    const ware = parts.add(stall, shape, colour, good, [0, 0, 0], [scale, high, scale]);
    ware.position.set(-1.5 + 0.43 * column + 0.06 * random(70 + k), 0.93, 0.64 + 0.36 * row);
    ware.rotation.y = 6 * random(100 + k);
  }
  for (let k = 0; k < 5; k++) {
    const colour = colours[k % colours.length];
    parts.add(stall, shape, colour, good, [-1.2 + 0.6 * k, 1.31, -0.95], [size * 1.1, size * 1.2, size * 1.1]);
  }
  // Crates beside it, some in two layers.
  for (let k = 0; k < 2 + Math.floor(random(2) * 2); k++) {
    const crate = parts.add(stall, 'box', k % 2 === 0 ? 'wood' : 'loaf', 'crate', [0, 0, 0], [0.62, 0.42, 0.5]);
    crate.position.set(2.15 + 0.1 * random(3 + k), k === 1 ? 0.42 : 0, k === 2 ? -0.4 : 0.5 + 0.05 * k);
    crate.rotation.y = 0.5 * (random(5 + k) - 0.5);
  }
}

export function addTree(parts: Parts, parent: Object3D, number: number, x: number, z: number, size: number): void {
  const tree = parts.group(parent, `tree ${number + 1}`, [x, 0, z], number);
  const crown = (['leaf', 'moss', 'pine'] as const)[number % 3];
  parts.add(tree, 'post', 'bark', 'trunk', [0, 0, 0], [0.36 * size, 2.6 * size, 0.36 * size]);
  parts.add(tree, 'crown', crown, 'crown', [0, 1.9 * size, 0], [3 * size, 3.1 * size, 3 * size]);
  parts.add(tree, 'crown', crown, 'crown', [0.8 * size, 1.7 * size, 0.5 * size], [1.9 * size, 1.9 * size, 1.9 * size]);
  parts.add(tree, 'crown', crown, 'crown', [-0.7 * size, 2.2 * size, -0.5 * size], [2 * size, 2.1 * size, 2 * size]);
}

export function addLamp(parts: Parts, parent: Object3D, number: number, x: number, z: number): void {
  const lamp = parts.group(parent, `lamp ${number + 1}`, [x, 0, z]);
  parts.add(lamp, 'drum', 'ink', 'base', [0, 0, 0], [0.4, 0.25, 0.4]);
  parts.add(lamp, 'post', 'ink', 'post', [0, 0, 0], [0.12, 4.3, 0.12]);
  parts.add(lamp, 'ball', 'white', 'globe', [0, 4.2, 0], [0.5, 0.5, 0.5]);
  parts.add(lamp, 'cone', 'ink', 'hood', [0, 4.62, 0], [0.6, 0.26, 0.6]);
}

export function addBench(parts: Parts, parent: Object3D, number: number, x: number, z: number, turn: number): void {
  const bench = parts.group(parent, `bench ${number + 1}`, [x, 0, z], turn);
  for (const dx of [-0.75, 0.75]) parts.add(bench, 'box', 'ink', 'leg', [dx, 0, 0], [0.08, 0.44, 0.5]);
  for (const dz of [-0.16, 0.02, 0.2]) parts.add(bench, 'box', 'wood', 'slat', [0, 0.44, dz], [1.9, 0.05, 0.15]);
  for (const y of [0.62, 0.82]) parts.add(bench, 'box', 'wood', 'slat', [0, y, -0.26], [1.9, 0.14, 0.05]);
}

const BUNTING: readonly Colour[] = ['coral', 'mustard', 'teal', 'white', 'navy'];

/** Of a line that hangs. @param share Of its length. */
const heightAt = (share: number): number => 4.1 - 1.1 * (1 - (2 * share - 1) ** 2);

/** Flags on a line across the avenue. */
export function addBunting(parts: Parts, parent: Object3D, number: number, z: number, reach: number): void {
  const line = parts.group(parent, `bunting ${number + 1}`, [0, 0, z]);
  const count = 18;
  for (let k = 0; k < count; k++) {
    const [from, to] = [k / count, (k + 1) / count];
    const [x0, x1] = [(2 * from - 1) * reach, (2 * to - 1) * reach];
    const [y0, y1] = [heightAt(from), heightAt(to)];
    const cord = parts.add(line, 'box', 'ink', 'cord', [(x0 + x1) / 2, (y0 + y1) / 2, 0], [x1 - x0, 0.02, 0.02]);
    cord.rotation.z = Math.atan2(y1 - y0, x1 - x0);
    const colour = BUNTING[(k + number) % BUNTING.length];
    parts.add(line, 'flag', colour, 'flag', [(x0 + x1) / 2, (y0 + y1) / 2, 0], [0.5, 0.6, 1]);
  }
}

/** Balloons over a weight. */
export function addBalloons(parts: Parts, parent: Object3D, number: number, x: number, z: number): void {
  const bunch = parts.group(parent, `balloons ${number + 1}`, [x, 0, z]);
  parts.add(bunch, 'drum', 'ink', 'weight', [0, 0, 0], [0.4, 0.2, 0.4]);
  parts.add(bunch, 'post', 'ink', 'stick', [0, 0, 0], [0.05, 2.2, 0.05]);
  const colours: readonly Colour[] = ['coral', 'mustard', 'sky', 'mint', 'plum', 'rose'];
  for (let k = 0; k < 9; k++) {
    const angle = 2.4 * k;
    const away = 0.18 * Math.sqrt(k);
    const place = [away * Math.cos(angle), 2.1 + 0.1 * k - 0.3 * away, away * Math.sin(angle)] as const;
    parts.add(bunch, 'ball', colours[k % colours.length], 'balloon', place, [0.42, 0.52, 0.42]);
  }
}
