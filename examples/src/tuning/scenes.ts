// The scenes to measure. World units are metres. The same choice gives the same bodies on every machine.

import { createRandom, type Random } from '../../../test/support/random.ts';

export const SCENES = ['uniform', 'clustered', 'city', 'sizes', 'large'] as const;
export type SceneName = (typeof SCENES)[number];

/** The bodies of a scene. If only some of them move, these are the first ones. */
export interface Bodies {
  readonly kind: 'box' | 'sphere';
  /** Six numbers per box, four per sphere, as `insertMany` takes them. */
  readonly bounds: Float64Array;
  /** Greatest speed along each axis, metres per tick. */
  readonly speed: readonly [number, number, number];
  /**
   * Centres of all bodies at successive moments, three numbers per body; empty if the bodies move along straight lines.
   */
  readonly frames: readonly Float32Array[];
}

/** Metres per tick: 15 m/s at 60 ticks per second. */
const SPEED = 0.25;
const SEED = 7;

export function createBodies(scene: SceneName, count: number): Bodies {
  const boxes = new BoxList(count);
  const random = createRandom(SEED);
  generators[scene](boxes, count, random);
  return {
    kind: 'box',
    bounds: boxes.numbers,
    speed: scene === 'city' ? [SPEED, 0, SPEED] : [SPEED, SPEED, SPEED],
    frames: [],
  };
}

const generators: Readonly<Record<SceneName, (boxes: BoxList, count: number, random: Random) => void>> = {
  /** Boxes of 1 to 8 m, the same density everywhere. */
  uniform(boxes, count, random) {
    const edge = edgeFor(count, 20);
    for (let k = 0; k < count; k++) boxes.addAround(inCube(edge, random), () => random.between(0.5, 4));
  },

  /** The same boxes, nine of ten in dense clusters. */
  clustered(boxes, count, random) {
    const edge = edgeFor(count, 20);
    const clusters = Array.from({ length: Math.max(3, Math.round(count / 500)) }, () => inCube(edge, random));
    const spread = (): number => 40 * (random.next() + random.next() + random.next() - 1.5);
    for (let k = 0; k < count; k++) {
      const centre = random.next() < 0.1 ? inCube(edge, random) : random.pick(clusters).map((at) => at + spread());
      boxes.addAround(centre, () => random.between(0.5, 4));
    }
  },

  /**
   * Flat: a third buildings on a grid of blocks, two thirds cars, lamps and people in the streets. The bodies in the
   * streets come first.
   */
  city(boxes, count, random) {
    const lotsAcross = Math.ceil(Math.sqrt(Math.ceil(count / 3)));
    const LOT = 20;
    const LOTS_IN_BLOCK = 4;
    const STREET = 14;
    const at = (lot: number): number => lot * LOT + (Math.floor(lot / LOTS_IN_BLOCK) + 1) * STREET;
    const edge = at(lotsAcross);
    const buildings = Math.floor(count / 3);
    const streets = Math.ceil(lotsAcross / LOTS_IN_BLOCK);
    for (let k = buildings; k < count; k++) {
      const along = random.next() * edge;
      const across = at(random.below(streets) * LOTS_IN_BLOCK) - STREET * random.between(0.1, 0.9);
      const [x, z] = k % 2 === 0 ? [along, across] : [across, along];
      const half = random.between(0.2, 2);
      boxes.add(x - half, 0, z - half, x + half, random.between(1, 4), z + half);
    }
    for (let k = 0; k < buildings; k++) {
      const [x, z] = [at(k % lotsAcross), at(Math.floor(k / lotsAcross))];
      boxes.add(
        x + random.between(0.5, 4),
        0,
        z + random.between(0.5, 4),
        x + LOT - 1,
        6 + 90 * random.next() ** 3,
        z + LOT - 1,
      );
    }
  },

  /** Cubes of 0.5 to 200 m, as many from 1 to 2 m as from 100 to 200 m. */
  sizes(boxes, count, random) {
    const edge = edgeFor(count, 50);
    for (let k = 0; k < count; k++) {
      const half = 0.25 * 400 ** random.next();
      boxes.addAround(inCube(edge, random), () => half);
    }
  },

  /** One of a hundred is 100 to 300 m wide; the others are 0.5 to 2 m. */
  large(boxes, count, random) {
    const edge = edgeFor(count, 20);
    for (let k = 0; k < count; k++) {
      const [low, high] = k % 100 === 99 ? [50, 150] : [0.25, 1];
      boxes.addAround(inCube(edge, random), () => random.between(low, high));
    }
  },
};

class BoxList {
  readonly numbers: Float64Array;
  private at = 0;

  constructor(count: number) {
    this.numbers = new Float64Array(count * 6);
  }

  add(...box: [number, number, number, number, number, number]): void {
    this.numbers.set(box, this.at);
    this.at += 6;
  }

  /** @param half Called for the half extent along each axis. */
  addAround([x, y, z]: readonly number[], half: () => number): void {
    const [a, b, c] = [half(), half(), half()];
    this.add(x - a, y - b, z - c, x + a, y + b, z + c);
  }
}

/** Edge of a cube in which each body has a cube of its own of `spacing` metres. */
const edgeFor = (count: number, spacing: number): number => spacing * Math.cbrt(count);

const inCube = (edge: number, random: Random): number[] => [
  random.next() * edge,
  random.next() * edge,
  random.next() * edge,
];
