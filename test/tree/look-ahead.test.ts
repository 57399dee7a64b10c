/** The option `lookAhead`: for how many moves ahead a moving body is placed. */
import { beforeAll, describe, expect, it } from 'vitest';
import { IndexList, Octree, type OctreeOptions, type QueryStats, trackContacts, watch } from '../../src/index.ts';
import { collected, region, sketch } from '../support/octrees.ts';
import { createRandom } from '../support/random.ts';
import { boxOf, cube } from '../support/shapes.ts';
import { validate } from '../../src/debug/index.ts';
import { freeMemories } from '../support/wasm.ts';

beforeAll(freeMemories);

const EDGE = 256;
const COUNT = 400;
/** Updates after which all bodies have got fat bounds several times. */
const LONG = 270;

/**
 * Small boxes that fly along straight lines and are reflected at the faces of the region, many times their size per
 * tick.
 */
class Swarm {
  readonly octree: Octree<number>;
  private readonly random = createRandom(5);
  private readonly centers = Float64Array.from({ length: 3 * COUNT }, () => this.random.between(8, EDGE - 8));
  private readonly steps = Float64Array.from({ length: 3 * COUNT }, () => this.random.between(-4, 4));
  private readonly boxes = new Float64Array(6 * COUNT);
  private readonly indices: Uint32Array;
  private readonly list = new IndexList();

  constructor(options: OctreeOptions = {}) {
    this.octree = new Octree<number>({ region: region(0, EDGE), ...options });
    this.writeBoxes();
    this.indices = this.octree.insertMany(this.boxes, {
      kind: 'box',
      data: Array.from({ length: COUNT }, (_, k) => k),
    });
    this.octree.update();
  }

  /** One tick with some queries. Returns the number of bodies that changed their node. */
  tick(queries: number): number {
    for (let k = 0; k < this.centers.length; k++) {
      if (this.centers[k] + this.steps[k] < 4 || this.centers[k] + this.steps[k] > EDGE - 4)
        this.steps[k] = -this.steps[k];
      this.centers[k] += this.steps[k];
    }
    this.writeBoxes();
    this.octree.moveMany(this.indices, this.boxes);
    const { bodiesRelocated } = this.octree.update();
    for (let k = 0; k < queries; k++) this.octree.collectBox(boxOf(cube(40 + (k % 180), 100, 100, 8)), this.list);
    return bodiesRelocated;
  }

  ticks(count: number, queries: number): number {
    let changed = 0;
    for (let k = 0; k < count; k++) changed += this.tick(queries);
    return changed;
  }

  /** Bodies that 40 box queries test. */
  tested(): number {
    const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    let sum = 0;
    for (let k = 0; k < 40; k++) {
      this.octree.collectBox(boxOf(cube(20 + 5 * k, 128, 20 + 5 * k, 8)), this.list, { stats });
      sum += stats.bodiesTested;
    }
    return sum;
  }

  /** Throws unless the octree is valid and its results are those of a loop over all bodies. */
  check(): void {
    expect(validate(this.octree)).toEqual([]);
    for (let k = 0; k < 8; k++) {
      const shape = cube(this.random.between(20, 236), this.random.between(20, 236), this.random.between(20, 236), 24);
      const found = collected((list) => this.octree.collectBox(boxOf(shape), list)).sort((a, b) => a - b);
      const inBox = (at: number): boolean =>
        [0, 1, 2].every((axis) => this.boxes[at + axis] <= shape[axis + 3] && this.boxes[at + axis + 3] >= shape[axis]);
      expect(found).toEqual(Array.from({ length: COUNT }, (_, index) => index).filter((index) => inBox(6 * index)));
    }
  }

  private writeBoxes(): void {
    for (let k = 0; k < this.centers.length; k++) {
      const at = 6 * Math.floor(k / 3) + (k % 3);
      this.boxes[at] = this.centers[k] - 0.25;
      this.boxes[at + 3] = this.centers[k] + 0.25;
    }
  }
}

describe('lookAhead', () => {
  it('makes fast bodies change their node less often, and queries test more of them, with the same results', () => {
    const [near, far] = [48, 192].map((lookAhead) => new Swarm({ lookAhead }));
    near.ticks(LONG, 1);
    far.ticks(LONG, 1);
    near.check();
    far.check();
    expect(far.tested()).toBeGreaterThan(near.tested());
    expect(far.ticks(60, 1)).toBeLessThan(0.7 * near.ticks(60, 1));
  });

  it('is 48 by default', () => {
    const swarms = [new Swarm(), new Swarm({ lookAhead: 48 })];
    for (const swarm of swarms) swarm.ticks(60, 0);
    expect(sketch(swarms[0].octree)).toEqual(sketch(swarms[1].octree));
  });

  it.each([0, 1000])('may be %d', (lookAhead) => {
    const swarm = new Swarm({ lookAhead });
    swarm.ticks(60, 1);
    swarm.check();
  });

  it.each([-1, 1001, NaN])('must not be %d', (lookAhead) => {
    expect(() => new Octree({ lookAhead })).toThrow(
      new RangeError(`Octree: lookAhead must lie between 0 and 1000, but is ${lookAhead}; use 48 if unsure.`),
    );
  });

  it('places bodies alike with and without WebAssembly', () => {
    const swarms = [0, Infinity].map((simdFrom) => new Swarm({ simdFrom, lookAhead: 192 }));
    for (const swarm of swarms) swarm.ticks(LONG, 1);
    expect(sketch(swarms[0].octree)).toEqual(sketch(swarms[1].octree));
  });
});

describe('the tree of moving bodies', () => {
  it('does not depend on the queries, the contacts and the sensors of its octree', () => {
    const swarms = [new Swarm(), new Swarm(), new Swarm()];
    trackContacts(swarms[1].octree);
    watch(swarms[1].octree, { center: { x: 100, y: 100, z: 100 }, radius: 40 });
    swarms[0].ticks(LONG, 0);
    swarms[1].ticks(LONG, 0);
    swarms[2].ticks(LONG, 60);
    for (const swarm of swarms.slice(1)) expect(sketch(swarm.octree)).toEqual(sketch(swarms[0].octree));
  });
});
