import { describe, expect, it } from 'vitest';
import { Octree } from '../../../src/index.ts';
import { countArrayAccesses } from '../../support/array-accesses.ts';
import { region } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { cube } from '../../support/shapes.ts';

/** Updates after which nothing is left to expire, merge or refit: more than the longest lifespan. */
const REST = 80;
/** Edge of the region. */
const EDGE = 1024;

function scattered(count: number, seed = 1): Float64Array {
  const random = createRandom(seed);
  const within = (): number => random.between(-EDGE / 2 + 2, EDGE / 2 - 2);
  return Float64Array.from(
    Array.from({ length: count }, () => cube(within(), within(), within(), random.between(0.2, 1))).flat(),
  );
}

/** An octree at rest. Each body has moved once, to the place where it was, so that all have fat bounds. */
function octreeAtRest(bounds: Float64Array): { octree: Octree<number>; indices: Uint32Array } {
  const octree = new Octree<number>({ region: region(-EDGE / 2, EDGE) });
  const indices = octree.insertMany(bounds, { kind: 'box' });
  octree.update();
  octree.moveMany(indices, bounds);
  for (let tick = 0; tick < REST; tick++) octree.update();
  return { octree, indices };
}

/** By which factor the array accesses of `work` grow from 1000 to 4000 bodies. */
function growthOf(
  work: (octree: Octree<number>, indices: Uint32Array, bounds: Float64Array) => void,
  makeBounds: (count: number) => Float64Array,
): number {
  const [few, many] = [1000, 4000].map((count) => {
    const bounds = makeBounds(count);
    const { octree, indices } = octreeAtRest(bounds);
    work(octree, indices, bounds);
    return countArrayAccesses(octree, () => work(octree, indices, bounds));
  });
  expect(few).toBeGreaterThan(1000);
  return many / few;
}

const scenes = [
  { scene: 'scattered', makeBounds: (count: number): Float64Array => scattered(count) },
  {
    scene: 'in one place',
    makeBounds: (count: number): Float64Array =>
      Float64Array.from(Array.from({ length: count }, () => cube(5, 5, 5, 1)).flat()),
  },
  {
    scene: 'in the middle of the root',
    makeBounds: (count: number): Float64Array =>
      Float64Array.from(Array.from({ length: count }, () => cube(0, 0, 0, 1)).flat()),
  },
];

describe('the number of array accesses', () => {
  it.each([100, 20_000])('of a tick in which none of %d bodies moves is below 50', (count) => {
    const { octree } = octreeAtRest(scattered(count));
    expect(countArrayAccesses(octree, () => void octree.update())).toBeLessThan(50);
  });

  it('of a tick in which one body moves does not depend on the number of bodies', () => {
    const [few, many] = [1000, 20_000].map((count) => {
      const bounds = scattered(count);
      const { octree, indices } = octreeAtRest(bounds);
      const one = bounds.slice(0, 6);
      const move = (): void => {
        for (let k = 0; k < 6; k++) one[k] += 0.01;
        octree.moveMany(indices.subarray(0, 1), one);
        octree.update();
      };
      move();
      return countArrayAccesses(octree, move);
    });
    expect(few).toBeGreaterThan(5);
    expect(many).toBeLessThan(few + 100);
  });

  it.each(scenes)('of a move of all bodies is linear in the number of bodies: $scene', ({ makeBounds }) => {
    const growth = growthOf((octree, indices, bounds) => {
      // Far enough for most bodies to leave their nodes.
      for (let at = 0; at < bounds.length; at += 6) {
        const step = bounds[at] < 0 ? 200 : -200;
        bounds[at] += step;
        bounds[at + 3] += step;
      }
      octree.moveMany(indices, bounds);
      octree.update();
    }, makeBounds);
    expect(growth).toBeLessThan(5);
  });

  it.each(scenes)('of removals and insertions is linear in the number of bodies: $scene', ({ makeBounds }) => {
    const growth = growthOf((octree, indices, bounds) => {
      // Every second body is removed and inserted again; the others keep the nodes in use.
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
