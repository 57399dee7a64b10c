/** Small scenes, one builder per idea: lists of shapes, seeded. */
import { createRandom } from './random.ts';
import type { Shape } from './shapes.ts';
import { cube } from './shapes.ts';

/** Boxes and spheres, uniformly distributed in a cube around the origin, with sizes of up to `largest`. */
export function uniform(count: number, seed: number, edge = 128, largest = 4): Shape[] {
  const random = createRandom(seed);
  const within = (): number => random.between(-edge / 2, edge / 2);
  return Array.from({ length: count }, () =>
    anyShape([within(), within(), within()], random.between(0.1, largest / 2), random.next()),
  );
}

/** Boxes and spheres in a few dense clusters far apart. */
export function clustered(count: number, seed: number, heaps = 5): Shape[] {
  const random = createRandom(seed);
  const centers = Array.from({ length: heaps }, () => [
    random.between(-500, 500),
    random.between(-500, 500),
    random.between(-500, 500),
  ]);
  return Array.from({ length: count }, () => {
    const spot = random.pick(centers).map((coordinate) => coordinate + random.between(-2, 2));
    return anyShape(spot, random.between(0.05, 0.5), random.next());
  });
}

/** Equal cubes at one position. */
export function coincident(count: number): Shape[] {
  return Array.from({ length: count }, () => cube(0.5, 0.5, 0.5, 0.25));
}

/** Bodies in the plane z = 0: boxes without thickness and points. */
export function flat(count: number, seed: number): Shape[] {
  return uniform(count, seed).map((shape) =>
    shape.length === 6 ? [shape[0], shape[1], 0, shape[3], shape[4], 0] : [shape[0], shape[1], 0, 0],
  );
}

/** Unit cubes in a grid. They share faces, edges and corners; all corners are integers. */
export function gridAligned(side: number): Shape[] {
  return Array.from({ length: side ** 3 }, (_, i) => {
    const [x, y, z] = [i % side, Math.floor(i / side) % side, Math.floor(i / (side * side))];
    return [x, y, z, x + 1, y + 1, z + 1];
  });
}

/** Sizes and positions over fifteen orders of magnitude. */
export function huge(count: number, seed: number): Shape[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const scale = 2 ** random.below(48);
    return anyShape(
      [0, 1, 2].map(() => random.between(-1, 1) * scale),
      random.next() * scale,
      random.next(),
    );
  });
}

export function translated(shapes: readonly Shape[], by: number): Shape[] {
  return shapes.map((shape) => shape.map((value, k) => (shape.length === 4 && k === 3 ? value : value + by)));
}

/** Scenes that have broken spatial libraries, for random histories: a few hundred bodies each. */
export const HISTORY_SCENES = {
  'one body at 1e9 among others': () => [...uniform(200, 11), [1e9, -1e9, 1e9, 1]],
  millimetres: () => uniform(200, 12).map((shape) => shape.map((value) => value / 1024)),
  'near the limit': () => translated(uniform(200, 13), 2 ** 50 - 2 ** 14),
  'one place': () => coincident(100),
  plane: () => flat(200, 14),
} satisfies Record<string, () => Shape[]>;

function anyShape([x, y, z]: readonly number[], half: number, chance: number): Shape {
  return chance < 0.6 ? cube(x, y, z, half) : [x, y, z, half];
}
