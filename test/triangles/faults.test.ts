/** What strangers' scenes have: numbers that are not finite, callbacks that query, meshes that change their parts. */

import {
  BackSide,
  BatchedMesh,
  Box3,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  FrontSide,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  PlaneGeometry,
  Ray,
  Sphere,
  SphereGeometry,
  Vector3,
  type Object3D,
} from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { expect, it } from 'vitest';
import { Octree } from '../../src/index.ts';
import { OctreeGroup, OctreeInstances } from '../../src/three.ts';
import {
  castShape,
  castTriangleRays,
  distanceBetween,
  firstTriangle,
  intersectMeshPairs,
  intersectTriangles,
  nearestPoint,
  prepareTriangles,
  selectWithin,
  snap,
  TriangleHit,
  TriangleScene,
} from '../../src/triangles/index.ts';
import { countHeld } from '../support/garbage.ts';

const DOWN = new Vector3(0, -1, 0);
const ball = (x: number, y = 0, z = 0, radius = 0.6): Sphere => new Sphere(new Vector3(x, y, z), radius);

const cubeAt = (x: number): Box3 => new Box3(new Vector3(x - 1, -1, -1), new Vector3(x + 1, 1, 1));

function groupOf(...objects: Object3D[]): OctreeGroup {
  const group = new OctreeGroup().add(...objects);
  group.updateMatrixWorld();
  return group;
}

const contactsOf = (objects: Mesh): number =>
  intersectTriangles(new TriangleScene(groupOf(objects), { MeshBVH }), ball(1.2)).length;
const hitsOf = (): { indices: Int32Array; faces: Int32Array; distances: Float64Array } => ({
  indices: new Int32Array(1),
  faces: new Int32Array(1),
  distances: new Float64Array(1),
});
const rays = (x: number): Float64Array => Float64Array.of(x, 9, 0.2, 0, -1, 0, 99);

it('finds nothing in a group whose last mesh was removed', () => {
  const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
  const group = groupOf(mesh);
  const scene = new TriangleScene(group, { MeshBVH });
  const ray = new Ray(new Vector3(0, 9, 0), DOWN);
  expect(firstTriangle(scene, ray)?.distance).toBe(8.5);
  group.remove(mesh);
  for (let update = 0; update < 3; update++) {
    expect(firstTriangle(scene, ray)).toBeNull();
    expect(castTriangleRays(scene, rays(0), hitsOf())).toBe(0);
    expect(castShape(scene, ball(0, 9), new Vector3(0, -20, 0))).toBeNull();
    expect(nearestPoint(scene, new Vector3())).toBeNull();
    expect(intersectTriangles(scene, ball(0))).toEqual([]);
    expect(intersectMeshPairs(scene)).toEqual([]);
    group.updateMatrixWorld();
  }
});

it.each(['vertex', 'infinite vertex', 'matrix'])('leaves out what is not finite: a %s', (kind) => {
  const fault = new Mesh(new SphereGeometry(1, 12, 8), new MeshBasicMaterial());
  const good = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
  good.position.x = 50;
  if (kind === 'matrix') fault.position.x = NaN;
  else fault.geometry.attributes.position.setX(20, kind === 'vertex' ? NaN : Infinity);
  const warn = console.warn;
  console.warn = () => {};
  const error = console.error;
  console.error = () => {};
  const scene = new TriangleScene(groupOf(fault, good), { MeshBVH });
  const shapes = [ball(50), { start: new Vector3(50, 0, 0), end: new Vector3(50, 1, 0), radius: 0.6 }];
  for (const shape of [...shapes, { min: new Vector3(49.8, 0, 0), max: new Vector3(50.2, 1, 0.7) }]) {
    const contacts = intersectTriangles(scene, shape);
    expect(contacts.length).toBeGreaterThan(0);
    expect(contacts.filter(({ object, depth }) => object !== good || !(depth >= 0))).toEqual([]);
  }
  expect(castShape(scene, ball(50, 9), { x: 0, y: -20, z: 0 })?.object).toBe(good);
  expect(
    castShape(scene, { min: new Vector3(49, 8, 0), max: new Vector3(50, 9, 1) }, { x: 0, y: -20, z: 0 })?.object,
  ).toBe(good);
  expect(nearestPoint(scene, { x: 60, y: 0, z: 0 })?.object).toBe(good);
  expect(intersectMeshPairs(scene, { within: 9 })).toEqual([]);
  // The other triangles of the mesh are found, as without a tree.
  const plain = new TriangleScene(groupOf(fault.clone(), good.clone()), {});
  for (let k = 0; k < 40; k++) {
    const point = new Vector3(Math.cos(k), Math.sin(3 * k), Math.sin(k)).multiplyScalar(1.5);
    const [distance, expected] = [scene, plain].map((each) => nearestPoint(each, point)!.distance);
    expect(distance).toBe(expected);
  }
  [console.warn, console.error] = [warn, error];
});

