// People and watchers walk along the streets, and turn at crossings.

import { hash } from './noise.ts';
import { STREET_DISTANCE, streetAt, STREETS } from './city-blocks-plan.ts';

/** Metres per second of the slowest and the fastest. */
const MIN_SPEED = 1.5;
const MAX_SPEED = 4;
/** Greatest distance from the middle of the street. */
const MAX_ASIDE = 4;
/** Radians per second. */
const TURN_SPEED = 2.5;
/** Steps from a crossing to the next one, in the order of a turn to the left. */
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

export class Walkers {
  readonly count: number;
  /** Place x z of each. */
  readonly places: Float64Array;
  /** Angle that each looks at, in radians from x to z. */
  readonly looks: Float64Array;
  private readonly seed: number;
  /** The last crossing, column and row, and the direction from it. */
  private readonly crossings: Int16Array;
  private readonly directions: Uint8Array;
  /** Metres since the last crossing. */
  private readonly walked: Float64Array;
  private readonly turns: Uint32Array;

  constructor(count: number, seed: number) {
    this.count = count;
    this.seed = seed;
    this.places = new Float64Array(count * 2);
    this.looks = new Float64Array(count);
    this.crossings = new Int16Array(count * 2);
    this.directions = new Uint8Array(count);
    this.walked = new Float64Array(count);
    this.turns = new Uint32Array(count);
    for (let walker = 0; walker < count; walker++) {
      for (const axis of [0, 1]) this.crossings[walker * 2 + axis] = Math.floor(hash(walker, axis, seed) * STREETS);
      this.turn(walker);
      this.looks[walker] = this.wantedLook(walker);
      this.walked[walker] = hash(walker, 2, seed) * STREET_DISTANCE;
      this.place(walker);
    }
  }

  /** @param count How many of them walk, the first ones; the others stand still. */
  walk(seconds: number, count = this.count): void {
    for (let walker = 0; walker < count; walker++) {
      this.walked[walker] += (MIN_SPEED + (MAX_SPEED - MIN_SPEED) * hash(walker, 3, this.seed)) * seconds;
      if (this.walked[walker] >= STREET_DISTANCE) {
        const [dx, dz] = DIRECTIONS[this.directions[walker]];
        this.crossings[walker * 2] += dx;
        this.crossings[walker * 2 + 1] += dz;
        this.walked[walker] -= STREET_DISTANCE;
        this.turn(walker);
      }
      const off = this.wantedLook(walker) - this.looks[walker];
      // The shorter way around.
      const rest = off - 2 * Math.PI * Math.round(off / (2 * Math.PI));
      this.looks[walker] += Math.sign(rest) * Math.min(Math.abs(rest), TURN_SPEED * seconds);
      this.place(walker);
    }
  }

  /** Writes centre x y z and radius of a sphere for each walker. @param height Of the centres above the ground. */
  writeSpheres(spheres: Float64Array, height: number, radius: number): void {
    const { count, places } = this;
    for (let walker = 0; walker < count; walker++) {
      spheres[walker * 4] = places[walker * 2];
      spheres[walker * 4 + 1] = height;
      spheres[walker * 4 + 2] = places[walker * 2 + 1];
      spheres[walker * 4 + 3] = radius;
    }
  }

  /** Chooses a direction at a crossing that stays in the city and is not the way back. */
  private turn(walker: number): void {
    const [column, row] = this.crossings.subarray(walker * 2, walker * 2 + 2);
    const isInside = (direction: number): boolean => {
      const [dx, dz] = DIRECTIONS[direction];
      return column + dx >= 0 && column + dx < STREETS && row + dz >= 0 && row + dz < STREETS;
    };
    const isFirst = this.turns[walker] === 0;
    const back = (this.directions[walker] + 2) % 4;
    const open = [0, 1, 2, 3].filter((direction) => isInside(direction) && (isFirst || direction !== back));
    this.directions[walker] = open[Math.floor(hash(walker, 10 + this.turns[walker]++, this.seed) * open.length)];
  }

  private wantedLook(walker: number): number {
    const [dx, dz] = DIRECTIONS[this.directions[walker]];
    return Math.atan2(dz, dx);
  }

  private place(walker: number): void {
    const [dx, dz] = DIRECTIONS[this.directions[walker]];
    const walked = this.walked[walker];
    // All keep to their side of both streets, so that no walker jumps at a crossing.
    const asideX = (hash(walker, 4, this.seed) * 2 - 1) * MAX_ASIDE;
    const asideZ = (hash(walker, 5, this.seed) * 2 - 1) * MAX_ASIDE;
    this.places[walker * 2] = streetAt(this.crossings[walker * 2]) + dx * walked + asideX;
    this.places[walker * 2 + 1] = streetAt(this.crossings[walker * 2 + 1]) + dz * walked + asideZ;
  }
}
