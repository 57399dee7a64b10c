import { PerspectiveCamera } from 'three';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadWasmWalk } from '../../../src/occlusion/visible/occlusion-query.ts';
import { collectVisible, IndexList, type Octree, type VisibleOptions, type VisibleStats } from '../../../src/index.ts';
import * as map from '../../../src/occlusion/visible/walk-memory.ts';
import { WasmWalk } from '../../../src/occlusion/visible/wasm-walk.ts';
import { HEAP } from '../../../src/wasm/memory-map.ts';
import { createCity, octreeOfCity, setPose, type City } from '../../support/occlusion-cities.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { boxOf } from '../../support/shapes.ts';
import { freeMemories, traversalOf } from '../../support/wasm.ts';

beforeAll(freeMemories);
beforeAll(loadWasmWalk);

/** The same city twice: with walks in WebAssembly, and in JavaScript. */
type Pair = readonly [Octree<number>, Octree<number>];

const pairs: Pair[] = [];

function pairOf(city: City): Pair {
  const pair = [octreeOfCity(city, { simdFrom: 0 }), octreeOfCity(city, { simdFrom: Infinity })] as const;
  pairs.push(pair);
  for (const octree of pair) octree.update();
  return pair;
}

afterEach(() => {
  for (const pair of pairs.splice(0)) for (const octree of pair) octree.clear();
});

function isInWasm(octree: Octree<number>): boolean {
  return WasmWalk.of(octree.internals.store.tree) !== null;
}

/**
 * 60 to 600 bodies, most of them in few nodes: too large for smaller cells, or all in one cell of the smallest size.
 * Thin walls hide many.
 */
function crowd(random: Random, origin: readonly number[]): City {
  const count = random.pick([60, 66, 90, 260, 600]);
  const isLarge = random.next() < 0.7;
  const boxes = Array.from({ length: count }, () => {
    const size = [0, 1, 2].map(() => (isLarge ? random.between(40, 60) : random.between(0.01, 0.4)));
    if (random.next() < 0.7) size[random.below(3)] *= 0.02;
    const min = origin.map((at) => at + random.between(-1, 1) * (isLarge ? 100 : 0.4));
    return [...min, ...min.map((value, axis) => value + size[axis])];
  });
  return { boxes, isSolid: boxes.map(() => random.next() < 0.6), turned: [] };
}

/** Compares the lists of both, order included, and returns how many are hidden. */
function expectSame(pair: Pair, camera: PerspectiveCamera, options: VisibleOptions<number>): number {
  expect(pair.map(isInWasm)).toEqual([true, false]);
  const stats = pair.map(() => ({}) as VisibleStats);
  const lists = pair.map((octree, k) => {
    const list = new IndexList();
    collectVisible(octree, camera, list, { minRemoved: 0, ...options, stats: stats[k] });
    return [...list];
  });
  expect(lists[0]).toEqual(lists[1]);
  // Of nodes beside the frustum, WebAssembly keeps a little more.
  const fields = ['occludersTested', 'occludersRasterised', 'bodiesReported'] as const;
  for (const field of fields) expect(`${field} ${stats[0][field]}`).toBe(`${field} ${stats[1][field]}`);
  return stats[0].nodesHidden! + stats[0].bodiesHidden!;
}

function optionsOf(random: Random): VisibleOptions<number> {
  return {
    exact: random.next() < 0.3,
    ...random.pick([{}, { bufferWidth: 16 }, { bufferWidth: 333 }]),
    ...random.pick([{}, { minOccluderArea: 0 }, { minOccluderArea: 0.01 }]),
    ...random.pick([{}, {}, { mask: 1 }, { mask: 2 }, { mask: 6 }]),
    ...(random.next() < 0.2 ? { filter: ({ data }) => data % 5 !== 0 } : {}),
  };
}

function fails(): boolean {
  throw new Error('no');
}

