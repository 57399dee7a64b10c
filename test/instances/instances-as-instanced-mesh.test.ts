// Code that is written for an InstancedMesh also runs with an OctreeInstances.

import {
  Box3,
  BoxGeometry,
  Color,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedMesh,
  Layers,
  Matrix4,
  MeshBasicMaterial,
  MeshLambertMaterial,
  ObjectLoader,
  OrthographicCamera,
  Raycaster,
  Vector3,
} from 'three';
import { reduceVertices } from 'three/addons/utils/SceneUtils.js';
import { describe, expect, it } from 'vitest';
import { validate } from '../../src/debug/index.ts';
import { OctreeInstances } from '../../src/three.ts';
import { at, drawnPlaces, rowOfInstances, viewsOf, viewsOfCamera } from '../support/instance-passes.ts';
import { slab } from '../support/three-passes.ts';

/** The places along x that are drawn within a distance from the origin. */
const drawn = (instances: OctreeInstances, reach = 100): number[] => drawnPlaces(viewsOf(instances, slab(reach)));
const hits = (instances: OctreeInstances, x: number): boolean =>
  new Raycaster(new Vector3(x, 0.1, 9), new Vector3(0, 0, -1)).intersectObject(instances).length > 0;
/** The colours that a pass draws, by draw slot. */
function drawnColors(instances: OctreeInstances): number[] {
  const [{ instanceColor, count }] = viewsOf(instances, slab(100));
  return Array.from({ length: count }, (_, k) => new Color().fromBufferAttribute(instanceColor!, k).getHex());
}

