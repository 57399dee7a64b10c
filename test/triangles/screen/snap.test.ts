/** The point to which a pointer snaps: what is drawn next to it, as a loop over all triangles finds it. */

import {
  BackSide,
  BoxGeometry,
  BufferAttribute,
  DoubleSide,
  FrontSide,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  PerspectiveCamera,
  Plane,
  PlaneGeometry,
  Ray,
  Vector3,
  type BufferGeometry,
  type Camera,
  type Material,
} from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { describe, expect, it } from 'vitest';
import { OctreeGroup, type PointerLike } from '../../../src/three.ts';
import { snap, TriangleScene, type SnapKind, type SnapOptions, type SnapPoint } from '../../../src/triangles/index.ts';
import { createContainers, createTriangleScene, directionOf } from '../../support/triangle-scenes.ts';

const element = { getBoundingClientRect: () => ({ left: 50, top: 30, width: 1000, height: 500 }) };
const perspective = new PerspectiveCamera(60, 2, 0.1, 100);
perspective.position.set(3, 4, 10);
perspective.lookAt(0, 0, 0);
perspective.updateMatrixWorld();
const orthographic = new OrthographicCamera(-6, 6, 3, -3, 0.1, 100);
orthographic.position.copy(perspective.position);
orthographic.quaternion.copy(perspective.quaternion);
orthographic.updateMatrixWorld();
const CAMERAS = [
  ['perspective', perspective],
  ['orthographic', orthographic],
] as const;

/** In the window, some pixels beside a place of the world. */
function at(x: number, y: number, z: number, camera: Camera = perspective, right = 0, down = 0): PointerLike {
  const place = new Vector3(x, y, z).project(camera);
  return { clientX: 50 + 500 * (place.x + 1) + right, clientY: 30 + 250 * (1 - place.y) + down };
}

function sceneOf(...meshes: Mesh[]): TriangleScene {
  const group = new OctreeGroup();
  if (meshes.length > 0) group.add(...meshes);
  group.updateMatrixWorld();
  return new TriangleScene(group, { MeshBVH });
}

function box(x = 0, y = 0, z = 0, material: Material = new MeshBasicMaterial()): Mesh {
  const mesh = new Mesh(new BoxGeometry(2, 2, 2), material);
  mesh.position.set(x, y, z);
  return mesh;
}

function summary(point: SnapPoint | null): unknown {
  return point && [point.kind, point.position.toArray().map((value) => Math.round(value * 1e6) / 1e6 + 0)];
}

