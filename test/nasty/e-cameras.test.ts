import type { Camera } from 'three';
import {
  Frustum,
  Matrix4,
  OrthographicCamera,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Vector2,
  Vector3,
  WebGLCoordinateSystem,
  WebGPUCoordinateSystem,
} from 'three';
import { describe, expect, it } from 'vitest';
import { BruteForce } from '../../src/debug/reference/brute-force.ts';
import { dataOf, octreeOf } from '../support/octrees.ts';
import { expectRejection } from '../support/rejects.ts';
import { uniform } from '../support/scenes.ts';
import { cube } from '../support/shapes.ts';

/** Bodies along -z: before the near plane, across it, in view, across the far plane, beyond it. */
const row = [
  cube(0, 0, -0.4, 0.1),
  cube(0, 0, -1, 0.25),
  cube(0, 0, -50, 1),
  cube(0, 0, -100, 1),
  cube(0, 0, -102, 0.9),
];

function frustumOf(camera: Camera, isReversed = false): Frustum {
  camera.updateMatrixWorld();
  const matrix = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  return new Frustum().setFromProjectionMatrix(matrix, camera.coordinateSystem, isReversed);
}

function perspective(
  near: number,
  far: number,
  system: PerspectiveCamera['coordinateSystem'] = WebGLCoordinateSystem,
  isReversed = false,
): Frustum {
  const camera = new PerspectiveCamera(60, 1, near, far);
  camera.coordinateSystem = system;
  camera.projectionMatrix.makePerspective(-near / 2, near / 2, near / 2, -near / 2, near, far, system, isReversed);
  return frustumOf(camera, isReversed);
}

/** Results of the reference implementation for the planes of a frustum of three. */
function bruteForce(shapes: readonly (readonly number[])[], frustum: Frustum): number[] {
  const reference = new BruteForce();
  for (const [i, shape] of shapes.entries()) {
    if (shape.length === 6) reference.setBox(i, shape);
    else reference.setSphere(i, shape);
  }
  return reference
    .frustum(frustum.planes.map(({ normal, constant }) => [normal.x, normal.y, normal.z, constant]))
    .map(({ index }) => index);
}

function expectEverythingAhead(frustum: Frustum): void {
  const { octree } = octreeOf([...row, cube(0, 0, -1e12, 10), cube(0, 0, 1e12, 10)]);
  const records = octree.intersectFrustum(frustum);
  expect(dataOf(records)).toEqual([1, 2, 3, 4, 5]);
  for (const { distance, position } of records) expect(distance).toBeCloseTo(-position.z - 1, 0);
}

