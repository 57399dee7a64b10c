import {
  Box3,
  BoxGeometry,
  InstancedBufferAttribute,
  Matrix4,
  MeshBasicMaterial,
  OrthographicCamera,
  PerspectiveCamera,
  Raycaster,
  Sphere,
  SphereGeometry,
  Vector3,
  type BufferAttribute,
} from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeInstances } from '../../src/three.ts';
import { at, drawnMatrices, viewsOf, viewsOfCamera } from '../support/instance-passes.ts';
import { createRandom, type Random } from '../support/random.ts';
import { errorOf } from '../support/rejects.ts';
import { slab } from '../support/three-passes.ts';

const everything = slab(1e5);

/** Any matrix with a last row of 0, 0, 0, 1: turned, sheared, mirrored. */
function anyMatrix(random: Random, reach: number): Matrix4 {
  const matrix = new Matrix4();
  for (let k = 0; k < 12; k++) matrix.elements[k + Math.floor(k / 3)] = random.between(-2, 2);
  return matrix.setPosition(
    random.between(-reach, reach),
    random.between(-reach, reach),
    random.between(-reach, reach),
  );
}

/** Instances with any matrices, in a container with another. */
function scattered(count: number, seed: number, instances: OctreeInstances): OctreeInstances {
  const random = createRandom(seed);
  for (let id = 0; id < count; id++) instances.setMatrixAt(id, anyMatrix(random, 40));
  instances.matrixAutoUpdate = false;
  instances.matrix.copy(anyMatrix(random, 10));
  instances.castShadow = true;
  instances.updateMatrixWorld(true);
  return instances;
}

/** The place of a matrix, as it is drawn. */
const keyOf = ({ elements }: Matrix4): string => elements.slice(12, 15).map(Math.fround).join(' ');

/** From the geometry of an instance to the world, as drawn. */
function worldOf(instances: OctreeInstances, id: number): Matrix4 {
  const matrix = new Matrix4();
  instances.getMatrixAt(id, matrix);
  return matrix.premultiply(instances.matrixWorld);
}

