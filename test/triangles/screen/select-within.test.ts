/** Rectangle and lasso selection equals a loop over all triangles with the same exact test, and that test is right. */

import {
  BackSide,
  Box3,
  BoxGeometry,
  DoubleSide,
  FrontSide,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  PerspectiveCamera,
  Plane,
  PlaneGeometry,
  Points,
  SphereGeometry,
  TorusKnotGeometry,
  WebGPUCoordinateSystem,
  Vector3,
  type Camera,
  type Material,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { MeshBVH } from 'three-mesh-bvh';
import { describe, expect, it } from 'vitest';
import { Octree } from '../../../src/index.ts';
import { OctreeGroup, type PointerLike } from '../../../src/three.ts';
import { ElementImage } from '../../../src/three/picking/element-image.ts';
import { selectWithin, TriangleScene, type SelectOptions, type TriangleStats } from '../../../src/triangles/index.ts';
import { clip, ScreenRegion } from '../../../src/triangles/screen/screen-region.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { IS_LONG } from '../../support/sampled.ts';
import {
  createContainers,
  createTriangleScene,
  directionOf,
  TRIANGLE_SCENES,
  type TriangleSceneName,
} from '../../support/triangle-scenes.ts';

const element = { getBoundingClientRect: () => ({ left: 50, top: 30, width: 200, height: 100 }) };
const ROUNDS = IS_LONG ? 200 : 5;

/** In the window, some of it beside the element. */
function pointerIn(random: Random): PointerLike {
  return { clientX: random.between(30, 270), clientY: random.between(10, 150) };
}

/** A rectangle; a star around a place; a line that crosses itself. */
function regionOf(random: Random): PointerLike[] {
  const kind = random.below(3);
  if (kind === 0) return [pointerIn(random), pointerIn(random)];
  if (kind === 1) return Array.from({ length: 3 + random.below(5) }, () => pointerIn(random));
  const { clientX, clientY } = pointerIn(random);
  return Array.from({ length: 20 }, (_, k) => {
    const radius = random.between(10, 70);
    return {
      clientX: clientX + radius * Math.cos((k / 10) * Math.PI),
      clientY: clientY + radius * Math.sin((k / 10) * Math.PI),
    };
  });
}

function cameraOf(random: Random, center: Vector3, extent: number): PerspectiveCamera | OrthographicCamera {
  const size = random.between(0.2, 0.8) * extent;
  const near = extent * random.pick([0.01, 0.3]);
  const camera =
    random.below(3) === 0
      ? new OrthographicCamera(-2 * size, 2 * size, size, -size, near, 2 * extent)
      : new PerspectiveCamera(random.between(20, 90), 2, near, random.pick([1, 3]) * extent);
  camera.position.copy(center).addScaledVector(directionOf(random), extent * random.between(0, 1.2));
  camera.lookAt(center);
  camera.updateMatrixWorld();
  camera.updateProjectionMatrix();
  return camera;
}

/** The numbers of the meshes that a loop over all triangles finds: of all, and of those that lie inside. */
function looped(
  meshes: readonly Mesh[],
  region: readonly PointerLike[],
  camera: Camera,
  side: NonNullable<SelectOptions['side']> = 'material',
): { touched: number[]; contained: number[] } {
  const within = new ScreenRegion('test', region, new ElementImage(element), camera);
  const touched: number[] = [];
  const contained: number[] = [];
  if (within.planes.length === 0) return { touched, contained };
  for (const [number, mesh] of meshes.entries()) {
    const { geometry, matrixWorld } = mesh;
    // A scale of 0 leaves nothing.
    if (matrixWorld.elements.slice(0, 12).every((element) => element === 0)) continue;
    const { index, drawRange } = geometry;
    const { position } = geometry.attributes;
    const end = Math.min(index?.count ?? position.count, drawRange.start + drawRange.count);
    let [isTouched, isOutside] = [false, false];
    for (let corner = drawRange.start; corner + 2 < end; corner += 3) {
      const triangle = [0, 1, 2].map((k) =>
        new Vector3().fromBufferAttribute(position, index?.getX(corner + k) ?? corner + k).applyMatrix4(matrixWorld),
      );
      // Each material that draws the triangle has a side and planes of its own.
      for (const material of materialsOf(mesh, corner)) {
        if (!material.visible) continue;
        if (!isSideRight(triangle, camera, matrixWorld, side === 'material' ? material.side : side)) continue;
        const parts = material.clippingPlanes ?? [];
        let part: readonly Vector3[] = triangle;
        for (const plane of within.depthPlanes) {
          isOutside ||= triangle.some((point) => plane.distanceToPoint(point) < 0);
          part = clip(part, plane);
        }
        isOutside ||= !within.contains(within.project(triangle));
        const pieces =
          material.clipIntersection && parts.length > 0
            ? parts.map((plane) => clip(part, plane))
            : [parts.reduce<readonly Vector3[]>(clip, part)];
        isTouched ||= pieces.some((piece) => piece.length > 0 && within.touches(within.project(piece)));
      }
    }
    if (isTouched) touched.push(number);
    if (isTouched && !isOutside) contained.push(number);
  }
  return { touched, contained };
}

function materialsOf({ geometry, material }: Mesh, corner: number): Material[] {
  if (!Array.isArray(material)) return [material];
  const groups = geometry.groups.filter(({ start, count }) => corner >= start && corner < start + count);
  return groups.map(({ materialIndex }) => material[materialIndex!]).filter((one) => one !== undefined);
}

/** Draws some triangles with several of three materials, one of which may be missing, and others with none. */
function group(mesh: Mesh, random: Random, material: () => Material): void {
  const geometry = mesh.geometry.clone();
  const third = 3 * Math.ceil((geometry.index ?? geometry.attributes.position).count / 9);
  geometry.clearGroups();
  for (let k = 0; k < 4; k++)
    geometry.addGroup(third * random.below(3), third * (1 + random.below(2)), random.below(4));
  mesh.geometry = geometry;
  mesh.material = [material(), material(), material()];
}

function isSideRight([a, b, c]: Vector3[], camera: Camera, matrix: Matrix4, side: number): boolean {
  if (side === DoubleSide) return true;
  const normal = new Vector3().crossVectors(b.clone().sub(a), c.clone().sub(a));
  const towards = new Vector3().setFromMatrixPosition(camera.matrixWorld).sub(a);
  if ('isOrthographicCamera' in camera) towards.setFromMatrixColumn(camera.matrixWorld, 2);
  const sign = normal.dot(towards) * (matrix.determinant() < 0 ? -1 : 1);
  return side === FrontSide ? sign >= 0 : sign <= 0;
}

function sceneOf(meshes: readonly Mesh[], source: string): TriangleScene {
  if (source !== 'octree') {
    const group = new OctreeGroup().add(...meshes);
    group.updateMatrixWorld();
    return new TriangleScene(group, source === 'group' ? { MeshBVH } : {});
  }
  const octree = new Octree<Mesh>();
  for (const mesh of meshes) octree.insert(new Box3().setFromObject(mesh, true), mesh);
  return new TriangleScene(
    octree,
    ({ data }, target) => {
      target.geometry = data.geometry;
      target.matrix.copy(data.matrixWorld);
      target.object = data;
      target.material = data.material;
    },
    { MeshBVH },
  );
}

/** A scene over equal meshes of its own, with random materials. */
function createSource(source: string, name: TriangleSceneName) {
  const { meshes, random, center, extent } = createTriangleScene(name, 50, 12);
  const material = (): Material =>
    new MeshBasicMaterial({
      visible: random.below(5) > 0,
      side: random.pick([FrontSide, BackSide, DoubleSide]),
      clipIntersection: random.below(2) === 0,
      clippingPlanes: random.pick([0, 0, 1, 2]) === 0 ? null : [planeNear(random, center), planeNear(random, center)],
    });
  for (const mesh of meshes) {
    mesh.material = material();
    if (random.below(2) === 0) group(mesh, random, material);
  }
  return { source, meshes, random, center, extent, scene: sceneOf(meshes, source) };
}

describe.each(Object.keys(TRIANGLE_SCENES) as TriangleSceneName[])('selectWithin, %s', (name) => {
  it('equals a loop over all triangles, over a group, a group without trees and an octree', () => {
    const sources = ['group', 'group, no trees', 'octree'].map((source) => createSource(source, name));
    // The loop answers once for all of them.
    const [{ meshes: first, random, center, extent }] = sources;
    let [found, contained] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      const camera = cameraOf(random, center, extent);
      const region = regionOf(random);
      const side = random.pick([undefined, 'material', DoubleSide, FrontSide] as const);
      const expected = looped(first, region, camera, side);
      found += expected.touched.length;
      contained += expected.contained.length;
      for (const { source, meshes, scene } of sources) {
        for (const inside of [false, true]) {
          const options = side === undefined ? { inside } : { inside, side };
          const numbers = selectWithin(region, camera, element, scene, options).map(({ object }) =>
            meshes.indexOf(object as Mesh),
          );
          expect(
            numbers.sort((a, b) => a - b),
            source,
          ).toEqual(inside ? expected.contained : expected.touched);
        }
      }
    }
    expect(found).toBeGreaterThan(ROUNDS);
    expect(contained).toBeGreaterThan(0);
  });
});

