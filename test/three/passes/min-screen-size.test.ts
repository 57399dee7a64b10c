// What minScreenSize leaves out of the passes of both containers.

import {
  ArrayCamera,
  BoxGeometry,
  Frustum,
  FrustumArray,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  OrthographicCamera,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector3,
  type Camera,
  type InstancedMesh,
} from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeGroup, OctreeInstances } from '../../../src/three.ts';
import { drawnMatrices, frustumOf, viewsOf, viewsOfCamera } from '../../support/instance-passes.ts';
import { slab } from '../../support/three-passes.ts';

const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();
/**
 * In order of distance: cubes of edge 1 before the camera. Their diagonal is 1.73, and the picture 2 high at
 * distance 1.
 */
const DISTANCES = [10, 20, 40, 80];
/** Between the sizes at 20 (0.0433) and at 40 (0.0217). */
const BETWEEN = 0.03;

type Container = OctreeGroup | OctreeInstances;

function groupOf(matrices: readonly Matrix4[]): OctreeGroup {
  const group = new OctreeGroup();
  for (const matrix of matrices) {
    const mesh = new Mesh(geometry, material);
    matrix.decompose(mesh.position, mesh.quaternion, mesh.scale);
    group.add(mesh);
  }
  return group;
}

function instancesOf(matrices: readonly Matrix4[]): OctreeInstances {
  const instances = new OctreeInstances(geometry, material, matrices.length);
  matrices.forEach((matrix, id) => instances.setMatrixAt(id, matrix));
  instances.castShadow = true;
  return instances;
}

const row = DISTANCES.map((distance) => new Matrix4().makeTranslation(0, 0, -distance));

/** Perspective, 90 degrees. */
function cameraAt(x: number, y = 0, z = 0): PerspectiveCamera {
  const camera = new PerspectiveCamera(90, 1, 0.1, 1000);
  camera.position.set(x, y, z);
  camera.updateMatrixWorld();
  return camera;
}

/** Distances of the drawn cubes from the origin of the container, ascending. */
function drawn(objects: readonly Object3D[]): number[] {
  const places = objects.flatMap((object) =>
    'isInstancedMesh' in object
      ? drawnMatrices([object as InstancedMesh]).map(({ elements }) => -elements[14])
      : [-object.position.z],
  );
  return places.sort((a, b) => a - b);
}

function drawnBy(container: Container, camera: Camera): number[] {
  container.updateMatrixWorld();
  return drawn(viewsOfCamera(container, camera));
}

function drawnInShadow(container: Container): number[] {
  return drawn(viewsOf(container, slab(1000), null));
}

