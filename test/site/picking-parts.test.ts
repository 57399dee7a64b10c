import { Box3, Color, Ray, Raycaster, Vector3 } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { GroundOrbit } from '../../examples/src/picking/ground-orbit.ts';
import type { PickingWorld } from '../../examples/src/picking/picking-world.ts';
import { pathAlong } from '../../examples/src/picking/ray-path.ts';
import { measureTime, measureTimeOnce } from '../../examples/src/picking/measure-time.ts';
import { addressOf } from '../../examples/src/shared/street-names.ts';
import { townPlan } from '../../examples/src/picking/town.ts';
import { bodyLight } from '../../examples/src/shared/colours.ts';
import { Octree } from '../../src/index.ts';
import { createRandom } from '../support/random.ts';
import { build } from './support/picking-page.ts';

describe('the town', () => {
  let town: PickingWorld;

  beforeAll(() => {
    town = build(townPlan, 20_000);
  });

  it('has the requested number of buildings, each with a unique address and a unique place', () => {
    const buildings = town.plainObjects();
    expect(buildings).toHaveLength(20_000);
    expect(new Set(buildings.map(({ name }) => name)).size).toBe(20_000);
    expect(buildings.every(({ name }) => /^[A-Z][a-z]+ [A-Z][a-z]+ [1-9]\d{0,2}b?$/.test(name))).toBe(true);
    expect(new Set(buildings.map(({ position }) => position.toArray().join())).size).toBe(20_000);
  });

  it('is the same each time, and a small one is the centre of a large one', () => {
    const small = build(townPlan, 500);
    expect(small.plainObjects().map(({ name, position }) => [name, ...position])).toEqual(
      town
        .plainObjects()
        .slice(0, 500)
        .map(({ name, position }) => [name, ...position]),
    );
  });

  it('draws thousands of buildings with few geometries, whose faces point outwards', () => {
    const shapes = new Map(town.plainObjects().map((object) => [town.shapeOf({ object }).geometry, object]));
    expect(shapes.size).toBeLessThan(40);
    for (const object of shapes.values()) {
      const box = new Box3().setFromObject(object);
      const center = box.getCenter(new Vector3());
      for (const axis of [
        new Vector3(1, 0, 0),
        new Vector3(-1, 0, 0),
        new Vector3(0, 1, 0),
        new Vector3(0, 0, 1),
        new Vector3(0, 0, -1),
      ]) {
        const origin = center.clone().addScaledVector(axis, 1000);
        const [hit] = new Raycaster(origin, axis.clone().negate()).intersectObject(object, false);
        expect(box.expandByScalar(0.01).containsPoint(hit.point)).toBe(true);
        expect(hit.point.clone().sub(center).dot(axis)).toBeGreaterThan(0);
      }
    }
  });
});

const at = (blockColumn: number, blockRow: number, column: number, row: number): string =>
  addressOf({ blockColumn, blockRow, column, row, rows: 3 });
const splitAddress = (address: string): [street: string, number: string] => [
  address.slice(0, address.lastIndexOf(' ')),
  address.slice(address.lastIndexOf(' ') + 1),
];

describe('an address', () => {
  it('has an odd number south of the street and an even one north of it, ascending from west to east', () => {
    const [street, number] = splitAddress(at(0, 0, 0, 0));
    expect(number).toBe('1');
    expect(splitAddress(at(0, 0, 1, 0))).toEqual([street, '3']);
    expect(splitAddress(at(1, 0, 0, 0))).toEqual([street, '17']);
    expect(splitAddress(at(0, 0, 0, 1))).toEqual([street, '1b']);
    expect(splitAddress(at(0, -1, 0, 2))).toEqual([street, '2']);
    expect(splitAddress(at(0, 0, 0, 2))[0]).not.toBe(street);
    expect(splitAddress(at(-1, 0, 7, 0))[0]).not.toBe(street);
  });

  it('throws beyond the last street with a name', () => {
    expect(() => addressOf({ blockColumn: 0, blockRow: 500, column: 0, row: 0, rows: 2 })).toThrow(RangeError);
  });
});