describe('nasty E: cameras', () => {
  it('E1 the frusta of WebGL and WebGPU give the same results, near plane included', () => {
    const { octree } = octreeOf(row);
    const webgl = octree.intersectFrustum(perspective(1, 100));
    const webgpu = octree.intersectFrustum(perspective(1, 100, WebGPUCoordinateSystem));
    expect(dataOf(webgl)).toEqual([1, 2, 3]);
    expect(dataOf(webgpu)).toEqual([1, 2, 3]);
    for (const records of [webgl, webgpu])
      expect(records.find(({ body }) => body.data === 2)!.distance).toBeCloseTo(49, 3);
  });

  it.each([WebGLCoordinateSystem, WebGPUCoordinateSystem])(
    'E2 a frustum with reversed depth gives the same results: coordinate system %d',
    (system) => {
      const { octree } = octreeOf(row);
      const records = octree.intersectFrustum(perspective(1, 100, system, true));
      expect(dataOf(records)).toEqual([1, 2, 3]);
      expect(records.find(({ body }) => body.data === 2)!.distance).toBeCloseTo(49, 3);
    },
  );

  it.each([1e38, 1e300])(
    'E3 with far = %d, beyond the precision of the planes, distant bodies are found and distances are finite',
    (far) => {
      for (const system of [WebGLCoordinateSystem, WebGPUCoordinateSystem] as const) {
        for (const isReversed of [false, true]) expectEverythingAhead(perspective(1, far, system, isReversed));
      }
    },
  );

  it('E3 with an infinite projection, distant bodies are found and distances are finite', () => {
    const camera = new PerspectiveCamera(60, 1, 1, 100);
    camera.projectionMatrix.elements[10] = -1;
    camera.projectionMatrix.elements[14] = -2;
    const frustum = frustumOf(camera);
    expect(frustum.planes[4].constant).toBe(Infinity);
    expectEverythingAhead(frustum);
  });

  it('E3 the matrix of three for far = Infinity, which contains NaN, is rejected', () => {
    const { octree } = octreeOf(row);
    expectRejection(
      octree,
      () => octree.intersectFrustum(perspective(1, Infinity)),
      RangeError,
      /intersectFrustum.*planes\[\d\].*NaN/,
    );
  });

  it('E4 an orthographic camera with a negative near finds the same bodies by frustum and by ray', () => {
    const shapes = [cube(0, 0, 40), cube(0, 0, -40), cube(0, 0, 60), cube(3, 0, 0)];
    const { octree } = octreeOf(shapes);
    const camera = new OrthographicCamera(-2, 2, 2, -2, -50, 50);
    expect(dataOf(octree.intersectFrustum(frustumOf(camera)))).toEqual([0, 1]);
    const { ray } = setFromCamera(camera);
    const fromNear = {
      origin: ray.at(camera.near - ray.origin.distanceTo(camera.position), new Vector3()),
      direction: ray.direction,
    };
    expect(octree.intersectRay(fromNear, { far: camera.far - camera.near }).map(({ body }) => body.data)).toEqual([
      0, 1,
    ]);
  });

  it('E5 an oblique near plane and a mirrored camera give the results of brute force', () => {
    const shapes = uniform(2000, 1, 200);
    const { octree } = octreeOf(shapes);
    const camera = new PerspectiveCamera(70, 1.5, 1, 150);
    camera.position.set(10, 20, 90);
    camera.lookAt(0, 0, 0);
    camera.updateMatrixWorld();
    const mirrored = camera.clone();
    mirrored.matrixAutoUpdate = false;
    mirrored.matrix.multiply(new Matrix4().makeScale(-1, 1, 1));
    const oblique = camera.clone();
    tiltNearPlane(oblique, new Plane(new Vector3(0.3, 0.2, 0.93).normalize(), -40));
    for (const each of [camera, mirrored, oblique]) {
      const frustum = frustumOf(each);
      const expected = bruteForce(shapes, frustum);
      expect(dataOf(octree.intersectFrustum(frustum))).toEqual(expected);
      expect(expected.length).toBeGreaterThan(20);
    }
    expect(dataOf(octree.intersectFrustum(frustumOf(oblique))).length).toBeLessThan(
      dataOf(octree.intersectFrustum(frustumOf(camera))).length,
    );
  });

  it('E6 NaN in the projection matrix, zero normals and infinite normals are rejected, and the error names the plane', () => {
    const { octree } = octreeOf(row);
    const nan = new Frustum().setFromProjectionMatrix(
      new Matrix4().set(...(Array.from({ length: 16 }, () => NaN) as Parameters<Matrix4['set']>)),
    );
    expectRejection(octree, () => octree.intersectFrustum(nan), RangeError, /intersectFrustum.*planes\[0\].*NaN/);
    for (const [normal, constant] of [
      [[0, 0, 0], 1],
      [[0, 0, 0], -Infinity],
      [[NaN, 0, 0], 1],
      [[Infinity, 0, 0], 1],
      [[1, 0, 0], NaN],
      [[1, 0, 0], Infinity],
    ] as const) {
      const frustum = perspective(1, 100);
      frustum.planes[3] = new Plane(new Vector3(...normal), constant);
      expectRejection(octree, () => octree.intersectFrustum(frustum), RangeError, /intersectFrustum.*planes\[3\]/);
    }
  });
});

function setFromCamera(camera: Camera): Raycaster {
  const raycaster = new Raycaster();
  raycaster.setFromCamera(new Vector2(0, 0), camera);
  return raycaster;
}

/**
 * Replaces the near plane of a projection by a plane in camera space. Source: Lengyel, "Oblique View Frustum Depth
 * Projection and Clipping", 2005.
 */
function tiltNearPlane(camera: PerspectiveCamera, plane: Plane): void {
  const { elements } = camera.projectionMatrix;
  const { normal, constant } = plane;
  const q = [
    (Math.sign(normal.x) + elements[8]) / elements[0],
    (Math.sign(normal.y) + elements[9]) / elements[5],
    -1,
    (1 + elements[10]) / elements[14],
  ];
  const [x, y, z, w] = [-normal.x, -normal.y, -normal.z, constant];
  const scale = 2 / (x * q[0] + y * q[1] + z * q[2] + w * q[3]);
  elements[2] = x * scale;
  elements[6] = y * scale;
  elements[10] = z * scale + 1;
  elements[14] = w * scale;
}