function planeNear(random: Random, center: Vector3): Plane {
  return new Plane().setFromNormalAndCoplanarPoint(directionOf(random), center);
}

const camera = new PerspectiveCamera(90, 2, 0.5, 50);
camera.position.z = 10;
camera.updateMatrixWorld();

/** The window position of a world point. */
function at(x: number, y: number, z = 0): PointerLike {
  const place = new Vector3(x, y, z).project(camera);
  return { clientX: 50 + 100 * (place.x + 1), clientY: 30 + 50 * (1 - place.y) };
}

function boxAt(x: number, y = 0, z = 0, material: Material = new MeshBasicMaterial()): Mesh {
  const mesh = new Mesh(new BoxGeometry(2, 2, 2), material);
  mesh.position.set(x, y, z);
  return mesh;
}

/** The names of what is found. */
function selected(scene: TriangleScene, region: readonly PointerLike[], options?: SelectOptions): unknown[] {
  return selectWithin(region, camera, element, scene, options).map(({ object, instanceId }) =>
    instanceId < 0 ? object!.name : instanceId,
  );
}

/** The window position of a place in the view of an orthographic camera, without rounding. */
function pixel(x: number, y: number): PointerLike {
  return { clientX: 50 + 6.25 * (x + 16), clientY: 30 + 6.25 * (8 - y) };
}

