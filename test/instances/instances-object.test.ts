import {
  Box3,
  BoxGeometry,
  Color,
  InstancedMesh,
  Layers,
  Matrix4,
  MeshBasicMaterial,
  ObjectLoader,
  Quaternion,
  Scene,
  ShaderMaterial,
  Vector3,
  type Object3D,
} from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeInstances } from '../../src/three.ts';
import { at, drawnPlaces, rowOfInstances, drawnWithin } from '../support/instance-passes.ts';
import { scatterInstances } from '../support/instance-twins.ts';
import { createRandom } from '../support/random.ts';
import { cube } from '../support/three-passes.ts';
import { nearest } from '../../src/index.ts';
import { validate } from '../../src/debug/index.ts';

const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();

describe('OctreeInstances as an object', () => {
  it('hides its views from all code but renderers', () => {
    const instances = rowOfInstances(3);
    const scene = new Scene().add(instances);
    const child = cube(5);
    const calls: ((instances: OctreeInstances) => unknown)[] = [
      (one) => one.add(cube(1)).children.length === 2,
      (one) => one.remove(child).children.length === 0,
      (one) => one.clear().children.length === 0,
      (one) => one.attach(cube(1)).children.length === 2,
      (one) => one.getObjectByName('cube 5') === child && one.getObjectsByProperty('type', 'Mesh').length === 1,
      (one) => one.toJSON().object.children?.length === 1,
      (one) => one.clone().children.length === 1,
      (one) => (one.updateMatrixWorld(), one.children.length === 1),
      (one) => (one.updateWorldMatrix(true, true), one.children.length === 1),
      (one) => {
        const visited: Object3D[] = [];
        const visit = (object: Object3D): boolean => object.layers.test(new Layers()) && visited.push(object) > 0;
        one.traverse(visit);
        one.traverseVisible(visit);
        return visited.length === 4 && visited.every((object) => object === one || object === child);
      },
    ];
    for (const call of calls) {
      instances.clear().add(child);
      instances.layers.test(new Layers());
      expect(call(instances)).toBe(true);
    }
    expect(() => ((instances as Object3D).children = [])).toThrow(
      /^OctreeInstances\.children: the array must not be replaced/,
    );
    expect(scene.children).toEqual([instances]);
  });

  it('returns its real children a microtask after code has tested its layers without reading them', async () => {
    const instances = rowOfInstances(2);
    instances.layers.test(new Layers());
    await Promise.resolve();
    expect(instances.children).toEqual([]);
    expect(drawnWithin(instances, 25)).toEqual([0, 10]);
  });

  it('draws all instances while an override material of a scene above moves vertices', () => {
    const instances = rowOfInstances(4);
    const scene = new Scene().add(instances);
    const outer = new Scene().add(scene);
    expect(drawnWithin(instances, 15)).toEqual([0, 10]);
    scene.overrideMaterial = material;
    expect(drawnWithin(instances, 15)).toEqual([0, 10]);
    for (const above of [scene, outer]) {
      above.overrideMaterial = new ShaderMaterial();
      expect(drawnWithin(instances, 15)).toEqual([0, 10, 20, 30]);
      above.overrideMaterial = null;
      expect(drawnWithin(instances, 15)).toEqual([0, 10]);
    }
  });

  it('draws its children beside the instances', () => {
    const instances = rowOfInstances(1).add(cube(3));
    instances.layers.test(new Layers());
    const { children } = instances;
    expect([children.length, children[2].name]).toEqual([3, 'cube 3']);
    expect(instances.children.length).toBe(1);
  });

  it('starts with identity matrices, and returns the values that were set', () => {
    const instances = new OctreeInstances(geometry, material, 3);
    expect([instances.instanceCount, instances.capacity >= 3, instances.type]).toEqual([3, true, 'OctreeInstances']);
    expect(instances.getMatrixAt(2, at(5))).toEqual(new Matrix4());
    expect(instances.getColorAt(2, new Color(0))).toEqual(new Color(1, 1, 1));
    instances
      .setColorAt(1, new Color(0.25, 0.5, 0.75))
      .setVisibleAt(0, false)
      .setMatrixAt(1, at(1, 2, 3));
    expect(instances.getColorAt(1, new Color())).toEqual(new Color(0.25, 0.5, 0.75));
    expect([0, 1, 2].map((id) => instances.getVisibleAt(id))).toEqual([false, true, true]);
    expect(instances.deleteInstance(1).has(1)).toBe(false);
    expect(instances.addInstance(at(7))).toBe(1);
    expect(instances.getColorAt(1, new Color(0))).toEqual(new Color(1, 1, 1));
    const many = [...at(8).elements, ...at(9).elements];
    const ids = instances.addInstances(many);
    expect([...ids]).toEqual([3, 4]);
    expect(instances.setMatricesAt([4, 0], many).getMatrixAt(0, new Matrix4())).toEqual(at(9));
    expect(instances.getMatrixAt(4, new Matrix4())).toEqual(at(8));
  });

  it('takes queries in world units through its octree', () => {
    const instances = rowOfInstances(5);
    instances.setVisibleAt(1, false);
    expect(nearest(instances.octree, { x: 12, y: 0, z: 0 }, 1)[0].body.data).toBe(2);
    instances.position.x = 100;
    expect(nearest(instances.octree, { x: 121, y: 0, z: 0 }, 1)[0].body.data).toBe(2);
    instances.setMatrixAt(4, at(21));
    expect(nearest(instances.octree, { x: 121, y: 0, z: 0 }, 1)[0].body.data).toBe(4);
  });

  it('takes the options of its octree and the kind of bounds', () => {
    const rod = new BoxGeometry(1, 100, 1);
    const shader = new ShaderMaterial();
    const kinds = [undefined, 'box', 'sphere'] as const;
    const made = kinds.map((bounds) => new OctreeInstances(rod, shader, 3, bounds === undefined ? {} : { bounds }));
    for (const instances of made) for (let id = 0; id < 3; id++) instances.setMatrixAt(id, at(60 * id));
    // A ShaderMaterial may move vertices anywhere: the bound is the sphere of three.
    expect(made.map((instances) => instances.octree.bodyAt(0).kind)).toEqual(['sphere', 'box', 'sphere']);
    expect(made.map((instances) => instances.octree.intersectPoint({ x: 30, y: 0, z: 0 }).length)).toEqual([2, 0, 2]);
    const nodes = [1, 64].map((leafCapacity) => {
      const instances = new OctreeInstances(geometry, material, 50, { leafCapacity });
      scatterInstances(instances, createRandom(6), 50, 50);
      return instances.octree.statistics.nodes;
    });
    expect(nodes[0]).toBeGreaterThan(nodes[1]);
    expect(
      new OctreeInstances(new BoxGeometry(), shader, 1, { bounds: 'box' }).setMatrixAt(0, at(1)).octree.bodyAt(0).kind,
    ).toBe('box');
    expect(() => new OctreeInstances(rod, shader, 3, { leafCapcity: 8 } as never)).toThrow(
      /^OctreeInstances: unknown option leafCapcity, which is 8; use .*\bleafCapacity, /,
    );
    expect(() => new OctreeInstances(rod, shader, 3, { bounds: 'cube' as never })).toThrow(
      "OctreeInstances: options.bounds must be 'box' or 'sphere', but is the string \"cube\"",
    );
    expect(() => new OctreeInstances(rod, shader, 3, { leafCapacity: 0 })).toThrow(RangeError);
    expect(() => new OctreeInstances(rod, shader, 3, 7 as never)).toThrow(TypeError);
  });

  it('returns the box with which the octree tests an instance', () => {
    const random = createRandom(5);
    for (const bounds of ['box', 'sphere'] as const) {
      const instances = new OctreeInstances(geometry, material, 20, { bounds });
      scatterInstances(instances, random, 20, 50);
      instances.scale.set(2, 1, 1);
      for (let id = 0; id < 20; id++) {
        const box = instances.octree.bodyAt(id).getBox(new Box3());
        const { x, y, z } = instances.getBoundingBoxAt(id, new Box3()).max.sub(box.max);
        expect(Math.abs(x) + Math.abs(y) + Math.abs(z)).toBeLessThan(1e-12);
      }
    }
    const moved = rowOfInstances(1).translateX(100);
    expect(moved.getBoundingBoxAt(0, new Box3()).containsPoint(new Vector3(100, 0, 0))).toBe(true);
    expect(() => rowOfInstances(1).getBoundingBoxAt(1, new Box3())).toThrow(RangeError);
    expect(new OctreeInstances(undefined, material, 1).getBoundingBoxAt(0, new Box3()).isEmpty()).toBe(true);
  });

  it('moves no body when the container moves', () => {
    const instances = rowOfInstances(50);
    const { bodiesRelocated } = instances.octree.statistics;
    for (let k = 0; k < 5; k++) {
      instances.rotation.set(k, 1, 0);
      instances.position.x = -100 * k;
      instances.updateMatrixWorld();
      const reach = 20;
      const within = Array.from(
        { length: 50 },
        (_, id) => new Vector3(10 * id, 0, 0).applyMatrix4(instances.matrixWorld).x,
      ).filter((x) => Math.abs(x) <= reach - 1).length;
      expect(drawnWithin(instances, reach).length).toBeGreaterThanOrEqual(within);
      expect(drawnWithin(instances, reach).length).toBeLessThanOrEqual(within + 3);
    }
    instances.rotation.set(0, 0, 0);
    instances.position.x = 0;
    instances.updateMatrixWorld();
    expect(instances.octree.statistics.bodiesRelocated).toBe(bodiesRelocated);
  });

  it('has the bounds of an InstancedMesh, always up to date', () => {
    const random = createRandom(4);
    const instances = new OctreeInstances(geometry, material, 50);
    const mesh = new InstancedMesh(geometry, material, 49);
    scatterInstances(instances, random, 50, 20);
    for (let id = 0; id < 49; id++) mesh.setMatrixAt(id, instances.getMatrixAt(id, new Matrix4()));
    instances.setVisibleAt(49, false).position.y = mesh.position.y = 100;
    expect(new Box3().setFromObject(instances)).toEqual(new Box3().setFromObject(mesh));
    mesh.computeBoundingSphere();
    expect(instances.boundingSphere).toEqual(mesh.boundingSphere);
    instances.setMatrixAt(0, at(1000));
    expect(instances.boundingBox.max.x).toBe(1000.5);
    expect(instances.boundingSphere.radius).toBeGreaterThan(400);
  });

  it('is culled by the boundingSphere of its geometry, also where that grows after the first update', () => {
    const box = new BoxGeometry();
    const instances = new OctreeInstances(box, new ShaderMaterial(), 3);
    instances.castShadow = true;
    for (let id = 0; id < 3; id++) instances.setMatrixAt(id, at(10 * id));
    box.computeBoundingSphere();
    instances.updateMatrixWorld();
    expect(drawnWithin(instances, 5)).toEqual([0]);
    box.boundingSphere!.radius = 6;
    instances.updateMatrixWorld();
    expect(drawnWithin(instances, 5)).toEqual([0, 10]);
  });

  it('clones with its instances, their ids and its levels', () => {
    const instances = rowOfInstances(4)
      .deleteInstance(1)
      .setColorAt(2, new Color(0, 0, 1))
      .setVisibleAt(3, false);
    instances.addLevel(new BoxGeometry(), 10).shadowLevel = 0;
    instances.sortObjects = false;
    const clone = instances.clone();
    clone.updateMatrixWorld();
    expect(clone).toBeInstanceOf(OctreeInstances);
    expect([clone.instanceCount, clone.sortObjects, clone.shadowLevel, clone.name]).toEqual([3, false, 0, 'row']);
    expect([0, 1, 2, 3].map((id) => clone.has(id))).toEqual([true, false, true, true]);
    expect(clone.getColorAt(2, new Color())).toEqual(new Color(0, 0, 1));
    clone.setMatrixAt(0, at(99));
    expect(instances.getMatrixAt(0, new Matrix4())).toEqual(at(0));
    expect(drawnWithin(clone, 30)).toEqual([20]);
    expect(clone.addInstance(at(1))).toBe(1);
    // Into an object that is in use.
    const other = rowOfInstances(9);
    expect(drawnWithin(other, 100).length).toBe(9);
    other.copy(instances).updateMatrixWorld();
    expect(drawnWithin(other, 100)).toEqual([0, 20]);
    expect(other.addInstance(at(1))).toBe(1);
    // As every object of three, it may be copied to itself.
    expect(drawnWithin(instances.copy(instances, false), 30)).toEqual([0, 20]);
  });

  it('is saved as an InstancedMesh', () => {
    const instances = rowOfInstances(4)
      .deleteInstance(1)
      .setColorAt(2, new Color(0, 0, 1))
      .add(cube(5));
    instances.position.y = 3;
    instances.updateMatrix();
    const loaded = new ObjectLoader().parse(instances.toJSON()) as InstancedMesh;
    expect(loaded).toBeInstanceOf(InstancedMesh);
    expect([
      loaded.name,
      loaded.count,
      loaded.position.y,
      loaded.castShadow,
      loaded.uuid,
      loaded.children.length,
    ]).toEqual(['row', 4, 3, true, instances.uuid, 1]);
    expect(drawnPlaces([loaded])).toEqual([0, 0, 20, 30]);
    expect(loaded.instanceColor?.getZ(2)).toBe(1);
  });
});

