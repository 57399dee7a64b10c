import {
  ArrayCamera,
  BatchedMesh,
  Bone,
  Box3,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Frustum,
  FrustumArray,
  Group,
  InstancedMesh,
  Layers,
  Line,
  LOD,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  ObjectLoader,
  OrthographicCamera,
  PerspectiveCamera,
  Plane,
  PointLight,
  Points,
  Raycaster,
  Scene,
  Sprite,
  Vector3,
  Object3D,
} from 'three';
import { BundleGroup } from 'three/webgpu';
import { describe, expect, it, vi } from 'vitest';
import { OctreeGroup } from '../../../src/three.ts';
import { countHeld } from '../../support/garbage.ts';
import { createRandom } from '../../support/random.ts';
import { cube, geometry, material, namesSeen, passOver, rowOfCubes, slab } from '../../support/three-passes.ts';
import { createTwins, scatter } from '../../support/three-scenes.ts';
import { nearest } from '../../../src/index.ts';

/** Calls a function while further arguments lie on the stack. */
function callWith(inner: () => void, ..._filler: null[]): void {
  inner();
}

function canPass(count: number): boolean {
  try {
    callWith(() => undefined, ...Array.from<null>({ length: count }));
    return true;
  } catch {
    return false;
  }
}

/** The arguments that a call can take, and at most 1,023 fewer. */
function mostArguments(): number {
  let low = 2 ** 14;
  for (let step = 2 ** 20; step >= 2 ** 10; step /= 2) if (canPass(low + step)) low += step;
  return low;
}

describe('OctreeGroup in a pass', () => {
  it('draws only the children in the frustum, in the order of the children', () => {
    const group = rowOfCubes(100);
    expect(namesSeen(group, 25)).toEqual(['cube 0', 'cube 10', 'cube 20']);
    expect(namesSeen(group, 9.6)).toEqual(['cube 0', 'cube 10']);
    group.add(group.children[0]);
    group.updateMatrixWorld();
    expect(namesSeen(group, 25)).toEqual(['cube 10', 'cube 20', 'cube 0']);
  });

  it('draws all that three would draw, in random scenes with random cameras', () => {
    const { scene, group } = createTwins(1, (to, random) => scatter(to, random, 400, 60)).octree;
    scene.updateMatrixWorld();
    const random = createRandom(2);
    let left = 0;
    for (let k = 0; k < 100; k++) {
      const camera = new PerspectiveCamera(random.between(10, 100), 1, 0.1, random.between(20, 200));
      camera.position.set(random.between(-60, 60), random.between(-60, 60), random.between(-60, 60));
      camera.lookAt(random.between(-60, 60), random.between(-60, 60), 0);
      camera.updateMatrixWorld();
      const frustum = new Frustum().setFromProjectionMatrix(
        new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
      );
      const seen = new Set(passOver(group, frustum));
      // Everything that three draws, and whose vertex box touches the frustum, must be in the list.
      const drawn = group.children.filter((child) => {
        let isSeen = false;
        child.traverse((part) => {
          if (!('isMesh' in part || 'isLine' in part || 'isPoints' in part || 'isSprite' in part)) return;
          isSeen ||=
            part.intersectsFrustum(frustum) &&
            (!('isMesh' in part) || frustum.intersectsBox(new Box3().setFromObject(part, true)));
        });
        return isSeen;
      });
      expect(drawn.filter((child) => !seen.has(child)).map(({ name }) => name)).toEqual([]);
      left += group.children.length - seen.size;
    }
    expect(left).toBeGreaterThan(15_000);
  });

  it('draws what any frustum of an array touches, each object once, and everything if a frustum holds a NaN', () => {
    const group = rowOfCubes(10);
    const cameras = [0, 50, 51].map((x) => {
      const camera = new OrthographicCamera(-1, 1, 9, -9, -9, 9);
      camera.position.x = x;
      camera.updateMatrixWorld();
      return camera as unknown as PerspectiveCamera;
    });
    expect(
      passOver(group, new FrustumArray().setFromArrayCamera(new ArrayCamera(cameras))).map(({ name }) => name),
    ).toEqual(['cube 0', 'cube 50']);
    const broken = slab(1);
    broken.planes[2] = new Plane(new Vector3(NaN, 0, 0), 1);
    expect(passOver(group, broken).length).toBe(10);
    const infinite = slab(15);
    infinite.planes[4] = new Plane(new Vector3(NaN, NaN, NaN), Infinity);
    expect(passOver(group, infinite).length).toBe(2);
  });

  it('always draws objects that three would not cull, and objects without bounds', () => {
    const group = new OctreeGroup();
    const own = Object.assign(cube(0), { intersectsFrustum: () => true });
    const hooked = rowOfCubes(1);
    const always = [
      new PointLight(),
      new PerspectiveCamera(),
      new Group(),
      new Group().add(cube(0), new PointLight()),
      new Group().add(new Group().add(Object.assign(cube(0), { frustumCulled: false }))),
      new LOD().addLevel(cube(0)).addLevel(cube(0), 10, 0.1),
      cube(0).add(new Mesh(new BufferGeometry(), material)),
      Object.assign(cube(0), { frustumCulled: false }),
      new Mesh(new BufferGeometry(), material),
      new InstancedMesh(geometry, material, 2),
      new BatchedMesh(1, 3, 3, material),
      own,
      new Group().add(own.clone(), hooked),
      new BundleGroup().add(cube(0)),
    ];
    for (const object of always) group.add(object.translateX(500));
    for (let k = 0; k < 3; k++) group.updateMatrixWorld();
    expect(passOver(group, slab(1))).toEqual(always);
  });

  it('culls every object that three would cull with all its descendants', () => {
    const group = new OctreeGroup();
    const morphing = new BoxGeometry();
    morphing.morphAttributes.position = [new BufferAttribute(new Float32Array(72), 3)];
    const instances = new InstancedMesh(geometry, material, 2);
    instances.setMatrixAt(0, new Matrix4());
    instances.setMatrixAt(1, new Matrix4());
    instances.computeBoundingSphere();
    const sometimes = [
      cube(0),
      new Line(geometry),
      new Points(geometry),
      new Sprite(),
      new Mesh(morphing, material),
      instances,
      new Group().add(cube(0)),
      cube(0).add(cube(1)),
      new LOD().addLevel(cube(0)).addLevel(cube(0), 10),
      new Group().add(new Object3D().add(new Bone()), new Group().add(new LOD().addLevel(cube(0)), instances.clone())),
    ];
    for (const object of sometimes) group.add(object.translateX(500));
    group.updateMatrixWorld();
    expect(passOver(group, slab(1))).toEqual([]);
    expect(passOver(group, slab(501))).toEqual(sometimes);
  });

  it('draws new and moved children until their bounds are computed', () => {
    const group = rowOfCubes(2);
    group.add(cube(500));
    expect(namesSeen(group, 1)).toEqual(['cube 0', 'cube 500']);
    group.updateMatrixWorld();
    expect(namesSeen(group, 1)).toEqual(['cube 0']);
    group.reportMove(group.children[2]);
    expect(namesSeen(group, 1)).toEqual(['cube 0', 'cube 500']);
  });

  it('draws all children in a pass without a frustum', () => {
    const group = rowOfCubes(4);
    group.layers.test(new Layers());
    const hook = group.children.at(-1)!;
    expect(hook.children).toBe(group.children);
    expect(hook.children.length).toBe(4);
  });
});

