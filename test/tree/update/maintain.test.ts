import { describe, expect, it } from 'vitest';
import { Octree, type Body } from '../../../src/index.ts';
import type { NodeSketch } from '../../support/octrees.ts';
import { octreeOf, region, sketch } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { boxOf, cube } from '../../support/shapes.ts';
import { validate } from '../../../src/debug/index.ts';

/**
 * A model of the rule. The update that finds the leaf empty starts the countdown at the lifespan. Each later update
 * subtracts one; at 0 the leaf is cut off. If the leaf is used again before that, its lifespan doubles, up to 64. A
 * leaf that is created again starts with 8.
 */
class TimerModel {
  exists = true;
  lifespan = 8;
  countdown = -1;

  /** An update that finds the leaf empty. */
  update(): void {
    if (!this.exists) return;
    this.countdown = this.countdown === -1 ? this.lifespan : this.countdown - 1;
    if (this.countdown === 0) this.exists = false;
  }

  /** An update that finds a body in the leaf. */
  use(): void {
    if (!this.exists) {
      this.exists = true;
      this.lifespan = 8;
    } else if (this.countdown !== -1) {
      this.lifespan = Math.min(this.lifespan * 2, 64);
    }
    this.countdown = -1;
  }
}

/** A root that two bodies keep split, and a leaf, [0, 8) in x, y and z, that tests can fill and empty. */
class Stage {
  readonly model = new TimerModel();
  readonly octree: Octree<number>;
  #tenant: Body<number> | null;

  constructor() {
    const { octree, bodies } = octreeOf([cube(2, 2, 2), cube(14, 14, 14), cube(14, 2, 2)], {
      leafCapacity: 1,
      looseness: 1,
      region: region(0, 16),
    });
    this.octree = octree;
    this.#tenant = bodies[0];
    octree.update();
  }

  get isOccupied(): boolean {
    return this.#tenant !== null;
  }

  get leaf(): NodeSketch | undefined {
    return sketch(this.octree).find(({ min, edge }) => edge === 8 && min.every((low) => low === 0));
  }

  vacate(): void {
    this.#tenant?.remove();
    this.#tenant = null;
  }

  occupy(): void {
    this.#tenant ??= this.octree.insert(boxOf(cube(2, 2, 2)), 0);
  }

  update(times = 1): void {
    for (let i = 0; i < times; i++) {
      this.octree.update();
      if (this.isOccupied) this.model.use();
      else this.model.update();
      this.check();
    }
  }

  check(): void {
    const { exists, lifespan, countdown } = this.model;
    const { leaf } = this;
    expect(leaf !== undefined).toBe(exists);
    if (leaf !== undefined)
      expect({ lifespan: leaf.lifespan, countdown: leaf.countdown }).toEqual({ lifespan, countdown });
    expect(validate(this.octree)).toEqual([]);
  }
}