describe('collectVisible in WebAssembly', () => {
  it('has a depth buffer that ends before the arrays of the tree', () => {
    expect(map.TILE_MASKS + 4 * (map.MAX_TILES + 3)).toBeLessThanOrEqual(HEAP);
  });

  it.each([
    [[0, 0, 0], 0],
    [[0, 0, 0], 0.6],
    [[1e7, -3e6, 5e5], 0.3],
  ])('finds the same bodies in the same order, around %o', (origin, turned) => {
    const random = createRandom(77 + turned * 10);
    let hidden = 0;
    for (let k = 0; k < 3; k++) {
      const city = createCity(random, origin, turned);
      const pair = pairOf(city);
      for (let index = 0; index < city.boxes.length; index += 3)
        for (const octree of pair) octree.bodyAt(index).setMask(3);
      for (let index = 0; index < city.boxes.length; index += 7)
        for (const octree of pair) octree.bodyAt(index).setMask(2);
      for (let pose = 0; pose < 80; pose++) {
        const camera = new PerspectiveCamera();
        setPose(camera, city, random, origin);
        hidden += expectSame(pair, camera, optionsOf(random));
      }
    }
    expect(hidden).toBeGreaterThan(10_000);
  });

  it.each([0, 1e4, 1e5, 1e6, 1e7])('finds the same in nodes with many bodies, %d from 0', (distance) => {
    const random = createRandom(distance + 3);
    const origin = [distance, -distance / 3, distance / 7].map(Math.round);
    let hidden = 0;
    for (let k = 0; k < 6; k++) {
      const city = crowd(random, origin);
      const pair = pairOf(city);
      for (let pose = 0; pose < 40; pose++) {
        const camera = new PerspectiveCamera();
        setPose(camera, city, random, origin);
        hidden += expectSame(pair, camera, optionsOf(random));
      }
      for (const octree of pair) octree.clear();
    }
    expect(hidden).toBeGreaterThan(500);
  });

  it('finds the same while bodies move, come and go', () => {
    const random = createRandom(5);
    const city = createCity(random, [0, 0, 0], 0.3);
    const pair = pairOf(city);
    const bodies = new Map(pair.map((octree) => [octree, [...octree]]));
    let hidden = 0;
    for (let tick = 0; tick < 100; tick++) {
      for (let k = 0; k < 40; k++) {
        const index = random.below(city.boxes.length);
        const [x, z] = [random.between(-2, 2), random.between(-2, 2)];
        const isRemoved = random.next() < 0.05;
        for (const octree of pair) {
          const body = bodies.get(octree)![index];
          if (!octree.has(body)) continue;
          if (isRemoved) body.remove();
          else body.setBox(boxOf(city.boxes[index].map((value, at) => value + [x, 0, z][at % 3])));
        }
      }
      const camera = new PerspectiveCamera();
      setPose(camera, city, random);
      hidden += expectSame(pair, camera, {});
      for (const octree of pair) octree.update();
    }
    expect(hidden).toBeGreaterThan(1000);
  });

  it('runs in JavaScript in a nested query, and with a buffer that is too large for its memory', () => {
    const random = createRandom(9);
    const city = createCity(random);
    const pair = pairOf(city);
    const camera = new PerspectiveCamera(60, 16 / 9, 0.1, 500);
    camera.position.set(-3, 1.7, 70);
    camera.updateMatrixWorld();
    const inner = new IndexList();
    let nested = 0;
    const filter = (): boolean => {
      for (const octree of pair)
        expect(traversalOf(octree)?.isBusy ?? false).toBe(nestedIn === octree && octree === pair[0]);
      nested++;
      collectVisible(nestedIn, camera, inner, { minRemoved: 0 });
      return true;
    };
    const found: number[][] = [];
    let nestedIn: Octree<number> = pair[0];
    for (const octree of pair) {
      nestedIn = octree;
      const list = new IndexList();
      collectVisible(octree, camera, list, { minRemoved: 0, filter });
      found.push([...list]);
    }
    expect(nested).toBeGreaterThan(10);
    expect(found[0]).toEqual(found[1]);
    expect(expectSame(pair, camera, { bufferWidth: 2048 })).toBeGreaterThan(0);
    // An error of the filter leaves the walk usable.
    expect(() => collectVisible(pair[0], camera, inner, { minRemoved: 0, filter: fails })).toThrow('no');
    expect(expectSame(pair, camera, {})).toBeGreaterThan(0);
  });
});
