import { Box3, Ray, Sphere, Vector3 } from 'three';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as core from '../../src/core.ts';
import * as main from '../../src/index.ts';
import { EXAMPLES, queryRecords } from '../support/queries.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, cube, rayOf, shapeOf, sphereOf } from '../support/shapes.ts';

const shapes = [...uniform(100, 1, 60, 20), cube(0, 0, 0), [5, 5, 5, 3]];

interface Both {
  readonly three: main.Octree<number>;
  readonly plain: core.Octree<number>;
}

/** The same bodies in an octree of each entry point. */
function both(): Both {
  const octrees = { three: new main.Octree<number>(), plain: new core.Octree<number>() };
  for (const octree of [octrees.three, octrees.plain])
    for (const [k, shape] of shapes.entries()) octree.insert(shapeOf(shape), k);
  return octrees;
}

/** A record as plain values. */
function valuesOf({
  body,
  other,
  position,
  normal,
  distance,
  ray,
  inside,
  node,
}: core.IntersectionRecord<number>): object {
  const vectors = [position, normal, ray?.origin, ray?.direction, node.fitted.min, node.fitted.max].map(
    (vector) => vector && [vector.x, vector.y, vector.z],
  );
  return { body: body.data, other: other?.data, distance, inside, vectors, depth: node.depth };
}

/** The records of the example of each kind of query. */
function recordsOf(octree: main.Octree<number>): main.IntersectionRecord<number>[] {
  return EXAMPLES.flatMap((query) => queryRecords(octree, query));
}

/**
 * As `recordsOf`. The types of the support functions are those of scene-octree, but they need none of its vector
 * methods.
 */
function plainRecordsOf(octree: core.Octree<number>): core.IntersectionRecord<number>[] {
  return recordsOf(octree as unknown as main.Octree<number>);
}

type Callback = (...values: never[]) => unknown;

describe('scene-octree/core', () => {
  it('has the results of scene-octree, for every kind of query', () => {
    const { three, plain } = both();
    const records = plainRecordsOf(plain);
    expect(records.length).toBeGreaterThan(50);
    expect(records.map(valuesOf)).toEqual(recordsOf(three).map(valuesOf));
  });

  it('returns plain objects', () => {
    const { plain } = both();
    const objects = plainRecordsOf(plain).flatMap(({ position, normal, ray, node: { fitted } }) => [
      position,
      normal,
      fitted,
      fitted.min,
      fitted.max,
      ray,
      ray?.origin,
      ray?.direction,
    ]);
    expect(
      new Set(
        objects
          .filter((object) => object !== null && object !== undefined)
          .map((object) => Object.getPrototypeOf(object) as unknown),
      ),
    ).toEqual(new Set([Object.prototype]));
    const body = plain.insert(sphereOf([1, 2, 3, 4]), 0);
    expect(body.getBox()).toStrictEqual({ min: { x: -3, y: -2, z: -1 }, max: { x: 5, y: 6, z: 7 } });
    expect(body.getSphere()).toStrictEqual({ center: { x: 1, y: 2, z: 3 }, radius: 4 });
    const target = { min: { x: 0, y: 0, z: 0 }, max: { x: 0, y: 0, z: 0 } };
    expect(body.getBox(target)).toBe(target);
    expect(body.getBox(new Box3())).toEqual(new Box3(new Vector3(-3, -2, -1), new Vector3(5, 6, 7)));
  });

  it('has types without three', () => {
    expectTypeOf<core.IntersectionRecord<string>['position']>().toEqualTypeOf<core.PlainPoint>();
    expectTypeOf<core.OctreeNode<string>['fitted']>().toEqualTypeOf<core.PlainBox>();
    expectTypeOf<ReturnType<core.Body<string>['getSphere']>>().toEqualTypeOf<core.PlainSphere>();
    expectTypeOf<
      NonNullable<ReturnType<core.Octree<string>['firstHit']>>['ray']
    >().toEqualTypeOf<core.PlainRay | null>();
    expectTypeOf<Parameters<Extract<core.RayOptions<string>['filter'], Callback>>[0]>().toEqualTypeOf<
      core.Body<string>
    >();
  });
});

describe('scene-octree', () => {
  it("returns three's objects", () => {
    const { three } = both();
    const isThrees = recordsOf(three).map(
      ({ position, normal, ray, node }) =>
        [position, normal].every((vector) => vector instanceof Vector3) &&
        node.fitted instanceof Box3 &&
        (ray === null || ray instanceof Ray),
    );
    expect(isThrees).not.toContain(false);
    const body = three.insert(sphereOf([1, 2, 3, 4]), 0);
    expect(body.getBox()).toEqual(new Box3(new Vector3(-3, -2, -1), new Vector3(5, 6, 7)));
    expect(body.getSphere()).toEqual(new Sphere(new Vector3(1, 2, 3), 4));
  });

  it('has the types of three, in options and callbacks too', () => {
    expectTypeOf<main.IntersectionRecord<string>['position']>().toEqualTypeOf<Vector3>();
    expectTypeOf<main.OctreeNode<string>['fitted']>().toEqualTypeOf<Box3>();
    expectTypeOf<ReturnType<main.Octree<string>['insert']>>().toEqualTypeOf<main.Body<string>>();
    const octree = new main.Octree<string>();
    const body = octree.insert(sphereOf([0, 0, 0, 1]), 'ball');
    main.onIntersection(octree, body, ({ normal }) => expectTypeOf(normal).toEqualTypeOf<Vector3>());
    expectTypeOf(main.nearest(octree, new Vector3(), 1)[0].position).toEqualTypeOf<Vector3>();
    expectTypeOf(main.castSphere(octree, sphereOf([0, 0, 0, 1]), new Vector3())!.body).toExtend<main.Body<string>>();
    expectTypeOf<
      ReturnType<Parameters<Extract<main.QueryOptions<string>['filter'], Callback>>[0]['getBox']>
    >().toEqualTypeOf<Box3>();
  });

  it('has classes for instanceof', () => {
    const { three } = both();
    const [record] = three.intersectRay(rayOf([-100, 0, 0], [1, 0, 0]));
    expect(record).toBeInstanceOf(main.IntersectionRecord);
    expect(record.body).toBeInstanceOf(main.Body);
    expect(record.node).toBeInstanceOf(main.OctreeNode);
    expect(three).toBeInstanceOf(main.Octree);
  });
});

describe('the two entry points', () => {
  it('share their classes', () => {
    const { three, plain } = both();
    expect(three).toBeInstanceOf(core.Octree);
    expect(three.bodyAt(0)).toBeInstanceOf(core.Body);
    expect(plain).not.toBeInstanceOf(main.Octree);
  });

  it('share their lists and nodes: the octree that fills a node decides what it holds', () => {
    const { three, plain } = both();
    const list = new core.IndexList();
    expect(three.collectBox(boxOf(cube(0, 0, 0, 100)), list)).toBe(
      plain.collectBox(boxOf(cube(0, 0, 0, 100)), new main.IndexList()),
    );
    const node = new core.OctreeNode<number>();
    const prototypes: unknown[] = [];
    const note = ({ fitted }: core.OctreeNode<number>): void => void prototypes.push(Object.getPrototypeOf(fitted));
    for (const octree of [plain, three as unknown as core.Octree<number>, plain])
      octree.walk((visited) => (note(visited), core.WalkSignal.Stop), node);
    expect(prototypes).toEqual([Object.prototype, Box3.prototype, Object.prototype]);
  });
});
