/**
 * Queries of triangles among moving meshes, beside what else there is: `npm run bench -- --triangles`. The scene is a
 * fair: meshes of 24 geometries, of which 30 % are rigid, 30 % scaled uniformly, 20 % non-uniformly, 10 % mirrored, 10
 * % sheared. All in one process, interleaved; medians of rounds; only ratios count.
 */

import {
  Bone,
  Box3,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  Matrix4,
  Mesh,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  TorusKnotGeometry,
  Uint16BufferAttribute,
  Vector3,
  Line3,
  Skeleton,
  SkinnedMesh,
  Sphere,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { INTERSECTED, MeshBVH, NOT_INTERSECTED, ObjectBVH, SkinnedMeshBVH } from 'three-mesh-bvh';
import { IndexList, Octree } from '../../src/index.ts';
import {
  castShape,
  intersectTriangles,
  nearestPoint,
  firstTriangle,
  TriangleScene,
} from '../../src/triangles/index.ts';
import { transformBox } from '../../src/three/bounds/bounds-math.ts';
import { createRandom, type Random } from '../support/random.ts';

/** Meshes for each unit of area: as in a fair with people between the stalls. */
const SPACING = 4;

interface Fair {
  readonly meshes: Mesh[];
  readonly octree: Octree<Mesh>;
  readonly scene: TriangleScene<Mesh>;
  readonly extent: number;
  readonly random: Random;
}

function createFair(count: number): Fair {
  const random = createRandom(45);
  const geometries: BufferGeometry[] = [];
  for (let k = 0; k < 8; k++) {
    geometries.push(new TorusKnotGeometry(0.8, 0.25, 40 + 10 * k, 8));
    geometries.push(k % 2 ? new SphereGeometry(1, 12 + 3 * k, 8 + 2 * k) : new CapsuleGeometry(0.5, 1, 6 + k, 12 + k));
    geometries.push(
      k % 2 ? new CylinderGeometry(0.6, 1, 2, 16 + 4 * k, 4) : new TorusGeometry(0.9, 0.3, 8 + k, 24 + k),
    );
  }
  const extent = SPACING * Math.sqrt(count);
  const meshes: Mesh[] = [];
  const octree = new Octree<Mesh>();
  for (let k = 0; k < count; k++) {
    const mesh = new Mesh(random.pick(geometries));
    mesh.matrixAutoUpdate = false;
    place(mesh, k, extent, random);
    meshes.push(mesh);
    octree.insert(new Box3().setFromObject(mesh), mesh);
  }
  const scene = new TriangleScene(
    octree,
    ({ data }, target) => {
      target.geometry = data.geometry;
      target.matrix = data.matrixWorld;
      target.object = data;
    },
    { MeshBVH },
  );
  octree.update();
  return { meshes, octree, scene, extent, random };
}

function place(mesh: Mesh, k: number, extent: number, random: Random): void {
  const part = k % 10;
  const factor = (): number => random.between(0.5, 1.5);
  const scale = new Vector3(1, 1, 1);
  if (part >= 3 && part < 6) scale.setScalar(factor());
  if (part >= 6) scale.set(factor(), factor(), factor());
  if (part === 8) scale.x *= -1;
  const turn = new Quaternion(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1), 0.5).normalize();
  mesh.matrix.compose(new Vector3(), turn, scale);
  if (part === 9) mesh.matrix.multiply(new Matrix4().makeShear(0.3, 0, 0.2, 0, 0, 0.1));
  mesh.matrix.setPosition(
    random.between(-extent, extent) / 2,
    random.between(0, 3),
    random.between(-extent, extent) / 2,
  );
  mesh.updateMatrixWorld(true);
}

/** Microseconds a call, as the median of rounds; the functions take turns. */
function compare(
  rows: Readonly<Record<string, (k: number) => unknown>>,
  calls: Readonly<Record<string, number>>,
): void {
  const times: Record<string, number[]> = {};
  for (let round = 0; round < 9; round++) {
    for (const [name, run] of Object.entries(rows)) {
      const count = calls[name] ?? 200;
      const start = process.cpuUsage();
      for (let k = 0; k < count; k++) run(k);
      const { user, system } = process.cpuUsage(start);
      (times[name] ??= []).push((user + system) / count);
    }
  }
  const medians = Object.entries(times).map(([name, list]) => [name, list.sort((a, b) => a - b)[4]] as const);
  for (const [name, time] of medians)
    console.log(
      `  ${name.padEnd(48)} ${time.toFixed(2).padStart(12)} us ${(time / medians[0][1]).toFixed(2).padStart(10)}`,
    );
}