describe.each(CAMERAS)('snap, %s camera', (_, camera) => {
  const scene = sceneOf(box());
  const snapped = (pointer: PointerLike, options?: SnapOptions): unknown =>
    summary(snap(pointer, camera, element, scene, options));

  it('prefers vertices, then midpoints and centres, then edges, then faces', () => {
    expect(snapped(at(1, 1, 1, camera, 2, 1))).toEqual(['vertex', [1, 1, 1]]);
    expect(snapped(at(0, 1, 1, camera, 1, 2), { pixels: 3 })).toEqual(['edgeMidpoint', [0, 1, 1]]);
    expect(snapped(at(0.5, 1, 1, camera), { pixels: 1 })).toEqual(['edge', [0.5, 1, 1]]);
    expect(snapped(at(-1 / 3, 1 / 3, 1, camera), { pixels: 1 })).toEqual(['faceCenter', [-0.333333, 0.333333, 1]]);
    expect(snapped(at(0.7, 0.1, 1, camera), { pixels: 1 })).toEqual(['face', [0.7, 0.1, 1]]);
    expect(snapped(at(2.5, 1, 1, camera), { pixels: 1 })).toBe(null);
  });

  it('looks for what it is asked for, in that order', () => {
    const beside = at(1, 1, 1, camera, 2, 1);
    expect(snapped(beside, { to: ['edge'], pixels: 3 })).toEqual(['edge', expect.anything()]);
    expect(snapped(beside, { to: ['edge', 'vertex'], pixels: 3 })).toEqual(['edge', expect.anything()]);
    expect(snapped(beside, { to: ['edgeMidpoint', 'vertex'], pixels: 3 })).toEqual(['vertex', [1, 1, 1]]);
    expect(snapped(beside, { to: [] })).toBe(null);
  });

  it('is exact in pixels, closed, and tells them', () => {
    const vertex = snap(at(1, 1, 1, camera, 3, 4), camera, element, scene, { to: ['vertex'] })!;
    expect(vertex.pixels).toBeCloseTo(5, 9);
    expect(snapped(at(1, 1, 1, camera, 3, 4), { to: ['vertex'], pixels: 5.000001 })).not.toBe(null);
    expect(snapped(at(1, 1, 1, camera, 3, 4), { to: ['vertex'], pixels: 4.999999 })).toBe(null);
  });

  it('finds the point of an edge that is nearest on the screen', () => {
    const edge = snap(at(0.4, 1, 1, camera, 1, 3), camera, element, scene, { to: ['edge'] })!;
    expect([edge.position.y, edge.position.z]).toEqual([1, 1]);
    const distance = (x: number): number => {
      const [a, b] = [at(x, 1, 1, camera), at(0.4, 1, 1, camera, 1, 3)];
      return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    };
    expect(distance(edge.position.x)).toBeCloseTo(edge.pixels, 9);
    for (const step of [-1e-3, 1e-3]) expect(distance(edge.position.x + step)).toBeGreaterThan(edge.pixels);
  });

  it('leaves out what other triangles hide, and the diagonals of flat faces', () => {
    expect(snapped(at(-1, -1, -1, camera), { to: ['vertex', 'edgeMidpoint', 'edge'], pixels: 4 })).toBe(null);
    expect(snapped(at(0, 0, 1, camera), { to: ['edgeMidpoint', 'edge'], pixels: 8 })).toBe(null);
    const behind = sceneOf(box(), box(-0.7, -1.1, -3));
    const hidden = at(-0.7 + 1, -1.1 + 1, -3 + 1, camera);
    expect(summary(snap(hidden, camera, element, behind, { to: ['vertex'], pixels: 2 }))).toBe(null);
    expect(
      summary(snap(hidden, camera, element, behind, { to: ['vertex'], pixels: 2, except: behind.octree.bodyAt(0) })),
    ).toEqual(['vertex', [0.3, -0.1, -2]]);
  });

  it('sees through what clipping planes cut away, and offers nothing of it', () => {
    const material = new MeshBasicMaterial({
      side: DoubleSide,
      clippingPlanes: [new Plane(new Vector3(0, 0, -1), 0.5)],
    });
    const cut = sceneOf(box(0, 0, 0, material));
    const vertices: SnapOptions = { to: ['vertex'], pixels: 2 };
    expect(summary(snap(at(1, 1, 1, camera), camera, element, cut, vertices))).toBe(null);
    expect(summary(snap(at(-1, -1, -1, camera), camera, element, cut, vertices))).toEqual(['vertex', [-1, -1, -1]]);
    expect(summary(snap(at(0, 0, -1, camera), camera, element, cut, { to: ['face'] }))).toEqual(['face', [0, 0, -1]]);
    // The edge of the box ends at the plane.
    expect(summary(snap(at(1, 1, 0.6, camera), camera, element, cut, { to: ['edge'] }))).toEqual(['edge', [1, 1, 0.5]]);
    const renderer = { domElement: null, localClippingEnabled: false };
    expect(summary(snap(at(1, 1, 1, camera), camera, element, cut, { ...vertices, renderer }))).toEqual([
      'vertex',
      [1, 1, 1],
    ]);
  });
});

