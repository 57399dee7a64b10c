// The containers choose the smallest cell by their bodies.

import { BoxGeometry, Matrix4, Mesh, MeshBasicMaterial, PointsMaterial, Points, BufferGeometry, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { validate } from '../../src/debug/index.ts';
import { IndexList, collectPairs, type QueryStats } from '../../src/index.ts';
import { OctreeGroup, OctreeInstances } from '../../src/three.ts';
import { createRandom } from '../support/random.ts';

const COUNT = 1000;
/** Edge of a body, as a part of the scene. */
const SIZE = 1 / 100;
const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();

interface Container {
  readonly octree: OctreeGroup['octree'];
  readonly place: (k: number, matrix: Matrix4) => void;
  readonly update: () => void;
}

const CONTAINERS: Record<string, (count: number) => Container> = {
  OctreeGroup: (count) => {
    const group = new OctreeGroup();
    const meshes = Array.from({ length: count }, () => new Mesh(geometry, material));
    group.add(...meshes);
    return {
      octree: group.octree,
      place: (k, matrix) => matrix.decompose(meshes[k].position, meshes[k].quaternion, meshes[k].scale),
      update: () => group.updateMatrixWorld(),
    };
  },
  OctreeInstances: (count) => {
    const instances = new OctreeInstances(geometry, material, count);
    return {
      octree: instances.octree as unknown as OctreeGroup['octree'],
      place: (k, matrix) => instances.setMatrixAt(k, matrix),
      update: () => instances.updateMatrixWorld(),
    };
  },
};

/** Places the bodies in a cube of the edge `unit`. */
function place({ place: placeOne, update }: Container, unit: number, from = 0, to = COUNT): void {
  const random = createRandom(3);
  for (let k = 0; k < to; k++) {
    const [x, y, z] = [0, 1, 2].map(() => random.between(0, unit));
    const size = SIZE * unit;
    if (k >= from) placeOne(k, new Matrix4().makeTranslation(x, y, z).scale(new Vector3(size, size, size)));
  }
  // Longer than a body needs to lose its margin.
  for (let tick = 0; tick < 200; tick++) update();
}

/** Bodies tested by rays, boxes and pairs. */
function costOf({ octree }: Container, unit: number): number[] {
  const random = createRandom(4);
  const list = new IndexList();
  const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
  let rays = 0;
  let boxes = 0;
  for (let k = 0; k < 50; k++) {
    const [x, y, z, toX, toY, toZ] = Array.from({ length: 6 }, () => random.between(0, unit));
    octree.collectRay({ origin: { x, y, z }, direction: { x: toX - x, y: toY - y, z: toZ - z } }, list, { stats });
    rays += stats.bodiesTested;
    const half = unit / 40;
    octree.collectBox(
      { min: { x: x - half, y: y - half, z: z - half }, max: { x: x + half, y: y + half, z: z + half } },
      list,
      { stats },
    );
    boxes += stats.bodiesTested;
  }
  collectPairs(octree, list, { stats });
  return [rays, boxes, stats.bodiesTested];
}

const cases = Object.keys(CONTAINERS).flatMap((name) => [1, 2 ** -6, 1 / 1000, 1e-6].map((unit) => ({ name, unit })));

describe(`the cost of queries does not depend on the unit (${cases.length * 3} siblings)`, () => {
  const reference = new Map<string, number[]>();
  for (const [name, make] of Object.entries(CONTAINERS)) {
    const container = make(COUNT);
    place(container, 1000);
    reference.set(name, costOf(container, 1000));
  }

  const expectCost = (name: string, container: Container, unit: number): void => {
    const costs = costOf(container, unit);
    for (const [k, cost] of reference.get(name)!.entries()) expect(costs[k]).toBeLessThan(1.6 * cost);
    expect(validate(container.octree as never)).toEqual([]);
  };

  it.each(cases)('of bodies that are small from the start: $name, $unit', ({ name, unit }) => {
    const container = CONTAINERS[name](COUNT);
    place(container, unit);
    expectCost(name, container, unit);
  });

  it.each(cases)('of bodies that become small later: $name, $unit', ({ name, unit }) => {
    const container = CONTAINERS[name](COUNT);
    place(container, 1000);
    place(container, unit);
    expectCost(name, container, unit);
  });

  it.each(cases)('beside a body that is a million times as far: $name, $unit', ({ name, unit }) => {
    const container = CONTAINERS[name](COUNT + 1);
    container.place(COUNT, new Matrix4().makeTranslation(1e6 * unit, 0, 0));
    place(container, unit);
    const { region } = container.octree;
    expect(region!.edge).toBeGreaterThan(1e5 * unit);
    expect(validate(container.octree as never)).toEqual([]);
  });
});

describe('minCellSize of a container', () => {
  it('is an option that counts', () => {
    const group = new OctreeGroup({ minCellSize: 4 });
    group.add(...Array.from({ length: 100 }, () => new Mesh(geometry, material)));
    group.updateMatrixWorld();
    expect(group.octree.region!.edge).toBe(4);
  });

  it('is 1 for points without an extent', () => {
    const group = new OctreeGroup();
    const at = new BufferGeometry().setFromPoints([new Vector3()]);
    for (let k = 0; k < 100; k++) group.add(new Points(at, new PointsMaterial()));
    group.updateMatrixWorld();
    expect(group.octree.region!.edge).toBe(1);
  });
});
