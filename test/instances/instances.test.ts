import {
  ArrayCamera,
  Box3,
  BoxGeometry,
  BufferGeometry,
  Color,
  FrustumArray,
  InstancedBufferAttribute,
  InstancedInterleavedBuffer,
  InterleavedBufferAttribute,
  Layers,
  Matrix4,
  MeshBasicMaterial,
  OrthographicCamera,
  PerspectiveCamera,
  Plane,
  Object3D,
  ShaderMaterial,
  Sphere,
  Vector3,
  type InstancedMesh,
} from 'three';
import { describe, expect, it, vi } from 'vitest';
import { OctreeInstances } from '../../src/three.ts';
import { randomMatrix, scatterInstances } from '../support/instance-twins.ts';
import {
  at,
  drawnColors,
  drawnMatrices,
  drawnPlaces,
  frustumOf,
  rowOfInstances,
  viewsOf,
  viewsOfCamera,
  drawnWithin,
} from '../support/instance-passes.ts';
import { createRandom } from '../support/random.ts';
import { slab } from '../support/three-passes.ts';
import { validate } from '../../src/debug/index.ts';

const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();

function float(matrix: Matrix4): Float32Array {
  return Float32Array.from(matrix.elements);
}

function isSorted(numbers: number[]): boolean {
  return numbers.every((number, k) => k === 0 || numbers[k - 1] <= number + 1e-4);
}

