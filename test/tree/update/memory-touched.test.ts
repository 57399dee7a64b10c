import { describe, expect, it } from 'vitest';
import { Octree } from '../../../src/index.ts';
import { region } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { cube } from '../../support/shapes.ts';
import { countTouches } from '../../support/touches.ts';

/** Longer than the longest lifespan. */
const SETTLED = 80;
const EDGE = 1024;

function scattered(count: number, seed = 1): Float64Array {
  const random = createRandom(seed);
  const within = (): number => random.between(-EDGE / 2 + 2, EDGE / 2 - 2);
  return Float64Array.from(Array.from({ length: count }, () => cube(within(), within(), within(), random.between(0.2, 1))).flat());
}

/** All of them have moved once: to where they are. */
function worldOf(bounds: Float64Array): { octree: Octree<number>; indices: Uint32Array } {
  const octree = new Octree<number>({ region: region(-EDGE / 2, EDGE) });
  const indices = octree.insertMany(bounds, { kind: 'box' });
  octree.update();
  octree.moveMany(indices, bounds);
  for (let tick = 0; tick < SETTLED; tick++) octree.update();
  return { octree, indices };
}

/** Touches of `work` with a thousand bodies and with four times as many; it is done once before it is counted. */
function grows(work: (octree: Octree<number>, indices: Uint32Array, bounds: Float64Array) => void, makeBounds: (count: number) => Float64Array): number {
  const [few, many] = [1000, 4000].map((count) => {
    const bounds = makeBounds(count);
    const { octree, indices } = worldOf(bounds);
    work(octree, indices, bounds);
    return countTouches(octree, () => work(octree, indices, bounds));
  });
  expect(few).toBeGreaterThan(1000);
  return many / few;
}

const scenes = [
  { scene: 'scattered', makeBounds: (count: number): Float64Array => scattered(count) },
  { scene: 'in one place', makeBounds: (count: number): Float64Array => Float64Array.from(Array.from({ length: count }, () => cube(5, 5, 5, 1)).flat()) },
  { scene: 'in the middle of the root', makeBounds: (count: number): Float64Array => Float64Array.from(Array.from({ length: count }, () => cube(0, 0, 0, 1)).flat()) },
];

describe('numbers touched', () => {
  it.each([100, 20_000])('by a tick in which none of %d bodies moves are a handful', (count) => {
    const { octree } = worldOf(scattered(count));
    expect(countTouches(octree, () => void octree.update())).toBeLessThan(50);
  });

  it('by a tick in which one body moves do not depend on how many there are', () => {
    const [few, many] = [1000, 20_000].map((count) => {
      const bounds = scattered(count);
      const { octree, indices } = worldOf(bounds);
      const one = bounds.slice(0, 6);
      const move = (): void => {
        for (let lane = 0; lane < 6; lane++) one[lane] += 0.01;
        octree.moveMany(indices.subarray(0, 1), one);
        octree.update();
      };
      move();
      return countTouches(octree, move);
    });
    expect(few).toBeGreaterThan(5);
    expect(many).toBeLessThan(few + 100);
  });

  it.each(scenes)('by moves of all bodies grow with the bodies, not with their square: $scene', ({ makeBounds }) => {
    const growth = grows((octree, indices, bounds) => {
      // Far enough that most leave their nodes.
      for (let at = 0; at < bounds.length; at += 6) {
        const way = bounds[at] < 0 ? 200 : -200;
        bounds[at] += way;
        bounds[at + 3] += way;
      }
      octree.moveMany(indices, bounds);
      octree.update();
    }, makeBounds);
    expect(growth).toBeLessThan(5);
  });

  it.each(scenes)('by removals and insertions grow with the bodies, not with their square: $scene', ({ makeBounds }) => {
    const growth = grows((octree, indices, bounds) => {
      // Each second one goes and comes back; those that stay keep the nodes in use.
      const half = indices.filter((_, k) => k % 2 === 0);
      octree.removeMany(half);
      octree.update();
      const back = octree.insertMany(bounds.subarray(0, half.length * 6), { kind: 'box' });
      octree.update();
      for (let k = 0; k < back.length; k++) indices[k * 2] = back[k];
    }, makeBounds);
    expect(growth).toBeLessThan(5);
  });
});