describe('bad input to OctreeInstances', () => {
  it('is reported, and changes nothing', () => {
    const instances = rowOfInstances(2);
    const bad = at(NaN);
    const name = 'OctreeInstances "row"';
    expect(() => instances.addInstance(bad)).toThrow(
      `OctreeInstances.addInstance: matrix for the ${name} must hold numbers within +-2^50 only, but holds NaN`,
    );
    expect(() => instances.setMatrixAt(0, bad)).toThrow(
      new RangeError(
        `OctreeInstances.setMatrixAt: matrix of instance 0 of the ${name} must hold numbers within +-2^50 only, but holds NaN; check position, rotation and scale.`,
      ),
    );
    expect(() => instances.setMatrixAt(0, {} as never)).toThrow(TypeError);
    expect(() => instances.setMatrixAt(0, { elements: [1, 2] } as never)).toThrow(RangeError);
    expect(() => instances.setMorphAt(0, { morphTargetInfluences: [] })).toThrow(RangeError);
    expect(() => instances.setMatrixAt(2, at(0))).toThrow(
      `OctreeInstances.setMatrixAt: id must be that of an instance of the ${name}, but is 2; that instance was deleted or never added; use ids below the count that you pass to the constructor, and those that addInstance returns.`,
    );
    expect(() => instances.setMatrixAt('0' as never, at(0))).toThrow(TypeError);
    for (const id of [-1, 0.5, NaN, 7]) expect(() => instances.deleteInstance(id)).toThrow(RangeError);
    expect(() => instances.addInstances(new Float32Array(17))).toThrow(RangeError);
    expect(() => instances.addInstances(new Float32Array(17))).toThrow(
      'OctreeInstances.addInstances: matrices must hold 16 numbers for each instance, but holds 17 numbers for 2',
    );
    expect(() => instances.setMatricesAt([0, 1], new Float32Array(16))).toThrow(RangeError);
    expect(() => instances.setMatricesAt([0, 9], new Float32Array(32))).toThrow(RangeError);
    expect(() =>
      instances.setMatricesAt([0, 1], Float32Array.from([...at(1).elements, ...at(Infinity).elements])),
    ).toThrow('matrices, instance 1, for');
    for (const call of ['getMatrixAt', 'getColorAt', 'getVisibleAt', 'setVisibleAt', 'setColorAt'] as const) {
      expect(() => (instances[call] as (id: number, value: unknown) => unknown)(5, new Color())).toThrow(
        `OctreeInstances.${call}: id must be`,
      );
    }
    for (const count of [-1, 1.5, NaN, '3' as never])
      expect(() => new OctreeInstances(geometry, material, count)).toThrow(
        'OctreeInstances: count must be an integer from 0',
      );
    expect(() => instances.addLevel(geometry, -1)).toThrow(RangeError);
    expect(() => instances.addLevel(geometry, 1, 2)).toThrow(RangeError);
    expect(() => instances.addLevel(undefined as never, 1)).toThrow(TypeError);
    expect([instances.instanceCount, drawnWithin(instances, 30)]).toEqual([2, [0, 10]]);
  });

  it('does not include degenerate matrices: flat, mirrored and empty instances work', () => {
    const instances = new OctreeInstances(geometry, material);
    instances.castShadow = true;
    const scales = [new Vector3(0, 0, 0), new Vector3(1, 0, 1), new Vector3(-1, 1, 1), new Vector3(-2, -2, -2)];
    scales.forEach((scale, k) =>
      instances.addInstance(new Matrix4().compose(new Vector3(10 * k, 0, 0), new Quaternion(), scale)),
    );
    instances.updateMatrixWorld();
    expect(drawnWithin(instances, 25)).toEqual([0, 10, 20]);
    expect(validate(instances.octree)).toEqual([]);
    instances.scale.set(1, 0, 1);
    instances.updateMatrixWorld();
    expect(drawnWithin(instances, 15)).toEqual([0, 10]);
  });
});

it('the precise box of `Box3.setFromObject` is that of the instances, as with an InstancedMesh', () => {
  const instances = rowOfInstances(3);
  expect(new Box3().setFromObject(instances, true)).toEqual(new Box3().setFromObject(instances));
  expect(new Box3().setFromObject(instances, true).max.x).toBe(20.5);
});
