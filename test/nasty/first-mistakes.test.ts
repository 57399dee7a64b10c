/** Mistakes of a first hour with the library. Each ends in a sentence that says what to do instead. */

import {
  Box3,
  BoxGeometry,
  Frustum,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  PerspectiveCamera,
  Ray,
  Raycaster,
  Scene,
  Sphere,
  Vector2,
  Vector3,
  type WebGLRenderer,
} from 'three';
import { describe, expect, it } from 'vitest';
import {
  Capsule,
  castRays,
  castSphere,
  collectVisible,
  Convex,
  CustomVolume,
  idOf,
  IndexList,
  indexOfId,
  intersect,
  intersectPairs,
  nearest,
  Octree,
  onIntersection,
  RayRange,
  Segment,
  setOccluder,
  translate,
  watch,
  watchDistances,
} from '../../src/index.ts';
import {
  boundsOf,
  OcclusionCulling,
  OctreeGroup,
  OctreeHelper,
  OctreeInstances,
  pick,
  PoseBounds,
  ShadowUpdates,
  StaticBatches,
  ViewChanges,
} from '../../src/three.ts';
import { validate } from '../../src/debug/index.ts';

const octree = new Octree<string>();
const box = new Box3(new Vector3(), new Vector3(1, 1, 1));
const sphere = new Sphere(new Vector3(), 1);
const ray = new Ray(new Vector3(), new Vector3(1, 0, 0));
const body = octree.insert(sphere, 'ball');
const removed = octree.insert(sphere, 'gone');
removed.remove();
const raycaster = new Raycaster();
const camera = new PerspectiveCamera();
const frustum = new Frustum().setFromProjectionMatrix(camera.projectionMatrix);
const group = new OctreeGroup();
const world = new Scene().add(group);
const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
const instances = new OctreeInstances(mesh.geometry, mesh.material, 3);
const renderer = { shadowMap: {}, getDrawingBufferSize() {} } as unknown as WebGLRenderer;
const canvas = { getBoundingClientRect() {} } as unknown as HTMLElement;
const click = { clientX: 1, clientY: 1 };
const list = new IndexList();
const other = (value: unknown): never => value as never;

const VOLUMES = 'for a Box3 use intersectBox.';
const INSTANCES = 'pass new InstanceChanges(instances).';
const READ_ONLY = 'the octree of an OctreeGroup is read-only; change its children.';
const FRUSTUM = 'frustum.planes must be an array, but is undefined; pass a Frustum after setFromProjectionMatrix.';

