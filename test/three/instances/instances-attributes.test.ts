// Instanced attributes: which item belongs to which instance, as in an InstancedMesh, and the error when there are too few items.

import {
  BoxGeometry, InstancedBufferAttribute, InstancedInterleavedBuffer, InterleavedBufferAttribute, MeshBasicMaterial, PerspectiveCamera, Raycaster, Vector3, type BufferGeometry,
} from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeInstances } from '../../../src/three/index.ts';
import { at, drawnMatrices, viewsOf, viewsOfCamera } from '../../support/instance-passes.ts';
import { slab } from '../../support/three-passes.ts';

/** Instances 10 apart along x. */
function rowWith(geometry: BufferGeometry, count: number): OctreeInstances {
  const instances = new OctreeInstances(geometry, new MeshBasicMaterial(), count);
  for (let id = 0; id < count; id++) instances.setMatrixAt(id, at(10 * id));
  Object.assign(instances, { name: 'row', castShadow: true });
  return instances;
}

/** The value with which each id is drawn. */
function drawn(instances: OctreeInstances, name: string): Record<number, number> {
  const [view] = viewsOf(instances, slab(1000));
  const attribute = view.geometry.attributes[name] as InstancedBufferAttribute;
  expect(attribute.meshPerAttribute).toBe(1);
  return Object.fromEntries(drawnMatrices([view]).map(({ elements }, slot) => [elements[12] / 10, attribute.getX(slot)]));
}

/** Each item belongs to two ids. */
function shared(): InstancedBufferAttribute {
  return new InstancedBufferAttribute(Float32Array.of(5, 6, 7), 1, false, 2);
}

function short(items: number, perItem = 1): InstancedBufferAttribute {
  return new InstancedBufferAttribute(new Float32Array(items).fill(9), 1, false, perItem);
}

function sentence(items: number, id: number): RangeError {
  const what = 'OctreeInstances.updateMatrixWorld: the attribute "heat" in the geometry of the OctreeInstances "row" must have an item for each instance';
  return new RangeError(`${what}, but has items for ${items} ids only, and there is an instance with id ${id}; set a longer attribute.`);
}

describe('an attribute that gives each item to two instances', () => {
  it('shares each item between consecutive ids, whichever of them are drawn', () => {
    const instances = rowWith(new BoxGeometry().setAttribute('heat', shared()), 5);
    instances.updateMatrixWorld();
    expect(drawn(instances, 'heat')).toEqual({ 0: 5, 1: 5, 2: 6, 3: 6, 4: 7 });
    instances.setVisibleAt(0, false).deleteInstance(2);
    expect(drawn(instances, 'heat')).toEqual({ 1: 5, 3: 6, 4: 7 });
  });

  it('changes both instances of a changed item, with and without update ranges', () => {
    const geometry = new BoxGeometry().setAttribute('heat', shared());
    const heat = geometry.attributes.heat as InstancedBufferAttribute;
    const instances = rowWith(geometry, 6);
    instances.updateMatrixWorld();
    drawn(instances, 'heat');
    heat.setX(1, 60).addUpdateRange(1, 1);
    heat.needsUpdate = true;
    expect(drawn(instances, 'heat')).toEqual({ 0: 5, 1: 5, 2: 60, 3: 60, 4: 7, 5: 7 });
    heat.setX(2, 70).needsUpdate = true;
    expect(drawn(instances, 'heat')).toEqual({ 0: 5, 1: 5, 2: 60, 3: 60, 4: 70, 5: 70 });
  });

  it('may be interleaved', () => {
    const buffer = new InstancedInterleavedBuffer(Float32Array.of(1, 10, 2, 20), 2, 3);
    const geometry = new BoxGeometry().setAttribute('one', new InterleavedBufferAttribute(buffer, 1, 0)).setAttribute('ten', new InterleavedBufferAttribute(buffer, 1, 1));
    const instances = rowWith(geometry, 5);
    instances.updateMatrixWorld();
    expect([drawn(instances, 'one'), drawn(instances, 'ten')]).toEqual([{ 0: 1, 1: 1, 2: 1, 3: 2, 4: 2 }, { 0: 10, 1: 10, 2: 10, 3: 20, 4: 20 }]);
    buffer.array[3] = 99;
    buffer.needsUpdate = true;
    expect(drawn(instances, 'ten')).toEqual({ 0: 10, 1: 10, 2: 10, 3: 99, 4: 99 });
  });
});

describe('an attribute with fewer items than there are ids', () => {
  it('throws in every update until it is replaced or the instance is deleted', () => {
    const geometry = new BoxGeometry().setAttribute('heat', short(2));
    const instances = rowWith(geometry, 3);
    for (let k = 0; k < 2; k++) expect(() => instances.updateMatrixWorld()).toThrow(sentence(2, 2));
    geometry.setAttribute('heat', short(3));
    instances.updateMatrixWorld();
    expect(drawn(instances, 'heat')).toEqual({ 0: 9, 1: 9, 2: 9 });
    const last = instances.addInstance(at(30));
    expect(() => instances.updateMatrixWorld()).toThrow(sentence(3, 3));
    instances.deleteInstance(last).updateMatrixWorld();
    expect(drawn(instances, 'heat')).toEqual({ 0: 9, 1: 9, 2: 9 });
  });

  it('is detected with shared items and in interleaved buffers', () => {
    const instances = rowWith(new BoxGeometry().setAttribute('heat', short(2, 2)), 4);
    instances.updateMatrixWorld();
    instances.addInstance(at(40));
    expect(() => instances.updateMatrixWorld()).toThrow(sentence(4, 4));
    const buffer = new InstancedInterleavedBuffer(new Float32Array(6), 2, 1);
    instances.geometry.setAttribute('heat', new InterleavedBufferAttribute(buffer, 1, 1));
    expect(() => instances.updateMatrixWorld()).toThrow(sentence(3, 3));
  });

  it('is reported with its level, and only by updates: queries work between adding an instance and replacing the attribute', () => {
    const instances = rowWith(new BoxGeometry(), 2).addLevel(new BoxGeometry().setAttribute('heat', short(1)), 20);
    expect(() => instances.updateMatrixWorld()).toThrow('the attribute "heat" in the geometry of level 1 of the OctreeInstances "row"');
    expect(instances.octree.size).toBe(2);
    expect(instances.raycastFirst(new Raycaster(new Vector3(10, 0.1, 9), new Vector3(0, 0, -1)))!.instanceId).toBe(1);
  });

  it('reads as 0 in a pass without an update before it', () => {
    const instances = rowWith(new BoxGeometry().setAttribute('heat', short(2)), 3);
    expect(() => instances.updateMatrixWorld()).toThrow(RangeError);
    const camera = new PerspectiveCamera();
    camera.position.set(10, 0, 50);
    const [view] = viewsOfCamera(instances, camera);
    expect(Array.from({ length: 3 }, (_, slot) => view.geometry.attributes.heat.getX(slot)).sort((a, b) => a - b)).toEqual([0, 9, 9]);
  });
});
