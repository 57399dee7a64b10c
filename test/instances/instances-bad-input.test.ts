// Errors of OctreeInstances name the wrong value and are thrown before anything changes. Once the value is corrected,
// everything works again.

import {
  Box3,
  BoxGeometry,
  BufferGeometry,
  Color,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PerspectiveCamera,
  Raycaster,
  Sphere,
  Vector3,
  type Object3D,
} from 'three';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { OctreeInstances } from '../../src/three.ts';
import { at, drawnPlaces, rowOfInstances, viewsOf, drawnWithin } from '../support/instance-passes.ts';
import { slab } from '../support/three-passes.ts';
import { validate } from '../../src/debug/index.ts';

const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();
const ahead = (x = 0): Raycaster => new Raycaster(new Vector3(x, 0.1, 9), new Vector3(0, 0, -1));

function broken(): BoxGeometry {
  const box = new BoxGeometry();
  box.attributes.position.setX(3, NaN);
  return box;
}

const sentence =
  /^OctreeInstances[.\w]*: the geometry of the OctreeInstances "row" must lead to finite bounds, but those hold NaN or Infinity; check its vertices and its boundingSphere\./;

describe('OctreeInstances', () => {
  it.each<[string, unknown, unknown, Error]>([
    [
      'no geometry',
      null,
      material,
      new TypeError('OctreeInstances: geometry must be a BufferGeometry, but is null; pass mesh.geometry.'),
    ],
    [
      'a mesh as geometry',
      Object.assign(new Mesh(), { name: 'tree' }),
      material,
      new TypeError('OctreeInstances: geometry must be a BufferGeometry, but is the Mesh "tree"; pass mesh.geometry.'),
    ],
    [
      'no material',
      geometry,
      null,
      new TypeError('OctreeInstances: material must be a Material, but is null; pass one, or an array.'),
    ],
    [
      'a colour as material',
      geometry,
      0xff0000,
      new TypeError('OctreeInstances: material must be a Material, but is 16711680; pass one, or an array.'),
    ],
    [
      'an array with something else',
      geometry,
      [material, undefined],
      new TypeError('OctreeInstances: material must hold Materials only, but holds undefined; pass one, or an array.'),
    ],
  ])('refuses %s in its constructor', (_, ofGeometry, ofMaterial, error) => {
    expect(() => new OctreeInstances(ofGeometry as never, ofMaterial as never, 1)).toThrow(error);
  });

  it('accepts no arguments, and an array of materials', () => {
    expect(new OctreeInstances().instanceCount).toBe(0);
    expect(new OctreeInstances(undefined, [material, material], 2).instanceCount).toBe(2);
  });

  it('refuses a wrong colour and keeps the old one', () => {
    const instances = rowOfInstances(2);
    const refused =
      (color: unknown): (() => unknown) =>
      () =>
        instances.setColorAt(0, color as Color);
    const remedy = "pass what Color takes, such as new Color(1, 0, 0), 0xff0000 or 'red'.";
    const where = 'OctreeInstances.setColorAt:';
    expect(refused(null)).toThrow(new TypeError(`${where} color must be an object, but is null; ${remedy}`));
    expect(refused(-1)).toThrow(
      new RangeError(`${where} color must be a CSS colour or an integer from 0 to 0xffffff, but is -1; ${remedy}`),
    );
    for (const color of [0.5, NaN, 0x1000000, Infinity]) expect(refused(color)).toThrow(RangeError);
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    expect(refused('rde')).toThrow(
      new RangeError(
        `${where} color must be a CSS colour or an integer from 0 to 0xffffff, but is the string "rde"; ${remedy}`,
      ),
    );
    expect(refused('')).toThrow(RangeError);
    warn.mockRestore();
    expect(refused(new Vector3())).toThrow(
      new TypeError(`${where} color.r must be a number, but is undefined; ${remedy}`),
    );
    expect(refused({ r: 1, g: '1', b: 1 })).toThrow(TypeError);
    expect(refused(new Color(0, NaN, 0))).toThrow(
      new RangeError(`${where} color.g must be finite, but is NaN; ${remedy}`),
    );
    expect(refused(new Color(0, 0, -Infinity))).toThrow(RangeError);
    expect(viewsOf(instances, slab(30))[0].instanceColor).toBeNull();
    instances.setColorAt(0, new Color(4, -1, 0));
    expect(instances.getColorAt(0, new Color()).toArray()).toEqual([4, -1, 0]);
  });

  it.each([0xff8800, 0, 0xffffff, 'red', '#0f0', 'rgb(10, 20, 30)', 'hsl(120, 50%, 50%)', 'DarkOrange'])(
    'takes the colour %s, as Color does',
    (color) => {
      const instances = rowOfInstances(1);
      instances.setColorAt(0, color);
      const stored = Float32Array.from(new Color(color).toArray());
      expect(Float32Array.from(instances.getColorAt(0, new Color()).toArray())).toEqual(stored);
    },
  );

  it.each([1, 0, undefined, null, 'false'])('refuses %j for the visibility of an instance', (visible) => {
    const instances = rowOfInstances(1);
    expect(() => instances.setVisibleAt(0, visible as never)).toThrow(
      /^OctreeInstances\.setVisibleAt: visible must be true or false, but is .*; pass a boolean\.$/,
    );
    expect(() => instances.setVisibleAt(0, visible as never)).toThrow(TypeError);
    expect(instances.getVisibleAt(0)).toBe(true);
  });

  it('refuses targets of the wrong class', () => {
    const instances = rowOfInstances(1).setColorAt(0, new Color(1, 0, 0));
    for (const none of [null, undefined, {}]) {
      expect(() => instances.getMatrixAt(0, none as never)).toThrow(
        /^OctreeInstances\.getMatrixAt: target must be a Matrix4, but is (null|undefined|an object); pass one to fill\.$/,
      );
      expect(() => instances.getColorAt(0, none as never)).toThrow(
        /^OctreeInstances\.getColorAt: target must be a Color, but/,
      );
      expect(() => instances.getBoundingBoxAt(0, none as never)).toThrow(
        /^OctreeInstances\.getBoundingBoxAt: target must be a Box3, but/,
      );
    }
    expect(instances.getMatrixAt(0, new Matrix4()).elements[12]).toBe(0);
    expect(instances.getBoundingBoxAt(0, new Box3()).isEmpty()).toBe(false);
  });

  it('refuses wrong arguments of a level', () => {
    const instances = rowOfInstances(1);
    expect(() => instances.addLevel(new Group() as never, 5)).toThrow(
      /^OctreeInstances\.addLevel: geometry must be a BufferGeometry, but is the Group with id \d+; pass mesh\.geometry/,
    );
    expect(() => instances.addLevel(geometry, 5, 0, 'red' as never)).toThrow(
      /^OctreeInstances\.addLevel: material must be a Material, but is the string "red"/,
    );
  });

  it.each(['geometry', 'material'] as const)(
    'without its %s throws in every update, is drawn as before, and works again with a new one',
    (field) => {
      const instances = rowOfInstances(2);
      const { [field]: before } = instances;
      instances[field] = undefined as never;
      for (let k = 0; k < 2; k++)
        expect(() => instances.updateMatrixWorld()).toThrow(
          new RegExp(`^OctreeInstances\\.updateMatrixWorld: ${field} must be a .*, but is undefined`),
        );
      expect(drawnWithin(instances, 1)).toEqual([0, 10]);
      instances[field] = before as never;
      instances.updateMatrixWorld();
      expect(drawnWithin(instances, 1)).toEqual([0]);
    },
  );
});

