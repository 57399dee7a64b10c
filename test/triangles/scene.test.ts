/** Which meshes and triangles a TriangleScene has: visibility, options, instances, geometries that change. */

import {
  BackSide,
  BatchedMesh,
  BoxGeometry,
  BufferGeometry,
  DoubleSide,
  Float32BufferAttribute,
  FrontSide,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Points,
  Ray,
  Sphere,
  SphereGeometry,
  Vector3,
  type Object3D,
} from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { describe, expect, it, vi } from 'vitest';
import { Octree } from '../../src/index.ts';
import { OctreeGroup, OctreeInstances } from '../../src/three.ts';
import {
  castShape,
  castTriangleRays,
  firstTriangle,
  intersectTriangles,
  nearestPoint,
  TriangleScene,
  type TriangleOptions,
  type TriangleStats,
} from '../../src/triangles/index.ts';
import { createRandom } from '../support/random.ts';
import { directionOf } from '../support/triangle-scenes.ts';

const ball = (x: number, y = 0, z = 0, radius = 0.6): Sphere => new Sphere(new Vector3(x, y, z), radius);
const DOWN = new Vector3(0, -1, 0);

function boxAt(x: number, name: string): Mesh {
  const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
  mesh.position.x = x;
  mesh.name = name;
  return mesh;
}

function groupOf(...objects: Object3D[]): OctreeGroup {
  const group = new OctreeGroup().add(...objects);
  group.updateMatrixWorld();
  return group;
}

function namesAt(scene: TriangleScene<Object3D>, x: number, options?: TriangleOptions<Object3D>): string[] {
  return [...new Set(intersectTriangles(scene, ball(x), options).map(({ object }) => object!.name))];
}