describe('instances with any matrices', () => {
  it.each(['box', 'sphere'] as const)('have the bounds of their geometry, which is beside its origin: %s', (bounds) => {
    const geometry = new BoxGeometry(1, 2, 3).translate(4, -5, 6);
    const instances = scattered(60, 1, new OctreeInstances(geometry, new MeshBasicMaterial(), 60, { bounds }));
    geometry.computeBoundingSphere();
    const { center, radius } = geometry.boundingSphere!;
    for (let id = 0; id < 60; id++) {
      const world = worldOf(instances, id);
      const box = instances.bodyOf(id)!.getBox();
      const [min, max] = [new Vector3(Infinity, Infinity, Infinity), new Vector3(-Infinity, -Infinity, -Infinity)];
      const { position } = geometry.attributes;
      for (let k = 0; k < position.count; k++) {
        const vertex = new Vector3().fromBufferAttribute(position, k).applyMatrix4(world);
        min.min(vertex);
        max.max(vertex);
      }
      if (bounds === 'sphere') {
        const middle = center.clone().applyMatrix4(world);
        // At least the longest axis, at most the sum of all.
        const axes = [0, 4, 8].map((k) => new Vector3().fromArray(world.elements, k).length());
        for (const side of ['x', 'y', 'z'] as const) {
          expect((box.min[side] + box.max[side]) / 2).toBeCloseTo(middle[side], 2);
          const half = (box.max[side] - box.min[side]) / 2;
          expect(half).toBeGreaterThan(radius * Math.max(...axes));
          expect(half).toBeLessThan(1.001 * radius * axes.reduce((a, b) => a + b));
        }
      }
      for (const side of ['x', 'y', 'z'] as const) {
        expect(box.min[side]).toBeLessThan(min[side]);
        expect(box.max[side]).toBeGreaterThan(max[side]);
        if (bounds === 'box') {
          expect(box.min[side]).toBeGreaterThan(min[side] - 0.001);
          expect(box.max[side]).toBeLessThan(max[side] + 0.001);
        }
      }
    }
  });

  it('are drawn in the level of their distance in the world', () => {
    const instances = scattered(200, 2, new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial(), 200));
    const far = new SphereGeometry();
    instances.addLevel(far, 60);
    const camera = new PerspectiveCamera();
    camera.position.set(20, -30, 25);
    camera.updateMatrixWorld();
    const views = viewsOf(instances, everything, camera);
    const drawn = drawnMatrices(views.filter(({ geometry }) => geometry === far)).map(keyOf);
    const expected: string[] = [];
    for (let id = 0; id < 200; id++) {
      const place = new Vector3().setFromMatrixPosition(worldOf(instances, id));
      const own = new Matrix4();
      instances.getMatrixAt(id, own);
      if (place.distanceTo(camera.position) >= 60) expected.push(keyOf(own));
    }
    expect(drawn.sort()).toEqual(expected.sort());
    expect([expected.length > 30, expected.length < 170]).toEqual([true, true]);
  });

  it('are sorted by the depth of their middle if they are transparent', () => {
    const geometry = new BoxGeometry().translate(7, -8, 9);
    const material = new MeshBasicMaterial({ transparent: true });
    const instances = scattered(200, 3, new OctreeInstances(geometry, material, 200));
    const camera = new PerspectiveCamera(60, 1, 0.1, 1e5);
    camera.position.set(300, 200, 100);
    camera.lookAt(3, 5, 7);
    camera.updateMatrixWorld();
    const views = viewsOf(instances, everything, camera);
    const depths = drawnMatrices(views).map(
      (matrix) =>
        new Vector3(7, -8, 9)
          .applyMatrix4(matrix)
          .applyMatrix4(instances.matrixWorld)
          .applyMatrix4(camera.matrixWorldInverse).z,
    );
    expect(depths).toHaveLength(200);
    depths.forEach((depth, k) => expect(k === 0 || depth > depths[k - 1] - 1e-3).toBe(true));
  });

  it('have a sphere around all of them in the space of the container, by which renderers sort it', () => {
    const geometry = new BoxGeometry(1, 2, 3).translate(4, -5, 6);
    const instances = scattered(50, 4, new OctreeInstances(geometry, new MeshBasicMaterial(), 50));
    instances.frustumCulled = false;
    const view = new PerspectiveCamera();
    const check = (): void => {
      instances.updateMatrixWorld();
      const sphere = viewsOfCamera(instances, view)[0].boundingSphere!;
      const all = new Box3();
      for (let id = 0; id < 50; id++) {
        const matrix = new Matrix4();
        instances.getMatrixAt(id, matrix);
        all.union(geometry.boundingBox!.clone().applyMatrix4(matrix));
        for (const corner of [geometry.boundingBox!.min, geometry.boundingBox!.max])
          expect(sphere.containsPoint(corner.clone().applyMatrix4(matrix))).toBe(true);
      }
      // It is not tight: the box around them in the world is turned and sheared.
      expect(sphere.radius).toBeLessThan(200 * all.getBoundingSphere(new Sphere()).radius);
    };
    geometry.computeBoundingBox();
    check();
    instances.setMatrixAt(7, at(5000, -3000, 1000));
    check();
    instances.setMatrixAt(7, at(1, 2, 3));
    instances.matrix.makeTranslation(1e4, 2e4, 3e4);
    check();
  });

  it('have that sphere also in a container that is flat', () => {
    const instances = scattered(50, 5, new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial(), 50));
    instances.matrix.scale(new Vector3(1, 0, 1));
    instances.updateMatrixWorld(true);
    const { boundingBox, boundingSphere } = instances;
    const sphere = viewsOf(instances, everything, new PerspectiveCamera())[0].boundingSphere!;
    expect(sphere.radius).toBeGreaterThanOrEqual(boundingBox.getBoundingSphere(new Sphere()).radius);
    expect(sphere.radius).toBeLessThan(1.5 * boundingSphere.radius);
    expect(sphere.center.distanceTo(boundingSphere.center)).toBeLessThan(0.2 * boundingSphere.radius);
  });

  it('are sorted far from the origin as at it', () => {
    const instances = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial({ transparent: true }), 100);
    for (let id = 0; id < 100; id++) instances.setMatrixAt(id, at(0, 0, ((id * 37) % 100) / 100));
    instances.position.set(2e6, -3e6, 4e6);
    instances.updateMatrixWorld();
    const camera = new PerspectiveCamera();
    camera.position.copy(instances.position).add(new Vector3(0, 0, 10));
    const places = drawnMatrices(viewsOfCamera(instances, camera)).map(({ elements }) => elements[14]);
    expect(places).toHaveLength(100);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });
});

/** What a GPU has of an attribute: it takes the update ranges of a new version, or all of a new attribute. */
class Uploaded {
  private known: BufferAttribute | null = null;
  private version = -1;
  private array = new Float32Array(0);

  /** The numbers of the GPU, and how many were uploaded. */
  take(attribute: BufferAttribute): { numbers: Float32Array; uploaded: number } {
    const { version, updateRanges, array } = attribute;
    const before = this.version;
    const isNew = attribute !== this.known;
    const ranges = isNew || updateRanges.length === 0 ? [{ start: 0, count: array.length }] : updateRanges;
    this.known = attribute;
    this.version = version;
    if (!isNew && version === before) return { numbers: this.array, uploaded: 0 };
    if (isNew) this.array = new Float32Array(array.length);
    let uploaded = 0;
    for (const { start, count } of ranges) {
      expect([start >= 0, count > 0, start + count <= array.length]).toEqual([true, true, true]);
      this.array.set(array.subarray(start, start + count), start);
      uploaded += count;
    }
    attribute.clearUpdateRanges();
    return { numbers: this.array, uploaded };
  }
}