describe('pathAlong', () => {
  const octree = new Octree<number>({ leafCapacity: 4 });
  const random = createRandom(5);
  for (let k = 0; k < 2000; k++) {
    const [x, y, z] = [random.between(0, 512), random.between(0, 512), random.between(0, 512)];
    octree.insert({ min: { x, y, z }, max: { x: x + 12, y: y + 12, z: z + 12 } }, k, { isStatic: true });
  }
  const ray = new Ray(new Vector3(-50, 200, 260), new Vector3(1, 0.1, -0.05).normalize());

  it('counts exactly the nodes whose fitted box the ray enters within the distance, and gives their bodies', () => {
    for (const far of [100, 300, Infinity]) {
      let entered = 0;
      let bodies = 0;
      octree.visitNodes((node) => {
        const entry = node.fitted.containsPoint(ray.origin) ? ray.origin : ray.intersectBox(node.fitted, new Vector3());
        if (entry === null || entry.distanceTo(ray.origin) > far) return;
        entered++;
        bodies += node.bodyCount;
      });
      const { nodes, tested } = pathAlong(octree, ray, far);
      expect(nodes).toBe(entered);
      expect(tested).toHaveLength(bodies);
    }
  });

  it('gives every body that the ray hits', () => {
    const { tested } = pathAlong(octree, ray, Infinity);
    const hit = octree.intersectRay(ray).map(({ body }) => body.data);
    expect(hit.length).toBeGreaterThan(0);
    expect(hit.filter((data) => !tested.includes(data))).toEqual([]);
  });
});

describe('the ground', () => {
  it('ends a ray that points down, and no other', () => {
    const town = build(townPlan, 100);
    expect(town.groundDistance(new Ray(new Vector3(7, 30, 0), new Vector3(0, -0.6, 0.8)))).toBeCloseTo(50);
    expect(town.groundDistance(new Ray(new Vector3(7, 30, 0), new Vector3(0, 0.6, 0.8)))).toBe(Infinity);
  });
});

describe('measureTime', () => {
  it('repeats short work and gives the time of one run', () => {
    let runs = 0;
    const { result, milliseconds } = measureTime(() => ++runs, 3);
    expect(result).toBe(1);
    expect(runs).toBeGreaterThan(100);
    expect(milliseconds).toBeLessThan(0.1);
  });

  it('is not distorted by one slow run; measureTimeOnce runs the work once', () => {
    let runs = 0;
    const pause = (): void => {
      runs++;
      const end = performance.now() + (runs === 1 ? 40 : 0);
      while (performance.now() < end);
    };
    expect(measureTime(pause, 5).milliseconds).toBeLessThan(1);
    runs = 0;
    expect(measureTimeOnce(pause).milliseconds).toBeGreaterThanOrEqual(39);
    expect(runs).toBe(1);
  });
});

describe('GroundOrbit', () => {
  it('follows the pointer, stays above the ground, and keeps its distance within the limits', () => {
    const { viewOptions } = build(townPlan, 100);
    const orbit = new GroundOrbit();
    orbit.begin(viewOptions);
    const heading = orbit.place.heading.clone();
    orbit.turn(100, 0);
    // The right of the old heading is heading x up.
    expect(orbit.place.heading.dot(heading.clone().cross(orbit.place.up))).toBeGreaterThan(0.1);
    orbit.turn(0, -10_000);
    expect(orbit.tilt).toBeGreaterThan(0);
    orbit.turn(0, 10_000);
    expect(orbit.tilt).toBeLessThan(Math.PI / 2);
    orbit.zoom(1e-9);
    expect(orbit.distance).toBe(viewOptions.distance.low);
    orbit.zoom(1e9);
    expect(orbit.distance).toBe(viewOptions.distance.high);
    orbit.lookAt(new Vector3(10, 99, 20));
    expect(orbit.place.position.toArray()).toEqual([10, 0, 20]);
  });
});

const light = (size: number): number[] => bodyLight(size, new Color()).toArray();

describe('bodyLight', () => {
  it('equals the steps of its ramp and rises between them', () => {
    expect(light(0)).toEqual([0.155, 0.062, 0.03]);
    expect(light(0.75)).toEqual([1, 0.66, 0.25]);
    expect(light(1)).toEqual([1, 0.95, 0.85]);
    for (let size = 0; size < 1; size += 0.05) expect(light(size + 0.05)[1]).toBeGreaterThan(light(size)[1]);
  });
});