describe('meshes of an OctreeGroup', () => {
  it('are its children, those of trees, those outside its octree, and those below a mesh', () => {
    const tree = new Group();
    tree.position.x = 10;
    tree.add(boxAt(0, 'in a tree'));
    const parent = boxAt(20, 'parent');
    parent.add(boxAt(5, 'below a mesh'));
    const unculled = boxAt(30, 'unculled');
    unculled.frustumCulled = false;
    const group = groupOf(boxAt(0, 'child'), parent, unculled).addTree(tree);
    group.updateMatrixWorld();
    const scene = new TriangleScene(group);
    expect([0, 10, 20, 25, 30].map((x) => namesAt(scene, x))).toEqual([
      ['child'],
      ['in a tree'],
      ['parent'],
      ['below a mesh'],
      ['unculled'],
    ]);
    expect(firstTriangle(scene, new Ray(new Vector3(30.1, 9, 0.1), DOWN))?.body).toBe(null);
    expect(castShape(scene, ball(30, 9), { x: 0, y: -20, z: 0 })?.object?.name).toBe('unculled');
    expect(nearestPoint(scene, { x: 31, y: 0, z: 0 })?.distance).toBe(0.5);
  });

  it('follow matrices, visibility and geometries', () => {
    const mesh = boxAt(0, 'box');
    const group = groupOf(mesh);
    const scene = new TriangleScene(group, { MeshBVH });
    mesh.position.x = 7;
    group.updateMatrixWorld();
    expect([namesAt(scene, 0), namesAt(scene, 7)]).toEqual([[], ['box']]);
    mesh.visible = false;
    expect([namesAt(scene, 7), namesAt(scene, 7, { includesHidden: true })]).toEqual([[], ['box']]);
    mesh.visible = true;
    mesh.geometry = new SphereGeometry(3, 20, 20);
    group.updateMatrixWorld();
    expect(namesAt(scene, 10)).toEqual(['box']);
    // Vertices that move: the tree is read again.
    const { position } = mesh.geometry.attributes;
    for (let k = 0; k < position.count; k++) position.setY(k, position.getY(k) + 50);
    position.needsUpdate = true;
    mesh.geometry.computeBoundingSphere();
    mesh.geometry.computeBoundingBox();
    group.updateMatrixWorld();
    expect(namesAt(scene, 10)).toEqual([]);
    expect(firstTriangle(scene, new Ray(new Vector3(7, 99, 0.01), DOWN))?.distance).toBeCloseTo(46, 1);
    // Another index.
    mesh.geometry.setIndex([0, 1, 2]);
    expect(firstTriangle(scene, new Ray(new Vector3(7, 99, 0.01), DOWN))).toBe(null);
  });

  it('have the triangles of draw range and groups', () => {
    const mesh = new Mesh(
      new BoxGeometry(),
      [0, 1, 2, 3, 4, 5].map(() => new MeshBasicMaterial()),
    );
    const scene = new TriangleScene(groupOf(mesh), { MeshBVH });
    const facesOf = (): number[] => intersectTriangles(scene, ball(0, 0, 0, 2)).map(({ face }) => face);
    expect(facesOf().length).toBe(12);
    mesh.geometry.groups.splice(1, 2);
    expect(facesOf()).toEqual([0, 1, 6, 7, 8, 9, 10, 11]);
    mesh.geometry.setDrawRange(18, 9);
    expect(facesOf()).toEqual([6, 7, 8]);
  });

  it.each([
    ['trees', { MeshBVH }],
    ['no trees', {}],
  ])('have each triangle that groups or a draw range hold once, with %s', (_, classes) => {
    const facesOf = (change: (geometry: SphereGeometry) => void): number[] => {
      const geometry = new SphereGeometry(1, 12, 8);
      change(geometry);
      const material = new MeshBasicMaterial();
      const mesh = new Mesh(geometry, geometry.groups.length > 0 ? [material, material] : material);
      const scene = new TriangleScene(groupOf(mesh), classes);
      return intersectTriangles(scene, ball(0, 0, 0, 2)).map(({ face }) => face);
    };
    const all = facesOf(() => {});
    expect(all).toEqual(Array.from({ length: all.length }, (__, k) => k));
    expect(
      facesOf((geometry) => {
        geometry.addGroup(90, Infinity, 0);
        geometry.addGroup(60, 60, 1);
        geometry.addGroup(0, 30, 0);
      }),
    ).toEqual(all.filter((face) => face < 10 || face >= 20));
    expect(facesOf((geometry) => geometry.setDrawRange(30, Infinity))).toEqual(all.slice(10));
    expect(facesOf((geometry) => geometry.setDrawRange(0, 30))).toEqual(all.slice(0, 10));
  });

  it('follow an attribute or an index that is replaced by one of equal version', () => {
    const mesh = new Mesh(new SphereGeometry(1, 12, 8));
    const scene = new TriangleScene(groupOf(mesh), { MeshBVH });
    const distance = (): number | undefined => firstTriangle(scene, new Ray(new Vector3(0.1, 9, 0.1), DOWN))?.distance;
    const first = distance()!;
    const { geometry } = mesh;
    const { position } = geometry.attributes;
    geometry.setAttribute(
      'position',
      new Float32BufferAttribute(
        position.array.slice().map((x) => x * 2),
        3,
      ),
    );
    expect(distance()).toBeLessThan(first - 0.9);
    geometry.setAttribute('position', position);
    expect(distance()).toBe(first);
    // The lower half.
    const { index } = geometry;
    geometry.setIndex(Array.from(index!.array).slice(index!.count / 2));
    expect(geometry.index!.version).toBe(index!.version);
    expect(distance()).toBeGreaterThan(first + 1);
  });

  it('may begin between two triangles of a tree', () => {
    const geometry = new SphereGeometry(1, 12, 8).toNonIndexed();
    const scene = new TriangleScene(groupOf(new Mesh(geometry)), { MeshBVH });
    const count = (): number => intersectTriangles(scene, ball(0, 0, 0, 2)).length;
    const all = count();
    geometry.setDrawRange(1, Infinity);
    expect(count()).toBe(all - 1);
    geometry.setDrawRange(0, Infinity);
    expect(count()).toBe(all);
  });

  it('leave out points and lines, and count them', () => {
    const points = new Points(new BufferGeometry().setAttribute('position', new Float32BufferAttribute([0, 0, 0], 3)));
    const scene = new TriangleScene(groupOf(points, boxAt(0, 'box')));
    const stats = {} as TriangleStats;
    intersectTriangles(scene, ball(0), { stats });
    expect(stats).toEqual({ meshesTested: 1, nodesVisited: 0, trianglesTested: 12, objectsSkipped: 1 });
  });

  it('are instances of an InstancedMesh, and of a BatchedMesh', () => {
    const instanced = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 3);
    for (let k = 0; k < 3; k++) instanced.setMatrixAt(k, new Matrix4().makeTranslation(10 * k, 0, 0));
    const batch = new BatchedMesh(4, 100, 200, new MeshBasicMaterial());
    const ids = [new BoxGeometry(), new SphereGeometry(0.5, 6, 4)].map((geometry) => batch.addGeometry(geometry));
    for (let k = 0; k < 4; k++)
      batch.setMatrixAt(batch.addInstance(ids[k % 2]), new Matrix4().makeTranslation(100 + 10 * k, 0, 0));
    batch.deleteInstance(1);
    batch.setVisibleAt(2, false);
    const scene = new TriangleScene(groupOf(instanced, batch), { MeshBVH });
    const idsAt = (x: number): (number | undefined)[] => [
      ...new Set(intersectTriangles(scene, ball(x)).map(({ instanceId }) => instanceId)),
    ];
    expect([0, 10, 20].map(idsAt)).toEqual([[0], [1], [2]]);
    expect([100, 110, 120, 130].map(idsAt)).toEqual([[0], [], [], [3]]);
    expect(firstTriangle(scene, new Ray(new Vector3(130.01, 9, 0.02), DOWN))?.distance).toBeCloseTo(8.5, 1);
    instanced.position.y = batch.position.y = 50;
    instanced.parent!.updateMatrixWorld();
    expect([10, 130].map(idsAt)).toEqual([[], []]);
    expect([10, 130].map((x) => intersectTriangles(scene, ball(x, 50))[0]?.instanceId)).toEqual([1, 3]);
  });
});

