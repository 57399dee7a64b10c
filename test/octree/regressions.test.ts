import { Box3, Ray, Sphere, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { collectPairs, IndexList, intersectPairs, nearest, Octree, onIntersection } from '../../src/index.ts';
import { createRandom } from '../support/random.ts';
import { validate } from '../../src/debug/index.ts';

/** Bugs found in reviews. Each test failed before the fix. */

function cube(x: number, y: number, z: number, half: number): Box3 {
  return new Box3(new Vector3(x - half, y - half, z - half), new Vector3(x + half, y + half, z + half));
}

function sphere(x: number, y: number, z: number, radius: number): Sphere {
  return new Sphere(new Vector3(x, y, z), radius);
}

describe('memory', () => {
  it('does not grow when the octree is emptied and filled repeatedly', () => {
    const octree = new Octree<number>();
    const fill = (): void => {
      const bodies = Array.from({ length: 50 }, (_, k) => octree.insert(cube(k, k % 7, 0, 0.4), k));
      octree.update();
      for (const body of bodies) body.remove();
      for (let tick = 0; tick < 80; tick++) octree.update();
    };
    fill();
    const { bytes } = octree.statistics;
    for (let round = 0; round < 50; round++) fill();
    expect(octree.statistics.bytes).toBe(bytes);
  });
});

describe('callbacks', () => {
  it('the other bodies still move after an update throws, and its error is thrown after the tick', () => {
    const octree = new Octree<string>();
    octree.insert(cube(0, 0, 0, 1), 'bad', {
      update() {
        throw new Error('bad body');
      },
    });
    const good = octree.insert(cube(5, 0, 0, 1), 'good', {
      update() {
        this.setBox(cube(50, 0, 0, 1));
      },
    });
    expect(() => octree.update()).toThrow('bad body');
    expect(good.getBox().min.x).toBe(49);
    expect(octree.intersectPoint({ x: 50, y: 0, z: 0 })).toHaveLength(1);
    expect(() => octree.update()).toThrow('bad body');
  });

  it('onIntersection is called for both bodies of a pair, and for none that is gone', () => {
    const octree = new Octree<number>();
    const bodies = Array.from({ length: 4 }, (_, k) => octree.insert(cube(0, 0, 0, 1), k));
    let calls = 0;
    for (const body of bodies) {
      onIntersection(octree, body, () => {
        calls++;
        for (const one of bodies) one.remove();
      });
    }
    octree.update();
    expect(calls).toBe(2);
  });
});

describe('candidates', () => {
  it('of a ray include every exact result, also at exactly the near distance', () => {
    const octree = new Octree<string>();
    octree.insert(new Box3(new Vector3(0.1, -1, -1), new Vector3(2, 1, 1)), 'box');
    const ray = new Ray(new Vector3(0, 0, 0), new Vector3(1, 0, 0));
    expect(octree.intersectRay(ray, { near: 0.1 })).toHaveLength(1);
    expect(octree.intersectRay(ray, { near: 0.1, candidates: true })).toHaveLength(1);
    expect(octree.firstHit(ray, { near: 0.1, candidates: true })?.body.data).toBe('box');
  });

  it('of nearest include the nearest body, though the slot bounds of another are nearer', () => {
    const octree = new Octree<string>();
    octree.insert(new Sphere(new Vector3(0, 0, 0), 10), 'sphere');
    octree.insert(cube(9.5, 9.5, 12, 0.1), 'box');
    const point = { x: 9.5, y: 9.5, z: 9.5 };
    const [first] = nearest(octree, point, 1);
    expect(nearest(octree, point, 1, { candidates: true }).map(({ body }) => body.data)).toContain(first.body.data);
  });
});

describe('moves', () => {
  it('of a sphere far from the origin stay within its slot bounds despite rounding', () => {
    const octree = new Octree<number>();
    const far = 2 ** 49;
    const body = octree.insert(new Sphere(new Vector3(far, 0, 0), 0.43), 0);
    octree.insert(cube(0, 0, 0, 1), 1);
    for (let step = 0; step < 40; step++) {
      body.setSphere(new Sphere(new Vector3(far, 0, 0), 0.43 + 0.01 * step));
      expect(validate(octree)).toEqual([]);
    }
  });

  it('of a denormal step take effect', () => {
    const octree = new Octree<number>();
    const body = octree.insert(cube(0, 0, 0, 0), 0);
    octree.update();
    for (let step = 1; step <= 300; step++) {
      const x = step * 2 ** -140;
      body.setBox(new Box3(new Vector3(x, 0, 0), new Vector3(x, 0, 0)));
      expect(octree.intersectPoint({ x, y: 0, z: 0 })).toHaveLength(1);
    }
    expect(validate(octree)).toEqual([]);
  });
});

describe('pairs', () => {
  it('of a strict octree with all bodies on a splitting plane are found without testing all pairs', () => {
    const octree = new Octree<number>({ looseness: 1, region: { min: { x: -1024, y: -1024, z: -1024 }, edge: 2048 } });
    const count = 3000;
    const bounds = new Float64Array(count * 6);
    for (let k = 0; k < count; k++) {
      const y = (k % 60) * 16 - 480;
      const z = Math.floor(k / 60) * 16 - 400;
      bounds.set([-1, y - 8, z - 8, 1, y + 8, z + 8], k * 6);
    }
    octree.insertMany(bounds, { kind: 'box' });
    const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    // Each touches its neighbours: along y, along z, and across both.
    expect(collectPairs(octree, new IndexList(), { stats })).toBe(59 * 50 + 60 * 49 + 2 * 59 * 49);
    expect(stats.bodiesTested).toBeLessThan(count * 200);
  });
});

describe('records', () => {
  it('a ray that hardly moves along an axis gets the normal of the face it enters', () => {
    const octree = new Octree<number>();
    octree.insert(cube(0.5, 0.5, 0.5, 0.5), 0);
    const hit = octree.firstHit(new Ray(new Vector3(0, 0.5, -5), new Vector3(1e-310, 0, 1)));
    expect(hit?.normal.toArray()).toEqual([0, 0, -1]);
  });

  it('a sphere whose distance from a box has a square of 0 still gets a normal', () => {
    const octree = new Octree<number>();
    octree.insert(cube(0, 0, 0, 1), 0);
    octree.insert(new Box3(new Vector3(1e-200, -9, -9), new Vector3(2, 9, 9)), 1);
    const contact = octree
      .intersectSphere({ center: { x: 0, y: 0, z: 0 }, radius: 1 })
      .find(({ body }) => body.data === 1);
    expect(contact?.normal.length()).toBe(1);
    expect(contact?.distance).toBe(-1);
  });

  it('a frustum record of a sphere has its exact centre', () => {
    const octree = new Octree<number>();
    octree.insert(new Sphere(new Vector3(0.1, 0, 0), 1e10), 0);
    const planes = [{ normal: { x: 1, y: 0, z: 0 }, constant: 0 }];
    expect(octree.intersectFrustum({ planes })[0].position.x).toBe(0.1);
  });
});

describe('bad input', () => {
  it('a normal whose square vanishes or overflows is refused', () => {
    const octree = new Octree<number>();
    for (const x of [1e-170, 1e200]) {
      expect(() => octree.intersectFrustum({ planes: [{ normal: { x, y: 0, z: 0 }, constant: 0 }] })).toThrow(
        RangeError,
      );
    }
  });

  it('a getter that inserts while a box is read does not change what is inserted', () => {
    const octree = new Octree<string>();
    const outer = octree.insert(
      {
        min: { x: 1, y: 1, z: 1 },
        get max() {
          octree.insert(cube(-9, -9, -9, 1), 'inner');
          return { x: 2, y: 2, z: 2 };
        },
      },
      'outer',
    );
    expect(outer.getBox().min.toArray()).toEqual([1, 1, 1]);
  });

  it('a region beyond 2^51 is refused, because no root of edge 2^52 contains it', () => {
    expect(() => new Octree({ region: { min: { x: 2 ** 52, y: 0, z: 0 }, edge: 1 } })).toThrow(RangeError);
    expect(() => new Octree({ region: { min: { x: 0, y: 0, z: 0 }, edge: 2 ** 52 } })).toThrow(RangeError);
    const octree = new Octree<number>({ region: { min: { x: 2 ** 51 - 1, y: 0, z: 0 }, edge: 1 }, leafCapacity: 1 });
    for (let k = 0; k < 4; k++) octree.insert(cube(-(2 ** 49) + k, k, k, 0), k);
    expect(validate(octree)).toEqual([]);
  });

  it('a flag that is not true or false is refused', () => {
    const octree = new Octree<number>();
    const flag = 1 as unknown as boolean;
    expect(() => octree.insert(cube(0, 0, 0, 1), 0, { isStatic: flag })).toThrow(TypeError);
    expect(() => intersectPairs(octree, { candidates: flag })).toThrow(TypeError);
    expect(() => octree.intersectFrustum({ planes: [] }, { exact: flag })).toThrow(TypeError);
  });

  it('validate in a callback that removes finds no fault', () => {
    const octree = new Octree<number>();
    octree.insert(cube(0, 0, 0, 1), 0);
    let faults: string[] = ['not validated'];
    octree.intersectPoint(
      { x: 0, y: 0, z: 0 },
      {
        filter: (body) => {
          body.remove();
          faults = validate(octree);
          return true;
        },
      },
    );
    expect(faults).toEqual([]);
  });

  it('a leaf that was opened for a moved body and left empty is removed', () => {
    const octree = new Octree<number>({ leafCapacity: 1 });
    const bodies = [sphere(-225, 6, -2, 0.25), sphere(6, -1, 8, 0.25), sphere(1, -30, 13, 0.25)].map((shape, k) =>
      octree.insert(shape, k),
    );
    octree.update();
    bodies[2].setSphere(sphere(7, -9, 75, 0.25));
    octree.update();
    expect(validate(octree)).toEqual([]);
    for (const body of bodies) body.remove();
    for (let tick = 0; tick < 1000; tick++) octree.update();
    expect(octree.statistics.nodes).toBe(1);
  });

  it('a swarm that wanders far leaves no nodes behind', () => {
    const octree = new Octree<number>({ leafCapacity: 4 });
    const random = createRandom(7);
    const bounds = new Float64Array(100 * 4);
    const centre = [0, 0, 0];
    const velocity = [20, 14, -8];
    const wander = (): Float64Array => {
      for (let axis = 0; axis < 3; axis++) {
        centre[axis] += velocity[axis];
        if (Math.abs(centre[axis]) > 5000 || random.next() < 0.01) velocity[axis] = random.between(-20, 20);
      }
      for (let at = 0; at < bounds.length; at += 4) {
        for (let axis = 0; axis < 3; axis++) bounds[at + axis] = centre[axis] + random.between(-30, 30);
        bounds[at + 3] = 0.5;
      }
      return bounds;
    };
    const indices = octree.insertMany(wander(), { kind: 'sphere' });
    let early = 0;
    for (let tick = 0; tick < 2000; tick++) {
      octree.moveMany(indices, wander());
      octree.update();
      if (tick < 500) early = Math.max(early, octree.statistics.nodes);
    }
    expect(validate(octree)).toEqual([]);
    expect(octree.statistics.nodes).toBeLessThan(2 * early);
  });
});