/** Sees all instances at x from 0 to 5000, always by the same view. */
const camera = new OrthographicCamera(-10, 5000, 10, -10, -100, 100);

/** Instances with the ids from 0, 1 apart along x. */
function inRow(count: number, geometry = new BoxGeometry()): OctreeInstances {
  const instances = new OctreeInstances(geometry, new MeshBasicMaterial(), count);
  for (let id = 0; id < count; id++) instances.setMatrixAt(id, at(id));
  instances.updateMatrixWorld();
  camera.updateProjectionMatrix();
  return instances;
}

describe('what is uploaded of a view', () => {
  it.each([200, 3000])('are all instances that have changed, of %i, and few others', (count) => {
    const random = createRandom(7);
    const instances = inRow(count);
    const gpu = new Uploaded();
    const upload = (): number => {
      const [view] = viewsOfCamera(instances, camera);
      const { numbers, uploaded } = gpu.take(view.instanceMatrix);
      const { array } = view.instanceMatrix;
      expect(numbers.subarray(0, 16 * view.count).every((value, k) => value === array[k])).toBe(true);
      return uploaded;
    };
    expect(upload()).toBeGreaterThanOrEqual(16 * count);
    for (let step = 0; step < 60; step++) {
      // Neighbours, some further ones, the first, the last.
      const first = random.below(count);
      const ids = [first, first + 1, first + 64, first + 200, 0, count - 1].filter(
        (id) => id < count && random.next() < 0.5,
      );
      for (const id of ids) instances.setMatrixAt(id, at(id, (step % 9) + 1));
      if (step % 4 === 3) instances.setVisibleAt(random.below(count), step % 8 === 3);
      instances.updateMatrixWorld();
      // Blocks of 64, and up to two between them.
      const most = step % 4 === 3 ? count : 64 * 3 * ids.length;
      expect(upload()).toBeLessThanOrEqual(16 * most);
      expect(upload()).toBe(0);
    }
  });

  it.each([1, 3])('are the instances of changed items of an attribute, %i of each item', (meshPerAttribute) => {
    const geometry = new BoxGeometry();
    const attribute = new InstancedBufferAttribute(new Float32Array(2 * 300), 2, false, meshPerAttribute);
    geometry.setAttribute('tint', attribute);
    const instances = inRow(300, geometry);
    const gpu = new Uploaded();
    const tints = (): number[] => {
      instances.updateMatrixWorld();
      const [view] = viewsOfCamera(instances, camera);
      const { numbers } = gpu.take(view.geometry.attributes.tint as BufferAttribute);
      return Array.from({ length: 300 }, (_, slot) => numbers[2 * slot + 1]);
    };
    const expected = Array.from({ length: 300 }, () => 0);
    expect(tints()).toEqual(expected);
    for (const [item, value] of [
      [5, 1],
      [9, 2],
      [90, 3],
      [0, 4],
      [99, 5],
    ]) {
      attribute.setY(item, value);
      attribute.addUpdateRange(2 * item + 1, 1);
      attribute.needsUpdate = true;
      for (let k = 0; k < meshPerAttribute; k++) expected[item * meshPerAttribute + k] = value;
      expect([item, tints()]).toEqual([item, expected]);
    }
  });
});

it.each([0.25, 1, 4])('a ray ends at its far distance in a container of scale %f', (scale) => {
  const instances = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial(), 1);
  instances.setMatrixAt(0, at(0));
  // From here on the octree is in the space of this moment.
  instances.updateMatrixWorld();
  expect(instances.raycastFirst(new Raycaster(new Vector3(0, 0, 9), new Vector3(0, 0, -1)))).not.toBe(null);
  instances.scale.setScalar(scale);
  instances.updateMatrixWorld();
  const raycaster = new Raycaster(new Vector3(0.01, 0.02, 10), new Vector3(0, 0, -1));
  const distance = 10 - scale / 2;
  for (const [far, count] of [
    [1.01 * distance, 1],
    [0.99 * distance, 0],
  ]) {
    raycaster.far = far;
    expect(raycaster.intersectObject(instances)).toHaveLength(count);
    expect(instances.raycastFirst(raycaster) === null).toBe(count === 0);
  }
});

it.each(Array.from({ length: 16 }, (_, k) => k))(
  'refuses a matrix whose elements are too large, also two: element %i',
  (k) => {
    const instances = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial(), 1);
    for (const other of [k, (k + 1) % 16, (k + 5) % 16]) {
      const matrix = new Matrix4();
      matrix.elements[k] = matrix.elements[other] = 2 ** 60;
      expect(String(errorOf(() => instances.setMatrixAt(0, matrix)))).toContain('must hold numbers within +-2^50 only');
      matrix.elements[k] = matrix.elements[other] = 2 ** 50;
      expect(errorOf(() => instances.setMatrixAt(0, matrix))).toBe(undefined);
    }
  },
);