const EVERYTHING = [at(-90, 90), at(90, -90)];

describe('the exact test', () => {
  it('finds a triangle if and only if a point of it lies in the region', () => {
    const random = createRandom(3);
    let touching = 0;
    for (let round = 0; round < 300; round++) {
      const corner = (): Vector3 =>
        new Vector3(random.between(-12, 12), random.between(-6, 6), random.between(-30, 12));
      const triangle = [corner(), corner(), corner()];
      const region = regionOf(random);
      const within = new ScreenRegion('test', region, new ElementImage(element), camera);
      const part = within.depthPlanes.reduce<readonly Vector3[]>(clip, triangle);
      const touches = part.length > 0 && within.touches(within.project(part));
      const contains = part === triangle && within.contains(within.project(triangle));
      touching += touches ? 1 : 0;
      const polygon =
        region.length > 2
          ? region
          : [
              region[0],
              { ...region[0], clientX: region[1].clientX },
              region[1],
              { ...region[1], clientX: region[0].clientX },
            ];
      let [isAnyIn, isAnyOut] = [false, false];
      for (let u = 0; u <= 40; u++)
        for (let v = 0; u + v <= 40; v++) {
          const point = triangle[0].clone().multiplyScalar(1 - (u + v) / 40);
          point.addScaledVector(triangle[1], u / 40).addScaledVector(triangle[2], v / 40);
          const isIn = isDrawnIn(point, polygon);
          isAnyIn ||= isIn;
          isAnyOut ||= !isIn;
        }
      if (isAnyIn) expect(touches).toBe(true);
      if (isAnyOut) expect(contains).toBe(false);
      // A touch is seen by the samples, unless it is smaller than their spacing.
      if (touches && !isAnyIn) touching -= 0.2;
      else if (!isAnyOut && !isCrossed(polygon)) expect(contains || round < 0).toBe(true);
    }
    expect(touching).toBeGreaterThan(60);
  });

  it('counts what only touches, at points, edges and the element', () => {
    const flat = sceneOf([new Mesh(new PlaneGeometry(2, 2))], 'group');
    // With these numbers nothing is rounded.
    const view = new OrthographicCamera(-16, 16, 8, -8, 1, 65);
    view.position.z = 32;
    view.updateMatrixWorld();
    const find = (x: number, y: number, X: number, Y: number, options?: SelectOptions): number =>
      selectWithin([pixel(x, y), pixel(X, Y)], view, element, flat, options).length;
    expect(find(1, 1, 5, 5)).toBe(1);
    expect(find(1.001, 1, 5, 5)).toBe(0);
    expect(find(-1, -1, 1, 1, { inside: true })).toBe(1);
    expect(find(-1, -1, 0.999, 1, { inside: true })).toBe(0);
    const scene = sceneOf([boxAt(0)], 'group');
    // A point of the region.
    expect(selected(scene, [at(0, 0), at(0, 0)])).toEqual(['']);
    // Beside the element nothing is found.
    expect(
      selected(scene, [
        { clientX: 0, clientY: 0 },
        { clientX: 49, clientY: 500 },
      ]),
    ).toEqual([]);
  });

  it('finds nothing in the hollow of a lasso, and what a line crosses is not inside', () => {
    const ring = [
      at(-4, -4),
      at(4, -4),
      at(4, 4),
      at(-4, 4),
      at(-4, -3.9),
      at(-3, -3),
      at(-3, 3),
      at(3, 3),
      at(3, -3),
      at(-3, -3),
      at(-4, -3.9),
    ];
    const scene = sceneOf([boxAt(0)], 'group');
    expect(selected(scene, ring)).toEqual([]);
    // Around it twice: still inside.
    const twice = [at(-4, -4), at(4, -4), at(4, 4), at(-4, 4), at(-5, -5), at(5, -5), at(5, 5), at(-5, 5)];
    expect(selected(scene, twice, { inside: true })).toEqual(['']);
    // A cross: its lines run through the box.
    expect(selected(scene, [at(-4, -4), at(4, 4), at(4, -4), at(-4, 4)])).toEqual(['']);
    expect(selected(scene, [at(-4, -4), at(4, 4), at(4, -4), at(-4, 4)], { inside: true })).toEqual([]);
  });
});

