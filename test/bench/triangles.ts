/**
 * Queries of triangles among moving meshes, beside what else there is: `npm run bench -- --triangles`. All in one
 * process, interleaved; medians of rounds; only ratios count. `--only text` chooses parts.
 */

import {
  Bone,
  Box3,
  BufferGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  Line3,
  Matrix4,
  Skeleton,
  SkinnedMesh,
  Sphere,
  Uint16BufferAttribute,
  Vector3,
  type Mesh,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { INTERSECTED, MeshBVH, NOT_INTERSECTED, ObjectBVH, SkinnedMeshBVH } from 'three-mesh-bvh';
import { IndexList, Octree } from '../../src/index.ts';
import { castShape, intersectTriangles, nearestPoint, firstTriangle } from '../../src/triangles/index.ts';
import { transformBox } from '../../src/three/bounds/bounds-math.ts';
import { loadJoltMeshes } from './rivals/jolt-meshes.ts';
import { MeshLoop } from './rivals/mesh-loop.ts';
import type { Options } from './options.ts';
import { compare, createCity, createFair, sceneOf, sceneOver, type Fair } from './triangle-fair.ts';
import { compareMemory, comparePairs, walkAround } from './triangle-pairs.ts';

/** With `data` only pairs are measured, of its meshes. `only`: parts of names of `PARTS`. */
export async function runTrianglesBenchmark({ bodies, data, only }: Options): Promise<void> {
  const fair = data === undefined ? createFair(bodies) : createCity(data, bodies);
  const { meshes } = fair;
  for (const { geometry } of meshes) geometry.boundsTree ??= new MeshBVH(geometry);
  let triangles = 0;
  for (const { geometry } of meshes) triangles += (geometry.index?.count ?? geometry.attributes.position.count) / 3;
  console.log(`${meshes.length} meshes, ${triangles} triangles`);
  for (const [name, run] of Object.entries(PARTS)) {
    const chosen = data === undefined ? only : ['pairs'];
    if (chosen.length > 0 && !chosen.some((text) => name.includes(text))) continue;
    console.log(name);
    await run(fair);
  }
}

const PARTS: Readonly<Record<string, (fair: Fair) => void | Promise<void>>> = {
  'capsule: contacts, and a cast of 20 m': compareCapsules,
  'nearest point, and a ray of 200 m': compareNearest,
  'a mesh: memory beside trees': compareMemory,
  'pairs within a distance: us for each pair of bounds': comparePairs,
  tick: compareTicks,
  'a skinned mesh of 5,000 triangles and 50 bones, in a new pose each time': comparePoses,
  'walkers: three queries each': walkAround,
};

function pointsOf({ random, extent }: Fair): Vector3[] {
  const half = extent / 2;
  return Array.from(
    { length: 500 },
    () => new Vector3(random.between(-half, half), random.between(0.5, 2.5), random.between(-half, half)),
  );
}

function motionsOf({ random }: Fair, length: number): Vector3[] {
  return Array.from({ length: 500 }, () =>
    new Vector3(random.between(-1, 1), random.between(-0.1, 0.1), random.between(-1, 1)).setLength(length),
  );
}

async function compareCapsules(fair: Fair): Promise<void> {
  const { meshes, octree, scene } = fair;
  const points = pointsOf(fair);
  const motions = motionsOf(fair, 20);
  const target: never[] = [];
  const capsule = { start: new Vector3(), end: new Vector3(0, 1, 0), radius: 0.4 };
  const jolt = await loadJoltMeshes(meshes, capsule);
  const loop = new MeshLoop(meshes);
  const capsuleAt = (k: number): typeof capsule => {
    capsule.start.copy(points[k % 500]);
    capsule.end.copy(capsule.start).setY(capsule.start.y + 1);
    return capsule;
  };
  let [contacts, ofLoop, ofJolt, hits, hitsOfLoop, hitsOfJolt] = [0, 0, 0, 0, 0, 0];
  for (let k = 0; k < 500; k++) {
    contacts += intersectTriangles(scene, capsuleAt(k), undefined, target).length;
    ofLoop += loop.contacts(capsule);
    ofJolt += jolt.contacts(capsule);
    const time = castShape(scene, capsule, motions[k])?.time ?? 2;
    if (time !== loop.castTime(capsule, motions[k])) throw new Error(`cast ${k}: the loop finds another time`);
    hits += Number(time <= 1);
    hitsOfLoop += Number(loop.castTime(capsule, motions[k]) <= 1);
    hitsOfJolt += Number(jolt.castTime(capsule, motions[k]) <= 1);
  }
  console.log(
    `  found: contacts ${contacts}, loop ${ofLoop}, Jolt ${ofJolt}; casts ${hits}, ${hitsOfLoop}, ${hitsOfJolt}`,
  );
  if (contacts !== ofLoop || contacts === 0) throw new Error('the loop finds other contacts');

  const objects = new ObjectBVH(meshes);
  const list = new IndexList();
  const box = new Box3();
  const segment = new Line3();
  const inverse = new Matrix4();
  const [a, b] = [new Vector3(), new Vector3()];
  let counted = 0;
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
        if (triangle.closestPointToSegment(segment, a, b) <= radius) counted++;
        return false;
      },
    });
  };
  const world = new Box3();
  const setWorld = (): void => {
    world.makeEmpty().expandByPoint(capsule.start).expandByPoint(capsule.end).expandByScalar(capsule.radius);
  };
  compare(
    {
      intersectTriangles: (k) => intersectTriangles(scene, capsuleAt(k), undefined, target),
      'loop over spheres, then the same': (k) => loop.contacts(capsuleAt(k)),
      'Jolt, CollideShape': (k) => jolt.contacts(capsuleAt(k)),
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
    { 'loop, invert + shapecast (the field)': 2, intersectTriangles: 2000, 'Jolt, CollideShape': 2000 },
  );
  if (counted === 0) throw new Error('no contacts');
  compare(
    {
      castShape: (k) => castShape(scene, capsuleAt(k), motions[k % 500]),
      'loop over spheres, then the same': (k) => loop.castTime(capsuleAt(k), motions[k % 500]),
      'Jolt, CastShape': (k) => jolt.castTime(capsuleAt(k), motions[k % 500]),
    },
    { castShape: 1000, 'Jolt, CastShape': 1000 },
  );
}

