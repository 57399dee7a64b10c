// Errors of OctreeInstances name the wrong value and are thrown before anything changes. Once the value is corrected, everything works again.

import { Box3, BoxGeometry, BufferGeometry, Color, Group, Matrix4, Mesh, MeshBasicMaterial, Raycaster, Scene, Sphere, Vector3 } from 'three';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { OctreeInstances } from '../../../src/three/index.ts';
import { at, drawnPlaces, rowOfInstances, viewsOf } from '../../support/instance-passes.ts';
import { slab } from '../../support/three-passes.ts';

const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();
const ahead = (x = 0): Raycaster => new Raycaster(new Vector3(x, 0.1, 9), new Vector3(0, 0, -1));

function drawnWithin(instances: OctreeInstances, reach: number): number[] {
  return drawnPlaces(viewsOf(instances, slab(reach)));
}

function broken(): BoxGeometry {
  const box = new BoxGeometry();
  box.attributes.position.setX(3, NaN);
  return box;
}

const sentence = /^OctreeInstances[.\w]*: the geometry of the OctreeInstances "row" must lead to finite bounds, but those hold NaN or Infinity; check its vertices and its boundingSphere\.$/;

describe('OctreeInstances', () => {
  it.each<[string, unknown, unknown, Error]>([
    ['no geometry', null, material, new TypeError('OctreeInstances: geometry must be a BufferGeometry, but is null; pass one, such as that of a mesh.')],
    ['a mesh as geometry', Object.assign(new Mesh(), { name: 'tree' }), material, new TypeError('OctreeInstances: geometry must be a BufferGeometry, but is the Mesh "tree"; pass one, such as that of a mesh.')],
    ['no material', geometry, null, new TypeError('OctreeInstances: material must be a Material, but is null; pass one, or an array of them.')],
    ['a colour as material', geometry, 0xff0000, new TypeError('OctreeInstances: material must be a Material, but is 16711680; pass one, or an array of them.')],
    ['an array with something else', geometry, [material, undefined], new TypeError('OctreeInstances: material must hold Materials only, but holds undefined; pass one, or an array of them.')],
  ])('refuses %s in its constructor', (_, ofGeometry, ofMaterial, error) => {
    expect(() => new OctreeInstances(ofGeometry as never, ofMaterial as never, 1)).toThrow(error);
  });

  it('accepts no arguments, and an array of materials', () => {
    expect(new OctreeInstances().instanceCount).toBe(0);
    expect(new OctreeInstances(undefined, [material, material], 2).instanceCount).toBe(2);
  });

  it('refuses a wrong colour and keeps the old one', () => {
    const instances = rowOfInstances(2);
    const refused = (color: unknown): (() => unknown) => () => instances.setColorAt(0, color as Color);
    expect(refused(null)).toThrow(new TypeError('OctreeInstances.setColorAt: color must be an object, but is null; pass a Color, such as new Color(0xff0000).'));
    expect(refused(0xff0000)).toThrow(new TypeError('OctreeInstances.setColorAt: color must be an object, but is 16711680; pass a Color, such as new Color(0xff0000).'));
    expect(refused('red')).toThrow(TypeError);
    expect(refused(new Vector3())).toThrow(new TypeError('OctreeInstances.setColorAt: color.r must be a number, but is undefined; pass a Color, such as new Color(0xff0000).'));
    expect(refused({ r: 1, g: '1', b: 1 })).toThrow(TypeError);
    expect(refused(new Color(0, NaN, 0))).toThrow(new RangeError('OctreeInstances.setColorAt: color.g must be finite, but is NaN; pass a Color, such as new Color(0xff0000).'));
    expect(refused(new Color(0, 0, -Infinity))).toThrow(RangeError);
    expect(viewsOf(instances, slab(30))[0].instanceColor).toBeNull();
    instances.setColorAt(0, new Color(4, -1, 0));
    expect(instances.getColorAt(0, new Color()).toArray()).toEqual([4, -1, 0]);
  });

  it.each([1, 0, undefined, null, 'false'])('refuses %j for the visibility of an instance', (visible) => {
    const instances = rowOfInstances(1);
    expect(() => instances.setVisibleAt(0, visible as never)).toThrow(/^OctreeInstances\.setVisibleAt: visible must be true or false, but is .*; pass a boolean\.$/);
    expect(() => instances.setVisibleAt(0, visible as never)).toThrow(TypeError);
    expect(instances.getVisibleAt(0)).toBe(true);
  });

  it('refuses targets of the wrong class', () => {
    const instances = rowOfInstances(1).setColorAt(0, new Color(1, 0, 0));
    for (const none of [null, undefined, {}]) {
      expect(() => instances.getMatrixAt(0, none as never)).toThrow(/^OctreeInstances\.getMatrixAt: target must be a Matrix4, but is (null|undefined|an object); pass one to write to\.$/);
      expect(() => instances.getColorAt(0, none as never)).toThrow(/^OctreeInstances\.getColorAt: target must be a Color, but/);
      expect(() => instances.getBoundingBoxAt(0, none as never)).toThrow(/^OctreeInstances\.getBoundingBoxAt: target must be a Box3, but/);
    }
    expect(instances.getMatrixAt(0, new Matrix4()).elements[12]).toBe(0);
    expect(instances.getBoundingBoxAt(0, new Box3()).isEmpty()).toBe(false);
  });

  it('refuses wrong arguments of a level', () => {
    const instances = rowOfInstances(1);
    expect(() => instances.addLevel(new Group() as never, 5)).toThrow(/^OctreeInstances\.addLevel: geometry must be a BufferGeometry, but is the Group with id \d+; pass one/);
    expect(() => instances.addLevel(geometry, 5, 0, 'red' as never)).toThrow(/^OctreeInstances\.addLevel: material must be a Material, but is the string "red"/);
  });

  it.each(['geometry', 'material'] as const)('without its %s throws in every update, is drawn as before, and works again with a new one', (field) => {
    const instances = rowOfInstances(2);
    const { [field]: before } = instances;
    instances[field] = undefined as never;
    for (let k = 0; k < 2; k++) expect(() => instances.updateMatrixWorld()).toThrow(new RegExp(`^OctreeInstances\\.updateMatrixWorld: ${field} must be a .*, but is undefined`));
    expect(drawnWithin(instances, 1)).toEqual([0, 10]);
    instances[field] = before as never;
    instances.updateMatrixWorld();
    expect(drawnWithin(instances, 1)).toEqual([0]);
  });
});

