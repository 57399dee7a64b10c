import {
  Box3,
  Frustum,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  OrthographicCamera,
  PerspectiveCamera,
  PointLight,
  Vector3,
  WebGLCoordinateSystem,
  WebGPUCoordinateSystem,
  type Camera,
  type Object3D,
} from 'three';
import { describe, expect, it, vi } from 'vitest';
import { BruteForce } from '../../../src/debug/reference/brute-force.ts';
import {
  boundsOf,
  OctreeGroup,
  OctreeInstances,
  pick,
  pickWithin,
  type Pickable,
  type PointerLike,
} from '../../../src/three.ts';
import { halfPlanesOf, selectionPlanes } from '../../../src/three/picking/screen.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { cube, geometry, material } from '../../support/three-passes.ts';
import { createTwins, scatter } from '../../support/three-scenes.ts';
import { IS_LONG } from '../../support/sampled.ts';

/** A canvas of 200 x 100 pixels, away from the corner of the window. */
const element = { getBoundingClientRect: () => ({ left: 50, top: 30, width: 200, height: 100 }) };
const everything: [PointerLike, PointerLike] = [
  { clientX: 0, clientY: 0 },
  { clientX: 999, clientY: 999 },
];

const ALL = halfPlanesOf({ left: -1, right: 1, bottom: -1, top: 1 });

interface ProjectionMode {
  readonly coordinateSystem?: Camera['coordinateSystem'];
  readonly isReversed?: boolean;
}

/** Sets the fields that a renderer sets on its cameras. */
function aimed<C extends PerspectiveCamera | OrthographicCamera>(
  camera: C,
  { coordinateSystem = WebGLCoordinateSystem, isReversed = false }: ProjectionMode = {},
): C {
  camera.position.z = 10;
  camera.coordinateSystem = coordinateSystem;
  if (isReversed) Object.assign(camera, { _reversedDepth: true });
  camera.updateProjectionMatrix();
  camera.updateMatrixWorld();
  return camera;
}

/** A camera without a far plane: the limit of three's matrix, which three itself cannot compute. */
function endless(mode: ProjectionMode): PerspectiveCamera {
  const camera = aimed(new PerspectiveCamera(60, 2, 1, 1e6), mode);
  const { elements } = camera.projectionMatrix;
  elements[10] = Math.round(elements[10]);
  elements[14] = Math.round(elements[14]);
  return camera;
}

const perspective = aimed(new PerspectiveCamera(90, 2, 0.1, 100));
const orthographic = aimed(new OrthographicCamera(-20, 20, 10, -10, 0.1, 100));

/** The window position of a world point. */
function at(x: number, y: number, z: number, camera: Camera): PointerLike {
  const place = new Vector3(x, y, z).project(camera);
  return { clientX: 50 + 100 * (place.x + 1), clientY: 30 + 50 * (1 - place.y) };
}

function namesWithin(from: PointerLike, to: PointerLike, camera: Camera, group: Pickable, options = {}): string[] {
  return pickWithin(from, to, camera, element, group, options)
    .map(({ object }) => object.name)
    .sort();
}

function randomPointer(random: Random): PointerLike {
  return { clientX: random.between(0, 300), clientY: random.between(0, 160) };
}

/**
 * Sorted names of all objects below a group that touch a frustum, or lie inside: a loop that shares no code with the
 * library.
 */
function loop(group: Object3D, { planes }: Frustum, isInside: boolean): string[] {
  const reference = new BruteForce();
  const names: string[] = [];
  group.traverseVisible((object) => {
    const bounds = boundsOf(object);
    if (bounds === null) return;
    const index = names.push(object.name) - 1;
    if (bounds instanceof Box3) reference.setBox(index, [...bounds.min.toArray(), ...bounds.max.toArray()]);
    else reference.setSphere(index, [...bounds.center.toArray(), bounds.radius]);
  });
  const touched = reference.frustum(
    planes.map(({ normal, constant }) => [...normal.toArray(), constant]),
    { exact: true },
  );
  return touched
    .filter(({ inside }) => inside || !isInside)
    .map(({ index }) => names[index])
    .sort();
}