it('goes on after an error in a walk', () => {
  const large = new Mesh(new SphereGeometry(1, 60, 40));
  const small = new Mesh(new SphereGeometry(1, 8, 6));
  small.position.x = 9;
  const scene = new TriangleScene(groupOf(large, small), { MeshBVH });
  const before = intersectTriangles(scene, ball(9, 0, 0, 1.2)).length;
  const frozen = Object.freeze({ position: new Vector3() });
  expect(() => castShape(scene, ball(0, 9), { x: 0, y: -9, z: 0 }, {}, {} as never)).toThrow(
    'castShape: target must be a TriangleHit',
  );
  expect(() => castShape(scene, ball(0, 9), { x: 0, y: -9, z: 0 }, {}, frozen as never)).toThrow('castShape: target');
  const target = [{}, 7, frozen] as never[];
  expect(intersectTriangles(scene, ball(0, 0, 0, 1.2), {}, target).length).toBeGreaterThan(100);
  const setter = Object.defineProperty(castShape(scene, ball(0, 9), { x: 0, y: -9, z: 0 })!, 'inside', {
    set: () => {
      throw new Error('stop');
    },
  });
  expect(() => castShape(scene, ball(0, 9), { x: 0, y: -9, z: 0 }, {}, setter)).toThrow('stop');
  expect(intersectTriangles(scene, ball(9, 0, 0, 1.2)).length).toBe(before);
});

it('has the instances of an OctreeInstances in a group, without those that are deleted or hidden', () => {
  const instances = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial());
  for (let k = 0; k < 4; k++) instances.addInstance(new Matrix4().makeTranslation(10 * k, 0, 0));
  instances.deleteInstance(1);
  instances.setVisibleAt(2, false);
  const scene = new TriangleScene(groupOf(instances));
  expect([0, 10, 20, 30].map((x) => intersectTriangles(scene, ball(x))[0]?.instanceId)).toEqual([
    0,
    undefined,
    undefined,
    3,
  ]);
});

it('leaves out what a scale of 0 hides', () => {
  const instanced = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 2);
  instanced.setMatrixAt(0, new Matrix4().makeScale(0, 0, 0));
  instanced.setMatrixAt(1, new Matrix4().makeTranslation(5, 0, 0));
  instanced.frustumCulled = false;
  const scene = new TriangleScene(groupOf(instanced));
  expect(intersectTriangles(scene, ball(0))).toEqual([]);
  expect(nearestPoint(scene, { x: 0, y: 0, z: 0 })?.instanceId).toBe(1);
});

it('knows which groups each mesh of a geometry draws', () => {
  const geometry = new BoxGeometry();
  geometry.clearGroups();
  geometry.addGroup(0, 6, 0);
  const all = new Mesh(geometry, new MeshBasicMaterial());
  const right = new Mesh(geometry, [new MeshBasicMaterial()]);
  all.position.x = 5;
  const scene = new TriangleScene(groupOf(all, right), { MeshBVH });
  // The first group is the side towards x, 0.5 from the middle; the near side of the other is at 4.5.
  expect(distanceBetween(scene, right, all)?.distance).toBe(4);
  all.position.x = -5;
  all.parent!.updateMatrixWorld();
  expect(distanceBetween(scene, right, all)?.distance).toBe(5);
  expect(distanceBetween(scene, all, right)?.distance).toBe(5);
});