describe('lifespan of an empty leaf', () => {
  it('starts at 8 with the update that finds the leaf empty, counts 8 7 6 5 4 3 2 1 and is cut at 0', () => {
    const stage = new Stage();
    stage.vacate();
    const seen: (number | undefined)[] = [];
    for (let i = 0; i < 10; i++) {
      stage.update();
      seen.push(stage.leaf?.countdown);
    }
    expect(seen).toEqual([8, 7, 6, 5, 4, 3, 2, 1, undefined, undefined]);
  });

  it('ends with the update that finds the leaf empty if lifespans are switched off', () => {
    const { octree, bodies } = octreeOf([cube(2, 2, 2), cube(14, 14, 14), cube(14, 2, 2)], {
      leafCapacity: 1,
      looseness: 1,
      region: region(0, 16),
      lifespan: false,
    });
    const before = octree.update().nodes;
    bodies[0].remove();
    expect(octree.update()).toMatchObject({ nodesExpired: 1, nodes: before - 1 });
    expect(() => new Octree({ lifespan: 8 as unknown as boolean })).toThrow(
      /Octree: lifespan must be true or false, but is 8/,
    );
  });

  it('counts updates, not queries and not seconds', () => {
    const stage = new Stage();
    stage.vacate();
    for (let i = 0; i < 100; i++) stage.octree.intersectPoint({ x: 2, y: 2, z: 2 });
    expect(stage.leaf?.countdown).toBe(-1);
    stage.octree.update(1e9);
    expect(stage.leaf?.countdown).toBe(8);
  });

  it.each([1, 2, 7, 8])('doubles to 16 when the leaf is used again after %d updates', (updates) => {
    const stage = new Stage();
    stage.vacate();
    stage.update(updates);
    stage.occupy();
    stage.update();
    expect(stage.leaf).toMatchObject({ lifespan: 16, countdown: -1 });
  });

  it('is 8 again if the leaf was cut off at update 9 and is created again', () => {
    const stage = new Stage();
    stage.vacate();
    stage.update(9);
    expect(stage.leaf).toBeUndefined();
    stage.occupy();
    stage.update();
    expect(stage.leaf).toMatchObject({ lifespan: 8, countdown: -1 });
  });

  it('doubles 8, 16, 32, 64 and stays at 64 if the leaf is refilled in the last possible update each time', () => {
    const stage = new Stage();
    const lifespans: (number | undefined)[] = [];
    for (const wait of [8, 16, 32, 64, 64]) {
      stage.vacate();
      stage.update(wait);
      expect(stage.leaf?.countdown).toBe(1);
      stage.occupy();
      stage.update();
      lifespans.push(stage.leaf?.lifespan);
    }
    expect(lifespans).toEqual([16, 32, 64, 64, 64]);
  });

  it.each([8, 16, 32, 64])('of %d ends one update after the last refill that would keep the leaf', (lifespan) => {
    const stage = new Stage();
    for (let reached = 8; reached < lifespan; reached *= 2) {
      stage.vacate();
      stage.update();
      stage.occupy();
      stage.update();
    }
    stage.vacate();
    stage.update(lifespan);
    expect(stage.leaf).toMatchObject({ lifespan, countdown: 1 });
    stage.update();
    expect(stage.leaf).toBeUndefined();
  });

  it('does not change if the leaf is emptied and refilled between two updates', () => {
    const stage = new Stage();
    stage.vacate();
    stage.octree.intersectPoint({ x: 2, y: 2, z: 2 });
    stage.occupy();
    stage.update();
    expect(stage.leaf).toMatchObject({ lifespan: 8, countdown: -1 });
  });

  it.each([1, 2, 3, 4])('agrees with the timer model update by update over 3,000 random steps: seed %d', (seed) => {
    const stage = new Stage();
    const random = createRandom(seed);
    for (let i = 0; i < 3_000; i++) {
      const chance = random.next();
      if (chance < 0.1) stage.vacate();
      else if (chance < 0.1 + 0.25 / (1 + (i % 40))) stage.occupy();
      else stage.update();
    }
  });

  it('reports nodes reused and expired', () => {
    const stage = new Stage();
    stage.vacate();
    stage.update(3);
    stage.occupy();
    expect(stage.octree.update()).toMatchObject({ nodesReused: 1, nodesExpired: 0 });
    stage.vacate();
    stage.octree.update();
    for (let i = 0; i < 15; i++) expect(stage.octree.update().nodesExpired).toBe(0);
    expect(stage.octree.update().nodesExpired).toBe(1);
    expect(stage.octree.statistics).toMatchObject({ nodesReused: 1, nodesExpired: 1 });
  });
});