/** What three draws without an error must not stop a page here. */
describe('numbers without bounds', () => {
  let warn: MockInstance<typeof console.warn>;
  /** three itself prints an error for a NaN in a geometry. */
  let complaints: MockInstance<typeof console.error>;
  const warnings = (): unknown[] => warn.mock.calls.flat();
  beforeEach(() => {
    warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    complaints = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  });
  afterEach(() => {
    warn.mockRestore();
    complaints.mockRestore();
  });

  it.each<[string, (instances: OctreeInstances) => void, (instances: OctreeInstances) => void, RegExp]>([
    [
      'a NaN in the matrix of the container',
      (one) => one.position.setX(NaN),
      (one) => one.position.setX(0),
      /: the matrixWorld of the OctreeInstances "row" must hold .* but holds NaN; check its position/,
    ],
    [
      'a container beyond 2^50',
      (one) => one.position.setY(1e19),
      (one) => one.position.setY(0),
      /: the matrixWorld of the OctreeInstances "row" must hold .* but holds 10000000000000000000; check/,
    ],
    ['a broken vertex', (one) => (one.geometry = broken()), (one) => (one.geometry = geometry), sentence],
  ])('%s: all instances are drawn, with one warning, until the numbers are corrected', (_, spoil, mend, text) => {
    const instances = rowOfInstances(3);
    expect(drawnWithin(instances, 1)).toEqual([0]);
    spoil(instances);
    for (let k = 0; k < 3; k++) {
      instances.updateMatrixWorld();
      expect(drawnWithin(instances, 1)).toEqual([0, 10, 20]);
    }
    expect(warnings()).toEqual([expect.stringMatching(text)]);
    expect(warnings()).toEqual([expect.stringMatching(/ Until then every pass draws all its instances\.$/)]);
    // Changes are drawn meanwhile, by a pass that stays the same.
    const frustum = slab(1);
    const camera = new PerspectiveCamera();
    const drawn = (): number[] => drawnPlaces(viewsOf(instances, frustum, camera));
    expect(drawn()).toEqual([0, 10, 20]);
    instances.setVisibleAt(0, false).setMatrixAt(1, at(0)).addInstance(at(40));
    expect(drawn()).toEqual([0, 20, 40]);
    mend(instances);
    instances.updateMatrixWorld();
    expect(drawn()).toEqual([0]);
    expect(validate(instances.octree)).toEqual([]);
    expect(instances.octree.size).toBe(3);
    expect(warnings().length).toBe(1);
  });

  it('throw in the calls that need bounds', () => {
    const instances = rowOfInstances(2);
    instances.position.x = NaN;
    expect(() => instances.octree).toThrow(RangeError);
    expect(() => instances.getBoundingBoxAt(0, new Box3())).toThrow(
      /^OctreeInstances\.getBoundingBoxAt: the matrixWorld of/,
    );
    instances.position.x = 0;
    instances.geometry = broken();
    expect(() => instances.octree).toThrow(sentence);
    expect(warnings()).toEqual([]);
  });

  it('let rays hit what they hit of an InstancedMesh: all far instances, and nothing with a NaN', () => {
    const instances = rowOfInstances(3);
    instances.geometry = new BoxGeometry();
    instances.scale.set(1, 2 ** 52, 1);
    const mesh = new InstancedMesh(instances.geometry, material, 3);
    for (let id = 0; id < 3; id++) mesh.setMatrixAt(id, at(10 * id));
    mesh.scale.copy(instances.scale);
    for (const one of [mesh, instances]) one.updateMatrixWorld();
    const idsHit = (one: Object3D, x: number): unknown[] =>
      ahead(x)
        .intersectObject(one)
        .map(({ instanceId }) => instanceId);
    for (const x of [0, 10, 20]) expect(idsHit(instances, x)).toEqual(idsHit(mesh, x));
    expect(idsHit(instances, 20)).toContain(2);
    expect(instances.raycastFirst(ahead(20))?.instanceId).toBe(2);
    for (const one of [mesh, instances]) one.position.x = NaN;
    for (const one of [mesh, instances]) one.updateMatrixWorld();
    expect([idsHit(mesh, 0), idsHit(instances, 0)]).toEqual([[], []]);
    for (const one of [mesh, instances]) {
      one.position.x = 0;
      one.geometry = broken();
      one.updateMatrixWorld();
    }
    mesh.boundingSphere = null;
    expect([idsHit(mesh, 0), idsHit(instances, 0), instances.raycastFirst(ahead())]).toEqual([[], [], null]);
  });

  it('change nothing in the octree: neither the instances before the wrong one nor those after it', () => {
    const instances = rowOfInstances(3);
    const { octree } = instances;
    instances.setMatrixAt(0, at(5)).setMatrixAt(2, at(25)).addInstance(at(7));
    instances.addInstance(at(2 ** 50));
    instances.updateMatrixWorld();
    expect(warnings()).toEqual([
      expect.stringMatching(
        /^OctreeInstances\.updateMatrixWorld: the bounds of instance 4 of the OctreeInstances "row" must lie within \+-2\^50, but reach 11\d+\.\d+; check its matrix/,
      ),
    ]);
    expect([
      octree.size,
      octree.intersectPoint({ x: 5, y: 0, z: 0 }),
      octree.intersectPoint({ x: 0, y: 0, z: 0 }).length,
    ]).toEqual([3, [], 1]);
    instances.deleteInstance(4).updateMatrixWorld();
    expect([
      octree.size,
      octree.intersectPoint({ x: 5, y: 0, z: 0 }).length,
      octree.intersectPoint({ x: 0, y: 0, z: 0 }),
    ]).toEqual([4, 1, []]);
  });

  it('cost three one attempt at a sphere, not one in each frame', () => {
    const instances = rowOfInstances(2);
    instances.geometry = broken();
    const compute = vi.spyOn(instances.geometry, 'computeBoundingSphere');
    for (let k = 0; k < 5; k++) {
      instances.updateMatrixWorld();
      drawnWithin(instances, 1);
    }
    expect(compute).toHaveBeenCalledTimes(1);
    instances.geometry.attributes.position.setX(3, 0.5).needsUpdate = true;
    instances.updateMatrixWorld();
    expect(drawnWithin(instances, 1)).toEqual([0]);
  });

  it('that appear later, with a new sphere, count until both are corrected', () => {
    const instances = rowOfInstances(2);
    const { position } = (instances.geometry = new BoxGeometry()).attributes;
    instances.updateMatrixWorld();
    position.setX(0, Infinity).needsUpdate = true;
    instances.geometry.computeBoundingSphere();
    expect(drawnWithin(instances, 1)).toEqual([0, 10]);
    position.setX(0, 0.5).needsUpdate = true;
    instances.geometry.computeBoundingSphere();
    expect(drawnWithin(instances, 1)).toEqual([0]);
  });

  it('are named with their level', () => {
    rowOfInstances(2).addLevel(broken(), 20).updateMatrixWorld();
    expect(warnings()).toEqual([
      expect.stringMatching(/: the geometry of level 1 of the OctreeInstances "row" must lead to/),
    ]);
  });

  it('are no fault of a geometry with a finite sphere, if bounds are spheres', () => {
    const box = broken();
    box.boundingSphere = new Sphere(new Vector3(), 1);
    for (const bounds of ['sphere', 'box'] as const) {
      Object.assign(new OctreeInstances(box, material, 1, { bounds }), { name: 'row' }).updateMatrixWorld();
      expect(warnings().length).toBe(bounds === 'box' ? 1 : 0);
    }
  });

  it('are no fault where there are no bounds: no vertices, or an infinite sphere', () => {
    const endless = new BoxGeometry();
    endless.boundingSphere = new Sphere(new Vector3(), Infinity);
    for (const one of [new BufferGeometry(), endless]) {
      const instances = new OctreeInstances(one, material, 1);
      instances.updateMatrixWorld();
      expect(instances.octree.size).toBe(0);
    }
    expect(warnings()).toEqual([]);
  });

  it('throws for bounds out of range while all instances move, and draws all until they are corrected', () => {
    const instances = rowOfInstances(20);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    for (let frame = 0; frame < 10; frame++) {
      for (let id = 0; id < 20; id++) instances.setMatrixAt(id, at(id === 19 && frame === 8 ? 2 ** 50 : 10 * id));
      instances.updateMatrixWorld();
      expect(drawnPlaces(viewsOf(instances, slab(25))).length).toBe(frame === 8 ? 20 : 3);
      if (frame === 8) expect(() => instances.octree).toThrow('2^50');
    }
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
    expect(instances.octree.size).toBe(20);
  });

  it('refuses more instances than have memory', () => {
    expect(() => new OctreeInstances(geometry, material, 2 ** 26 + 1)).toThrow(
      'OctreeInstances: count must be an integer from 0 to 67108864, but is 67108865',
    );
  });

  it('takes frozen arguments, and works as before after dispose', () => {
    const instances = rowOfInstances(2);
    instances.dispose();
    instances.setMatrixAt(0, Object.freeze(at(3)));
    instances.setColorAt(0, Object.freeze(new Color(1, 0, 0)));
    instances.addInstances(Object.freeze(at(7).elements.slice()));
    expect(instances.raycastFirst(ahead(3))?.instanceId).toBe(0);
  });
});