it('has a triangle of two groups once, if another group begins within one of its triangles', () => {
  const geometry = new SphereGeometry(1, 8, 6).toNonIndexed();
  for (const [start, count] of [
    [0, 60],
    [14, 12],
    [45, 45],
  ])
    geometry.addGroup(start, count, 0);
  const scene = new TriangleScene(groupOf(new Mesh(geometry, [new MeshBasicMaterial()])));
  const faces = intersectTriangles(scene, new Sphere(new Vector3(), 9)).map(({ face }) => face);
  // Those that begin at the corners 14 to 23 have the numbers 4 to 7, too.
  expect(faces.filter((face) => face < 4 || face > 7)).toEqual([
    0,
    1,
    2,
    3,
    ...Array.from({ length: 22 }, (_, k) => k + 8),
  ]);
  expect(faces.length).toBe(34);
});

it('takes each side that a group of a triangle draws', () => {
  const geometry = new PlaneGeometry();
  geometry.addGroup(0, Infinity, 0);
  geometry.addGroup(0, Infinity, 1);
  const sides = [BackSide, FrontSide] as const;
  const scene = new TriangleScene(
    groupOf(
      new Mesh(
        geometry,
        sides.map((side) => new MeshBasicMaterial({ side })),
      ),
    ),
  );
  for (const z of [1, -1]) {
    const ray = new Ray(new Vector3(0.1, 0.2, z), new Vector3(0, 0, -z));
    expect(firstTriangle(scene, ray, { side: 'material' })?.distance).toBe(1);
  }
});

it('gives each call of the callback a target of its own', () => {
  const octree = new Octree<number>();
  for (const x of [0, 10, 20]) octree.insert({ min: { x, y: 0, z: 0 }, max: { x: x + 1, y: 1, z: 1 } }, x);
  const geometry = new BoxGeometry().translate(0.5, 0.5, 0.5);
  const shared = new Matrix4().makeTranslation(0, 0, 0);
  let depth = 0;
  const scene: TriangleScene<number> = new TriangleScene(octree, ({ data }, target) => {
    expect(target.matrix.equals(new Matrix4())).toBe(true);
    if (depth++ === 0) nearestPoint(scene, { x: 15, y: 0, z: 0 });
    depth--;
    target.geometry = geometry;
    if (data === 0) target.matrix = shared;
    else target.matrix.makeTranslation(data, 0, 0);
  });
  for (const x of [0, 10, 20]) expect(nearestPoint(scene, { x, y: -1, z: 0 })?.body?.data).toBe(x);
  expect(shared.elements[12]).toBe(0);
});

it('finds all triangles of a mesh that a turned scale makes flat, however its determinant is rounded', () => {
  const parent = new Group();
  parent.matrixAutoUpdate = false;
  parent.matrix.set(0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  const mesh = new Mesh(new SphereGeometry(1, 24, 16));
  parent.add(mesh);
  const group = groupOf(parent);
  const [withTrees, without] = [{ MeshBVH }, {}].map((options) => new TriangleScene(group, options));
  for (let k = 0; k < 24; k++) {
    mesh.rotation.x = 0.13 * k;
    group.updateMatrixWorld(true);
    const shape = ball(0.3, 0.3, 0.5, 0.2);
    const facesOf = (scene: TriangleScene): number[] => intersectTriangles(scene, shape).map(({ face }) => face);
    expect(facesOf(withTrees).length).toBeGreaterThan(0);
    expect(facesOf(withTrees)).toEqual(facesOf(without));
    const point = new Vector3(2, -1, 0.3);
    expect(nearestPoint(withTrees, point)!.face).toBe(nearestPoint(without, point)!.face);
  }
});

it('leaves out a body whose callback sets undefined', () => {
  const octree = new Octree();
  octree.insert({ min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } }, null);
  const scene = new TriangleScene(octree, (_, target) => Object.assign(target, { geometry: undefined }));
  expect(nearestPoint(scene, { x: 0, y: 0, z: 0 })).toBe(null);
  const named = new TriangleScene(octree, (_, target) =>
    Object.assign(target, { geometry: new BoxGeometry(), object: undefined }),
  );
  expect(nearestPoint(named, { x: 0, y: 0, z: 2 })?.object).toBe(null);
});