export function runTrianglesBenchmark(count: number): void {
  const { meshes, octree, scene, extent, random } = createFair(count);
  for (const { geometry } of meshes)
    (geometry as unknown as { boundsTree?: MeshBVH }).boundsTree ??= new MeshBVH(geometry);
  let triangles = 0;
  for (const { geometry } of meshes) triangles += (geometry.index?.count ?? geometry.attributes.position.count) / 3;
  console.log(`${count} meshes, ${triangles} triangles`);
  const points = Array.from(
    { length: 500 },
    () =>
      new Vector3(random.between(-extent, extent) / 2, random.between(0.5, 2.5), random.between(-extent, extent) / 2),
  );
  const target: never[] = [];
  const capsule = { start: new Vector3(), end: new Vector3(), radius: 0.4 };
  const capsuleAt = (k: number): typeof capsule => {
    capsule.start.copy(points[k % 500]);
    capsule.end.copy(capsule.start).setY(capsule.start.y + 1);
    return capsule;
  };

  console.log('capsule contacts');
  const objects = new ObjectBVH(meshes);
  const list = new IndexList();
  const box = new Box3();
  const segment = new Line3();
  const inverse = new Matrix4();
  const [a, b] = [new Vector3(), new Vector3()];
  let contacts = 0;
  const byShapecast = (mesh: Mesh): void => {
    // The field's way: right for rigid and uniform matrices only.
    inverse.copy(mesh.matrixWorld).invert();
    segment.start.copy(capsule.start).applyMatrix4(inverse);
    segment.end.copy(capsule.end).applyMatrix4(inverse);
    const radius = capsule.radius * inverse.getMaxScaleOnAxis();
    box.makeEmpty().expandByPoint(segment.start).expandByPoint(segment.end).expandByScalar(radius);
    (mesh.geometry as unknown as { boundsTree: MeshBVH }).boundsTree.shapecast({
      intersectsBounds: (bounds) => (bounds.intersectsBox(box) ? INTERSECTED : NOT_INTERSECTED),
      intersectsTriangle: (triangle) => {
        if (triangle.closestPointToSegment(segment, a, b) <= radius) contacts++;
        return false;
      },
    });
  };
  const world = new Box3();
  const setWorld = (): void => {
    world.makeEmpty().expandByPoint(capsule.start).expandByPoint(capsule.end).expandByScalar(capsule.radius);
  };
  const spheres = new Float64Array(4 * meshes.length);
  for (const [k, mesh] of meshes.entries()) {
    const sphere = new Box3().setFromObject(mesh).getBoundingSphere(new Sphere());
    spheres.set([...sphere.center, sphere.radius], 4 * k);
  }
  compare(
    {
      intersectTriangles: (k) => intersectTriangles(scene, capsuleAt(k), undefined, target),
      'octree + shapecast': (k) => {
        capsuleAt(k);
        setWorld();
        octree.collectBox(world, list);
        for (let j = 0; j < list.length; j++) byShapecast(meshes[list.array[j]]);
      },
      'ObjectBVH + shapecast': (k) => {
        capsuleAt(k);
        setWorld();
        objects.shapecast({
          intersectsBounds: (bounds: Box3) => (bounds.intersectsBox(world) ? INTERSECTED : NOT_INTERSECTED),
          intersectsObject: (object: Mesh) => {
            byShapecast(object);
            return false;
          },
        } as never);
      },
      'loop, invert + shapecast (the field)': (k) => {
        capsuleAt(k);
        for (const mesh of meshes) byShapecast(mesh);
      },
    },
    { 'loop, invert + shapecast (the field)': 2, intersectTriangles: 2000 },
  );

  console.log('capsule cast of 20 m; closest point; ray of 200 m');
  const motions = points.map(() =>
    new Vector3(random.between(-1, 1), random.between(-0.1, 0.1), random.between(-1, 1)).setLength(20),
  );
  compare({ castShape: (k) => castShape(scene, capsuleAt(k), motions[k % 500]) }, { castShape: 1000 });
  const merged = mergeGeometries(meshes.slice(0, 2500).map((mesh) => plainCopy(mesh)));
  const mergedTree = new MeshBVH(merged);
  const few = createPart(meshes.slice(0, 2500));
  const hit = { point: new Vector3(), distance: 0, faceIndex: 0 };
  compare(
    {
      'nearestPoint (2,500 meshes)': (k) => nearestPoint(few, points[k % 500]),
      'merged static MeshBVH': (k) => mergedTree.closestPointToPoint(points[k % 500], hit),
    },
    {},
  );
  compare(
    {
      firstTriangle: (k) =>
        firstTriangle(scene, { origin: points[k % 500], direction: motions[k % 500] }, { far: 200 }),
    },
    { firstTriangle: 2000 },
  );

  console.log('tick');
  const bounds = new Box3();
  for (const part of [0.01, 0.1, 1]) {
    const movers = meshes.slice(0, count * part);
    const indices = Uint32Array.from(movers, (_, k) => k);
    const boxes = new Float64Array(6 * movers.length);
    let step = 0;
    compare(
      {
        [`boxes, moveMany, update: ${part * 100} % move`]: () => {
          const shift = 0.05 * Math.cos(step++);
          for (const [k, mesh] of movers.entries()) {
            mesh.matrixWorld.elements[12] += shift;
            bounds.copy(mesh.geometry.boundingBox ?? (mesh.geometry.computeBoundingBox(), mesh.geometry.boundingBox!));
            transformBox(bounds, mesh.matrixWorld, bounds);
            boxes[6 * k] = bounds.min.x;
            boxes[6 * k + 1] = bounds.min.y;
            boxes[6 * k + 2] = bounds.min.z;
            boxes[6 * k + 3] = bounds.max.x;
            boxes[6 * k + 4] = bounds.max.y;
            boxes[6 * k + 5] = bounds.max.z;
          }
          octree.moveMany(indices, boxes);
          octree.update();
        },
        'ObjectBVH.refit': () => objects.refit(),
      },
      { 'ObjectBVH.refit': 5, [`boxes, moveMany, update: ${part * 100} % move`]: 20 },
    );
  }

  console.log('a skinned mesh of 5,000 triangles and 50 bones, in a new pose each time');
  const { mesh, bones } = createSnake();
  const posed = new Octree<Mesh>();
  posed.insert({ min: { x: -9, y: -99, z: -9 }, max: { x: 9, y: 99, z: 9 } }, mesh);
  const snake = new TriangleScene(
    posed,
    ({ data }, one) => {
      one.geometry = data.geometry;
      one.matrix = data.matrixWorld;
      one.object = data;
    },
    { MeshBVH },
  );
  const tree = new SkinnedMeshBVH(mesh);
  const small = new Sphere(new Vector3(0.3, 0, 0), 0.01);
  let pose = 0;
  const turn = (): void => {
    bones[25].rotation.z = 0.1 * Math.sin(pose++);
    mesh.updateMatrixWorld();
  };
  compare(
    {
      'vertices, refit and a query': () => {
        turn();
        intersectTriangles(snake, small);
      },
      'SkinnedMeshBVH.refit': () => {
        turn();
        tree.refit();
      },
    },
    { 'vertices, refit and a query': 40, 'SkinnedMeshBVH.refit': 20 },
  );
  if (contacts === 0) throw new Error('no contacts');
}

