// Instanced attributes: which item belongs to which instance, as in an InstancedMesh, and the warning when there are
// too few items.

import {
  BoxGeometry,
  InstancedBufferAttribute,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  MeshBasicMaterial,
  OrthographicCamera,
  Raycaster,
  SphereGeometry,
  Vector3,
  type BufferGeometry,
} from 'three';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { OctreeInstances } from '../../src/three.ts';
import { at, drawnMatrices, drawnPlaces, viewsOf, viewsOfCamera } from '../support/instance-passes.ts';
import { slab } from '../support/three-passes.ts';

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
  return Object.fromEntries(
    drawnMatrices([view]).map(({ elements }, slot) => [elements[12] / 10, attribute.getX(slot)]),
  );
}

/** Each item belongs to two ids. */
function shared(): InstancedBufferAttribute {
  return new InstancedBufferAttribute(Float32Array.of(5, 6, 7), 1, false, 2);
}

function short(items: number, perItem = 1): InstancedBufferAttribute {
  return new InstancedBufferAttribute(new Float32Array(items).fill(9), 1, false, perItem);
}

function sentence(items: number, id: number): string {
  const what =
    'OctreeInstances: the attribute "heat" in the geometry of the OctreeInstances "row" must have an item for each instance';
  return `${what}, but has items for ${items} ids only, and there is an instance with id ${id}; set a longer attribute. Missing items read as 0.`;
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

  it('changes all items whose ranges another container has taken', () => {
    const geometry = new BoxGeometry().setAttribute('heat', short(6));
    const heat = geometry.attributes.heat as InstancedBufferAttribute;
    const [first, second] = [rowWith(geometry, 6), rowWith(geometry, 6)];
    const change = (item: number): void => {
      heat.setX(item, item).addUpdateRange(item, 1);
      heat.needsUpdate = true;
    };
    const camera = new OrthographicCamera(-100, 100, 1, -1, -100, 100);
    const heats = (instances: OctreeInstances): Float32Array =>
      viewsOfCamera(instances, camera)[0].geometry.attributes.heat.array.slice(0, 6) as Float32Array;
    for (const each of [first, second]) heats(each);
    change(1);
    heats(second);
    change(2);
    for (const each of [first, second]) expect(heats(each)).toEqual(Float32Array.of(9, 1, 2, 9, 9, 9));
    change(3);
    for (const each of [second, first]) expect(heats(each)).toEqual(Float32Array.of(9, 1, 2, 3, 9, 9));
  });

  it('of one level fails: later passes draw the right instances of all levels', () => {
    const geometry = new BoxGeometry().setAttribute('heat', short(6));
    const instances = rowWith(geometry, 6).addLevel(new SphereGeometry(), 25);
    instances.updateMatrixWorld();
    const camera = new OrthographicCamera(-100, 100, 1, -1, -100, 100);
    const places = (x: number): number[] => {
      camera.position.x = x;
      return drawnPlaces(viewsOfCamera(instances, camera));
    };
    const all = [0, 10, 20, 30, 40, 50];
    expect(places(-10)).toEqual(all);
    const { heat } = geometry.attributes as Record<'heat', InstancedBufferAttribute>;
    const { array } = heat;
    heat.array = null as never;
    expect(() => places(10)).toThrow(TypeError);
    heat.array = array;
    expect(places(10.1)).toEqual(all);
  });

  it('may be interleaved', () => {
    const buffer = new InstancedInterleavedBuffer(Float32Array.of(1, 10, 2, 20), 2, 3);
    const geometry = new BoxGeometry()
      .setAttribute('one', new InterleavedBufferAttribute(buffer, 1, 0))
      .setAttribute('ten', new InterleavedBufferAttribute(buffer, 1, 1));
    const instances = rowWith(geometry, 5);
    instances.updateMatrixWorld();
    expect([drawn(instances, 'one'), drawn(instances, 'ten')]).toEqual([
      { 0: 1, 1: 1, 2: 1, 3: 2, 4: 2 },
      { 0: 10, 1: 10, 2: 10, 3: 20, 4: 20 },
    ]);
    buffer.array[3] = 99;
    buffer.needsUpdate = true;
    expect(drawn(instances, 'ten')).toEqual({ 0: 10, 1: 10, 2: 10, 3: 99, 4: 99 });
  });
});

describe('an attribute with fewer items than there are ids', () => {
  let warn: MockInstance<typeof console.warn>;
  const warnings = (): unknown[] => warn.mock.calls.flat();
  beforeEach(() => void (warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)));
  afterEach(() => warn.mockRestore());

  it('reads as 0 beyond its end, with one warning, until it is replaced', () => {
    const geometry = new BoxGeometry().setAttribute('heat', short(2));
    const instances = rowWith(geometry, 3);
    for (let k = 0; k < 3; k++) {
      instances.updateMatrixWorld();
      expect(drawn(instances, 'heat')).toEqual({ 0: 9, 1: 9, 2: 0 });
    }
    expect(warnings()).toEqual([sentence(2, 2)]);
    geometry.setAttribute('heat', short(3));
    instances.updateMatrixWorld();
    expect(drawn(instances, 'heat')).toEqual({ 0: 9, 1: 9, 2: 9 });
  });

  it('is not reported if the instance is deleted before the next update', () => {
    const instances = rowWith(new BoxGeometry().setAttribute('heat', short(2)), 2);
    instances.deleteInstance(instances.addInstance(at(30))).updateMatrixWorld();
    expect(warnings()).toEqual([]);
  });

  it.each<[string, number, BufferGeometry]>([
    ['shared items', 4, new BoxGeometry().setAttribute('heat', short(2, 2))],
    [
      'interleaved buffers',
      3,
      new BoxGeometry().setAttribute(
        'heat',
        new InterleavedBufferAttribute(new InstancedInterleavedBuffer(new Float32Array(6), 2, 1), 1, 1),
      ),
    ],
  ])('is detected with %s', (_, items, geometry) => {
    const instances = rowWith(geometry, items);
    instances.updateMatrixWorld();
    expect(warnings()).toEqual([]);
    instances.addInstance(at(40));
    instances.updateMatrixWorld();
    expect(warnings()).toEqual([sentence(items, items)]);
  });

  it('is reported with its level, and only by updates: queries work between adding an instance and replacing the attribute', () => {
    const instances = rowWith(new BoxGeometry(), 2).addLevel(new BoxGeometry().setAttribute('heat', short(1)), 20);
    expect(instances.octree.size).toBe(2);
    expect(instances.raycastFirst(new Raycaster(new Vector3(10, 0.1, 9), new Vector3(0, 0, -1)))!.instanceId).toBe(1);
    expect(warnings()).toEqual([]);
    instances.updateMatrixWorld();
    expect(warnings()).toEqual([
      expect.stringContaining('the attribute "heat" in the geometry of level 1 of the OctreeInstances "row"'),
    ]);
  });
});