it('answers pairs after a wrong instance', () => {
  const meshes = [0, 3].map((x) => new Mesh(new BoxGeometry().translate(x, 0, 0)));
  const scene = new TriangleScene(groupOf(...meshes));
  expect(() => distanceBetween(scene, { object: meshes[0], instanceId: 0 }, meshes[1])).toThrow(
    'distanceBetween: a must have the id of one of 0 instances',
  );
  expect(distanceBetween(scene, meshes[0], meshes[1])?.distance).toBe(2);
});

it('reads positions of four numbers', () => {
  const sphere = new SphereGeometry(1, 30, 20);
  const { position } = sphere.attributes;
  const numbers = Array.from({ length: position.count }, (_, k) => [
    position.getX(k),
    position.getY(k),
    position.getZ(k),
    1,
  ]).flat();
  const mesh = new Mesh(new BufferGeometry().setAttribute('position', new Float32BufferAttribute(numbers, 4)));
  mesh.geometry.setIndex(sphere.index);
  expect(contactsOf(mesh)).toBe(contactsOf(new Mesh(sphere)));
});

it('has no negative distance of an axis that a triangle meets', () => {
  const scene = new TriangleScene(groupOf(new Mesh(new PlaneGeometry(9, 9).rotateX(-Math.PI / 2))));
  const capsule = { start: new Vector3(0.1, -0.3, 0), end: new Vector3(0.1, 1, 0), radius: 0.4 };
  const contacts = intersectTriangles(scene, capsule);
  expect(Math.max(...contacts.map(({ depth }) => depth))).toBeCloseTo(0.7, 12);
  expect(Math.min(...contacts.map(({ distance }) => distance))).toBe(0);
});

it('reports the depth of a cast that starts inside, as that of the contact, and 0 after', () => {
  const scene = new TriangleScene(groupOf(new Mesh(new PlaneGeometry(9, 9).rotateX(-Math.PI / 2))));
  const shapes = [
    (y: number) => ball(0.1, y, 1),
    (y: number) => ({ start: new Vector3(0.1, y, 1), end: new Vector3(0.1, y + 1, 1), radius: 0.4 }),
    (y: number) => new Box3().setFromCenterAndSize(new Vector3(0.1, y, 1), new Vector3(0.8, 0.8, 0.8)),
  ];
  const record = new TriangleHit();
  for (const shapeAt of shapes) {
    const inside = castShape(scene, shapeAt(0.1) as never, { x: 1, y: -5, z: 0 }, {}, record)!;
    const contact = intersectTriangles(scene, shapeAt(0.1) as never).find(({ face }) => face === inside.face)!;
    expect([inside.inside, inside.depth]).toEqual([true, contact.depth]);
    expect(inside.depth).toBeGreaterThan(0.2);
    const later = castShape(scene, shapeAt(3) as never, { x: 0, y: -5, z: 0 }, {}, record)!;
    expect([later.inside, later.depth]).toEqual([false, 0]);
  }
});

it('takes the geometry of a callback also where it names a posed object', () => {
  const posed = new Mesh(new CylinderGeometry());
  posed.geometry.morphAttributes.position = [posed.geometry.attributes.position.clone()];
  posed.updateMorphTargets();
  const octree = new Octree<Mesh>();
  octree.insert({ min: { x: -3, y: -3, z: -3 }, max: { x: 3, y: 3, z: 3 } }, posed);
  const proxy = new BoxGeometry(6, 6, 6);
  const scene = new TriangleScene(octree, ({ data }, target) => {
    target.geometry = proxy;
    target.object = data;
  });
  expect(firstTriangle(scene, new Ray(new Vector3(0.1, 9, 0.2), DOWN))?.distance).toBe(6);
});

