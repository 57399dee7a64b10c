import { beforeAll, describe, expect, it } from 'vitest';
import { validate } from '../../../src/debug/index.ts';
import { IndexList, Octree, type QueryStats } from '../../../src/index.ts';
import { createRandom } from '../../support/random.ts';
import { sampleFrom } from '../../support/sampled.ts';
import { freeMemories } from '../../support/wasm.ts';

beforeAll(freeMemories);

const COUNT = 1000;
const EDGE = 1000;
/** Updates after which a body that has not moved since must have lost its margin. */
const UPDATES = 192;
const HALF = 1;
const RAYS = 30;

type Point = [number, number, number];

const random = createRandom(1);
const point = (): Point => [0, 1, 2].map(() => random.between(-EDGE / 2, EDGE / 2)) as Point;
const places = Array.from({ length: COUNT }, point);
const rays = Array.from({ length: RAYS }, () => {
  const [x, y, z] = point();
  const [toX, toY, toZ] = point();
  return { origin: { x, y, z }, direction: { x: toX - x, y: toY - y, z: toZ - z } };
});

/** Nodes visited and bodies tested by all rays, and what they hit. */
function cost(octree: Octree<number>): { nodes: number; tests: number; hits: number[][] } {
  const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
  const sum = { nodes: 0, tests: 0, hits: [] as number[][] };
  const list = new IndexList();
  for (const ray of rays) {
    octree.collectRay(ray, list, { stats });
    sum.hits.push(Array.from(list).sort((a, b) => a - b));
    sum.nodes += stats.nodesVisited;
    sum.tests += stats.bodiesTested;
  }
  return sum;
}

const boxAt = ([x, y, z]: Point): number[] => [x - HALF, y - HALF, z - HALF, x + HALF, y + HALF, z + HALF];
const vectorOf = ([x, y, z]: Point): { x: number; y: number; z: number } => ({ x, y, z });

/** A kind of body, and a call that places bodies. */
interface Mover {
  readonly kind: 'box' | 'sphere';
  readonly move: (octree: Octree<number>, moved: readonly number[], to: readonly Point[]) => void;
}

function inBulk(numbersOf: (to: Point) => number[]): Mover['move'] {
  return (octree, moved, to) =>
    octree.moveMany(Uint32Array.from(moved), new Float64Array(moved.flatMap((index) => numbersOf(to[index]))));
}

function oneByOne(set: (octree: Octree<number>, index: number, to: Point) => void): Mover['move'] {
  return (octree, moved, to) => moved.forEach((index) => set(octree, index, to[index]));
}

const MOVERS: Record<string, Mover> = {
  setBox: {
    kind: 'box',
    move: oneByOne((octree, index, [x, y, z]) =>
      octree.bodyAt(index).setBox({ min: { x: x - 1, y: y - 1, z: z - 1 }, max: { x: x + 1, y: y + 1, z: z + 1 } }),
    ),
  },
  setSphere: {
    kind: 'sphere',
    move: oneByOne((octree, index, to) => octree.bodyAt(index).setSphere({ center: vectorOf(to), radius: HALF })),
  },
  'setCenter of boxes': {
    kind: 'box',
    move: oneByOne((octree, index, to) => octree.bodyAt(index).setCenter(vectorOf(to))),
  },
  'moveMany of boxes': { kind: 'box', move: inBulk(boxAt) },
  'moveMany of spheres': { kind: 'sphere', move: inBulk((to) => [...to, HALF]) },
  'moveMany of centres': { kind: 'box', move: inBulk((to) => to) },
};

/** Where the bodies are before the last move, and how often they have moved until then. */
const HISTORIES: Record<string, { readonly begin: (place: Point, k: number) => Point; readonly steps: number }> = {
  'born at one point': { begin: () => [0, 0, 0], steps: 0 },
  'born on a line': { begin: (_, k) => [k / 10, 0, 0], steps: 0 },
  'a small jump': { begin: ([x, y, z]) => [x + 5, y, z], steps: 0 },
  'a jump of a cell': { begin: ([x, y, z]) => [x + 30, y - 30, z], steps: 0 },
  'a large jump': { begin: ([x, y, z]) => [-z, x, y], steps: 0 },
  'jumps again and again': { begin: ([x, y, z]) => [-z, x, y], steps: 5 },
  'steps in a line': { begin: ([x, y, z]) => [x - 6, y - 3, z], steps: 20 },
};

const SHARES: Record<string, number> = { all: 1, few: 50 };

/** In WebAssembly, in JavaScript, and static bodies, which never have a margin. */
const OCTREES = [
  { simdFrom: 0, isStatic: false },
  { simdFrom: Infinity, isStatic: false },
  { simdFrom: 0, isStatic: true },
];

const cases = Object.keys(MOVERS).flatMap((mover) =>
  Object.keys(HISTORIES).flatMap((history) =>
    Object.keys(SHARES).flatMap((share) => OCTREES.map((octree) => ({ mover, history, share, ...octree }))),
  ),
);

function octreeAt(starts: readonly Point[], kind: Mover['kind'], simdFrom: number, isStatic = false): Octree<number> {
  const octree = new Octree<number>({ simdFrom });
  const numbers = starts.flatMap((start) => (kind === 'box' ? boxAt(start) : [...start, HALF]));
  octree.insertMany(new Float64Array(numbers), { kind, isStatic });
  octree.update();
  return octree;
}

