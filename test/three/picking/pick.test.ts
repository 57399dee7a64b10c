import {
  BoxGeometry,
  CubeCamera,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  OrthographicCamera,
  PerspectiveCamera,
  Points,
  Raycaster,
  Sphere,
  Vector3,
  WebGLCubeRenderTarget,
  type Camera,
} from 'three';
import { acceleratedRaycast, MeshBVH } from 'three-mesh-bvh';
import { describe, expect, it, vi } from 'vitest';
import { Octree } from '../../../src/index.ts';
import { OctreeGroup, pick, pickWithin, type HitFilter } from '../../../src/three.ts';
import { cube } from '../../support/three-passes.ts';

/** A canvas of 200 x 100 pixels, away from the corner of the window. */
const element = { getBoundingClientRect: () => ({ left: 50, top: 30, width: 200, height: 100 }) };
const perspective = new PerspectiveCamera(90, 2, 0.1, 100);
const orthographic = new OrthographicCamera(-20, 20, 10, -10, 0.1, 100);
for (const camera of [perspective, orthographic]) {
  camera.position.z = 10;
  camera.updateMatrixWorld();
}

/** The window position of a world point. */
function at(x: number, y: number, z: number, camera: Camera): { clientX: number; clientY: number } {
  const place = new Vector3(x, y, z).project(camera);
  return { clientX: 50 + 100 * (place.x + 1), clientY: 30 + 50 * (1 - place.y) };
}

const isBelow: HitFilter = (_, __, { point }) => point.z < -5;

/** Undefined of objects without a mark. */
const isMarked: HitFilter = ({ userData }) => userData.isMarked;