it('notices another attribute of a posed mesh, and a batch of another size', () => {
  const mesh = new Mesh(new CylinderGeometry(1, 1, 2));
  mesh.geometry.morphAttributes.position = [mesh.geometry.attributes.position.clone()];
  mesh.updateMorphTargets();
  mesh.frustumCulled = false;
  const scene = new TriangleScene(groupOf(mesh), { MeshBVH });
  const down = new Ray(new Vector3(0.1, 9, 0.2), DOWN);
  expect(firstTriangle(scene, down)?.distance).toBe(8);
  const higher = mesh.geometry.clone().translate(0, 2, 0).attributes.position as BufferAttribute;
  higher.version = 0;
  mesh.geometry.setAttribute('position', higher);
  expect(firstTriangle(scene, down)?.distance).toBe(6);

  const batch = new BatchedMesh(2, 60, 90, new MeshBasicMaterial());
  batch.addInstance(batch.addGeometry(new BoxGeometry()));
  batch.frustumCulled = false;
  const batches = new TriangleScene(groupOf(batch), { MeshBVH });
  expect(firstTriangle(batches, down)?.distance).toBe(8.5);
  batch.deleteGeometry(0);
  batch.setGeometrySize(60, 200);
  batch.addInstance(batch.addGeometry(new BoxGeometry(1, 3, 1)));
  expect(firstTriangle(batches, down)?.distance).toBe(7.5);
});

it('lets castTriangleRays be called in its own filter', () => {
  const [a, b] = [0, 5].map((x) => new Mesh(new BoxGeometry().translate(x, 0, 0)));
  const group = groupOf(a, b);
  const scene = new TriangleScene(group);
  const hits = hitsOf();
  castTriangleRays(scene, rays(0.1), hits, {
    filter: ({ object }) => {
      castTriangleRays(scene, rays(5.1), hitsOf());
      return object !== null;
    },
  });
  expect(hits.indices[0]).toBe(group.bodyOf(a)!.index);
});

it('ends a preparation while the worker is silent', async () => {
  const scene = new TriangleScene(groupOf(new Mesh(new SphereGeometry(1, 40, 20))), { MeshBVH });
  const abort = new AbortController();
  const work = prepareTriangles(scene, {
    worker: { generate: () => new Promise<never>(() => {}) },
    budget: 0.1,
    signal: abort.signal,
  });
  abort.abort(new Error('enough'));
  await expect(work).rejects.toThrow('enough');
  const stats = {} as never;
  intersectTriangles(scene, ball(1.2), { stats });
  expect((stats as { nodesVisited: number }).nodesVisited).toBeGreaterThan(0);
  await expect(prepareTriangles(scene, { signal: {} as never })).rejects.toThrow(
    'options.signal must be an AbortSignal',
  );
});

it('selects and snaps to what is drawn: not to groups without a material, or with one that is not visible', () => {
  const camera = new PerspectiveCamera(50, 1, 0.1, 100);
  camera.position.z = 5;
  camera.updateMatrixWorld();
  const element = { getBoundingClientRect: () => ({ left: 0, top: 0, width: 100, height: 100 }) };
  const geometry = new PlaneGeometry();
  geometry.addGroup(0, Infinity, 1);
  const front: Mesh = new Mesh(geometry, new MeshBasicMaterial());
  const back = new Mesh(new PlaneGeometry(), new MeshBasicMaterial());
  back.position.z = -1;
  [front.name, back.name] = ['front', 'back'];
  const scene = new TriangleScene(groupOf(front, back));
  const corners = [
    { clientX: 0, clientY: 0 },
    { clientX: 100, clientY: 100 },
  ];
  const selected = (): unknown[] => selectWithin(corners, camera, element, scene).map(({ object }) => object!.name);
  const snapped = (): unknown =>
    snap({ clientX: 51, clientY: 47 }, camera, element, scene, { pixels: 1, to: ['faceCenter', 'face'] })?.object?.name;
  expect([selected(), snapped()]).toEqual([['front', 'back'], 'front']);
  for (const material of [new MeshBasicMaterial({ visible: false }), [new MeshBasicMaterial()]]) {
    front.material = material;
    expect([selected(), snapped()]).toEqual([['back'], 'back']);
  }
  // Nor a group that names none.
  delete geometry.groups[0].materialIndex;
  expect([selected(), snapped()]).toEqual([['back'], 'back']);
});

it('says so if a moving shape does not lie within the limit of coordinates', () => {
  const scene = new TriangleScene(groupOf(new Mesh(new BoxGeometry())));
  expect(() => castShape(scene, ball(0, 0, 0, 2 ** 51), { x: 1, y: 1, z: 0 })).toThrow(
    'castShape: the far side of shape must lie within +-2^50, but is',
  );
  expect(castShape(scene, ball(0, 0, 0, 2 ** 49), { x: 1, y: 1, z: 0 })?.inside).toBe(true);
});