it('has each instance of an OctreeInstances once, if a filter tests its layers, as a renderer does', () => {
  const trees = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial());
  trees.addInstance(new Matrix4());
  const scene = new TriangleScene(groupOf(trees));
  const filter = ({ object }: { readonly object: Object3D | null }): boolean => object!.layers.test(trees.layers);
  const [first, second] = [0, 1].map(() => intersectTriangles(scene, new Sphere(new Vector3(), 9), { filter }));
  expect([first.length, second.length]).toEqual([12, 12]);
  expect(trees.children).toEqual([]);
});

it('may hold a batch that is filled later', () => {
  const batch = new BatchedMesh(1, 100, 100, new MeshBasicMaterial());
  batch.frustumCulled = false;
  const scene = new TriangleScene(groupOf(batch, boxAt(0, 'a')), { MeshBVH });
  expect(intersectTriangles(scene, ball(0)).length).toBeGreaterThan(0);
  expect(intersectTriangles(scene, ball(5))).toEqual([]);
  const id = batch.addInstance(batch.addGeometry(new BoxGeometry()));
  batch.setMatrixAt(id, new Matrix4().makeTranslation(5, 0, 0));
  expect(intersectTriangles(scene, ball(5)).length).toBeGreaterThan(0);
});

it('has the visible instances of an OctreeInstances', () => {
  const trees = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial());
  for (let k = 0; k < 5; k++) trees.addInstance(new Matrix4().makeTranslation(10 * k, 0, 0));
  trees.setVisibleAt(3, false);
  const scene = new TriangleScene(trees);
  const [hit] = intersectTriangles(scene, ball(20));
  expect([hit.object, hit.instanceId, hit.body?.data]).toEqual([trees, 2, 2]);
  expect(intersectTriangles(scene, ball(30))).toEqual([]);
  expect(intersectTriangles(scene, ball(20), { except: trees.bodyOf(2) })).toEqual([]);
  trees.position.y = 100;
  expect(castShape(scene, ball(40, 0), { x: 0, y: 200, z: 0 })?.instanceId).toBe(4);
});