describe('snap', () => {
  it('knows layers, hidden objects, and the side that is drawn', () => {
    const mesh = box();
    const scene = sceneOf(mesh);
    const find = (options?: SnapOptions): unknown => summary(snap(at(1, 1, 1), perspective, element, scene, options));
    mesh.layers.set(3);
    expect(find()).toBe(null);
    mesh.layers.set(0);
    mesh.visible = false;
    expect(find()).toBe(null);
    expect(find({ includesHidden: true })).toEqual(['vertex', [1, 1, 1]]);
    const back = new Mesh(new PlaneGeometry(2, 2));
    back.rotation.y = Math.PI;
    const wall = sceneOf(back);
    expect(snap(at(0.5, 0.2, 0), perspective, element, wall)).toBe(null);
    expect(snap(at(0.5, 0.2, 0), perspective, element, wall, { side: DoubleSide, pixels: 1 })?.kind).toBe('face');
  });

  it.each([
    ['the one that shows this side is not visible', { visible: false, side: DoubleSide }, { side: BackSide }, false],
    ['the first is cut away', { clippingPlanes: [new Plane(new Vector3(0, 0, -1), -1)] }, {}, true],
    ['the first shows the other side', { side: BackSide }, { side: FrontSide }, true],
    [
      'the visible one is cut away',
      { clippingPlanes: [new Plane(new Vector3(0, 0, -1), -1)] },
      { visible: false },
      false,
    ],
  ])('draws a wall of two materials as three does: %s', (_, first, second, isDrawn) => {
    const wall = new Mesh(new PlaneGeometry(4, 4), [new MeshBasicMaterial(first), new MeshBasicMaterial(second)]);
    wall.geometry.addGroup(0, 6, 0);
    wall.geometry.addGroup(0, 6, 1);
    const behind = box(0, 0, -3);
    const scene = sceneOf(wall, behind);
    expect(snap(at(0.4, 0.2, 0), perspective, element, scene, { to: ['face'] })?.object).toBe(isDrawn ? wall : behind);
    const vertices: SnapOptions = { to: ['vertex'], pixels: 2 };
    expect(snap(at(2, 2, 0), perspective, element, scene, vertices) !== null).toBe(isDrawn);
    expect(snap(at(0.999, -0.999, -2), perspective, element, scene, { ...vertices, pixels: 4 }) === null).toBe(isDrawn);
    const edge = snap(at(0.5, 2, 0), perspective, element, scene, { to: ['edge'], pixels: 2 });
    expect(edge !== null).toBe(isDrawn);
  });

  it('names the instance, in each kind of container', () => {
    const { instanced, batch, instances } = createContainers();
    for (const [object, scene] of [
      [instanced, sceneOf(instanced)],
      [batch, sceneOf(batch)],
      [instances, new TriangleScene(instances, { MeshBVH })],
    ] as const) {
      const point = snap(at(5, 1, 1), perspective, element, scene as TriangleScene)!;
      expect([point.kind, point.instanceId]).toEqual(['vertex', 2]);
      expect(point.object).toBe(object);
    }
    expect(instances.children).toEqual([]);
  });

  it('finds nothing beside the element, and in an empty scene', () => {
    expect(snap({ clientX: 10, clientY: 10 }, perspective, element, sceneOf(box()), { pixels: 500 })).toBe(null);
    expect(snap(at(0, 0, 0), perspective, element, sceneOf())).toBe(null);
  });

  it('rejects wrong arguments', () => {
    const scene = sceneOf(box());
    const call =
      (options: object): (() => unknown) =>
      () =>
        snap(at(0, 0, 0), perspective, element, scene, options);
    expect(call({ pixels: -1 })).toThrow('snap: options.pixels must be');
    expect(call({ to: ['corner'] })).toThrow(
      'snap: options.to must be an array of vertex, edgeMidpoint, faceCenter, edge, face',
    );
    expect(call({ near: 1 })).toThrow('snap: ');
    expect(() => snap({} as never, perspective, element, scene)).toThrow('snap: pointer must have');
    expect(() => snap(at(0, 0, 0), {} as never, element, scene)).toThrow('snap: camera must be a PerspectiveCamera');
    expect(() => snap(at(0, 0, 0), perspective, element, {} as never)).toThrow('snap: scene must be a TriangleScene');
  });
});

/** A candidate of the loop. */
interface Candidate {
  readonly kind: SnapKind;
  readonly position: Vector3;
  readonly pixels: number;
}

