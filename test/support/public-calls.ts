/** Every public function of the octree with valid arguments, for tests that spoil them. */

import { Box3, BoxGeometry, PerspectiveCamera, Sphere } from 'three';
import type { Body, DistanceBands } from '../../src/index.ts';
import * as library from '../../src/index.ts';
import {
  Capsule,
  Convex,
  CustomVolume,
  idOf,
  IndexList,
  Octree,
  OctreeNode,
  OrientedBox,
  RayRange,
  Segment,
  SolidBoxQueue,
} from '../../src/index.ts';
import { octreeOf } from './octrees.ts';
import { callOf, QUERY_SPECS } from './queries.ts';
import type { QueryName } from './query-kinds.ts';
import { uniform } from './scenes.ts';
import { boxOf, cube, planesOf, point, rayOf } from './shapes.ts';

export interface Target {
  readonly name: string;
  readonly octree: Octree<number>;
  readonly body: Body<number>;
  /** Valid arguments. The test replaces each of them by each of the values. */
  readonly arguments: readonly unknown[];
  readonly call: (...values: never[]) => unknown;
}

const camera = new PerspectiveCamera();
const view = (): object => ({
  projectionMatrix: { elements: [...camera.projectionMatrix.elements] },
  matrixWorldInverse: { elements: [...camera.matrixWorldInverse.elements] },
  coordinateSystem: 2000,
  reversedDepth: false,
});