describe('options', () => {
  const group = groupOf(boxAt(0, 'a'), boxAt(0.1, 'b'), boxAt(0.2, 'c'));
  const [a, b, c] = group.children;
  const scene = new TriangleScene(group);

  it('leave out bodies and objects', () => {
    expect(namesAt(scene, 0, { except: group.bodyOf(a) })).toEqual(['b', 'c']);
    expect(namesAt(scene, 0, { except: b })).toEqual(['a', 'c']);
    expect(namesAt(scene, 0, { except: [a, group.bodyOf(c), null] })).toEqual(['b']);
    const elsewhere = boxAt(0, 'a');
    const bodyElsewhere = groupOf(elsewhere).bodyOf(elsewhere)!;
    expect(bodyElsewhere.index).toBe(group.bodyOf(a)!.index);
    expect(namesAt(scene, 0, { except: bodyElsewhere })).toEqual(['a', 'b', 'c']);
    expect(namesAt(scene, 0, { filter: ({ object }) => object !== c })).toEqual(['a', 'b']);
    expect(namesAt(scene, 0, { filter: new Set([group.bodyOf(c)!.index]) })).toEqual(['c']);
    expect(namesAt(scene, 0, { mask: 0 })).toEqual([]);
  });

  it('leave out what is not in the octree if the filter is a set of bodies', () => {
    const sky = boxAt(0, 'sky');
    sky.frustumCulled = false;
    const mixed = groupOf(boxAt(0, 'a'), boxAt(0, 'b'), sky);
    const all = new TriangleScene(mixed);
    const filter = new Set([mixed.bodyOf(mixed.children[1])!.index]);
    expect(namesAt(all, 0)).toEqual(['sky', 'a', 'b']);
    expect(namesAt(all, 0, { filter })).toEqual(['b']);
    expect(namesAt(all, 0, { filter: new Set<number>() })).toEqual([]);
    const ray = new Ray(new Vector3(0.1, 9, 0.2), new Vector3(0, -1, 0));
    expect(firstTriangle(all, ray)?.object?.name).toBe('sky');
    expect(firstTriangle(all, ray, { filter })?.object?.name).toBe('b');
  });

  it('let a filter query', () => {
    const nested: string[][] = [];
    const names = namesAt(scene, 0, {
      filter: ({ object }) => {
        nested.push(namesAt(scene, 0, { except: object }));
        return object !== b;
      },
    });
    expect([names, nested]).toEqual([
      ['a', 'c'],
      [
        ['b', 'c'],
        ['a', 'c'],
        ['a', 'b'],
      ],
    ]);
  });

  it('write into the records of the last call', () => {
    const target = intersectTriangles(scene, ball(0));
    const [first, second] = target;
    expect(intersectTriangles(scene, ball(0.1), {}, target)).toBe(target);
    expect([target[0], target[1]]).toEqual([first, second]);
    expect(intersectTriangles(scene, ball(50), {}, target).length).toBe(0);
    const record = castShape(scene, ball(-9), { x: 20, y: 0, z: 0 })!;
    expect(castShape(scene, ball(9), { x: -20, y: 0, z: 0 }, {}, record)).toBe(record);
    expect(record.object).toBe(c);
  });
});

const mirror = (mesh: Mesh): Mesh => {
  mesh.scale.x = -1;
  return mesh;
};

describe('sides', () => {
  it.each([
    ['as it is', (mesh: Mesh) => mesh],
    ['mirrored', mirror],
  ])('of a plane %s', (_, change) => {
    // In front of it is z > 0.
    const mesh = change(new Mesh(new PlaneGeometry(2, 2), new MeshBasicMaterial({ side: BackSide })));
    const scene = new TriangleScene(groupOf(mesh));
    const sides = [FrontSide, BackSide, DoubleSide, 'material'] as const;
    const found = (z: number): boolean[][] =>
      sides.map((side) => [
        intersectTriangles(scene, ball(0.2, 0.3, z * 0.5), { side }).length > 0,
        castShape(scene, ball(0.2, 0.3, z * 5), { x: 0, y: 0, z: -z * 9 }, { side }) !== null,
        firstTriangle(scene, { origin: { x: 0.2, y: 0.3, z: z * 5 }, direction: { x: 0, y: 0, z: -z } }, { side }) !==
          null,
        nearestPoint(scene, { x: 0.2, y: 0.3, z }, { side }) !== null,
      ]);
    const [all, none] = [
      [true, true, true, true],
      [false, false, false, false],
    ];
    expect(found(1)).toEqual([all, none, all, none]);
    expect(found(-1)).toEqual([none, all, all, all]);
  });
});

