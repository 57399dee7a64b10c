/**
 * Every value of every argument of every function of scene-octree/triangles, spoiled: a sentence, and nothing changed.
 */

import { BoxGeometry, Mesh, PerspectiveCamera, Sphere, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeGroup } from '../../src/three.ts';
import * as triangles from '../../src/triangles/index.ts';
import { GAP } from '../support/rejects.ts';

const VALUES: readonly (readonly [string, () => unknown])[] = [
  ['NaN', () => NaN],
  ['-Infinity', () => -Infinity],
  ['1e300', () => 1e300],
  ['-1', () => -1],
  ['a string', () => 'far'],
  ['a BigInt', () => 1n],
  ['a symbol', () => Symbol('far')],
  ['null', () => null],
  ['undefined', () => undefined],
  ['true', () => true],
  ['an object', () => ({})],
  ['an array', () => [1, 2]],
  ['a function', () => () => 7],
  ['a frozen object', () => Object.freeze({ x: 1 })],
  ['a hit', () => new triangles.TriangleHit()],
  ['a distance', () => new triangles.MeshDistance()],
  ['a list of hits', () => [new triangles.TriangleHit(), Object.freeze(new triangles.TriangleHit())]],
  ['a list of distances', () => [new triangles.MeshDistance(), Object.freeze(new triangles.MeshDistance())]],
  [
    'detached memory',
    () => {
      const array = new Float64Array(7);
      structuredClone(array.buffer, { transfer: [array.buffer] });
      return array;
    },
  ],
];

interface Call {
  readonly name: string;
  readonly call: (...values: never[]) => unknown;
  readonly arguments: readonly unknown[];
}

const mesh = new Mesh(new BoxGeometry());
const other = new Mesh(new BoxGeometry());
other.position.y = 5;
const group = new OctreeGroup().add(mesh, other);
group.updateMatrixWorld();
const scene = new triangles.TriangleScene(group);
const camera = new PerspectiveCamera();
const element = { getBoundingClientRect: () => ({ left: 0, top: 0, width: 100, height: 100 }) };
const point = { x: 2, y: 0.2, z: 0.1 };
const options = { mask: 1, except: null, side: 2, includesHidden: false, filter: () => true, stats: {} };
const arrays = { indices: new Int32Array(1), faces: new Int32Array(1), distances: new Float64Array(1) };
const calls = (): Call[] => [
  ...[
    { center: { ...point }, radius: 3 },
    { start: { ...point }, end: { ...point }, radius: 3 },
    { min: { x: 0, y: 0, z: 0 }, max: { ...point } },
    { center: { ...point }, halfSize: { ...point }, rotation: { elements: [1, 0, 0, 0, 1, 0, 0, 0, 1] } },
  ].flatMap((shape): Call[] => [
    { name: 'intersectTriangles', call: triangles.intersectTriangles, arguments: [scene, shape, { ...options }, []] },
    {
      name: 'castShape',
      call: triangles.castShape,
      arguments: [scene, shape, { x: -4, y: 0, z: 0 }, { ...options }, null],
    },
  ]),
  {
    name: 'firstTriangle',
    call: triangles.firstTriangle,
    arguments: [
      scene,
      { origin: { ...point }, direction: { x: -1, y: 0, z: 0 } },
      { ...options, near: 0, far: 9 },
      null,
    ],
  },
  {
    name: 'castTriangleRays',
    call: triangles.castTriangleRays,
    arguments: [scene, new Float64Array([2, 0.2, 0.1, -1, 0, 0, 9]), { ...arrays }, { ...options }],
  },
  {
    name: 'nearestPoint',
    call: triangles.nearestPoint,
    arguments: [scene, { ...point }, { ...options, maxDistance: 9 }, null],
  },
  {
    name: 'distanceBetween',
    call: triangles.distanceBetween,
    arguments: [scene, mesh, other, { maxDistance: 9, stats: {} }, null],
  },
  {
    name: 'intersectMeshPairs',
    call: triangles.intersectMeshPairs,
    arguments: [
      scene,
      { mask: 1, otherMask: 1, within: 9, closest: true, includesStatic: true, pairFilter: () => true, stats: {} },
      [],
    ],
  },
  {
    name: 'solveContacts',
    call: triangles.solveContacts,
    arguments: [[{ normal: { ...point }, depth: 1 }], { ...point }],
  },
  {
    name: 'selectWithin',
    call: triangles.selectWithin,
    arguments: [
      [
        { clientX: 0, clientY: 0 },
        { clientX: 90, clientY: 90 },
      ],
      camera,
      { ...element },
      scene,
      { ...options, inside: false },
    ],
  },
  {
    name: 'snap',
    call: triangles.snap,
    arguments: [{ clientX: 50, clientY: 50 }, camera, { ...element }, scene, { ...options, pixels: 9, to: ['vertex'] }],
  },
];

type Path = readonly (string | number)[];

/** Objects that are passed as they are. */
const KEPT = new Set<object>([scene, camera, mesh, other]);

function pathsOf(value: unknown, path: Path = []): Path[] {
  const own = path.length > 0 ? [path] : [];
  if (typeof value !== 'object' || value === null || KEPT.has(value) || ArrayBuffer.isView(value)) return own;
  return [...own, ...Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...path, key]))];
}

describe.each(calls().map(({ name }, number) => [`${number} ${name}`, number] as const))('%s', (_, number) => {
  const before = JSON.stringify(triangles.intersectTriangles(scene, new Sphere(new Vector3(1, 0, 0), 0.6)).length);

  it.each(VALUES)('refuses %s, or takes it', (__, value) => {
    const { name, arguments: valid, call } = calls()[number];
    const paths = pathsOf(valid);
    call(...(valid as never[]));
    for (const path of paths) {
      const spoiled = calls()[number].arguments;
      let owner = spoiled as unknown as Record<string, unknown>;
      for (const key of path.slice(0, -1)) owner = owner[key] as Record<string, unknown>;
      owner[path.at(-1)!] = value();
      let error: unknown;
      try {
        call(...(spoiled as never[]));
      } catch (thrown) {
        error = thrown;
      }
      const place = `${name} ${path.join('.')}`;
      if (error !== undefined) {
        expect([place, error instanceof TypeError || error instanceof RangeError]).toEqual([place, true]);
        expect([place, (error as Error).message]).toEqual([
          place,
          expect.stringMatching(new RegExp(`^${name}: .*[;] .*\\.$`)),
        ]);
        expect([place, (error as Error).message]).toEqual([place, expect.not.stringMatching(GAP)]);
      }
      expect(JSON.stringify(triangles.intersectTriangles(scene, new Sphere(new Vector3(1, 0, 0), 0.6)).length)).toBe(
        before,
      );
    }
  });
});