function compareNearest(fair: Fair): void {
  const { meshes, scene } = fair;
  const points = pointsOf(fair);
  const motions = motionsOf(fair, 1);
  const merged = mergeGeometries(meshes.slice(0, 2500).map((mesh) => plainCopy(mesh)));
  const mergedTree = new MeshBVH(merged);
  const few = sceneOf(meshes.slice(0, 2500)).scene;
  const hit = { point: new Vector3(), distance: 0, faceIndex: 0 };
  compare(
    {
      'nearestPoint (2,500 meshes)': (k) => nearestPoint(few, points[k % 500]),
      'merged static MeshBVH': (k) => mergedTree.closestPointToPoint(points[k % 500], hit),
    },
    { 'nearestPoint (2,500 meshes)': 2000, 'merged static MeshBVH': 2000 },
  );
  compare(
    {
      firstTriangle: (k) =>
        firstTriangle(scene, { origin: points[k % 500], direction: motions[k % 500] }, { far: 200 }),
    },
    { firstTriangle: 2000 },
  );
}

function compareTicks({ meshes, octree }: Fair): void {
  const objects = new ObjectBVH(meshes);
  const bounds = new Box3();
  for (const part of [0.01, 0.1, 1]) {
    const movers = meshes.slice(0, meshes.length * part);
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
}

function comparePoses(): void {
  const { mesh, bones } = createSnake();
  const posed = new Octree<Mesh>();
  posed.insert({ min: { x: -9, y: -99, z: -9 }, max: { x: 9, y: 99, z: 9 } }, mesh);
  const snake = sceneOver(posed);
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
}

function plainCopy(mesh: Mesh): BufferGeometry {
  const geometry = new BufferGeometry().setAttribute('position', mesh.geometry.attributes.position.clone());
  geometry.setIndex(mesh.geometry.index!.clone());
  return geometry.applyMatrix4(mesh.matrixWorld);
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