describe('pickWithin', () => {
  it.each([
    ['a perspective', perspective],
    ['an orthographic', orthographic],
  ])('finds all objects that touch the rectangle, also behind others, with %s camera', (_, camera) => {
    const group = new OctreeGroup().add(cube(0), cube(1, 0, -50), cube(7, 4, -3), cube(-9, 0, 0));
    expect(namesWithin(at(-0.2, 0.2, 0, camera), at(0.2, -0.2, 0, camera), camera, group)).toEqual(
      camera === perspective ? ['cube 0', 'cube 1'] : ['cube 0'],
    );
    // The corners may be in any order.
    expect(namesWithin(at(8, -1, -3, camera), at(6, 5, -3, camera), camera, group)).toEqual(['cube 7']);
    expect(namesWithin(at(3, 5, 0, camera), at(4.5, 1, 0, camera), camera, group)).toEqual([]);
    expect(namesWithin(...everything, camera, group)).toEqual(['cube -9', 'cube 0', 'cube 1', 'cube 7']);
  });

  it('equals a loop over all objects, in random scenes and rectangles, with the projection of every renderer', () => {
    let found = 0;
    for (const coordinateSystem of [WebGLCoordinateSystem, WebGPUCoordinateSystem]) {
      for (const isReversed of [false, true]) {
        const mode = { coordinateSystem, isReversed };
        const cameras = [
          aimed(new PerspectiveCamera(60, 2, 1, 80), mode),
          endless(mode),
          aimed(new OrthographicCamera(-40, 40, 20, -20, 1, 80), mode),
        ];
        const { scene, group } = createTwins(1, (to, random) => scatter(to, random, 300, 50)).octree;
        group.rotation.set(0.5, 1, 0);
        scene.updateMatrixWorld();
        const random = createRandom(2);
        for (let k = 0; k < (IS_LONG ? 60 : 24); k++) {
          const camera = cameras[k % 3];
          const [from, to] = [randomPointer(random), randomPointer(random)];
          const [left, right] = [from.clientX, to.clientX]
            .sort((a, b) => a - b)
            .map((x) => Math.min(Math.max((x - 50) / 100 - 1, -1), 1));
          const [bottom, top] = [from.clientY, to.clientY]
            .sort((a, b) => b - a)
            .map((y) => Math.min(Math.max(1 - (y - 30) / 50, -1), 1));
          if (left === right || bottom === top) continue;
          const inside = k % 4 === 3;
          const expected = loop(
            group,
            new Frustum(...selectionPlanes(halfPlanesOf({ left, right, bottom, top }), camera)),
            inside,
          );
          expect(namesWithin(from, to, camera, group as OctreeGroup, { inside })).toEqual(expected);
          found += expected.length;
        }
      }
    }
    expect(found).toBeGreaterThan(700);
  });

  it('is the frustum of the camera for a rectangle that covers the element', () => {
    for (const coordinateSystem of [WebGLCoordinateSystem, WebGPUCoordinateSystem]) {
      for (const isReversed of [false, true]) {
        const camera = aimed(new PerspectiveCamera(60, 2, 1, 80), { coordinateSystem, isReversed });
        camera.setViewOffset(100, 50, 10, 20, 30, 20);
        const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
        const whole = new Frustum().setFromProjectionMatrix(matrix, coordinateSystem, isReversed);
        const planes = selectionPlanes(ALL, camera);
        planes.forEach(({ normal, constant }, k) => {
          expect(normal.distanceTo(whole.planes[k].normal)).toBeLessThan(1e-12);
          expect(constant).toBeCloseTo(whole.planes[k].constant, 9);
        });
      }
    }
  });

  it.each([
    ['a perspective', perspective],
    ['an orthographic', orthographic],
  ])('picks at a point or along a line with a rectangle without area, with %s camera', (_, camera) => {
    const group = new OctreeGroup().add(cube(0), cube(3), cube(3, 3));
    const [middle, right] = [at(0.1, 0.2, 0, camera), at(3.1, 0.2, 0, camera)];
    expect(namesWithin(middle, middle, camera, group)).toEqual(['cube 0']);
    expect(namesWithin(middle, right, camera, group)).toEqual(['cube 0', 'cube 3']);
    expect(namesWithin(at(1.5, 1, 0, camera), at(1.5, 1, 0, camera), camera, group)).toEqual([]);
  });

  it('can leave out objects that extend beyond the rectangle, near or far', () => {
    const group = new OctreeGroup().add(cube(0), cube(1), cube(2), cube(3, 0, -90));
    const corners: [PointerLike, PointerLike] = [at(-0.6, 1, 0.5, orthographic), at(1.6, -1, 0.5, orthographic)];
    expect(namesWithin(...corners, orthographic, group)).toEqual(['cube 0', 'cube 1', 'cube 2']);
    expect(namesWithin(...corners, orthographic, group, { inside: true })).toEqual(['cube 0', 'cube 1']);
    expect(namesWithin(...everything, orthographic, group, { inside: true })).toEqual(['cube 0', 'cube 1', 'cube 2']);
  });

  it('leaves out hidden objects unless includesHidden is set, and objects on other layers', () => {
    const group = new OctreeGroup().add(cube(0), cube(2), cube(4));
    group.children[0].visible = false;
    group.children[1].layers.set(2);
    expect(namesWithin(...everything, perspective, group)).toEqual(['cube 4']);
    expect(namesWithin(...everything, perspective, group, { includesHidden: true })).toEqual(['cube 0', 'cube 4']);
    const other = aimed(new PerspectiveCamera(90, 2, 0.1, 100));
    other.layers.set(2);
    expect(namesWithin(...everything, other, group)).toEqual(['cube 2']);
    group.visible = false;
    expect(namesWithin(...everything, perspective, group)).toEqual([]);
  });

  it('returns descendants one by one, and an InstancedMesh as one object', () => {
    const instances = Object.assign(new InstancedMesh(geometry, material, 2), { name: 'instances' });
    instances.setMatrixAt(0, new Matrix4());
    instances.setMatrixAt(1, new Matrix4().makeTranslation(5, 0, 0));
    const group = new OctreeGroup().add(
      cube(-8).add(cube(9)),
      new Group().add(cube(-4), new Group().add(cube(-6))),
      new PointLight(),
      instances,
    );
    group.addTree(new Group().add(cube(3, 3), new Group().add(cube(4, 4))));
    expect(namesWithin(...everything, perspective, group)).toEqual([
      'cube -4',
      'cube -6',
      'cube -8',
      'cube 3',
      'cube 4',
      'cube 9',
      'instances',
    ]);
    expect(namesWithin(at(-3.5, 1, 0, perspective), at(0.4, -1, 0, perspective), perspective, group)).toEqual([
      'cube -4',
      'instances',
    ]);
    expect(namesWithin(at(0.9, 1, 0, perspective), at(1.1, -1, 0, perspective), perspective, group)).toContain(
      'cube 9',
    );
  });

  it('returns the instances of a container whose bodies are numbers', () => {
    const records = [
      { body: { data: 7 }, inside: true },
      { body: { data: 9 }, inside: false },
    ];
    const container: Pickable = Object.assign(new Mesh(), {
      octree: { intersectFrustum: () => records },
      raycastFirst: () => null,
    });
    expect(pickWithin(...everything, perspective, element, container)).toEqual([
      { object: container, instanceId: 7 },
      { object: container, instanceId: 9 },
    ]);
    expect(pickWithin(...everything, perspective, element, container, { inside: true })).toEqual([
      { object: container, instanceId: 7 },
    ]);
  });

  it('returns the visible instances of OctreeInstances, as pick returns the nearest', () => {
    const instances = new OctreeInstances(geometry, material, 4);
    for (let k = 0; k < 4; k++) instances.setMatrixAt(k, new Matrix4().makeTranslation(2 * k, 0, -k));
    instances.setVisibleAt(2, false);
    const corners: [PointerLike, PointerLike] = [at(-1, 1, 0, orthographic), at(4.4, -1, 0, orthographic)];
    expect(
      pickWithin(...corners, orthographic, element, instances)
        .map(({ object, instanceId }) => `${object === instances} ${instanceId}`)
        .sort(),
    ).toEqual(['true 0', 'true 1']);
    expect(pick(at(2.1, 0.1, 0, orthographic), orthographic, element, instances)!.instanceId).toBe(1);
    expect(pick(at(4.1, 0.1, 0, orthographic), orthographic, element, instances)).toBeNull();
    // It has tested their layers, as a renderer does before it reads their children.
    pickWithin(...corners, orthographic, element, instances);
    expect([instances.isMesh, instances.children]).toEqual([true, []]);
    instances.layers.set(3);
    expect(pickWithin(...corners, orthographic, element, instances)).toEqual([]);
    expect(pick(at(2.1, 0.1, 0, orthographic), orthographic, element, instances)).toBeNull();
  });

  it('works before the first frame and under a group that has moved, and is empty outside the element', () => {
    const group = new OctreeGroup().add(cube(0));
    const middle = at(0, 0, 0, perspective);
    expect(namesWithin(middle, middle, perspective, group)).toEqual(['cube 0']);
    group.position.x = 5;
    group.updateMatrixWorld();
    expect(namesWithin(middle, middle, perspective, group)).toEqual([]);
    expect(namesWithin(at(5, 0, 0, perspective), at(5, 0, 0, perspective), perspective, group)).toEqual(['cube 0']);
    const small = { getBoundingClientRect: () => ({ left: 0, top: 0, width: 0, height: 0 }) };
    expect(pickWithin({ clientX: 0, clientY: 0 }, { clientX: 9, clientY: 9 }, perspective, small, group)).toEqual([]);
    expect(namesWithin({ clientX: 0, clientY: 40 }, { clientX: 49, clientY: 60 }, perspective, group)).toEqual([]);
  });

  it('returns objects in the order of the octree, without an instanceId', () => {
    const random = createRandom(3);
    const group = new OctreeGroup();
    for (let k = 0; k < 60; k++) group.add(cube(random.between(-9, 9), random.between(-4, 4), random.between(-9, 5)));
    const seen = group.octree.intersectFrustum(new Frustum(...selectionPlanes(ALL, perspective)), { exact: true });
    const picked = pickWithin(...everything, perspective, element, group);
    expect(picked.map(({ object }) => object.name)).toEqual(seen.map(({ body }) => body.data.name));
    expect(new Set(picked.flatMap((one) => Object.keys(one)))).toEqual(new Set(['object']));
  });

  it('returns the instances of OctreeInstances that has children, and no child', () => {
    const instances = new OctreeInstances(geometry, material, 1).add(cube(3));
    instances.setMatrixAt(0, new Matrix4());
    expect(pickWithin(...everything, perspective, element, instances)).toEqual([{ object: instances, instanceId: 0 }]);
  });

  it('returns OctreeInstances in a group as one object, where its visible instances are', () => {
    const instances = new OctreeInstances(geometry, material, 2);
    instances.setMatrixAt(1, new Matrix4().makeTranslation(2, 0, 0)).setVisibleAt(0, false);
    const group = new OctreeGroup().add(instances);
    const camera = aimed(new PerspectiveCamera(50, 2, 1, 100));
    expect(pickWithin(...everything, camera, element, group)).toEqual([{ object: instances }]);
    const middle = { clientX: 150, clientY: 80 };
    expect(pickWithin(middle, middle, camera, element, group)).toEqual([]);
    instances.setVisibleAt(1, false);
    expect(pickWithin(...everything, camera, element, group)).toEqual([]);
  });

  it('finds objects beyond the limit of an octree, and none with a NaN', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const far = Object.assign(cube(0, 0, -1e19), { name: 'far' });
    far.scale.setScalar(1e18);
    const group = new OctreeGroup().add(far, cube(1e19), cube(NaN), cube(0));
    group.updateMatrixWorld();
    const camera = endless({});
    for (const options of [{}, { inside: true }])
      expect(namesWithin(...everything, camera, group, options)).toEqual(['cube 0', 'far']);
    const [from, to] = [at(2, 2, 0, camera), at(5, 5, 0, camera)];
    expect(namesWithin(from, to, camera, group)).toEqual([]);
    // A part of it is in the rectangle, and its centre is not.
    const part = [at(0.1, 0.1, 0, camera), to] as const;
    expect(namesWithin(...part, camera, group)).toContain('far');
    expect(namesWithin(...part, camera, group, { inside: true })).toEqual([]);
    // Rectangles beside the element, with the camera inside of the object.
    far.scale.setScalar(1e20);
    group.updateMatrixWorld();
    for (const [x, y] of [
      [-100, 80],
      [300, 80],
      [150, -100],
      [150, 300],
    ])
      expect(namesWithin({ clientX: x, clientY: y }, { clientX: x + 9, clientY: y + 9 }, camera, group)).toEqual([]);
    warn.mockRestore();
  });

  it('refuses a corner without a position, and a camera with NaN', () => {
    const group = new OctreeGroup();
    expect(() => pickWithin({} as never, everything[1], perspective, element, group)).toThrow(
      /^pickWithin: from must have a finite clientX/,
    );
    expect(() => pickWithin(everything[0], { clientX: 0, clientY: NaN }, perspective, element, group)).toThrow(
      /^pickWithin: to must have .* NaN/,
    );
    const broken = aimed(new PerspectiveCamera(NaN, 2, 0.1, 100));
    expect(() => pickWithin(...everything, broken, element, group)).toThrow(
      /^pickWithin: the matrices of camera must not hold NaN, but those of the PerspectiveCamera with id/,
    );
  });

  it('refuses wrong corners, cameras, elements, containers and options', () => {
    const group = new OctreeGroup();
    const [from, to] = everything;
    expect(() => pickWithin(null as never, to, perspective, element, group)).toThrow(
      new TypeError('pickWithin: from must be an object, but is null; pass the event, or one of its touches.'),
    );
    expect(() => pickWithin(from, 7 as never, perspective, element, group)).toThrow(
      'pickWithin: to must be an object, but is 7',
    );
    expect(() => pickWithin(from, to, group as never, element, group)).toThrow(
      /^pickWithin: camera must be a Camera, but is the Group with id \d+; pass the camera that renders the element/,
    );
    expect(() => pickWithin(from, to, perspective, undefined as never, group)).toThrow(
      'pickWithin: element must have a getBoundingClientRect, but is undefined',
    );
    expect(() => pickWithin(from, to, perspective, element, new Group() as never)).toThrow(
      /^pickWithin: container must be an OctreeGroup or an OctreeInstances, but is the Group with id \d+; add the objects/,
    );
    expect(() => pickWithin(from, to, perspective, element, group, { isInside: true } as never)).toThrow(
      new TypeError('pickWithin: unknown option isInside, which is true; use inside, includesHidden, renderer.'),
    );
    for (const options of [null, { inside: 1 }, { includesHidden: 'no' }]) {
      expect(() => pickWithin(from, to, perspective, element, group, options as never)).toThrow(
        /^pickWithin: options(\.inside|\.includesHidden)? must be/,
      );
    }
  });
});