describe('a first mistake says what to do instead', () => {
  it.each<[mistake: string, call: () => unknown, sentence: string]>([
    // Shapes
    ['a box as volume', () => intersect(octree, other(box)), VOLUMES],
    ['a sphere as volume', () => intersect(octree, other(sphere)), VOLUMES],
    ['a frustum as volume', () => intersect(octree, other(new Frustum())), VOLUMES],
    ['callbacks as volume', () => intersect(octree, other({ touchesBox() {} })), 'Convex or CustomVolume;'],
    ['a function as volume', () => new CustomVolume(other(() => true)), 'pass {overlap, touchesBox, touchesSphere}.'],
    [
      "the arguments of three's Capsule",
      () => new (Capsule as unknown as new (...args: unknown[]) => Capsule)(new Vector3(), new Vector3(), 1),
      'Capsule: capsule.start must be an object, but is undefined; pass a Vector3 or {x, y, z}.',
    ],
    ['two points as segment', () => new Segment(other(box.min)), 'segment.start must be an object, but is undefined;'],
    ['points as planes', () => new Convex(other([box.min])), 'pass planes with normal and constant.'],
    ['a mesh as point', () => nearest(octree, other(mesh), 1), 'nearest: point must have x, y and z, but is a Mesh;'],
    ['a body as point', () => nearest(octree, other(body), 1), 'but is a Body; pass body.getSphere().center.'],
    ['an array as point', () => nearest(octree, other([0, 0, 0]), 1), 'but is an array; pass a Vector3 or {x, y, z}.'],
    ['a ray as point', () => nearest(octree, other(ray), 1), 'but is a ray; pass new RayRange(ray).'],
    ['a sphere as point', () => octree.intersectPoint(other(sphere)), 'point must have x, y and z, but is a Sphere;'],
    ['a mesh as box', () => octree.intersectBox(other(mesh)), 'but is a Mesh; pass new Box3().setFromObject(object).'],
    ['a body as box', () => octree.intersectBox(other(body)), 'but is a Body; pass body.getBox().'],
    ['a sphere as box', () => body.setBox(other(sphere)), 'Body.setBox: box must have min and max, but is a Sphere;'],
    ['two corners as box', () => octree.intersectBox(other(box.min)), 'but is a Vector3; pass a Box3 or {min, max}.'],
    ['a body as sphere', () => octree.intersectSphere(other(body)), 'but is a Body; pass body.getSphere().'],
    [
      'a point and a radius',
      () => body.setSphere(other(box.min)),
      'but is a Vector3; pass a Sphere or {center, radius}.',
    ],
    ['a point that is cast', () => castSphere(octree, other(box.min), box.max), 'sphere must have center and radius,'],
    ['a sphere without radius', () => octree.insert(new Sphere(), ''), 'sphere.radius must be 0 or more, but is -1;'],
    ['a distance as motion', () => castSphere(octree, sphere, other(80)), 'motion must be an object, but is 80;'],
    ['three numbers as centre', () => body.setCenter(other(1)), 'pass a Vector3 or {x, y, z}.'],
    ['three numbers as vector', () => translate(octree, other(5)), 'vector must be an object, but is 5;'],
    ['a mesh as bounds', () => octree.insert(other(mesh), ''), 'for a mesh new Box3().setFromObject(mesh).'],
    ['a point as bounds', () => octree.insert(other(box.max), ''), 'pass a Box3 or a Sphere, of radius 0 for a point;'],
    ['data as bounds', () => octree.insert(other('x'), other(box)), 'bounds must be an object, but is the string "x";'],
    ['the box of nothing', () => octree.insert(new Box3().setFromObject(new Group()), ''), 'the box is empty, because'],
    ['a geometry as object', () => boundsOf(other(mesh.geometry)), 'object must be an Object3D, but is a BoxGeometry;'],
    ['a frustum that was never set', () => octree.intersectFrustum(new Frustum()), 'frustum must be set, but is new;'],
    ['a camera as frustum', () => octree.intersectFrustum(other(camera)), FRUSTUM],
    ['a matrix as frustum', () => octree.intersectFrustum(other(new Matrix4())), FRUSTUM],
    ['a raycaster as ray', () => octree.firstHit(other(raycaster)), 'but is a Raycaster; pass raycaster.ray.'],
    [
      'origin and direction as ray',
      () => octree.firstHit(other(box.min)),
      'but is a Vector3; pass a Ray or {origin, d',
    ],
    [
      'a ray without direction',
      () => octree.firstHit(new Ray(box.min, box.min)),
      'ray.direction must not be of length 0',
    ],
    ['a raycaster as part of a ray', () => new RayRange(other(raycaster), 0, 1), 'pass raycaster.ray.'],
    ['an array of rays', () => castRays(octree, other([raycaster.ray]), other({})), 'seven numbers per ray.'],
    ['rays of six numbers', () => castRays(octree, new Float64Array(6), other({})), 'must have seven numbers per ray,'],
    // Octrees and bodies
    ['a group as octree', () => castSphere(other(group), sphere, box.max), 'an OctreeGroup; pass one first, such as g'],
    [
      'no octree',
      () => nearest(other(box.min), other(octree), 1),
      'must be an Octree, but is a Vector3; pass one first',
    ],
    ['a group to validate', () => validate(other(group)), 'must be an Octree, but is an OctreeGroup; pass one first'],
    ['an index of a listener', () => onIntersection(octree, other(0), () => {}), 'body must be a Body, but is 0;'],
    ['a mesh as occluder', () => setOccluder(octree, other(mesh), true), 'pass what insert or bodyAt returned.'],
    ['a mesh to leave out', () => octree.firstHit(ray, { except: other(mesh) }), 'be a Body, but is a Mesh;'],
    [
      'a file to remove',
      () => octree.remove(other('name '.repeat(9999))),
      `the string "${'name '.repeat(8)}..."; pass what`,
    ],
    ['data to remove', () => octree.remove(other('ball')), 'body must be a Body, but is the string "ball";'],
    ['bodies to remove', () => octree.removeMany(other([body])), 'pass the index of a body.'],
    ['a move after the end', () => removed.setSphere(sphere), 'this body was removed; insert a new one.'],
    ['the index of no hit', () => octree.bodyAt(-1), 'must be the index of a living body, but is -1;'],
    ['the id of a body', () => idOf(octree, other(body)), 'index must be a number, but is a Body;'],
    ['an id as index', () => octree.bodyAt(2 ** 32), 'living body, but is 4294967296; of an id pass indexOfId.'],
    ['no number of a body', () => octree.bodyAt(Infinity), 'but is Infinity; its body was removed or never existed,'],
    ['ids as indices', () => octree.moveMany([2 ** 32 + 1], new Float32Array(3)), '; of an id pass indexOfId.'],
    ['an index as id', () => indexOfId(octree, 0), 'pass what idOf or idsOf has returned.'],
    [
      'boxes by size',
      () => octree.insertMany(new Float32Array([9, 9, 9, 1, 1, 1]), { kind: 'box' }),
      'is above max.x, 1',
    ],
    ['bounds of no kind', () => octree.insertMany(new Float32Array(6), other(undefined)), "pass {kind: 'box'} or"],
    [
      'bounds as objects',
      () => octree.insertMany(other([box]), { kind: 'box' }),
      'must be a Float32Array or a Float64A',
    ],
    ['moves of bodies', () => octree.moveMany(other([body]), new Float32Array(4)), 'pass the index of a body.'],
    // Arguments and options
    ['a box of cells', () => new Octree(other(box)), 'Octree: options must be a plain object, but is a Box3; pass {}'],
    ['an edge of 100', () => new Octree({ region: { min: box.min, edge: 100 } }), 'but is 100; round it up.'],
    ['a box as region', () => new Octree({ region: other(box) }), 'but is undefined; pass {min, edge}, a cube.'],
    ['a distance as options', () => intersectPairs(octree, other(10)), 'but is 10; pass {}, or one with mask, filter,'],
    ['an option of another name', () => octree.insert(box, '', other({ static: true })), 'unknown option static'],
    [
      'names as mask',
      () => octree.firstHit(ray, { mask: other('walls') }),
      'options.mask must be a number, but is the',
    ],
    ['an array as list', () => octree.collectFrustum(frustum, other([])), 'make one with new IndexList().'],
    [
      'a list as target',
      () => octree.intersectBox(box, {}, other(list)),
      'target must be an array, but is an IndexList;',
    ],
    ['a count left out', () => nearest(octree, box.min, other({ maxDistance: 5 })), 'pass how many bodies you want.'],
    [
      'a callback as options',
      () =>
        watch(
          octree,
          sphere,
          other(() => {}),
        ),
      'pass {}, or one with mask, filter, onEnter',
    ],
    ['a mesh as room', () => watch(octree, other(mesh)), 'but is a Mesh; pass new Box3().setFromObject(object).'],
    ['a body as room', () => watch(octree, other(body)), 'but is a Body; pass body.getBox().'],
    ['callbacks of other names', () => watch(octree, sphere, other({ enter() {} })), 'unknown option enter'],
    ['bands that descend', () => watchDistances(octree, box.min, [9, 5]), 'distances must ascend, but 5 follows 9'],
    ['a time as text', () => octree.update(other('16')), 'pass the seconds since the last frame.'],
    [
      'a flat camera',
      () => collectVisible(octree, new OrthographicCamera(), list),
      'use octree.collectFrustum for it.',
    ],
    [
      'JSON of an octree',
      () => JSON.stringify(octree),
      'Octree: save body.data and body.getBox() of each body, and insert',
    ],
    ['a clone of an octree', () => structuredClone({ octree }), 'Octree: save body.data and body.getBox()'],
    // Containers
    ['meshes of a group', () => new OctreeGroup(other([mesh])), 'but is an array; add them by add(...objects) or addT'],
    [
      'a root of a group',
      () => new OctreeGroup(other(new Group())),
      'but is a Group; add them by add(...objects) or ad',
    ],
    ['a glTF as tree', () => group.addTree(other({ scene: mesh })), 'pass gltf.scene.'],
    [
      'a scene in its own group',
      () => group.addTree(world),
      'an Object3D that does not hold the group, but is a Scene;',
    ],
    ['a flag as options', () => group.addTree(mesh, other(true)), 'but is true; pass {}, or one with isStatic'],
    [
      'a name as part',
      () => group.setStatic(other('crane')),
      'but is the string "crane"; pass the object, as of group',
    ],
    ['a mesh elsewhere', () => group.reportMove(mesh), 'which has no parent; add it first.'],
    ['an insert into a group', () => (group.octree as unknown as Octree).insert(box, 0), READ_ONLY],
    ['pixels as a size', () => (group.minScreenSize = 2), 'for two pixels 2 / renderer.domElement.height.'],
    ['a ray of a group', () => group.raycastFirst(other(ray)), 'must be a Raycaster, but is a Ray;'],
    ['a scene in batches', () => new StaticBatches(other(new Group())), 'pass new OctreeGroup().addTree(root).'],
    ['a mesh with poses', () => new PoseBounds(other(mesh)), 'must be an OctreeGroup, but is a Mesh; create one.'],
    [
      'occlusion of no view',
      () => new OcclusionCulling(group, other(undefined)),
      'pass the camera that you render with.',
    ],
    [
      'a helper of a scene',
      () => new OctreeHelper(other(world)),
      'pass an Octree, an OctreeGroup or an OctreeInstances.',
    ],
    [
      'a mesh with copies',
      () => new OctreeInstances(other(mesh)),
      'geometry must be a BufferGeometry, but is the Mesh',
    ],
    [
      'no count',
      () => new OctreeInstances().setMatrixAt(0, new Matrix4()),
      'use ids below the count that you pass to the',
    ],
    ['a place as matrix', () => instances.setMatrixAt(0, other(box.min)), 'pass a Matrix4.'],
    [
      'a number of copies',
      () => instances.addInstances(other(100)),
      'pass an array with 16 numbers for each instance.',
    ],
    ['a level of shadows below 0', () => (instances.shadowLevel = -1), 'must be an integer from 0, but is -1;'],
    [
      'the name of a level',
      () => (instances.shadowLevel = other('low')),
      'pass 0 for the finest, or null for the level',
    ],
    ['a level of no distance', () => instances.addLevel(mesh.geometry, other(undefined)), 'pass world units.'],
    [
      'a level of a material',
      () => instances.addLevel(mesh.geometry, 9, other(mesh.material)),
      'a fraction of the dist',
    ],
    [
      'a copy of an InstancedMesh',
      () => instances.clone().copy(new InstancedMesh(mesh.geometry, mesh.material, 1)),
      'use addInstances(mesh.instanceMatrix.array).',
    ],
    ['instances whose shadows change', () => new ShadowUpdates(new Scene(), renderer, [other(instances)]), INSTANCES],
    ['instances in views', () => new ViewChanges(new Scene(), renderer, [other(instances)]), INSTANCES],
    ['a group without brackets', () => new ShadowUpdates(new Scene(), renderer, other(group)), 'pass [group].'],
    ['a scene of shadows second', () => new ShadowUpdates(other(renderer), other(world)), 'pass the renderer.'],
    // Picking
    [
      'a camera first',
      () => pick(other(camera), other(click), canvas, group),
      'pass the camera that renders the element.',
    ],
    ['a renderer as element', () => pick(click, camera, other(renderer), group), 'pass renderer.domElement.'],
    [
      'a scene as container',
      () => pick(click, camera, canvas, other(world)),
      'an OctreeInstances, but is the Scene with',
    ],
    [
      'a vector as pointer',
      () => pick(other(box.min), camera, canvas, group),
      'pass the event, in pixels, not coordinates from -1 to 1.',
    ],
    [
      'bounds before indices',
      () => octree.moveMany(other(new Float32Array(6)), other(new Uint32Array(1))),
      'but is an Uint32Array; pass the indices first.',
    ],
    [
      'a filter as options',
      () =>
        pick(
          click,
          camera,
          canvas,
          group,
          other(() => true),
        ),
      'includesHidden, raycaster, ren',
    ],
  ])('%s', (_, call, sentence) => {
    expect(call).toThrow(sentence);
  });

  it('a second ShadowUpdates for a scene, until the first is disposed', () => {
    const scene = new Scene();
    const first = new ShadowUpdates(scene, renderer);
    expect(() => new ShadowUpdates(scene, renderer)).toThrow('scene has one already; dispose it first.');
    // A clone of the scene has a clone of the additional child, which does nothing.
    new ShadowUpdates(scene.clone(), renderer).dispose();
    first.dispose();
    expect(new ShadowUpdates(scene, renderer).due).toEqual([]);
  });
});