/** Whether a world point is drawn in the element and what a polygon in the window runs around: by the sum of angles. */
function isDrawnIn(point: Vector3, polygon: readonly PointerLike[]): boolean {
  const place = point.clone().project(camera);
  const depth = 10 - point.z;
  if (depth < 0.5 || depth > 50 || Math.abs(place.x) > 1 || Math.abs(place.y) > 1) return false;
  const { clientX, clientY } = at(point.x, point.y, point.z);
  let turns = 0;
  for (let k = 0; k < polygon.length; k++) {
    const [from, to] = [polygon.at(k - 1)!, polygon[k]].map((corner) =>
      Math.atan2(corner.clientY - clientY, corner.clientX - clientX),
    );
    turns += Math.round((to - from) / (2 * Math.PI)) * -2 * Math.PI + to - from;
  }
  return Math.abs(turns) > 1;
}

/** Whether a polygon may cross itself. */
function isCrossed(polygon: readonly PointerLike[]): boolean {
  return polygon.length > 4;
}

describe('selectWithin', () => {
  it('returns body and instance, by body, then instance, in each kind of container', () => {
    const { instanced, batch, instances } = createContainers();
    for (const scene of [
      sceneOf([instanced], 'group'),
      sceneOf([batch], 'group'),
      sceneOf([createContainers().instances], 'group'),
      new TriangleScene(instances, { MeshBVH }) as TriangleScene,
    ]) {
      expect(selected(scene, EVERYTHING)).toEqual([0, 1, 2]);
      expect(selected(scene, [at(2, 3), at(9, -3)])).toEqual([2]);
      expect(selected(scene, [at(-9, 3), at(2, -3)], { inside: true })).toEqual([0, 1]);
    }
    // Nothing of a pass has begun: see pass-hook.ts.
    expect(instances.children).toEqual([]);
    const group = new OctreeGroup().add(boxAt(0));
    group.updateMatrixWorld();
    const [{ object, body }] = selectWithin(EVERYTHING, camera, element, new TriangleScene(group));
    expect(body).toBe(group.bodyOf(object!));
  });

  it.each(['group', 'group, no trees'] as const)('knows a mesh of two parts of which one is outside, %s', (kind) => {
    const parts = [-4, 4].map((x) => new SphereGeometry(0.5).translate(x, 0, 0));
    const mesh = new Mesh(mergeGeometries(parts), new MeshBasicMaterial());
    const scene = sceneOf([mesh], kind);
    expect(selected(scene, [at(-9, 3), at(2, -3)])).toEqual(['']);
    expect(selected(scene, [at(-9, 3), at(2, -3)], { inside: true })).toEqual([]);
    expect(selected(scene, EVERYTHING, { inside: true })).toEqual(['']);
  });

  it('knows layers, hidden objects, filters, and the side that is drawn', () => {
    const meshes = [boxAt(-4), boxAt(0), boxAt(4), new Mesh(new PlaneGeometry(2, 2))];
    meshes.forEach((mesh, k) => (mesh.name = `${k}`));
    meshes[0].layers.set(2);
    meshes[1].visible = false;
    meshes[3].rotation.y = Math.PI;
    meshes[3].position.set(0, 3, 0);
    const scene = sceneOf(meshes, 'group');
    expect(selected(scene, EVERYTHING)).toEqual(['2']);
    expect(selected(scene, EVERYTHING, { includesHidden: true, side: DoubleSide })).toEqual(['1', '2', '3']);
    expect(selected(scene, EVERYTHING, { except: meshes[2] })).toEqual([]);
    expect(selected(scene, EVERYTHING, { filter: ({ object }) => object !== meshes[2] })).toEqual([]);
  });

  it('leaves out what clipping planes cut away, of materials and of the renderer', () => {
    const material = new MeshBasicMaterial({
      side: DoubleSide,
      clippingPlanes: [new Plane(new Vector3(-1, 0, 0), 0.5)],
    });
    const scene = sceneOf([boxAt(0, 0, 0, material)], 'group');
    const right = [at(0.6, 3, 1), at(9, -3, 1)];
    expect(selected(scene, right)).toEqual([]);
    expect(selected(scene, [at(0.4, 3, 1), at(9, -3, 1)])).toEqual(['']);
    expect(selected(scene, right, { renderer: { domElement: null, localClippingEnabled: false } })).toEqual(['']);
    // Inside asks for the mesh as it is.
    expect(selected(scene, [at(-9, 9), at(0.6, -9)], { inside: true })).toEqual([]);
    expect(selected(scene, EVERYTHING, { inside: true })).toEqual(['']);
  });

  it('takes cameras of WebGPU and without a far plane', () => {
    const meshes = [boxAt(0), boxAt(0, 0, -1e5)];
    meshes.forEach((mesh, k) => (mesh.name = `${k}`));
    const scene = sceneOf(meshes, 'group');
    const endless = camera.clone();
    endless.projectionMatrix.elements[10] = -1;
    endless.projectionMatrix.elements[14] = -1;
    const webGpu = camera.clone();
    webGpu.coordinateSystem = WebGPUCoordinateSystem;
    webGpu.updateProjectionMatrix();
    for (const [view, names] of [
      [endless, ['0', '1']],
      [webGpu, ['0']],
    ] as const)
      for (const inside of [false, true])
        for (const region of [EVERYTHING, [at(-9, -9), at(9, -9), at(0, 9)]])
          expect(selectWithin(region, view, element, scene, { inside }).map(({ object }) => object!.name)).toEqual(
            names,
          );
  });

  it('visits few nodes and triangles', () => {
    const geometry = new TorusKnotGeometry(1, 0.3, 300, 30);
    const meshes = Array.from({ length: 100 }, () => new Mesh(geometry));
    meshes.forEach((mesh, k) => mesh.position.set((k % 10) * 4 - 18, Math.floor(k / 10) * 4 - 18, -20));
    const scene = sceneOf(meshes, 'group');
    const stats = {} as TriangleStats;
    for (const region of [EVERYTHING, [at(-90, -90), at(90, -90), at(90, 90), at(0, 95), at(-90, 90)]]) {
      expect(selected(scene, region, { inside: true, stats }).length).toBe(100);
      expect(stats.meshesTested).toBe(100);
      expect(stats.trianglesTested).toBeLessThan(100 * 150);
      expect(stats.nodesVisited).toBeLessThan(100 * 100);
    }
  });

  it('leaves out points, and takes an element without a size', () => {
    const group = new OctreeGroup().add(new Points(new BoxGeometry()));
    group.updateMatrixWorld();
    const stats = {} as TriangleStats;
    expect(selected(new TriangleScene(group), EVERYTHING, { stats })).toEqual([]);
    expect(stats.objectsSkipped).toBe(1);
    const nowhere = { getBoundingClientRect: () => ({ left: 0, top: 0, width: 0, height: 0 }) };
    expect(selectWithin(EVERYTHING, camera, nowhere, sceneOf([boxAt(0)], 'group'))).toEqual([]);
  });

  it('rejects wrong arguments', () => {
    const scene = sceneOf([boxAt(0)], 'group');
    const call =
      (region: unknown, options?: object): (() => unknown) =>
      () =>
        selectWithin(region as never, camera, element, scene, options);
    expect(call([at(0, 0)])).toThrow('selectWithin: region must be an array of two corners or more');
    expect(call('all')).toThrow('selectWithin: region must be an array of two corners or more');
    expect(call([at(0, 0), { clientX: 3 }])).toThrow('selectWithin: region[1] must have a finite clientX and clientY');
    expect(call(EVERYTHING, { inside: 1 })).toThrow('selectWithin: options.inside must be');
    expect(call(EVERYTHING, { within: true })).toThrow('selectWithin: ');
    const broken = camera.clone();
    broken.projectionMatrix.elements[0] = NaN;
    expect(() => selectWithin(EVERYTHING, broken, element, scene)).toThrow(
      'selectWithin: the matrices of camera must not hold NaN',
    );
  });
});