describe('a NaN in the geometry of OctreeInstances', () => {
  /** three itself prints an error for it. */
  let complaints: MockInstance;
  beforeEach(() => (complaints = vi.spyOn(console, 'error').mockImplementation(() => undefined)));
  afterEach(() => complaints.mockRestore());

  it('is reported by everything that needs bounds; all instances are drawn', () => {
    const instances = new OctreeInstances(broken(), material, 2).setMatrixAt(1, at(10));
    Object.assign(instances, { name: 'row', castShadow: true });
    for (let k = 0; k < 2; k++) expect(() => new Scene().add(instances).updateMatrixWorld()).toThrow(sentence);
    expect(() => instances.octree).toThrow(RangeError);
    expect(() => instances.getBoundingBoxAt(0, new Box3())).toThrow(sentence);
    expect(() => ahead().intersectObject(instances)).toThrow(sentence);
    expect(drawnWithin(instances, 1)).toEqual([0, 10]);
  });

  it('is no longer reported once the vertices are corrected, even if the bounding sphere is not, or once the geometry is replaced', () => {
    for (const mend of ['vertices', 'geometry']) {
      const instances = rowOfInstances(2);
      instances.geometry = broken();
      for (let k = 0; k < 2; k++) expect(() => instances.updateMatrixWorld()).toThrow(sentence);
      if (mend === 'geometry') instances.geometry = new BoxGeometry();
      else instances.geometry.attributes.position.setX(3, 0.5).needsUpdate = true;
      instances.updateMatrixWorld();
      expect(drawnWithin(instances, 1)).toEqual([0]);
      expect(instances.octree.size).toBe(2);
      expect(ahead(10).intersectObject(instances)[0].instanceId).toBe(1);
    }
  });

  it('that appears later, with a new sphere, is reported until both are corrected', () => {
    const instances = rowOfInstances(2);
    const { position } = (instances.geometry = new BoxGeometry()).attributes;
    instances.updateMatrixWorld();
    position.setX(0, Infinity).needsUpdate = true;
    instances.geometry.computeBoundingSphere();
    expect(() => instances.updateMatrixWorld()).toThrow(sentence);
    position.setX(0, 0.5).needsUpdate = true;
    instances.geometry.computeBoundingSphere();
    instances.updateMatrixWorld();
    expect(drawnWithin(instances, 1)).toEqual([0]);
  });

  it('is reported with its level', () => {
    const instances = rowOfInstances(2).addLevel(broken(), 20);
    expect(() => instances.updateMatrixWorld()).toThrow(/: the geometry of level 1 of the OctreeInstances "row" must lead to/);
  });

  it('is reported if bounds are boxes and only the sphere is finite, and not if bounds are spheres', () => {
    const box = broken();
    box.boundingSphere = new Sphere(new Vector3(), 1);
    const make = (bounds: 'box' | 'sphere'): OctreeInstances => Object.assign(new OctreeInstances(box, material, 1, { bounds }), { name: 'row' });
    expect(() => make('box').updateMatrixWorld()).toThrow(sentence);
    make('sphere').updateMatrixWorld();
  });

  it('is no error where there are no bounds: no vertices, or an infinite sphere', () => {
    const endless = new BoxGeometry();
    endless.boundingSphere = new Sphere(new Vector3(), Infinity);
    for (const one of [new BufferGeometry(), endless]) {
      const instances = new OctreeInstances(one, material, 1);
      instances.updateMatrixWorld();
      expect(instances.octree.size).toBe(0);
    }
  });
});