function plainCopy(mesh: Mesh): BufferGeometry {
  const geometry = new BufferGeometry().setAttribute('position', mesh.geometry.attributes.position.clone());
  geometry.setIndex(mesh.geometry.index!.clone());
  return geometry.applyMatrix4(mesh.matrixWorld);
}

function createPart(meshes: readonly Mesh[]): TriangleScene<Mesh> {
  const octree = new Octree<Mesh>();
  for (const mesh of meshes) octree.insert(new Box3().setFromObject(mesh), mesh);
  return new TriangleScene(
    octree,
    ({ data }, target) => {
      target.geometry = data.geometry;
      target.matrix = data.matrixWorld;
    },
    { MeshBVH },
  );
}

/** A tube along y with bones in a row. */
function createSnake(): { readonly mesh: SkinnedMesh; readonly bones: Bone[] } {
  const count = 50;
  const geometry = new CylinderGeometry(0.3, 0.3, count, 25, 2 * count, true);
  const { position } = geometry.attributes;
  const [indices, weights]: [number[], number[]] = [[], []];
  for (let k = 0; k < position.count; k++) {
    const along = Math.min(position.getY(k) + count / 2, count - 1.001);
    indices.push(Math.floor(along), Math.floor(along) + 1, 0, 0);
    weights.push(1 - (along % 1), along % 1, 0, 0);
  }
  geometry.setAttribute('skinIndex', new Uint16BufferAttribute(indices, 4));
  geometry.setAttribute('skinWeight', new Float32BufferAttribute(weights, 4));
  const bones = Array.from({ length: count }, (_, k) => {
    const bone = new Bone();
    bone.position.y = k === 0 ? -count / 2 : 1;
    return bone;
  });
  for (let k = 1; k < count; k++) bones[k - 1].add(bones[k]);
  const mesh = new SkinnedMesh(geometry);
  mesh.add(bones[0]);
  mesh.updateMatrixWorld(true);
  mesh.bind(new Skeleton(bones));
  return { mesh, bones };
}
