/** Skinned geometries with random weights, and random places. */

import { BufferAttribute, BufferGeometry, Quaternion, type Object3D } from 'three';
import type { Random } from './random.ts';

export interface SkinOptions {
  readonly bones?: number;
  readonly vertices?: number;
  readonly morphs?: number;
  /** The sum of the weights of a vertex: 1, or at random up to this distance from it. */
  readonly spread?: number;
}

/** Vertices around the origin, with up to four random bones each. */
export function skinnedGeometry(
  random: Random,
  { bones = 6, vertices = 40, morphs = 0, spread = 0 }: SkinOptions,
): BufferGeometry {
  const geometry = new BufferGeometry();
  const fill = (count: number, value: () => number): BufferAttribute =>
    new BufferAttribute(Float32Array.from({ length: count * vertices }, value), count);
  geometry.setAttribute(
    'position',
    fill(3, () => random.between(-2, 2)),
  );
  const weights = fill(4, () => (random.next() < 0.3 ? 0 : random.next()));
  for (let k = 0; k < vertices; k++) {
    const own = [0, 1, 2, 3].map((component) => weights.getComponent(k, component));
    own[0] += 0.01;
    const sum = own.reduce((a, b) => a + b) / (1 + random.between(-spread, spread));
    own.forEach((weight, component) => weights.setComponent(k, component, weight / sum));
  }
  geometry.setAttribute('skinWeight', weights);
  geometry.setAttribute(
    'skinIndex',
    new BufferAttribute(
      Uint16Array.from({ length: 4 * vertices }, () => random.below(bones)),
      4,
    ),
  );
  if (morphs > 0) {
    geometry.morphAttributes.position = Array.from({ length: morphs }, () => fill(3, () => random.between(-1, 1)));
    geometry.morphTargetsRelative = random.next() < 0.5;
  }
  return geometry;
}

/** Moves, turns, scales and mirrors an object, and returns it. */
export function placeAtRandom<O extends Object3D>(random: Random, object: O, reach: number): O {
  object.position.set(random.between(-reach, reach), random.between(-reach, reach), random.between(-reach, reach));
  const turn = [0, 1, 2, 3].map(() => random.between(-1, 1)) as [number, number, number, number];
  object.quaternion.copy(new Quaternion(...turn).normalize());
  object.scale.set(random.between(0.2, 2), random.between(-2, 2), random.between(0.2, 2));
  object.updateMatrix();
  return object;
}