describe('merging', () => {
  it('never removes an empty leaf before its lifespan ends', () => {
    const { octree, bodies } = octreeOf([cube(2, 2, 2), cube(14, 14, 14), cube(14, 2, 2)], {
      leafCapacity: 2,
      looseness: 1,
      region: region(0, 16),
    });
    octree.update();
    bodies[0].remove();
    bodies[1].remove();
    for (let i = 0; i < 8; i++) {
      octree.update();
      expect(sketch(octree)).toHaveLength(4);
    }
    octree.update();
    expect(sketch(octree)).toHaveLength(1);
    expect(validate(octree)).toEqual([]);
  });

  it('moves the bodies of under-full children into their parent', () => {
    const shapes = Array.from({ length: 20 }, (_, i) => cube(1 + (i % 4) * 4, 1 + (i >> 2) * 3, 1 + (i % 2) * 9, 0.25));
    const { octree, bodies } = octreeOf(shapes, { leafCapacity: 16, looseness: 1, region: region(0, 16) });
    octree.update();
    expect(sketch(octree).length).toBeGreaterThan(1);
    for (const body of bodies.slice(1)) body.remove();
    for (let i = 0; i < 200; i++) octree.update();
    expect(sketch(octree)).toMatchObject([{ bodies: [0], childCount: 0 }]);
    expect(octree.statistics.nodesMerged + octree.statistics.nodesExpired).toBeGreaterThan(0);
  });

  it('has hysteresis: one body more or less around the leaf capacity neither splits nor merges every tick', () => {
    const shapes = Array.from({ length: 17 }, (_, i) =>
      cube(0.5 + (i % 4) * 4, 0.5 + (i >> 2) * 3, 3 + (i % 2) * 8, 0.25),
    );
    const { octree, bodies } = octreeOf(shapes, { leafCapacity: 16, looseness: 1, region: region(0, 16) });
    octree.update();
    const { nodesCreated } = octree.statistics;
    for (let i = 0; i < 100; i++) {
      if (i % 2 === 0) bodies[0].remove();
      else bodies[0] = octree.insert(boxOf(shapes[0]), 0);
      octree.update();
    }
    expect(octree.statistics.nodesMerged).toBe(0);
    expect(octree.statistics.nodesCreated).toBe(nodesCreated);
  });

  it('and expiry leave one node once all bodies are removed and all lifespans have ended', () => {
    const shapes = Array.from({ length: 500 }, (_, i) =>
      cube((i * 7919) % 251, (i * 104_729) % 241, (i * 1_299_709) % 239, 0.5),
    );
    const { octree, bodies } = octreeOf(shapes, { leafCapacity: 1 });
    octree.update();
    for (const body of bodies) body.remove();
    for (let i = 0; i < 65 * 12; i++) octree.update();
    expect(octree.statistics).toMatchObject({ bodies: 0, nodes: 1, depth: 0 });
    expect(validate(octree)).toEqual([]);
  });
});

describe('merges', () => {
  const corners = [cube(2, 2, 2), cube(14, 14, 14)];

  it('begin after the loss of a body of an inner node', () => {
    // Three bodies on the centre stay in the root, two in opposite children.
    const { octree, bodies } = octreeOf([...corners, cube(8, 8, 8), cube(8, 8, 8), cube(8, 8, 8)], {
      leafCapacity: 4,
      looseness: 1,
      region: region(0, 16),
    });
    octree.update();
    expect(octree.statistics.nodes).toBe(3);
    for (const body of bodies.slice(2)) body.remove();
    octree.update();
    expect(octree.statistics.nodes).toBe(1);
  });

  it('begin after the loss of a body of a leaf that keeps others', () => {
    const { octree, bodies } = octreeOf([...corners, ...corners, corners[0]], {
      leafCapacity: 4,
      looseness: 1,
      region: region(0, 16),
    });
    octree.update();
    expect(octree.statistics.nodes).toBe(3);
    for (const k of [0, 1, 2]) bodies[k].remove();
    octree.update();
    expect(octree.statistics.nodes).toBe(1);
  });
});

describe('a merge', () => {
  it('goes on in the parent of a node that has become a leaf', () => {
    // The large cube lies across the middle of its node, an octant of the root; the small one in a child of that node.
    const { octree, bodies } = octreeOf([cube(4, 4, 4, 1.5), cube(1, 1, 1)], {
      leafCapacity: 1,
      looseness: 1,
      lifespan: false,
      region: region(0, 16),
    });
    expect(octree.update()).toMatchObject({ nodes: 3, depth: 2 });
    bodies[1].remove();
    expect(octree.update().nodes).toBe(1);
    expect(validate(octree)).toEqual([]);
  });
});
