/**
 * The scene of the benchmark of triangles: a fair, in which meshes of 24 geometries lie at random. 30 % are rigid, 30 %
 * scaled uniformly, 20 % non-uniformly, 10 % mirrored, 10 % sheared.
 */

import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Matrix4,
  Mesh,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  TorusKnotGeometry,
  Vector3,
} from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { Octree } from '../../src/index.ts';
import { TriangleScene } from '../../src/triangles/index.ts';
import { createRandom, type Random } from '../support/random.ts';
import { readCity } from './tiles.ts';

/** Meshes for each unit of area: as in a fair with people between the stalls. */
const SPACING = 4;

export interface Fair {
  readonly meshes: Mesh[];
  readonly octree: Octree<Mesh>;
  readonly scene: TriangleScene<Mesh>;
  readonly extent: number;
  readonly random: Random;
}

export function createFair(count: number): Fair {
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
  const meshes = Array.from({ length: count }, (_, k) => {
    const mesh = new Mesh(random.pick(geometries));
    mesh.matrixAutoUpdate = false;
    place(mesh, k, extent, random);
    return mesh;
  });
  return { ...sceneOf(meshes), extent, random };
}

/** The meshes of path.bin: see `readCity`. */
export function createCity(path: string, count: number): Fair {
  const meshes = readCity(path, count).map(
    ({ positions }) =>
      new Mesh(new BufferGeometry().setAttribute('position', new BufferAttribute(positions as Float32Array, 3))),
  );
  return { ...sceneOf(meshes), extent: 0, random: createRandom(45) };
}

/** An octree of meshes, and their triangles. */
export function sceneOf(meshes: Mesh[]): Pick<Fair, 'meshes' | 'octree' | 'scene'> {
  const octree = new Octree<Mesh>();
  for (const mesh of meshes) octree.insert(new Box3().setFromObject(mesh), mesh);
  octree.update();
  return { meshes, octree, scene: sceneOver(octree) };
}

/** The triangles of an octree of meshes. */
export function sceneOver(octree: Octree<Mesh>): TriangleScene<Mesh> {
  return new TriangleScene(
    octree,
    ({ data }, target) => {
      target.geometry = data.geometry;
      target.matrix = data.matrixWorld;
      target.object = data;
    },
    { MeshBVH },
  );
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

/**
 * Microseconds a call, as the median of rounds; the functions take turns.
 *
 * @param calls Of a function in a round. Default 200.
 * @param parts In how many parts a call is divided, to which the time refers. Default 1.
 */
export function compare(
  rows: Readonly<Record<string, (k: number) => unknown>>,
  calls: Readonly<Record<string, number>>,
  parts: Readonly<Record<string, number>> = {},
): void {
  const times: Record<string, number[]> = {};
  for (let round = 0; round < 9; round++) {
    for (const [name, run] of Object.entries(rows)) {
      const count = calls[name] ?? 200;
      const start = process.cpuUsage();
      for (let k = 0; k < count; k++) run(k);
      const { user, system } = process.cpuUsage(start);
      (times[name] ??= []).push((user + system) / count / (parts[name] ?? 1));
    }
  }
  const medians = Object.entries(times).map(([name, list]) => [name, list.sort((a, b) => a - b)[4]] as const);
  for (const [name, time] of medians)
    console.log(
      `  ${name.padEnd(48)} ${time.toFixed(2).padStart(12)} us ${(time / medians[0][1]).toFixed(2).padStart(10)}`,
    );
}