describe('pick', () => {
  it.each([
    ['a perspective', perspective],
    ['an orthographic', orthographic],
  ])('finds the nearest object under the pointer, with %s camera', (_, camera) => {
    const group = new OctreeGroup().add(cube(0), cube(0, 0, -5), cube(7, 4, -3));
    expect(pick(at(0.2, 0.2, 0.5, camera), camera, element, group)!.object).toBe(group.children[0]);
    expect(pick(at(7, 4, -3, camera), camera, element, group)!.object).toBe(group.children[2]);
    expect(pick(at(-7, 4, 0, camera), camera, element, group)).toBeNull();
  });

  it('is null outside the element and in an element without a size', () => {
    const group = new OctreeGroup().add(new Mesh(new BoxGeometry(900, 900, 1), new MeshBasicMaterial()));
    for (const [clientX, clientY, hits] of [
      [50, 30, true],
      [250, 130, true],
      [49, 80, false],
      [251, 80, false],
      [150, 29, false],
      [150, 131, false],
    ] as const) {
      expect(pick({ clientX, clientY }, perspective, element, group) !== null).toBe(hits);
    }
    expect(
      pick(
        { clientX: 0, clientY: 0 },
        perspective,
        { getBoundingClientRect: () => ({ left: 0, top: 0, width: 0, height: 0 }) },
        group,
      ),
    ).toBeNull();
  });

  it('passes through hidden objects, unless includesHidden is set, and through other layers', () => {
    const group = new OctreeGroup().add(cube(0), cube(0, 0, -5));
    const [front, back] = group.children;
    const pointer = at(0.1, 0.1, 0, perspective);
    front.visible = false;
    expect(pick(pointer, perspective, element, group)!.object).toBe(back);
    expect(pick(pointer, perspective, element, group, { includesHidden: true })!.object).toBe(front);
    front.visible = true;
    front.layers.set(2);
    expect(pick(pointer, perspective, element, group)!.object).toBe(back);
    group.visible = false;
    expect(pick(pointer, perspective, element, group)).toBeNull();
  });

  it('passes through what the filter refuses: objects, and with firstHitOnly single hits of one', () => {
    const group = new OctreeGroup().add(cube(0), cube(0, 0, -5));
    const [front, back] = group.children as Mesh[];
    const pointer = at(0.1, 0.1, 0, perspective);
    const asked: unknown[] = [];
    const filter: HitFilter = (object, instanceId, hit) => {
      asked.push([object, instanceId, hit.object]);
      return object !== front;
    };
    expect(pick(pointer, perspective, element, group, { filter })!.object).toBe(back);
    expect(asked).toContainEqual([front, undefined, front]);
    expect(pick(pointer, perspective, element, group, { filter: () => false })).toBeNull();
    const plain = new Raycaster();
    expect(pick(pointer, perspective, element, group, { filter: isMarked, raycaster: plain })).toBeNull();
    expect('firstHitOnly' in plain).toBe(false);
    asked.length = 0;
    front.visible = false;
    expect(pick(pointer, perspective, element, group, { filter })!.object).toBe(back);
    expect(asked.some((one) => (one as unknown[])[0] === front)).toBe(false);

    back.material = new MeshBasicMaterial({ side: DoubleSide });
    back.geometry = new BoxGeometry(2, 2, 2);
    back.geometry.boundsTree = new MeshBVH(back.geometry);
    back.raycast = acceleratedRaycast;
    const raycaster = Object.assign(new Raycaster(), { firstHitOnly: true });
    const inner = pick(pointer, perspective, element, group, { filter: isBelow, raycaster })!;
    expect([inner.object, inner.point.z.toFixed(3)]).toEqual([back, '-6.000']);
    expect(raycaster.firstHitOnly).toBe(true);
    // It costs one ray if none is refused.
    const accept = vi.fn(() => true);
    pick(pointer, perspective, element, group, { filter: accept, raycaster });
    expect(accept).toHaveBeenCalledTimes(1);
  });

  it('hits an object without a material, by a raycast of its own', () => {
    const sphere = Object.assign(new Object3D(), { boundingSphere: new Sphere(new Vector3(), 1) });
    sphere.raycast = ({ ray }, hits) => {
      const point = ray.intersectSphere(sphere.boundingSphere, new Vector3());
      if (point !== null) hits.push({ object: sphere, point, distance: point.distanceTo(ray.origin) });
    };
    const group = new OctreeGroup().add(sphere);
    const pointer = at(0.1, 0.1, 0, perspective);
    expect(pick(pointer, perspective, element, group)!.object).toBe(sphere);
    expect(pickWithin(pointer, pointer, perspective, element, group)).toEqual([{ object: sphere }]);
  });

  it('uses the thresholds of a raycaster', () => {
    const group = new OctreeGroup().add(new Points(new BoxGeometry(4, 4, 4)));
    const raycaster = new Raycaster();
    raycaster.params.Points.threshold = 0.1;
    expect(pick(at(0, 0, 0, perspective), perspective, element, group, { raycaster })).toBeNull();
    raycaster.params.Points.threshold = 4;
    expect(pick(at(0, 0, 0, perspective), perspective, element, group, { raycaster })!.index).toBeGreaterThanOrEqual(0);
  });

  it('refuses a pointer without a position', () => {
    const group = new OctreeGroup();
    expect(() => pick({} as never, perspective, element, group)).toThrow(
      new TypeError(
        'pick: pointer must have a finite clientX and clientY, but has undefined and undefined; pass the event, or one of its touches.',
      ),
    );
    expect(() => pick({ clientX: 1, clientY: Infinity }, perspective, element, group)).toThrow(RangeError);
    for (const [clientX, clientY] of [
      [1, '2'],
      ['1', 2],
    ] as never[][])
      expect(() => pick({ clientX, clientY }, perspective, element, group)).toThrow(TypeError);
    expect(() => pick(null as never, perspective, element, group)).toThrow(
      new TypeError('pick: pointer must be an object, but is null; pass the event, or one of its touches.'),
    );
  });

  it('refuses wrong cameras, elements, containers and options before it changes the raycaster', () => {
    const group = new OctreeGroup();
    const raycaster = new Raycaster(new Vector3(1, 2, 3));
    const place = at(0, 0, 0, perspective);
    const refused = (values: {
      camera?: unknown;
      element?: unknown;
      container?: unknown;
      options?: unknown;
    }): (() => unknown) => {
      const all = { camera: perspective, element, container: group, options: { raycaster }, ...values };
      return () =>
        pick(place, all.camera as Camera, all.element as never, all.container as never, all.options as never);
    };
    const isCamera = 'camera must be a PerspectiveCamera or an OrthographicCamera, but is';
    expect(refused({ camera: null })).toThrow(
      new TypeError(`pick: ${isCamera} null; pass the camera that renders the element.`),
    );
    expect(
      refused({ camera: Object.assign(new CubeCamera(1, 9, new WebGLCubeRenderTarget()), { name: 'sky' }) }),
    ).toThrow(`${isCamera} the CubeCamera "sky"`);
    expect(refused({ element: null })).toThrow(
      new TypeError('pick: element must have a getBoundingClientRect, but is null; pass renderer.domElement.'),
    );
    expect(refused({ element: {} })).toThrow('pick: element must have a getBoundingClientRect, but is an object;');
    const isContainer = 'pick: container must be an OctreeGroup or an OctreeInstances, but is';
    const plain = Object.assign(new Group(), { name: 'trees' });
    expect(refused({ container: plain })).toThrow(
      new TypeError(`${isContainer} the Group "trees"; add the objects to one, or use the Raycaster of three.`),
    );
    for (const container of [undefined, new Mesh(), {}, [group], new Octree()])
      expect(refused({ container })).toThrow(isContainer);
    expect(refused({ options: null })).toThrow('pick: options must be an object, but is null');
    expect(refused({ options: { includesHidden: 1 } })).toThrow(
      'pick: options.includesHidden must be true or false, but is 1',
    );
    expect(refused({ options: { includeHidden: true } })).toThrow(
      new TypeError(
        'pick: unknown option includeHidden, which is true; use filter, includesHidden, raycaster, renderer.',
      ),
    );
    expect(refused({ options: { filter: 'house' } })).toThrow(
      new TypeError(`pick: options.filter must be a function, but is the string "house"; leave it out for none.`),
    );
    expect(refused({ options: { raycaster: {} } })).toThrow(
      new TypeError('pick: options.raycaster must be a Raycaster, but is an object; leave it out if unsure.'),
    );
    expect(raycaster.ray.origin.toArray()).toEqual([1, 2, 3]);
    expect(pick(place, perspective, element, group, {})).toBeNull();
  });
});