it('casts many rays, those that hit and those that miss', () => {
  const scene = new TriangleScene(groupOf(boxAt(0, 'a'), boxAt(5, 'b')));
  const rays = new Float32Array([0.1, 9, 0.2, 0, -2, 0, 100, 2, 9, 0, 0, -1, 0, 100, 5.1, 9, 0.2, 0, -1, 0, 8]);
  const hits = { indices: new Int32Array(3), faces: new Int32Array(3), distances: new Float64Array(3) };
  const stats = {} as TriangleStats;
  expect(castTriangleRays(scene, rays, hits, { stats })).toBe(1);
  expect([...hits.distances, ...hits.indices]).toEqual([8.5, Infinity, Infinity, 0, -1, -1]);
  expect(hits.faces[0]).toBeGreaterThanOrEqual(0);
  expect(stats.trianglesTested).toBe(12);
});

describe('trees', () => {
  it('are those of the user, if they hold all triangles', () => {
    const mesh = new Mesh(new SphereGeometry(1, 64, 40));
    const tree = new MeshBVH(mesh.geometry);
    Object.assign(mesh.geometry, { boundsTree: tree });
    const scene = new TriangleScene(groupOf(mesh));
    const stats = {} as TriangleStats;
    expect(intersectTriangles(scene, ball(1.2, 0, 0, 0.3), { stats }).length).toBeGreaterThan(5);
    expect(stats.nodesVisited).toBeGreaterThan(5);
    expect(stats.trianglesTested).toBeLessThan(500);
    // A tree of a part of the triangles: another one is built.
    const part = new SphereGeometry(1, 64, 40);
    part.setDrawRange(0, 300);
    Object.assign(part, { boundsTree: new MeshBVH(part) });
    part.setDrawRange(0, Infinity);
    mesh.geometry = part;
    expect(intersectTriangles(scene, ball(1.2, 0, 0, 0.3), { stats }).length).toBeGreaterThan(5);
    expect(stats.trianglesTested).toBeLessThan(500);
  });

  it('change nothing of a geometry', () => {
    const geometry = new SphereGeometry(1, 30, 20);
    const index = Array.from(geometry.index!.array);
    const scene = new TriangleScene(groupOf(new Mesh(geometry)), { MeshBVH });
    intersectTriangles(scene, ball(0));
    expect(Array.from(geometry.index!.array)).toEqual(index);
    expect('boundsTree' in geometry).toBe(false);
  });

  it('are built from 13 triangles on', () => {
    const costs = [new BoxGeometry(), new SphereGeometry(1, 5, 3)].map((geometry) => {
      const stats = {} as TriangleStats;
      intersectTriangles(new TriangleScene(groupOf(new Mesh(geometry)), { MeshBVH }), ball(0, 0, 0, 1), { stats });
      return [geometry.index!.count / 3, stats.nodesVisited > 0];
    });
    expect(costs).toEqual([
      [12, false],
      [20, true],
    ]);
  });

  it('are missed with a warning, once', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    intersectTriangles(new TriangleScene(groupOf(new Mesh(new SphereGeometry(1, 120, 60)))), ball(0));
    expect(warn.mock.calls).toEqual([]);
    const scene = new TriangleScene(groupOf(new Mesh(new SphereGeometry(1, 160, 80))));
    intersectTriangles(scene, ball(0));
    intersectTriangles(scene, ball(0));
    expect(warn.mock.calls.length).toBe(1);
    expect(warn.mock.calls[0][0]).toContain('has 25280 triangles and no tree');
    warn.mockRestore();
  });
});