/** All triangles in the world, of geometries without groups and draw ranges. */
function trianglesOf(meshes: readonly Mesh[]): Vector3[][] {
  return meshes.flatMap(({ geometry, matrixWorld }) => {
    const { position } = geometry.attributes;
    const index = geometry.index ?? { count: position.count, getX: (k: number) => k };
    return Array.from({ length: index.count / 3 }, (_, k) =>
      [0, 1, 2].map((corner) =>
        new Vector3().fromBufferAttribute(position, index.getX(3 * k + corner)).applyMatrix4(matrixWorld),
      ),
    );
  });
}

/** The nearest vertex, midpoint or centre in pixels that no triangle hides, in a loop over all triangles. */
function looped(
  triangles: Vector3[][],
  pointer: PointerLike,
  camera: Camera,
  kind: SnapKind,
  limit: number,
): Candidate | null {
  const candidates: Candidate[] = [];
  for (const [a, b, c] of triangles) {
    const points = kind === 'vertex' ? [a, b, c] : [a.clone().add(b).add(c).divideScalar(3)];
    for (const position of points) {
      const place = position.clone().project(camera);
      if (!(Math.abs(place.z) <= 1)) continue;
      const there = at(...position.toArray(), camera);
      const pixels = Math.hypot(there.clientX - pointer.clientX, there.clientY - pointer.clientY);
      if (pixels <= limit) candidates.push({ kind, position, pixels });
    }
  }
  candidates.sort((one, other) => one.pixels - other.pixels);
  const eye = camera.position;
  const hit = new Vector3();
  const isHidden = ({ position }: Candidate): boolean => {
    const ray = new Ray(eye, position.clone().sub(eye).normalize());
    const distance = eye.distanceTo(position);
    return triangles.some(
      ([a, b, c]) =>
        ray.intersectTriangle(a, b, c, false, hit) !== null &&
        eye.distanceTo(hit) < distance * (1 - 1e-9) &&
        Math.abs(hit.clone().project(camera).z) <= 1,
    );
  };
  return candidates.find((candidate) => !isHidden(candidate)) ?? null;
}

describe('snap among all kinds of matrices', () => {
  it.each(['all matrices', 'rigid, crowded'] as const)('equals a loop over all triangles: %s', (name) => {
    const { meshes: all, random, center, extent } = createTriangleScene(name, 60, 5);
    const meshes = all.filter(({ geometry }) => isPlain(geometry));
    for (const mesh of meshes) mesh.material = new MeshBasicMaterial({ side: DoubleSide });
    const scene = sceneOf(...meshes);
    const triangles = trianglesOf(meshes);
    let found = 0;
    for (let round = 0; round < 25; round++) {
      const camera = new PerspectiveCamera(random.between(20, 60), 2, 0.05 * extent, 2 * extent);
      camera.position.copy(center).addScaledVector(directionOf(random), extent * random.between(0.2, 1));
      camera.lookAt(center);
      camera.updateMatrixWorld();
      camera.updateProjectionMatrix();
      const pointer = { clientX: random.between(60, 1040), clientY: random.between(35, 525) };
      for (const kind of ['vertex', 'faceCenter'] as const) {
        const pixels = random.between(2, 40);
        const point = snap(pointer, camera, element, scene, { to: [kind], pixels });
        const expected = looped(triangles, pointer, camera, kind, pixels);
        expect(point?.kind).toBe(expected?.kind);
        if (expected !== null) {
          found++;
          expect(point!.pixels).toBeCloseTo(expected.pixels, 7);
          expect(point!.position.distanceTo(expected.position)).toBeLessThan(1e-9);
        }
      }
    }
    expect(found).toBeGreaterThan(15);
  });
});

/** Without groups, draw range, and attributes that three's Vector3 reads with other rounding. */
function isPlain({ groups, drawRange, attributes }: BufferGeometry): boolean {
  return (
    groups.length === 0 &&
    drawRange.count === Infinity &&
    attributes.position instanceof BufferAttribute &&
    !attributes.position.normalized
  );
}