describe('OctreeInstances in a pass', () => {
  it('draws only the instances in the frustum, in one view, and no view if there are none', () => {
    const instances = rowOfInstances(100);
    expect(drawnWithin(instances, 25)).toEqual([0, 10, 20]);
    expect(drawnWithin(instances, 9.6)).toEqual([0, 10]);
    expect(viewsOf(instances, slab(25)).length).toBe(1);
    instances.position.x = 500;
    instances.updateMatrixWorld();
    expect(viewsOf(instances, slab(25))).toEqual([]);
  });

  it('draws the present state, after any changes since the last pass', () => {
    const random = createRandom(1);
    const instances = new OctreeInstances(geometry, material);
    instances.castShadow = true;
    const alive = new Map<number, { matrix: Matrix4; color: Color; visible: boolean }>();
    const cameras = [0, 1, 2].map((k) => {
      const camera = new PerspectiveCamera(60, 1, 0.1, 60 + 40 * k);
      camera.position.set(random.between(-30, 30), random.between(-30, 30), 0);
      camera.lookAt(0, 10 * k, -5);
      camera.updateMatrixWorld();
      return camera;
    });
    const add = (): void => {
      const matrix = randomMatrix(random, 60);
      alive.set(instances.addInstance(matrix), { matrix, color: new Color(1, 1, 1), visible: true });
    };
    const mostIds = new Set<number>();
    for (let step = 0; step < 300; step++) {
      for (let k = random.below(12); k > 0; k--) add();
      for (const [id, known] of alive) {
        mostIds.add(id);
        const dice = random.below(40);
        if (dice === 0) {
          instances.deleteInstance(id);
          alive.delete(id);
        } else if (dice === 1) instances.setMatrixAt(id, (known.matrix = randomMatrix(random, 60)));
        else if (dice === 2) instances.setColorAt(id, (known.color = new Color(random.below(2 ** 24))));
        else if (dice === 3) instances.setVisibleAt(id, (known.visible = !known.visible));
      }
      if (step % 20 === 0) instances.position.x = random.between(-20, 20);
      instances.updateMatrixWorld();
      const camera = cameras[step % 3];
      const views = viewsOf(instances, frustumOf(camera), step % 2 === 0 ? camera : null);
      const drawn = new Set(
        drawnMatrices(views).map(({ elements }, k) => [...elements, ...drawnColors(views)[k].toArray()].join()),
      );
      const shown = [...alive.values()].filter(({ visible }) => visible);
      const names = new Map(
        shown.map((one) => [[...float(one.matrix), ...Float32Array.from(one.color.toArray())].join(), one.matrix]),
      );
      for (const name of drawn) expect(names.has(name)).toBe(true);
      const frustum = frustumOf(camera);
      const boundsOf = (matrix: Matrix4): Box3 =>
        new Box3(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5))
          .applyMatrix4(matrix)
          .applyMatrix4(instances.matrixWorld);
      const expected = [...names].filter(([, matrix]) => frustum.intersectsBox(boundsOf(matrix))).map(([name]) => name);
      expect(expected.filter((name) => !drawn.has(name))).toEqual([]);
      // Nothing is drawn twice, and few instances outside the frustum.
      expect(drawn.size).toBe(drawnMatrices(views).length);
      expect(drawn.size).toBeLessThanOrEqual(expected.length + 2);
      expect(instances.instanceCount).toBe(alive.size);
    }
    expect(validate(instances.octree)).toEqual([]);
    expect(instances.octree.size).toBe([...alive.values()].filter(({ visible }) => visible).length);
    // Ids are reused: the limit stays near the greatest number of instances at a time.
    expect(mostIds.size).toBeLessThan(2 * alive.size);
  });

  it('draws the union of an array of frusta, each instance once, and all if a frustum holds NaN or culling is switched off', () => {
    const instances = rowOfInstances(10);
    const cameras = [0, 50, 51].map((x) => {
      const camera = new OrthographicCamera(-1, 1, 9, -9, -9, 9);
      camera.position.x = x;
      camera.updateMatrixWorld();
      return camera as unknown as PerspectiveCamera;
    });
    expect(drawnPlaces(viewsOf(instances, new FrustumArray().setFromArrayCamera(new ArrayCamera(cameras))))).toEqual([
      0, 50,
    ]);
    const broken = slab(1);
    broken.planes[2] = new Plane(new Vector3(NaN, 0, 0), 1);
    expect(drawnMatrices(viewsOf(instances, broken)).length).toBe(10);
    instances.frustumCulled = false;
    expect(drawnWithin(instances, 1).length).toBe(10);
    instances.setVisibleAt(3, false);
    expect(drawnWithin(instances, 1)).not.toContain(30);
    instances.frustumCulled = true;
    expect(drawnWithin(instances, 1)).toEqual([0]);
  });

  it('draws what the culling camera sees; shadows ignore that camera', () => {
    const instances = rowOfInstances(10);
    const stand = new OrthographicCamera(-15, 15, 9, -9, -9, 9);
    const camera = new PerspectiveCamera();
    camera.position.x = 70;
    stand.updateMatrixWorld();
    instances.cullingCamera = stand;
    expect(drawnPlaces(viewsOfCamera(instances, camera))).toEqual([0, 10]);
    stand.position.x = 50;
    stand.updateMatrixWorld();
    expect(drawnPlaces(viewsOfCamera(instances, camera))).toEqual([40, 50, 60]);
    expect(drawnWithin(instances, 1)).toEqual([0]);
    instances.cullingCamera = null;
    expect(drawnPlaces(viewsOf(instances, slab(1), camera))).toEqual([0]);
  });

  it('runs no query for cameras on other layers', () => {
    const instances = rowOfInstances(3);
    const culls = vi.spyOn(instances.octree, 'collectFrustum');
    const camera = new PerspectiveCamera();
    instances.layers.set(2);
    expect([viewsOf(instances, slab(9), camera), culls.mock.calls.length]).toEqual([[], 0]);
    camera.layers.enable(2);
    expect(drawnPlaces(viewsOf(instances, slab(9), camera))).toEqual([0]);
  });

  it('draws all instances in a pass without a frustum', () => {
    const instances = rowOfInstances(4);
    instances.layers.test(new Layers());
    const [, hook] = instances.children;
    instances.setVisibleAt(2, false);
    expect(drawnPlaces([...hook.children] as InstancedMesh[])).toEqual([0, 10, 30]);
  });

  it('draws all if the geometry has no finite bounds, and follows replaced and changed geometries', () => {
    const instances = rowOfInstances(4);
    instances.geometry = new BufferGeometry();
    expect(drawnWithin(instances, 1).length).toBe(4);
    instances.geometry = new BoxGeometry(25, 1, 1);
    expect(drawnWithin(instances, 1)).toEqual([0, 10]);
    instances.geometry.scale(0.1, 1, 1);
    expect(drawnWithin(instances, 1)).toEqual([0]);
    instances.geometry.boundingSphere = new Sphere(new Vector3(), 15);
    instances.geometry.attributes.position.needsUpdate = true;
    expect(drawnWithin(instances, 1)).toEqual([0, 10]);
  });

  it('copies and uploads only changes since the last pass of the camera', () => {
    const instances = new OctreeInstances(geometry, material, 12_000);
    scatterInstances(instances, createRandom(2), 12_000, 100);
    instances.updateMatrixWorld();
    const camera = new PerspectiveCamera(90, 1, 0.1, 300);
    camera.position.x = -100;
    camera.lookAt(0, 0, 0);
    const view = (): InstancedMesh => viewsOfCamera(instances, camera)[0];
    const uploads = (): number => {
      const { instanceMatrix } = view();
      const floats = instanceMatrix.updateRanges.reduce((sum, { count }) => sum + count, 0);
      instanceMatrix.clearUpdateRanges();
      return floats;
    };
    // With fewer instances the order of ids comes first.
    const { count } = view();
    expect(count).toBeGreaterThan(4096);
    expect([uploads(), view().instanceMatrix.version]).toEqual([0, 0]);
    instances.setMatrixAt(3, new Matrix4());
    const one = uploads();
    expect(one).toBeGreaterThan(0);
    expect(one).toBeLessThanOrEqual(16 * 64);
    camera.rotation.y += 0.002;
    const before = drawnMatrices([view()]).map(({ elements }) => elements.join());
    const some = uploads();
    expect(some).toBeLessThan(16 * count * 0.8);
    camera.rotation.y += 0.002;
    const after = drawnMatrices([view()]).map(({ elements }) => elements.join());
    expect(before.filter((name, slot) => after[slot] === name).length).toBeGreaterThan(0.95 * before.length);
  });

  it('uploads blocks of 64 slots with up to two unchanged ones between, and a whole buffer rather than 1,025 parts', () => {
    const instances = rowOfInstances(1000);
    instances.frustumCulled = false;
    const camera = new PerspectiveCamera();
    const partsAfter = (...ids: number[]): number[][] => {
      for (const id of ids) instances.setMatrixAt(id, at(id));
      const { updateRanges } = viewsOfCamera(instances, camera)[0].instanceMatrix;
      return updateRanges.map(({ start, count }) => [start / 16, (start + count) / 16]);
    };
    const { instanceMatrix } = viewsOfCamera(instances, camera)[0];
    const expected = new Map([
      [[63], [[0, 64]]],
      [[0, 192], [[0, 256]]],
      [
        [0, 256],
        [
          [0, 64],
          [256, 320],
        ],
      ],
      [[999], [[960, 1000]]],
    ]);
    for (const [ids, parts] of expected) {
      expect(partsAfter(...ids)).toEqual(parts);
      instanceMatrix.clearUpdateRanges();
    }
    // A renderer that does not draw the view does not clear them.
    const counts = Array.from({ length: 1025 }, () => partsAfter(0).length);
    expect(counts.slice(-2)).toEqual([1024, 1]);
  });

  it('sorts instances of transparent materials from back to front, unless sortObjects is false', () => {
    const instances = new OctreeInstances(
      new BoxGeometry().translate(3, 0, 0),
      new MeshBasicMaterial({ transparent: true }),
      300,
    );
    scatterInstances(instances, createRandom(3), 300, 40);
    instances.rotation.z = 1;
    instances.scale.set(1, 2, -1);
    instances.updateMatrixWorld();
    const camera = new PerspectiveCamera(90, 1, 0.1, 300);
    const depths = (): number[] => {
      const view = camera.matrixWorldInverse.clone().multiply(instances.matrixWorld);
      return drawnMatrices(viewsOfCamera(instances, camera)).map(
        (matrix) => new Vector3(3, 0, 0).applyMatrix4(matrix).applyMatrix4(view).z,
      );
    };
    for (let k = 0; k < 6; k++) {
      camera.position.set(30 * Math.cos(k), 3 * k, 30 * Math.sin(k));
      camera.lookAt(0, 0, 0);
      camera.updateMatrixWorld();
      expect(depths().length).toBeGreaterThan(30);
      expect(isSorted(depths())).toBe(true);
    }
    instances.sortObjects = false;
    camera.position.set(-30, 0, 0);
    camera.lookAt(0, 0, 0);
    expect(isSorted(depths())).toBe(false);
  });

  it('copies its draw state to its views, and calls its callbacks', () => {
    const instances = rowOfInstances(2);
    const calls: string[] = [];
    Object.assign(instances, {
      receiveShadow: true,
      renderOrder: 7,
      customDepthMaterial: material,
      userData: { a: 1 },
      onBeforeRender: () => calls.push('before'),
    });
    instances.layers.set(5);
    const [view] = viewsOf(instances, slab(20));
    expect(view).toMatchObject({
      castShadow: true,
      receiveShadow: true,
      renderOrder: 7,
      customDepthMaterial: material,
      userData: { a: 1 },
      name: 'row',
    });
    expect([
      view.layers.mask,
      view.material === instances.material,
      view.geometry === instances.geometry,
      view.matrixWorld === instances.matrixWorld,
    ]).toEqual([32, true, true, true]);
    (view.onBeforeRender as () => void)();
    expect(calls).toEqual(['before']);
  });

  it.each(['onBeforeRender', 'onAfterRender', 'onBeforeShadow', 'onAfterShadow'] as const)(
    'gives its views %s only while it has one of its own',
    (name) => {
      const instances = rowOfInstances(2);
      const plain = Object3D.prototype[name];
      const frustum = slab(20);
      const camera = new PerspectiveCamera();
      const viewed = (): InstancedMesh => viewsOf(instances, frustum, camera)[0];
      expect(viewed()[name]).toBe(plain);
      const callback = vi.fn<() => void>();
      instances[name] = callback;
      const view = viewed();
      expect(view[name]).not.toBe(plain);
      Reflect.apply(view[name], view, [1, 2]);
      expect(callback.mock.calls).toEqual([[1, 2]]);
      expect(callback.mock.contexts).toEqual([instances]);
      Reflect.deleteProperty(instances, name);
      expect(viewed()).toBe(view);
      expect([view[name], Object.hasOwn(view, name)]).toEqual([plain, false]);
    },
  );

  it('disposes of views that no pass has used for 120 to 240 frames, and of all views in dispose', () => {
    const instances = rowOfInstances(3);
    const main = new PerspectiveCamera();
    const disposed: string[] = [];
    const watch = (name: string, [view]: InstancedMesh[]): void =>
      view.addEventListener('dispose', () => disposed.push(name));
    const wide = slab(50);
    watch('reflection', viewsOf(instances, wide, new PerspectiveCamera()));
    watch('shadow', viewsOf(instances, slab(50)));
    const lasting = slab(50);
    watch('lasting shadow', viewsOf(instances, lasting));
    watch('main', viewsOf(instances, wide, main));
    for (let frame = 0; frame < 200; frame++) viewsOf(instances, wide, main);
    expect(disposed).toEqual([]);
    for (let frame = 0; frame < 50; frame++) {
      viewsOf(instances, wide, main);
      viewsOf(instances, lasting);
    }
    expect(disposed.sort()).toEqual(['reflection', 'shadow']);
    instances.dispose();
    expect(disposed.sort()).toEqual(['lasting shadow', 'main', 'reflection', 'shadow']);
    expect(drawnPlaces(viewsOf(instances, wide, main))).toEqual([0, 10, 20]);
  });

  it('uses the same views for shadows if cameras on other layers render in between', () => {
    const instances = rowOfInstances(1);
    instances.layers.set(2);
    const light = slab(5);
    const views = new Set<InstancedMesh>();
    for (let k = 0; k < 5; k++) {
      viewsOf(instances, light, new PerspectiveCamera());
      for (let side = 0; side < 2; side++) for (const view of viewsOf(instances, light)) views.add(view);
    }
    expect(views.size).toBe(2);
  });

  it('does not keep the views of cameras that are created for each pass', () => {
    const instances = rowOfInstances(1);
    let kept = 0;
    for (let k = 0; k < 1000; k++) {
      const [view] = viewsOf(instances, slab(5), new PerspectiveCamera());
      kept++;
      view.addEventListener('dispose', () => kept--);
    }
    expect(kept).toBeLessThan(250);
  });

  it('has larger bounds as soon as a material may move vertices', () => {
    const instances: OctreeInstances = new OctreeInstances(new BoxGeometry(1, 1, 1), material, 1);
    instances.setMatrixAt(0, at(1.2)).castShadow = true;
    instances.updateMatrixWorld();
    expect(drawnWithin(instances, 0.5)).toEqual([]);
    instances.material = new ShaderMaterial();
    expect(drawnWithin(instances, 0.5).length).toBe(1);
    instances.material = material;
    expect(drawnWithin(instances, 0.5)).toEqual([]);
  });

  it('has one view for each side of a point light in a frame, and reuses them in the next', () => {
    const instances = rowOfInstances(3);
    const main = new PerspectiveCamera();
    const sides = slab(50);
    const frame = (): InstancedMesh[] => {
      viewsOf(instances, sides, main);
      return [0, 1, 2, 3, 4, 5].flatMap(() => viewsOf(instances, sides));
    };
    const first = frame();
    expect(new Set(first).size).toBe(6);
    expect(frame()).toEqual(first);
    instances.castShadow = false;
    expect(frame()).toEqual([]);
  });

  it('copies instanced attributes to the draw slots of their instances, and disposes of views without touching shared attributes', () => {
    const own = new BoxGeometry().setAttribute('heat', new InstancedBufferAttribute(Float32Array.of(0, 1, 2, 3), 1));
    const instances = new OctreeInstances(own, material, 4);
    for (let id = 0; id < 4; id++) instances.setMatrixAt(id, at(10 * id));
    instances.castShadow = true;
    instances.position.x = -20;
    instances.updateMatrixWorld();
    const heats = (): number[] => {
      const [view] = viewsOf(instances, slab(12));
      const { heat } = view.geometry.attributes;
      return drawnMatrices([view]).map(({ elements }, slot) => heat.getX(slot) - elements[12] / 10);
    };
    expect(heats()).toEqual([0, 0, 0]);
    const [view] = viewsOf(instances, slab(12));
    expect(view.geometry.attributes.position).toBe(own.attributes.position);
    own.attributes.heat.setX(2, 9).needsUpdate = true;
    expect(heats().sort((a, b) => a - b)).toEqual([0, 0, 7]);
    const disposed: Object3D[] = [];
    own.addEventListener('dispose', () => disposed.push(instances));
    let remaining: string[] = [];
    view.geometry.addEventListener('dispose', ({ target }) => (remaining = Object.keys(target.attributes)));
    instances.dispose();
    expect([disposed, remaining]).toEqual([[], ['heat']]);
  });

  it('splits interleaved instanced attributes', () => {
    const buffer = new InstancedInterleavedBuffer(Float32Array.of(0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23), 3);
    const own = new BoxGeometry()
      .setAttribute('one', new InterleavedBufferAttribute(buffer, 1, 0))
      .setAttribute('two', new InterleavedBufferAttribute(buffer, 2, 1));
    const instances = new OctreeInstances(own, material, 4);
    for (let id = 0; id < 4; id++) instances.setMatrixAt(id, at(10 * id));
    instances.castShadow = true;
    instances.position.x = -20;
    instances.updateMatrixWorld();
    const told = (): string[] => {
      const [view] = viewsOf(instances, slab(12));
      const { one, two } = view.geometry.attributes;
      return Array.from({ length: view.count }, (_, slot) =>
        [one.getX(slot), two.getX(slot), two.getY(slot)].join(),
      ).sort();
    };
    expect(told()).toEqual(['1,11,21', '2,12,22', '3,13,23']);
    buffer.array[4] = 99;
    buffer.needsUpdate = true;
    expect(told()).toEqual(['1,99,21', '2,12,22', '3,13,23']);
  });
});