describe('what may be a mistake, and has a right answer', () => {
  const row = new Octree<number>();
  for (let x = 0; x < 9; x++) row.insert(new Sphere(new Vector3(x, 0, 0), 0.25), x);
  it.each<[call: string, count: () => number]>([
    ['near above far', () => row.intersectRay(ray, { near: 5, far: 2 }).length],
    ['a first hit with near above far', () => Number(row.firstHit(ray, { near: 5, far: 2 }) !== null)],
    ['a part of a ray that ends before it begins', () => nearest(row, new RayRange(ray, 5, 2), 9).length],
    ['no category', () => row.intersectRay(ray, { mask: 0 }).length],
    ['an empty box', () => row.intersectBox(new Box3()).length],
    ['a filter that returns nothing', () => row.intersectRay(ray, { filter: other(() => {}) }).length],
    ['no neighbours', () => nearest(row, ray.origin, 0).length],
  ])('%s: nothing is found', (_, count) => {
    expect(count()).toBe(0);
  });

  it('a camera whose near is above its far: as in three', () => {
    const inverted = new PerspectiveCamera(60, 1, 6, 2);
    inverted.lookAt(1, 0, 0);
    inverted.updateMatrixWorld();
    const projection = new Matrix4().multiplyMatrices(inverted.projectionMatrix, inverted.matrixWorldInverse);
    const planes = new Frustum().setFromProjectionMatrix(projection);
    const seen = row.intersectFrustum(planes).map(({ body: { data } }) => data);
    expect(new Set(seen)).toEqual(
      new Set(
        Array.from(row)
          .filter((one) => planes.intersectsSphere(one.getSphere()))
          .map(({ data }) => data),
      ),
    );
  });

  it('a ray, or a pick, after a move of an object or of the camera and before the frame: as a plain Group', () => {
    const view = new PerspectiveCamera(60, 1, 0.1, 100);
    view.position.z = 10;
    const image = { left: 0, top: 0, width: 2, height: 2, right: 2, bottom: 2 };
    const element = { getBoundingClientRect: () => image, clientWidth: 2, clientHeight: 2 } as unknown as HTMLElement;
    const containers = [new Group(), new OctreeGroup()] as const;
    for (const container of containers) container.add(mesh.clone()).updateMatrixWorld();
    const compare = (): boolean => {
      const center = new Raycaster();
      center.setFromCamera(new Vector2(), view);
      const [plain, hit] = containers.map((container) => center.intersectObject(container).length > 0);
      expect(hit).toBe(plain);
      expect(containers[1].raycastFirst(center) !== null).toBe(plain);
      expect(pick(click, view, element, containers[1]) !== null).toBe(plain);
      return plain;
    };
    // The camera was never updated: it still is at 0, in the mesh.
    expect(compare()).toBe(false);
    view.updateMatrixWorld();
    expect(compare()).toBe(true);
    for (const container of containers) container.children[0].position.x = 50;
    expect(compare()).toBe(true);
    for (const container of containers) container.updateMatrixWorld();
    expect(compare()).toBe(false);
  });
});