describe.each<[string, (matrices: readonly Matrix4[]) => Container]>([
  ['OctreeGroup', groupOf],
  ['OctreeInstances', instancesOf],
])('%s.minScreenSize', (name, create) => {
  it('leaves out what looks smaller than that fraction of the height of the image', () => {
    const container = create(row);
    const camera = cameraAt(0);
    expect(drawnBy(container, camera)).toEqual(DISTANCES);
    for (const [size, count] of [
      [0.01, 4],
      [0.012, 3],
      [BETWEEN, 2],
      [0.05, 1],
      [0.09, 0],
      [0, 4],
    ]) {
      container.minScreenSize = size;
      expect(drawnBy(container, camera)).toEqual(DISTANCES.slice(0, count));
    }
  });

  it('goes by the position of the camera and its zoom, not by its direction', () => {
    const container = create(row);
    container.minScreenSize = BETWEEN;
    const camera = cameraAt(0);
    camera.rotation.y = 0.7;
    expect(drawnBy(container, camera)).toEqual([10, 20]);
    camera.zoom = 2.5;
    camera.rotation.y = 0;
    camera.updateProjectionMatrix();
    expect(drawnBy(container, camera)).toEqual([10, 20, 40]);
    camera.position.z = -35;
    expect(drawnBy(container, camera)).toEqual([40, 80]);
  });

  it('goes by size alone with an orthographic camera', () => {
    const container = create(
      [1, 2, 3].map((scale) => new Matrix4().makeScale(scale, scale, scale).setPosition(0, 0, -10 * scale)),
    );
    container.minScreenSize = BETWEEN;
    const camera = new OrthographicCamera(-50, 50, 50, -50, 0, 1000);
    expect(drawnBy(container, camera)).toEqual([20, 30]);
    camera.zoom = 2;
    camera.updateProjectionMatrix();
    expect(drawnBy(container, camera)).toEqual([10, 20, 30]);
    // three keeps the scale of a camera out of this matrix. By hand: the image is twice as high.
    camera.matrixWorldInverse.makeScale(0.5, 0.5, 0.5);
    expect(drawn(viewsOf(container, frustumOf(camera), camera))).toEqual([20, 30]);
  });

  it('goes by each camera of an ArrayCamera, and leaves nothing out of its shadow maps', () => {
    const container = create(row);
    container.minScreenSize = BETWEEN;
    container.updateMatrixWorld();
    const cameras = new ArrayCamera([cameraAt(0), cameraAt(0, 0, -35)]);
    const frusta = new FrustumArray().setFromArrayCamera(cameras);
    expect(drawn(viewsOf(container, frusta, cameras))).toEqual([10, 20, 40]);
    expect(drawnInShadow(container)).toEqual(DISTANCES);
    // three keeps the frustum of a camera that is gone.
    cameras.cameras.length = 1;
    expect(drawn(viewsOf(container, frusta, cameras))).toEqual(DISTANCES);
  });

  it('leaves out nothing large while the container is stretched', () => {
    const container = create(row);
    container.minScreenSize = BETWEEN;
    drawnBy(container, cameraAt(0));
    container.scale.set(4, 1, 1);
    expect(drawnBy(container, cameraAt(0))).toEqual(expect.arrayContaining([10, 20, 40]));
  });

  it('stays exact while the container is moved, turned and scaled', () => {
    const container = create(row);
    container.minScreenSize = BETWEEN;
    expect(drawnBy(container, cameraAt(0))).toEqual([10, 20]);
    container.position.set(100, 0, 0);
    container.scale.setScalar(3);
    expect(drawnBy(container, cameraAt(100))).toEqual([10, 20]);
    const ortho = new OrthographicCamera(-50, 50, 50, -50, 0, 1000);
    ortho.position.x = 100;
    container.minScreenSize = 0.051;
    expect(drawnBy(container, ortho)).toEqual(DISTANCES);
    container.minScreenSize = 0.053;
    expect(drawnBy(container, ortho)).toEqual([]);
  });

  it('leaves the same out of shadow maps', () => {
    const container = create(row);
    container.minScreenSize = BETWEEN;
    container.updateMatrixWorld();
    expect(drawnInShadow(container)).toEqual(DISTANCES);
    drawnBy(container, cameraAt(0));
    expect([drawnInShadow(container), drawnInShadow(container)]).toEqual([
      [10, 20],
      [10, 20],
    ]);
    drawnBy(container, cameraAt(0, 0, -75));
    expect(drawnInShadow(container)).toEqual([80]);
    // Of WebGPURenderer, also of a scene below another one.
    const scene = new Scene().add(container);
    new Scene().add(scene);
    scene.overrideMaterial = Object.assign(new MeshBasicMaterial(), { isShadowPassMaterial: true });
    expect(drawnBy(container, new OrthographicCamera(-1e3, 1e3, 1e3, -1e3, -1e3, 1e3))).toEqual([80]);
  });

  it('leaves out no hit of a ray, and nothing for a camera without a usable projection', () => {
    const container = create(row);
    container.minScreenSize = 0.5;
    expect(drawnBy(container, cameraAt(0))).toEqual([]);
    expect(new Raycaster(new Vector3(), new Vector3(0, 0, -1)).intersectObject(container)).toHaveLength(
      2 * DISTANCES.length,
    );
    const broken = cameraAt(0);
    const frustum = new Frustum().setFromProjectionMatrix(broken.projectionMatrix);
    broken.projectionMatrix.elements[5] = 0;
    expect(drawn(viewsOf(container, frustum, broken))).toEqual(DISTANCES);
  });

  it('is copied, and rejects what is no size', () => {
    const container = create(row);
    container.minScreenSize = BETWEEN;
    expect(container.clone().minScreenSize).toBe(BETWEEN);
    const remedy = 'use a fraction of the height of the image: for two pixels 2 / renderer.domElement.height';
    // 2 is a number of pixels.
    for (const value of [-1, 2, NaN, Infinity])
      expect(() => (container.minScreenSize = value)).toThrow(
        new RangeError(`${name}: minScreenSize must be from 0 to 1, but is ${value}; ${remedy}.`),
      );
    expect(() => (container.minScreenSize = '1' as unknown as number)).toThrow(
      new TypeError(`${name}: minScreenSize must be a number, but is the string "1"; ${remedy}.`),
    );
    expect(container.minScreenSize).toBe(BETWEEN);
  });
});