describe('OctreeInstances in the place of an InstancedMesh', () => {
  it('runs the code that stands in most examples', () => {
    const made = [
      new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 4),
      new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial(), 4),
    ];
    const [mesh, instances] = made.map((container) => {
      container.instanceMatrix.setUsage(DynamicDrawUsage);
      for (let id = 0; id < container.count; id++) {
        container.setMatrixAt(id, at(2 * id));
        container.setColorAt(id, new Color(id === 3 ? 0xff0000 : 0x00ff00));
      }
      container.instanceMatrix.needsUpdate = true;
      container.instanceColor!.needsUpdate = true;
      container.computeBoundingBox();
      container.computeBoundingSphere();
      return container;
    });
    expect(instances.boundingBox).toEqual(mesh.boundingBox);
    expect(instances.boundingSphere).toEqual(mesh.boundingSphere);
    expect(instances.count).toBe(mesh.count);
    expect([...instances.instanceMatrix.array].slice(0, 64)).toEqual([...mesh.instanceMatrix.array]);
    expect([...instances.instanceColor!.array].slice(0, 12)).toEqual([...mesh.instanceColor!.array]);
    instances.castShadow = true;
    expect(drawn(instances as OctreeInstances)).toEqual([0, 2, 4, 6]);
    expect(drawnColors(instances as OctreeInstances)).toEqual([0x00ff00, 0x00ff00, 0x00ff00, 0xff0000]);
  });

  it('takes null for `boundingBox` and `boundingSphere`, and refuses anything else with a sentence', () => {
    const instances = rowOfInstances(3);
    const { max } = instances.boundingBox.clone();
    instances.setMatrixAt(2, at(50));
    instances.boundingBox = null;
    instances.boundingSphere = null;
    expect(instances.boundingBox.max.x).toBeGreaterThan(max.x);
    expect(instances.boundingSphere.radius).toBeGreaterThan(0);
    expect(() => (instances.boundingBox = new Box3() as never)).toThrow(
      new TypeError('OctreeInstances: boundingBox must be null, but is a Box3; it is up to date.'),
    );
    expect(() => (instances.boundingSphere = 1 as never)).toThrow(
      new TypeError('OctreeInstances: boundingSphere must be null, but is 1; it is up to date.'),
    );
  });

  it('`needsUpdate` after setMatrixAt changes nothing: only that instance is moved', () => {
    const instances = rowOfInstances(500);
    const camera = new OrthographicCamera(-1e4, 1e4, 1, -1, -10, 10);
    const uploaded = (): number => {
      const { instanceMatrix } = viewsOfCamera(instances, camera)[0];
      const floats = instanceMatrix.updateRanges.reduce((sum, { count }) => sum + count, 0);
      instanceMatrix.clearUpdateRanges();
      return floats;
    };
    uploaded();
    instances.setMatrixAt(3, at(50)).instanceMatrix.needsUpdate = true;
    const one = uploaded();
    expect([one > 0, one <= 64 * 16]).toEqual([true, true]);
    instances.instanceMatrix.array[12] = 1;
    instances.instanceMatrix.needsUpdate = true;
    expect(uploaded()).toBe(500 * 16);
  });

  it.each([
    ['the array', (to: InstancedBufferAttribute, id: number) => at(7).toArray(to.array, id * 16)],
    ['a method of the attribute', (to: InstancedBufferAttribute, id: number) => to.set(at(7).elements, id * 16)],
  ])('draws and hits what is written to %s of instanceMatrix, once needsUpdate is set', (_, write) => {
    const instances = rowOfInstances(3);
    drawn(instances);
    for (const id of [0, 1]) {
      write(instances.instanceMatrix, id);
      instances.instanceMatrix.addUpdateRange(id * 16, 16);
      instances.instanceMatrix.needsUpdate = true;
      instances.updateMatrixWorld();
      expect(instances.getMatrixAt(id, new Matrix4())).toEqual(at(7));
      expect(hits(instances, 7)).toBe(true);
      expect(instances.instanceMatrix.updateRanges).toEqual([]);
      validate(instances.octree);
    }
    expect(hits(instances, 0)).toBe(false);
    expect(drawn(instances)).toEqual([7, 7, ...drawn(instances).slice(2)]);
  });

  it('draws what is written to instanceColor, once needsUpdate is set', () => {
    const instances = rowOfInstances(2);
    expect(instances.instanceColor).toBeNull();
    for (const id of [0, 1]) instances.setColorAt(id, new Color(0xffffff));
    expect(drawnColors(instances)).toEqual([0xffffff, 0xffffff]);
    instances.instanceColor!.setXYZ(1, 0, 0, 1);
    instances.instanceColor!.needsUpdate = true;
    expect(drawnColors(instances)).toEqual([0xffffff, 0x0000ff]);
  });

  it('has the attributes of the columns that it has now, after it has grown', () => {
    const instances = rowOfInstances(1);
    const { instanceMatrix } = instances;
    const before = instances.instanceMatrix.array;
    for (let k = 0; k < 100; k++) instances.addInstance(at(k));
    expect(instances.instanceMatrix).toBe(instanceMatrix);
    expect(instanceMatrix.array).not.toBe(before);
    expect(instanceMatrix.count).toBe(101);
    at(55).toArray(instanceMatrix.array, 100 * 16);
    instanceMatrix.needsUpdate = true;
    expect(instances.getMatrixAt(100, new Matrix4())).toEqual(at(55));
    expect(instanceMatrix.clone().array).toEqual(instanceMatrix.array);
  });

  it('keeps a NaN out of the octree', () => {
    const instances = rowOfInstances(2);
    instances.instanceMatrix.array[12] = NaN;
    instances.instanceMatrix.needsUpdate = true;
    expect(() => instances.octree).toThrow(/^OctreeInstances\.octree: the bounds of instance 0 of .* must lie within/);
  });

  it.each([
    ['instanceMatrix', 'setMatrixAt'],
    ['instanceColor', 'setColorAt'],
  ])('refuses another %s', (name, method) => {
    const attribute = new InstancedBufferAttribute(new Float32Array(3), 3);
    expect(() => Object.assign(rowOfInstances(1), { [name]: attribute })).toThrow(
      new TypeError(
        `OctreeInstances: ${name} must not be replaced, but is an InstancedBufferAttribute; use ${method}.`,
      ),
    );
  });

  it('draws and hits the first `count` instances only', () => {
    const instances = rowOfInstances(6);
    const places = drawn(instances);
    expect(instances.count).toBe(6);
    for (const count of [3, 5, 0, 1, 6]) {
      instances.count = count;
      expect(instances.count).toBe(count);
      expect(drawn(instances)).toEqual(places.slice(0, count));
      expect(places.map((x) => hits(instances, x))).toEqual(places.map((_, id) => id < count));
      expect(instances.octree.size).toBe(count);
      validate(instances.octree);
    }
    expect(instances.instanceCount).toBe(6);
  });

  it('`count` leaves `setVisibleAt` as it is, and hides instances that are added beyond it', () => {
    const instances = rowOfInstances(4);
    instances.count = 2;
    instances.setVisibleAt(3, false).setVisibleAt(1, false);
    const id = instances.addInstance(at(9));
    expect([instances.count, instances.getVisibleAt(id)]).toEqual([2, false]);
    expect(drawn(instances).length).toBe(1);
    instances.count = 5;
    expect([0, 1, 2, 3, 4].map((each) => instances.getVisibleAt(each))).toEqual([true, false, true, false, true]);
    instances.addInstance(at(11));
    expect(instances.count).toBe(6);
    expect(drawn(instances).length).toBe(4);
  });

  it('copies `count`', () => {
    const instances = rowOfInstances(4);
    instances.count = 2;
    expect(drawn(instances.clone())).toEqual(drawn(instances));
    expect(instances.clone().count).toBe(2);
  });

  it.each([-1, 1.5, NaN, 5])('refuses the count %s', (count) => {
    const instances = rowOfInstances(4);
    expect(() => (instances.count = count)).toThrow(
      new RangeError(
        `OctreeInstances: count must be an integer from 0 to 4, but is ${count}; add instances by addInstances.`,
      ),
    );
    expect(instances.count).toBe(4);
  });

  it('has the types of its geometry and material', () => {
    const instances = new OctreeInstances(new BoxGeometry(1, 2, 3), new MeshLambertMaterial(), 1);
    instances.material.color.set('red');
    expect(instances.geometry.parameters.height).toBe(2);
    const any: OctreeInstances = instances;
    expect(any.material).toBe(instances.material);
    expect(instances.clone().material.color.getHexString()).toBe('ff0000');
  });

  it('has the flags of an InstancedMesh, but not for a renderer, which has just tested its layers', () => {
    const instances = rowOfInstances(2);
    const flags = (): boolean[] => [instances.isMesh, instances.isInstancedMesh];
    expect(flags()).toEqual([true, true]);
    instances.layers.test(new Layers());
    expect(flags()).toEqual([false, false]);
    void instances.children;
    expect(flags()).toEqual([true, true]);
  });

  it('is an InstancedMesh for the compiler, and for addons that read the vertices of all meshes of a scene', () => {
    const geometry = new BoxGeometry(2, 4, 6);
    const mesh: InstancedMesh = new OctreeInstances(geometry, new MeshBasicMaterial(), 4);
    expect(reduceVertices(mesh, (length, vertex) => Math.max(length, vertex.length()), 0)).toBe(Math.sqrt(14));
    const shape = geometry.attributes.position.clone();
    for (let k = 0; k < shape.count; k++) shape.setX(k, 9);
    geometry.morphAttributes.position = [shape];
    const same = new InstancedMesh(geometry, mesh.material, 4);
    for (const each of [mesh, same]) {
      each.morphTargetInfluences = [0.5];
      each.updateMorphTargets();
      expect(each.morphTargetInfluences).toEqual([0.5]);
    }
    for (let k = 0; k < shape.count; k++)
      expect(mesh.getVertexPosition(k, new Vector3())).toEqual(same.getVertexPosition(k, new Vector3()));
  });

  it('becomes an InstancedMesh of its visible instances, in its place', () => {
    const instances = rowOfInstances(5);
    instances.setColorAt(4, 0xff0000).setVisibleAt(1, false).deleteInstance(2).position.set(0, 7, 0);
    instances.receiveShadow = true;
    const mesh = instances.toInstancedMesh();
    const places = Array.from({ length: mesh.count }, (_, k) => mesh.instanceMatrix.array[16 * k + 12]);
    expect(places).toEqual([0, 30, 40]);
    expect([...mesh.instanceColor!.array]).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 0]);
    expect([mesh.instanceMatrix.count, mesh.geometry, mesh.material]).toEqual([
      3,
      instances.geometry,
      instances.material,
    ]);
    expect([mesh.position.y, mesh.name, mesh.receiveShadow]).toEqual([7, 'row', true]);
    expect(new OctreeInstances().toInstancedMesh().count).toBe(0);
  });

  it('has the influences that all instances share as an InstancedMesh, and in a file', () => {
    const instances = rowOfInstances(2);
    instances.morphTargetInfluences = [0.5, 0.25];
    const mesh = instances.toInstancedMesh();
    expect(mesh.morphTargetInfluences).toEqual([0.5, 0.25]);
    expect(mesh.morphTargetInfluences).not.toBe(instances.morphTargetInfluences);
    const loaded = new ObjectLoader().parse(instances.toJSON()) as InstancedMesh;
    expect(loaded.morphTargetInfluences).toEqual([0.5, 0.25]);
  });
});