describe(`queries after moves cost about as much as in a new octree (${cases.length} siblings)`, () => {
  const fresh = new Map<string, ReturnType<typeof cost>>();
  for (const kind of ['box', 'sphere'] as const)
    for (const simdFrom of [0, Infinity]) fresh.set(kind + simdFrom, cost(octreeAt(places, kind, simdFrom)));

  it.each(sampleFrom(cases, 5))('$mover, $history, $share, simdFrom $simdFrom, static $isStatic', (one) => {
    const { kind, move } = MOVERS[one.mover];
    const { begin, steps } = HISTORIES[one.history];
    const isMoved = (k: number): boolean => k % SHARES[one.share] === 0;
    const starts = places.map((place, k) => (isMoved(k) ? begin(place, k) : place));
    const moved = places.flatMap((_, k) => (isMoved(k) ? [k] : []));
    const octree = octreeAt(starts, kind, one.simdFrom, one.isStatic);
    octree.firstHit(rays[0]);
    for (let step = 1; step <= steps + 1; step++) {
      const part = step / (steps + 1);
      // Jumps go back and forth between both places; steps lead from one to the other.
      const isBack = one.history.startsWith('jumps') && step % 2 === 1;
      const to = places.map((place, k) =>
        isBack ? starts[k] : (place.map((at, axis) => starts[k][axis] + (at - starts[k][axis]) * part) as Point),
      );
      move(octree, moved, step > steps ? places : to);
      octree.update();
    }
    for (let tick = 0; tick < UPDATES; tick++) octree.update();
    const { nodes, tests, hits } = cost(octree);
    const expected = fresh.get(kind + one.simdFrom)!;
    expect(hits).toEqual(expected.hits);
    expect(tests).toBeLessThan(1.35 * expected.tests);
    expect(nodes).toBeLessThan(1.7 * expected.nodes);
    expect(validate(octree)).toEqual([]);
  });
});

describe('a jump', () => {
  it('leaves no margin: queries before the next update cost as little', () => {
    const octree = octreeAt(
      places.map(() => [0, 0, 0]),
      'box',
      0,
    );
    octree.firstHit(rays[0]);
    MOVERS.setBox.move(octree, [...places.keys()], places);
    const { tests, nodes } = cost(octree);
    const expected = cost(octreeAt(places, 'box', 0));
    expect(tests).toBeLessThan(1.5 * expected.tests);
    expect(nodes).toBeLessThan(1.7 * expected.nodes);
  });
});

describe('a body that moves again after a rest', () => {
  it('escapes once, and then moves without work in the tree', () => {
    const octree = octreeAt(places, 'box', 0);
    const all = [...places.keys()];
    let x = 0;
    const move = (): void => {
      x += 0.01;
      const to = places.map(([atX, y, z]): Point => [atX + x, y, z]);
      MOVERS['moveMany of boxes'].move(octree, all, to);
    };
    for (let round = 0; round < 2; round++) {
      move();
      expect(octree.statistics.pending).toBe(COUNT);
      for (let tick = 0; tick < 10; tick++) {
        octree.update();
        move();
        expect(octree.statistics.pending).toBeLessThan(COUNT / 10);
      }
      for (let tick = 0; tick < UPDATES; tick++) octree.update();
    }
  });

  it('keeps its margin as long as it moves at least in every 30th update', () => {
    const octree = octreeAt(places, 'box', 0);
    let [x, y, z] = places[7];
    let escapes = 0;
    for (let tick = 0; tick < 600; tick++) {
      if (tick % 30 === 0) {
        octree.bodyAt(7).setCenter({ x: (x += 0.01), y: (y += 0.01), z: (z -= 0.01) });
        escapes += octree.statistics.pending;
      }
      // Others are looked at too, so that a round takes 51 updates.
      MOVERS['moveMany of boxes'].move(
        octree,
        Array.from({ length: 100 }, (_, k) => 100 + k),
        places.map(([atX, atY, atZ]): Point => [atX + tick / 100, atY, atZ]),
      );
      octree.update();
    }
    expect(escapes).toBeLessThan(3);
  });
});

describe('the list of bodies with a margin', () => {
  it('holds each of them once, however often it escapes, and none after they have rested', () => {
    const octree = new Octree<number>();
    const { tree } = octree.internals.store;
    const centers = Float64Array.from(places.slice(0, 300).flat());
    const boxes = Float64Array.from(places.slice(0, 300).flatMap(boxAt));
    const indices = octree.insertMany(boxes, { kind: 'box' });
    octree.update();
    for (let tick = 0; tick < 60; tick++) {
      for (let k = 0; k < centers.length; k++) centers[k] += random.between(-3, 3);
      octree.moveMany(indices, centers);
      octree.update();
      const listed = new Set(tree.margins);
      expect(listed.size).toBe(tree.margins.length);
      expect([...indices].filter((index) => tree.bodies.hasMargin(index) && !listed.has(index))).toEqual([]);
    }
    for (let update = 0; update < UPDATES; update++) octree.update();
    expect(tree.margins.length).toBe(0);
    expect([...indices].filter((index) => tree.bodies.hasMargin(index))).toEqual([]);
  });
});