it('names the bodies of a distance where bodies were passed; counts hidden meshes, and no hidden instance of a batch', () => {
  const [a, b] = [0, 3].map((x) => new Mesh(new BoxGeometry().translate(x, 0, 0)));
  const batch = new BatchedMesh(1, 24, 36, new MeshBasicMaterial());
  batch.addInstance(batch.addGeometry(new BoxGeometry().translate(9, 0, 0)));
  const group = groupOf(a, b, batch);
  const scene = new TriangleScene(group);
  const [body, other] = [group.bodyOf(a)!, group.bodyOf(b)!];
  const gap = distanceBetween(scene, body, b);
  expect([gap?.body, gap?.other.body, gap?.distance]).toEqual([body, null, 2]);
  expect(distanceBetween(scene, a, other)?.other.body).toBe(other);
  b.visible = false;
  expect(distanceBetween(scene, b, { object: batch, instanceId: 0 })?.distance).toBe(5);
  batch.setVisibleAt(0, false);
  expect(distanceBetween(scene, b, { object: batch, instanceId: 0 })).toBe(null);
});

it('finds bodies that were inserted or moved since the last query', () => {
  const octree = new Octree<number>();
  const geometry = new BoxGeometry();
  const scene = new TriangleScene(octree, (body, target) => {
    target.geometry = geometry;
    target.matrix.makeTranslation(body.getBox().getCenter(new Vector3()));
  });
  const ray = new Ray(new Vector3(0, 0.1, 0.2), new Vector3(1, 0, 0));
  const distances = [500, 1e5, 1e9].map((x) => {
    octree.clear();
    octree.insert(cubeAt(x), x);
    return firstTriangle(scene, ray)?.distance;
  });
  expect(distances).toEqual([499.5, 1e5 - 0.5, 1e9 - 0.5]);
  const body = octree.insert(cubeAt(50), 50);
  body.setBox(cubeAt(1e6));
  expect(firstTriangle(scene, ray)?.distance).toBe(1e6 - 0.5);
});

/** Weak references to the parts of a scene that a query was asked in. */
function partsAfter(query: (scene: TriangleScene<Object3D>, mesh: Mesh) => unknown): WeakRef<object>[] {
  const mesh = new Mesh(new BoxGeometry());
  const group = groupOf(mesh, new Mesh(new BoxGeometry()).translateX(1.2));
  const scene = new TriangleScene<Object3D>(group, { MeshBVH });
  query(scene, mesh);
  return [scene, group, mesh, mesh.geometry].map((object) => new WeakRef(object));
}

it('holds nothing of a scene after a query', async () => {
  const camera = new PerspectiveCamera(50, 1, 0.1, 100);
  camera.position.z = 10;
  camera.updateMatrixWorld();
  const canvas = { getBoundingClientRect: () => ({ left: 0, top: 0, width: 100, height: 100 }) };
  const queries: Record<string, (scene: TriangleScene<Object3D>, mesh: Mesh) => unknown> = {
    contacts: (scene) => intersectTriangles(scene, ball(0.6)),
    cast: (scene) => castShape(scene, ball(-5), new Vector3(9, 0, 0)),
    ray: (scene) => firstTriangle(scene, new Ray(new Vector3(0, 9, 0), DOWN)),
    rays: (scene) => castTriangleRays(scene, rays(0.1), hitsOf()),
    nearest: (scene) => nearestPoint(scene, new Vector3(3, 0, 0)),
    distance: (scene, mesh) => distanceBetween(scene, mesh, mesh),
    pairs: (scene) => intersectMeshPairs(scene, { within: 1 }),
    select: (scene) =>
      selectWithin(
        [
          { clientX: 0, clientY: 0 },
          { clientX: 99, clientY: 99 },
        ],
        camera,
        canvas,
        scene,
      ),
    snap: (scene) => snap({ clientX: 50, clientY: 50 }, camera, canvas, scene),
  };
  for (const [name, query] of Object.entries(queries))
    expect([name, await countHeld(partsAfter(query))]).toEqual([name, 0]);
});