describe('OctreeGroup as a Group', () => {
  it('is a Group, and behaves as an Object3D', () => {
    const group = rowOfCubes(3);
    group.name = 'row';
    const scene = new Scene().add(group);
    expect(group.isGroup && group.type === 'Group').toBe(true);
    expect('isMesh' in group).toBe(false);
    expect(scene.getObjectByName('cube 10')).toBe(group.children[1]);
    expect(new Box3().setFromObject(group)).toEqual(
      new Box3(new Vector3(-0.5, -0.5, -0.5), new Vector3(20.5, 0.5, 0.5)),
    );
    expect(Object.keys(group)).toContain('children');
    expect(new ObjectLoader().parse(group.toJSON()).children.map(({ name }) => name)).toEqual([
      'cube 0',
      'cube 10',
      'cube 20',
    ]);
    const other = new Group().translateX(7);
    scene.add(other.add(cube(1)));
    group.attach(other.children[0]);
    group.updateMatrixWorld();
    expect(group.children[3].matrixWorld.elements[12]).toBe(8);
    expect(() => ((group as Group).children = [])).toThrow(/^OctreeGroup\.children: the array must not be replaced/);
  });

  it('adds and removes as many objects in one call as the stack holds', () => {
    const group = new OctreeGroup();
    const objects = Array.from<Object3D>({ length: 25_000 }).fill(cube(0));
    const addAndRemove = (): void => void group.add(...objects).remove(...objects);
    // Leaves room for 40,000 arguments: not for the same objects twice.
    callWith(addAndRemove, ...Array.from<null>({ length: mostArguments() - 40_000 }));
    expect([group.children.length, group.octree.size]).toEqual([0, 0]);
  });

  it('is not confused by code that tests its layers', () => {
    const calls: ((group: OctreeGroup) => unknown)[] = [
      (group) => group.add(cube(99)) && group.children.length === 4,
      (group) => group.remove(group.getObjectByName('cube 10')!) && group.children.length === 2,
      (group) => group.clear() && group.children.length === 0,
      (group) => group.attach(cube(99)) && group.children.length === 4,
      (group) => group.getObjectsByProperty('type', 'Mesh').length === 3,
      (group) => group.toJSON().object.children?.length === 3,
      (group) => group.clone().children.length === 3,
      (group) => (group.updateMatrixWorld(), group.children.length === 3),
      (group) => {
        const seen: Object3D[] = [];
        group.traverse((object) => object.layers.test(new Layers()) && seen.push(object));
        group.traverseVisible((object) => object.layers.test(new Layers()) && seen.push(object));
        return seen.length === 8 && seen.every((object) => object === group || object.parent === group);
      },
    ];
    for (const call of calls) {
      const group = rowOfCubes(3);
      group.layers.test(new Layers());
      expect(call(group)).toBe(true);
    }
  });

  it('returns its real children a microtask after code has tested its layers without reading them', async () => {
    const group = rowOfCubes(3);
    new Raycaster(new Vector3(), new Vector3(1, 0, 0)).intersectObject(group, false);
    group.layers.test(new Layers());
    await Promise.resolve();
    expect(group.children.map(({ name }) => name)).toEqual(['cube 0', 'cube 10', 'cube 20']);
    expect(namesSeen(group, 1)).toEqual(['cube 0']);
  });

  it('clones its settings and its children', () => {
    const group = new OctreeGroup({ region: { min: { x: -4096, y: -4096, z: -4096 }, edge: 8192 } }).add(
      cube(0),
      cube(10),
    );
    group.layers.set(4);
    group.hasStaticChildren = true;
    group.setStatic(group.children[1]);
    group.addTree(new Group().add(cube(500), cube(5)));
    const clone = group.clone();
    clone.updateMatrixWorld();
    expect(clone).toBeInstanceOf(OctreeGroup);
    expect([clone.layers.mask, clone.hasStaticChildren, clone.children.length]).toEqual([16, true, 3]);
    expect(clone.octree.region!.edge).toBe(8192);
    expect(namesSeen(clone, 6)).toEqual(['cube 0', 'cube 5']);
    clone.children[0].position.x = clone.children[1].position.x = 500;
    clone.updateMatrixWorld();
    expect(namesSeen(clone, 11)).toEqual(['cube 10', 'cube 5']);
    expect(group.clone(false).children).toEqual([]);
  });

  it('keeps nothing of removed children: no memory grows', () => {
    const group = new OctreeGroup();
    for (let k = 0; k < 500; k++) {
      const child = cube(k % 7);
      group.add(child).updateMatrixWorld();
      if (k % 2 === 0) group.remove(child);
      else new Group().add(child);
    }
    group.updateMatrixWorld();
    expect([group.children.length, group.octree.size, passOver(group, slab(9)).length]).toEqual([0, 0, 0]);
    expect(group.octree.statistics.nodes).toBeLessThanOrEqual(1);
  });

  it('does as a plain Group what three does with no object, another class and hidden groups', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const found = [new Group(), new OctreeGroup()].map((group) => {
      const seen: string[] = [];
      const see = ({ name }: Object3D): unknown => seen.push(name);
      const child = cube(0);
      child.addEventListener('removed', () => seen.push('removed'));
      group.add();
      group.copy(new Group().add(cube(7), child)).traverse(see);
      group.visible = false;
      group.traverseVisible(see);
      group.add(child).clear();
      return [seen, log.mock.calls.length];
    });
    log.mockRestore();
    expect(found).toEqual([
      [['', 'cube 7', 'cube 0', 'removed', 'removed'], 1],
      [['', 'cube 7', 'cube 0', 'removed', 'removed'], 2],
    ]);
  });

  it('clears more children than a call can take arguments, with the events of three', () => {
    const group = new OctreeGroup({ hasStaticChildren: true });
    for (let k = 0; k < 12_000; k++) group.add(new Object3D());
    const last = cube(0);
    const events: string[] = [];
    last.addEventListener('removed', () => events.push(last.parent === null ? 'removed' : 'still there'));
    group.addEventListener('childremoved', ({ child }) => child === last && events.push('child removed'));
    group.add(last);
    // Leaves room for 8,000 arguments.
    callWith(() => void group.clear(), ...Array.from<null>({ length: mostArguments() - 8000 }));
    expect([group.children.length, last.parent, events]).toEqual([0, null, ['removed', 'child removed']]);
    expect(passOver(group, slab(9))).toEqual([]);
  });

  it('may be updated by a callback of a query of its octree, which applies nothing in the meantime', () => {
    const group = rowOfCubes(20);
    group.updateMatrixWorld();
    const sphere = { center: { x: 0, y: 0, z: 0 }, radius: 1000 };
    const filter = (): boolean => {
      group.children[0].position.y = 5000;
      group.updateMatrixWorld();
      return true;
    };
    expect(group.octree.intersectSphere(sphere, { filter })).toHaveLength(20);
    group.updateMatrixWorld();
    expect(group.octree.intersectSphere(sphere)).toHaveLength(19);
  });

  it('has an octree for queries in world units', () => {
    const group = rowOfCubes(5);
    group.position.x = 100;
    group.updateMatrixWorld();
    expect(nearest(group.octree, { x: 121, y: 0, z: 0 }, 1)[0].body.data).toBe(group.children[2]);
  });

  it('holds nothing of children that were removed', async () => {
    const group = new OctreeGroup();
    const gone = Array.from({ length: 5 }, () => {
      const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
      group.add(mesh);
      return [mesh, mesh.geometry, mesh.material].map((each) => new WeakRef(each));
    }).flat();
    group.updateMatrixWorld();
    passOver(group, slab(100));
    group.clear();
    group.updateMatrixWorld();
    expect(await countHeld(gone)).toBe(0);
    expect(group.children).toEqual([]);
  });
});
