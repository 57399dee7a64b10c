/** The horizon: longer where changes of node are most of the work, shorter where queries are. */
import { describe, expect, it } from 'vitest';
import { IndexList, Octree, type QueryStats, trackContacts } from '../../src/index.ts';
import { Horizon } from '../../src/tree/horizon.ts';
import { collected, region, sketch } from '../support/octrees.ts';
import { createRandom } from '../support/random.ts';
import { boxOf, cube } from '../support/shapes.ts';
import { validate } from '../../src/debug/index.ts';

const EDGE = 256;
const COUNT = 400;
/** Updates after which the horizon is as long, or as short, as it becomes. */
const LONG = 270;

/** Runs updates with the same number of changes of node and of queries in each. Returns the level after them. */
function levelAfter(horizon: Horizon, updates: number, changes: number, queries: number, relocated = 0): number {
  for (let k = 1; k <= updates; k++) {
    horizon.recordQueries(queries, 10 * queries);
    horizon.adapt(relocated + k * changes);
  }
  return horizon.level;
}

/** Small boxes that fly along straight lines and are reflected at the faces of the region, many times their size per tick. */
class Swarm {
  readonly octree: Octree<number>;
  private readonly random = createRandom(5);
  private readonly centers = Float64Array.from({ length: 3 * COUNT }, () => this.random.between(8, EDGE - 8));
  private readonly steps = Float64Array.from({ length: 3 * COUNT }, () => this.random.between(-4, 4));
  private readonly boxes = new Float64Array(6 * COUNT);
  private readonly indices: Uint32Array;
  private readonly list = new IndexList();

  constructor(simdFrom?: number) {
    this.octree = new Octree<number>({ region: region(0, EDGE), ...(simdFrom !== undefined && { simdFrom }) });
    this.writeBoxes();
    this.indices = this.octree.insertMany(this.boxes, { kind: 'box', data: Array.from({ length: COUNT }, (_, k) => k) });
    this.octree.update();
  }

  /** One tick with some queries. Returns the number of bodies that changed their node. */
  tick(queries: number): number {
    for (let k = 0; k < this.centers.length; k++) {
      if (this.centers[k] + this.steps[k] < 4 || this.centers[k] + this.steps[k] > EDGE - 4) this.steps[k] = -this.steps[k];
      this.centers[k] += this.steps[k];
    }
    this.writeBoxes();
    this.octree.moveMany(this.indices, this.boxes);
    return this.rest(queries);
  }

  /** One tick in which nothing moves. */
  rest(queries: number): number {
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
      const inBox = (at: number): boolean => [0, 1, 2].every((axis) => this.boxes[at + axis] <= shape[axis + 3] && this.boxes[at + axis + 3] >= shape[axis]);
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

describe('the level', () => {
  it('is that of the shortest horizon in the first 7 updates', () => {
    expect(levelAfter(new Horizon(), 7, 1000, 0)).toBe(0);
    expect(levelAfter(new Horizon(), 8, 1000, 0)).toBe(1);
  });

  it('rises once where changes of node are several times the work of queries, and to the last one where there are few queries', () => {
    expect(levelAfter(new Horizon(), LONG, 20, 2)).toBe(1);
    expect(levelAfter(new Horizon(), LONG, 20, 0)).toBe(2);
    expect(levelAfter(new Horizon(), LONG, 0, 0)).toBe(0);
  });

  it('falls where queries are most of the work, and at once to the shortest horizon', () => {
    const horizon = new Horizon();
    expect(levelAfter(horizon, LONG, 20, 0)).toBe(2);
    expect(levelAfter(horizon, LONG, 20, 50, LONG * 20)).toBe(0);
    expect(horizon.nextLongMargin).toBe(0);
  });

  it('falls with one query for all pairs of many bodies', () => {
    const horizon = new Horizon();
    expect(levelAfter(horizon, LONG, 20, 0)).toBe(2);
    horizon.recordPairs(100_000);
    for (let k = 0; k < 2; k++) horizon.adapt(LONG * 20);
    expect(horizon.level).toBe(0);
  });

  it('does not change to and fro where the work comes in waves', () => {
    const horizon = new Horizon();
    let relocated = 0;
    let lastLevel = 0;
    let switches = 0;
    for (let k = 0; k < 2000; k++) {
      horizon.recordQueries(2, 20);
      // As with satellites: waves of 90 updates, and a longer horizon has less than half of the changes.
      relocated += Math.round((25 + 20 * Math.sin(k / 14)) * (horizon.level === 0 ? 1 : 0.45));
      horizon.adapt(relocated);
      if (horizon.level !== lastLevel) switches++;
      lastLevel = horizon.level;
    }
    expect([lastLevel, switches]).toEqual([1, 1]);
  });
});

describe('an octree of fast bodies', () => {
  it('changes nodes less often where there are few queries than where there are many, with the same results', () => {
    const few = new Swarm();
    const many = new Swarm();
    few.ticks(LONG, 1);
    many.ticks(LONG, 60);
    few.check();
    many.check();
    expect(few.tested()).toBeGreaterThan(many.tested());
    expect(few.ticks(60, 1)).toBeLessThan(0.7 * many.ticks(60, 60));
  });

  it('has as small cells as ever once queries are most of the work, also for bodies that stand still by then', () => {
    const swarm = new Swarm();
    const largest = (): number => Math.max(...sketch(swarm.octree).filter(({ bodies }) => bodies.length > 0).map(({ edge }) => edge));
    swarm.ticks(LONG, 0);
    expect(largest()).toBe(EDGE);
    const before = swarm.tested();
    for (let tick = 0; tick < 200; tick++) swarm.rest(20);
    swarm.check();
    expect(largest()).toBeLessThan(EDGE);
    expect(swarm.tested()).toBeLessThan(before / 4);
    // Nothing is left to be done.
    expect(swarm.rest(0)).toBe(0);
  });

  it('places its bodies alike with and without WebAssembly', () => {
    const swarms = [new Swarm(0), new Swarm(Infinity)];
    for (const swarm of swarms) {
      swarm.ticks(LONG, 1);
      swarm.ticks(100, 60);
    }
    expect(sketch(swarms[0].octree)).toEqual(sketch(swarms[1].octree));
  });

  it('keeps the shortest horizon while contacts follow its bodies', () => {
    const followed = new Swarm();
    const contacts = trackContacts(followed.octree);
    followed.ticks(LONG, 0);
    const alone = new Swarm();
    alone.ticks(LONG, 0);
    expect(followed.tested()).toBeLessThan(alone.tested());
    contacts.stop();
    followed.check();
  });
});