/** Every public function with valid arguments. The queries are those of QUERY_SPECS. */
export function targets(): Target[] {
  const { octree, bodies } = octreeOf(uniform(40, 1));
  const body = bodies[7];
  const box = boxOf(cube(0, 0, 0));
  const sphere = { center: point([0, 0, 0]), radius: 2 };
  const list = new IndexList();
  const on = (name: QueryName, ...values: unknown[]): Target => ({
    name,
    octree,
    body,
    arguments: values,
    call: (...given) => callOf(octree, name)(...given),
  });
  const make = (Shape: new (shape: never) => object, value: unknown): Target => ({
    name: Shape.name,
    octree,
    body,
    arguments: [value],
    call: (shape) => new Shape(shape),
  });
  const set = (volume: { set(...values: never[]): object }, ...values: unknown[]): Target => ({
    name: `${volume.constructor.name}.set`,
    octree,
    body,
    arguments: values,
    call: (...given) => volume.set(...given),
  });
  // Created with the first call: each costs a query in every update.
  const move = (name: string, create: () => { moveTo(shape: never): object }, shape: unknown): Target => {
    let sensor: ReturnType<typeof create> | undefined;
    return { name, octree, body, arguments: [shape], call: (given) => (sensor ??= create()).moveTo(given) };
  };
  const of = (
    name: 'setBox' | 'setSphere' | 'setCenter' | 'setMask' | 'getBox' | 'getSphere',
    ...values: unknown[]
  ): Target => ({
    name,
    octree,
    body,
    arguments: values,
    call: (...given) => (body[name] as (...all: never[]) => unknown)(...given),
  });
  const optionsOf = (records: QueryName): object => ({ ...queryOptions(bodies[9]), ...OWN_OPTIONS[records]?.() });
  const queries = QUERY_SPECS.flatMap(({ methods, example, ...spec }) => [
    on(methods.records, ...spec.arguments(example), optionsOf(methods.records), []),
    on(methods.indices, ...spec.arguments(example), list, optionsOf(methods.records)),
    ...[methods.firstIndex, methods.any]
      .filter((name) => name !== undefined)
      .map((name) => on(name, ...spec.arguments(example), optionsOf(methods.records))),
    ...[methods.first]
      .filter((name) => name !== undefined)
      .map((name) => on(name, ...spec.arguments(example), optionsOf(methods.records), null)),
  ]);
  const visibleOptions = (): object => {
    const { candidates, ...options } = queryOptions(bodies[9]);
    return { ...options, exact: candidates, bufferWidth: 64, minOccluderArea: 0, minRemoved: 0 };
  };
  /** Calls of objects that other calls return, and second shapes of arguments. */
  const otherRows = (): Target[] => {
    const also = (name: string, values: readonly unknown[], call: Target['call']): Target => ({
      name,
      octree,
      body,
      arguments: values,
      call,
    });
    return [
      on('insert', sphere, 1, { mask: 1 }),
      on('remove', bodies[39]),
      on('clear'),
      also('Octree.[iterator]', [], () => [...octree]),
      also('Body.remove', [], () => bodies[38].remove()),
      also('OctreeNode', [], () => new OctreeNode()),
      also('OctreeNode.bodies', [], () => octree.visitNodes((node) => void node.bodies())),
      also('IndexList.reserve', [4], (capacity: never) => list.reserve(capacity)),
      also('IndexList.push', [4], (index: never) => list.push(index)),
      also('IndexList.[iterator]', [], () => [...list]),
      on('visitNearest', box, () => undefined, optionsOf('nearest')),
      on('visitCast', sphere, point([9, 0, 0]), () => undefined, queryOptions(bodies[9])),
      on('setOccluder', bodies[20], {
        center: bodies[20].getBox().min,
        halfSize: point([0, 0, 0]),
        rotation: { elements: [...UNIT] },
      }),
      on('watch', sphere, {}),
      on('watch', planesOf([[0, 1, 0, 3]]), {}),
      also(
        'SolidBoxQueue',
        [{ maxBoxes: 1, resolution: 4, hasGround: false, up: 'y' }],
        (options: never) => new SolidBoxQueue(options),
      ),
      also('SolidBoxQueue.boxesOf', [morphing, 'front'], (...given) =>
        new SolidBoxQueue().boxesOf(...(given as never as [never, never])),
      ),
      also('SolidBoxQueue.boxesOf', [{ positions: [0, 0, 0], index: [0] }], (...given) =>
        new SolidBoxQueue().boxesOf(...(given as never as [never, never])),
      ),
      also('SolidBoxQueue.run', [1], (time: never) => new SolidBoxQueue().run(time)),
      also('solidBoxes', [morphing, {}], (...given) =>
        library.solidBoxes(...(given as unknown as Parameters<typeof library.solidBoxes>)),
      ),
      make(Convex, planesOf([[0, 1, 0, 0]])),
      also('Contacts.bodyAt', [3], (index: never) => library.trackContacts(octree).bodyAt(index)),
      also('Contacts.stop', [], () => library.trackContacts(octree).stop()),
      also('DistanceBands.bandOf', [3], (index: never) => bandsOf(octree).bandOf(index)),
      also('DistanceBands.bodyAt', [3], (index: never) => bandsOf(octree).bodyAt(index)),
      also('DistanceBands.stop', [], () => bandsOf(octree).stop()),
      also('Sensor.bodyAt', [3], (index: never) => library.watch(octree, sphere).bodyAt(index)),
      also('Sensor.stop', [], () => library.watch(octree, sphere).stop()),
    ];
  };
  return [
    {
      name: 'constructor',
      octree,
      body,
      arguments: [
        {
          region: { min: point([-64, -64, -64]), edge: 128 },
          minCellSize: 1,
          looseness: 2,
          leafCapacity: 4,
          outside: 'grow',
          lifespan: true,
          lookAhead: 8,
          simdFrom: 10,
        },
      ],
      call: (options) => new Octree(options),
    },
    { name: 'IndexList', octree, body, arguments: [4], call: (capacity) => new IndexList(capacity) },
    on('insert', box, 1, { mask: 1, isStatic: false, update: () => undefined }),
    on('insertMany', new Float64Array(6), { kind: 'box', data: [1], mask: [1], isStatic: false }),
    on('moveMany', [7], new Float64Array(cube(0, 0, 0))),
    on('moveMany', [7], new Float64Array([0, 0, 0])),
    on('moveManyById', [idOf(octree, 7)], new Float64Array([0, 0, 0])),
    on('removeMany', [35, 33]),
    on('removeManyById', [idOf(octree, 31), idOf(octree, 32)]),
    on('setMaskMany', [3, 4], [1, 2]),
    on('setMaskManyById', [idOf(octree, 3), idOf(octree, 4)], [1, 2]),
    on('idOf', 3),
    on('idsOf', [3], new Float64Array(1)),
    on('indexOfId', idOf(octree, 3)),
    on('setOccluder', bodies[20], [
      boxOf([...bodies[20].getBox().min.toArray(), ...bodies[20].getBox().min.toArray()]),
    ]),
    on('translate', { x: 8, y: 0, z: -3 }),
    on('bodyAt', 3),
    on('dataAt', 3),
    on('getBoxAt', 3, new Box3()),
    on('getSphereAt', 3, new Sphere()),
    on('watch', box, { mask: -1, filter: () => true, onEnter: () => undefined, onLeave: () => undefined }),
    on('watchDistances', { x: 0, y: 0, z: 0 }, [5], {
      mask: -1,
      filter: () => true,
      hysteresis: 0.1,
      onChange: () => undefined,
    }),
    on('has', body),
    on('update', 0.1),
    ...queries,
    make(Capsule, { start: point([0, 0, 0]), end: point([1, 0, 0]), radius: 1 }),
    make(Segment, { start: point([0, 0, 0]), end: point([1, 0, 0]) }),
    make(OrientedBox, {
      center: point([0, 0, 0]),
      halfSize: point([1, 1, 1]),
      rotation: { elements: [...UNIT] },
    }),
    {
      name: 'RayRange',
      octree,
      body,
      arguments: [{ origin: point([0, 0, 0]), direction: point([1, 0, 0]) }, 1, 2],
      call: (ray, near, far) => new RayRange(ray, near, far),
    },
    make(Convex, planesOf([[0, 1, 0, 0]]).planes),
    set(new Capsule({ start: point([0, 0, 0]), end: point([1, 0, 0]), radius: 1 }), {
      start: point([5, 6, 7]),
      end: point([8, 9, 10]),
      radius: 2,
    }),
    set(new Segment({ start: point([0, 0, 0]), end: point([1, 0, 0]) }), {
      start: point([5, 6, 7]),
      end: point([8, 9, 10]),
    }),
    set(new OrientedBox({ center: point([0, 0, 0]), halfSize: point([1, 1, 1]), rotation: { elements: [...UNIT] } }), {
      center: point([5, 6, 7]),
      halfSize: point([2, 3, 4]),
      rotation: { elements: [...UNIT] },
    }),
    set(
      new Convex([]),
      planesOf([
        [0, 1, 0, 3],
        [1, 0, 0, 4],
      ]).planes,
    ),
    set(
      new Convex([]),
      planesOf([
        [0, 1, 0, 3],
        [1, 0, 0, 4],
      ]),
    ),
    set(
      new RayRange({ origin: point([0, 0, 0]), direction: point([1, 0, 0]) }),
      { origin: point([5, 6, 7]), direction: point([1, 2, 3]) },
      1,
      2,
    ),
    move('Sensor.moveTo', () => library.watch(octree, sphere), box),
    move('Sensor.moveTo', () => library.watch(octree, sphere), { center: point([5, 6, 7]), radius: 2 }),
    move(
      'Sensor.moveTo',
      () => library.watch(octree, sphere),
      planesOf([
        [0, 1, 0, 3],
        [1, 0, 0, 4],
      ]),
    ),
    move('DistanceBands.moveTo', () => library.watchDistances(octree, point([0, 0, 0]), [5]), point([5, 6, 7])),
    make(CustomVolume, { overlap: () => 1, touchesBox: () => true, touchesSphere: () => true }),
    on('trackContacts', { mask: -1, filter: () => true, within: 1, hysteresis: 0.1, otherMask: -1 }),
    on('onIntersection', body, () => undefined),
    on('setOccluder', body, true),
    {
      name: 'solidBoxes',
      octree,
      body,
      arguments: [
        { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], index: [0, 1, 2] },
        {
          maxBoxes: 1,
          resolution: 4,
          side: 'front',
          hasGround: false,
          up: 'y',
          axisAligned: false,
          matrix: { elements: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] },
        },
      ],
      call: (...given) => library.solidBoxes(...(given as unknown as Parameters<typeof library.solidBoxes>)),
    },
    on('collectVisible', view(), list, visibleOptions()),
    on('intersectVisible', view(), visibleOptions(), []),
    on(
      'castRays',
      new Float64Array([0, 0, 0, 1, 0, 0, 9]),
      { indices: new Int32Array(1), distances: new Float64Array(1), normals: new Float64Array(3) },
      { ...queryOptions(bodies[9]), near: 0, count: 1 },
    ),
    on('visitNearest', point([0, 0, 0]), () => undefined, optionsOf('nearest')),
    on('visitCast', box, point([9, 0, 0]), () => undefined, optionsOf('collectBoxCast')),
    on('visitRay', rayOf([0, 0, 0], [1, 0, 0]), () => undefined, { ...queryOptions(bodies[9]), near: 0, far: 9 }),
    on('sortByDistance', list, point([0, 0, 0])),
    on('assignBands', list, point([0, 0, 0]), [5], new Uint8Array(100), 0.1),
    on('visitNodes', () => undefined, new OctreeNode()),
    on('walk', () => undefined, new OctreeNode()),
    of('setBox', box),
    of('setSphere', sphere),
    of('setCenter', point([0, 0, 0])),
    of('setMask', 1),
    of('getBox', new Box3()),
    of('getSphere', new Sphere()),
    ...otherRows(),
  ];
}

function bandsOf(octree: Octree<number>): DistanceBands<number> {
  return library.watchDistances(octree, point([0, 0, 0]), [5]);
}

/** A geometry with every field that is read. */
const morphing = new BoxGeometry();
morphing.morphAttributes.position = [];

/** No rotation. */
const UNIT: readonly number[] = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** The options that all queries have. */
function queryOptions(except: Body<number>): Record<'mask' | 'filter' | 'except' | 'stats' | 'candidates', unknown> {
  return { mask: -1, filter: () => true, except, stats: {}, candidates: false };
}

/** The options that one kind of query has besides, by the name of its form that returns records. */
const OWN_OPTIONS: { readonly [name in QueryName]?: () => object } = {
  intersectRay: () => ({ near: 0, far: 1000 }),
  intersectFrustum: () => ({ exact: true, minSize: 0.01, eye: point([0, 0, 0]) }),
  nearest: () => ({ maxDistance: 1000 }),
  intersectPairs: () => ({ within: 2, otherMask: -1, staticPairs: true }),
};