describe('errors', () => {
  const scene = new TriangleScene(groupOf(boxAt(0, 'a')));
  const calls: readonly (readonly [string, () => unknown, string])[] = [
    ['a Group', () => new TriangleScene(new Group() as never), 'TriangleScene: source must be an OctreeGroup'],
    ['no callback', () => new TriangleScene(new Octree(), {} as never), 'TriangleScene: readMesh must be a function'],
    ['an option', () => new TriangleScene(new OctreeGroup(), { bvh: 1 } as never), 'TriangleScene: unknown option bvh'],
    [
      'a class',
      () => new TriangleScene(new OctreeGroup(), { MeshBVH: {} as never }),
      'TriangleScene: options.MeshBVH must be',
    ],
    ['no scene', () => intersectTriangles({} as never, ball(0)), 'intersectTriangles: scene must be a TriangleScene'],
    ['no shape', () => intersectTriangles(scene, null as never), 'intersectTriangles: shape must be an object'],
    ['another shape', () => intersectTriangles(scene, {} as never), 'intersectTriangles: shape must be a sphere'],
    ['NaN', () => castShape(scene, ball(NaN), DOWN), 'castShape: sphere.center.x'],
    ['no motion', () => castShape(scene, ball(0), null as never), 'castShape: motion'],
    ['a side', () => nearestPoint(scene, DOWN, { side: 7 as never }), 'nearestPoint: options.side must be FrontSide'],
    ['a filter', () => nearestPoint(scene, DOWN, { filter: 7 as never }), 'nearestPoint: options.filter must be'],
    ['an exception', () => nearestPoint(scene, DOWN, { except: 7 as never }), 'nearestPoint: options.except must be'],
    ['far', () => firstTriangle(scene, new Ray(DOWN, DOWN), { far: -1 }), 'firstTriangle: options.far must be'],
    ['no direction', () => firstTriangle(scene, new Ray(DOWN, new Vector3())), 'firstTriangle: ray.direction must not'],
  ];
  it.each(calls)('of %s', (_, call, sentence) => {
    expect(call).toThrow(sentence);
    // The next query is right.
    expect(intersectTriangles(scene, ball(0.9)).length).toBeGreaterThan(0);
  });
});

it.each([
  ['scale 0', [0, 0, 0]],
  ['flat', [3, 0, 3]],
  ['thin', [3, 1e-6, 3]],
] as const)('opens few nodes of a mesh without a useful inverse: %s', (_, scale) => {
  const mesh = new Mesh(new SphereGeometry(1, 60, 40), new MeshBasicMaterial());
  mesh.scale.fromArray(scale);
  const scene = new TriangleScene(groupOf(mesh), { MeshBVH });
  const stats = {} as TriangleStats;
  intersectTriangles(scene, ball(2.9, 0, 0, 0.05), { stats });
  expect(stats.trianglesTested).toBeLessThan(600);
  nearestPoint(scene, { x: 9, y: 1, z: 0 }, { stats });
  expect(stats.trianglesTested).toBeLessThan(scale[0] === 0 ? 5000 : 600);
});

it('reports the normal of the triangle towards the origin of a ray, and how far a shape has moved', () => {
  const mesh = boxAt(0, 'box');
  mesh.rotation.set(0.3, 0.5, 0.7);
  const scene = new TriangleScene(groupOf(mesh));
  const random = createRandom(4);
  for (let round = 0; round < 50; round++) {
    const origin = directionOf(random).multiplyScalar(5);
    const direction = directionOf(random).multiplyScalar(0.4).sub(origin);
    const { normal, position, distance } = firstTriangle(scene, { origin, direction })!;
    // One of the faces of the box, 0.5 from its middle.
    const local = normal.clone().applyQuaternion(mesh.quaternion.clone().invert());
    expect(Math.max(...local.toArray().map(Math.abs))).toBeCloseTo(1, 12);
    expect(normal.length()).toBeCloseTo(1, 12);
    expect(normal.dot(direction)).toBeLessThan(0);
    expect(normal.dot(position)).toBeCloseTo(0.5, 12);
    expect(distance).toBeCloseTo(position.distanceTo(origin), 12);
    const inside = { origin: direction.clone().multiplyScalar(0.01), direction };
    const back = firstTriangle(scene, inside)!;
    expect(back.normal.dot(back.position)).toBeCloseTo(-0.5, 12);
    const hit = castShape(scene, ball(...origin.toArray(), 0.1), direction)!;
    expect(hit.distance).toBeCloseTo(hit.time * direction.length(), 12);
    const center = origin.clone().addScaledVector(direction, hit.time);
    expect(center.distanceTo(hit.position)).toBeCloseTo(0.1, 12);
  }
});

it('hits nothing before near and beyond far, both closed', () => {
  const scene = new TriangleScene(groupOf(boxAt(0, 'a')), { MeshBVH });
  const ray = new Ray(new Vector3(0.1, 2, 0.2), DOWN);
  const at = (near: number, far: number): number | undefined => firstTriangle(scene, ray, { near, far })?.distance;
  expect([at(0, 1.5), at(0, 1.4), at(1.5, 9), at(1.6, 9), at(2.5, 2.5), at(2.6, 9)]).toEqual([
    1.5,
    undefined,
    1.5,
    2.5,
    2.5,
    undefined,
  ]);
});
