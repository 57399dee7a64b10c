/** Scenes of meshes with all kinds of geometries and matrices, for queries of triangles. */

import {
  BatchedMesh,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  InstancedMesh,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  TorusKnotGeometry,
  Vector3,
} from 'three';
import { OctreeInstances } from '../../src/three.ts';
import { createRandom, type Random } from './random.ts';

export const MATRIX_KINDS = ['rigid', 'uniform', 'scaled', 'mirrored', 'sheared', 'thin', 'flat', 'zero'] as const;
export type MatrixKind = (typeof MATRIX_KINDS)[number];

/** The scenes: which matrices occur, how large the scene is, and how far from the origin. */
export const TRIANGLE_SCENES = {
  'all matrices': { kinds: ['rigid', 'uniform', 'scaled', 'mirrored', 'sheared'], extent: 12, away: 0 },
  singular: { kinds: ['thin', 'flat', 'zero', 'rigid'], extent: 9, away: 0 },
  'far away': { kinds: ['rigid', 'scaled', 'sheared'], extent: 12, away: 1e7 },
  'rigid, crowded': { kinds: ['rigid'], extent: 4, away: 0 },
  millimetres: { kinds: ['uniform', 'scaled', 'mirrored'], extent: 0.02, away: 0 },
} as const satisfies Record<string, { kinds: readonly MatrixKind[]; extent: number; away: number }>;
export type TriangleSceneName = keyof typeof TRIANGLE_SCENES;

export interface TestScene {
  readonly meshes: Mesh[];
  readonly random: Random;
  /** The middle of the scene, and how far it reaches. */
  readonly center: Vector3;
  readonly extent: number;
  /** Size of a typical mesh. */
  readonly size: number;
}

export function createTriangleScene(name: TriangleSceneName, count: number, seed: number): TestScene {
  const { kinds, extent, away } = TRIANGLE_SCENES[name];
  const random = createRandom(seed);
  const size = Math.min(1, extent / 8);
  const geometries = createGeometries(random);
  const center = new Vector3(away, -away / 3, away / 7);
  const meshes: Mesh[] = [];
  for (let k = 0; k < count; k++) {
    const mesh = new Mesh(random.pick(geometries));
    mesh.matrixAutoUpdate = false;
    mesh.matrix.copy(createMatrix(random.pick<MatrixKind>(kinds), size, random));
    mesh.matrix.setPosition(pointIn(random, center, extent));
    mesh.updateMatrixWorld(true);
    meshes.push(mesh);
  }
  return { meshes, random, center, extent, size };
}

export function pointIn(random: Random, center: Vector3, extent: number): Vector3 {
  const coordinate = (): number => random.between(-extent, extent) / 2;
  return new Vector3(coordinate(), coordinate(), coordinate()).add(center);
}

export function directionOf(random: Random): Vector3 {
  const direction = new Vector3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
  // Some are parallel to an axis.
  if (random.below(4) === 0) direction.setComponent(random.below(3), 0);
  return direction.lengthSq() > 0.01 ? direction.normalize() : new Vector3(0, -1, 0);
}

export function createMatrix(kind: MatrixKind, size: number, random: Random): Matrix4 {
  const turn = new Quaternion().setFromAxisAngle(directionOf(random), random.between(0, 6));
  const factor = (): number => size * random.between(0.2, 2);
  const scale = new Vector3().setScalar(size);
  if (kind === 'uniform') scale.setScalar(factor());
  else if (kind !== 'rigid') scale.set(factor(), factor(), factor());
  if (kind === 'mirrored') scale.x *= -1;
  if (kind === 'thin') scale.y *= 1e-5;
  if (kind === 'flat') scale.y = 0;
  if (kind === 'zero') scale.set(0, 0, 0);
  const matrix = new Matrix4().compose(new Vector3(), turn, scale);
  if (kind !== 'sheared') return matrix;
  const second = new Matrix4().makeRotationFromQuaternion(new Quaternion().setFromAxisAngle(directionOf(random), 1));
  return matrix.multiply(second).multiply(new Matrix4().makeScale(1, random.between(0.3, 2), 1));
}

/** Indexed or not, 16 and 32 bits, interleaved, normalized, with draw range, with groups, with slivers. */
export function createGeometries(random: Random): BufferGeometry[] {
  const knot = new TorusKnotGeometry(0.6, 0.15, 40, 6);
  const wide = new SphereGeometry(0.5, 16, 10);
  wide.setIndex(new BufferAttribute(Uint32Array.from(wide.index!.array), 1));
  const part = new TorusKnotGeometry(0.5, 0.2, 30, 5);
  part.setDrawRange(30, 300);
  return [
    new BoxGeometry(),
    new PlaneGeometry(1, 1, 6, 5),
    new PlaneGeometry(2, 2),
    knot,
    knot.toNonIndexed(),
    wide,
    part,
    interleaved(new SphereGeometry(0.6, 9, 7)),
    normalized(new SphereGeometry(0.7, 12, 8)),
    soup(random),
  ];
}

function interleaved(geometry: BufferGeometry): BufferGeometry {
  const { position } = geometry.attributes;
  const buffer = new InterleavedBuffer(new Float32Array(8 * position.count), 8);
  const attribute = new InterleavedBufferAttribute(buffer, 3, 4);
  for (let k = 0; k < position.count; k++) attribute.setXYZ(k, position.getX(k), position.getY(k), position.getZ(k));
  return geometry.setAttribute('position', attribute);
}

function normalized(geometry: BufferGeometry): BufferGeometry {
  const { position } = geometry.attributes;
  const array = Int16Array.from(position.array, (value) => Math.round(value * 32767));
  return geometry.setAttribute('position', new BufferAttribute(array, 3, true));
}

/** Triangles of any shape: slivers, lines and points among them. */
function soup(random: Random): BufferGeometry {
  const positions: number[] = [];
  const point = (): number[] => [random.between(-0.7, 0.7), random.between(-0.7, 0.7), random.between(-0.7, 0.7)];
  for (let k = 0; k < 60; k++) {
    const [a, b] = [point(), point()];
    const kind = random.below(5);
    const c = kind === 0 ? a : kind === 1 ? a.map((value, axis) => value + (b[axis] - value) * 0.3) : point();
    positions.push(...a, ...(kind === 2 ? a.map((value) => value + 1e-4) : b), ...c);
  }
  return new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
}

/** Three boxes of edge 2 in a row along x, as instances of each kind of container. */
export function createContainers(): {
  readonly instanced: InstancedMesh;
  readonly batch: BatchedMesh;
  readonly instances: OctreeInstances;
} {
  const instanced = new InstancedMesh(new BoxGeometry(2, 2, 2), new MeshBasicMaterial(), 3);
  const batch = new BatchedMesh(3, 100, 100, new MeshBasicMaterial());
  const geometry = batch.addGeometry(new BoxGeometry(2, 2, 2));
  const instances = new OctreeInstances(new BoxGeometry(2, 2, 2), new MeshBasicMaterial());
  for (let k = 0; k < 3; k++) {
    const matrix = new Matrix4().makeTranslation(4 * k - 4, 0, 0);
    instanced.setMatrixAt(k, matrix);
    batch.setMatrixAt(batch.addInstance(geometry), matrix);
    instances.addInstance(matrix);
  }
  instances.updateMatrixWorld();
  return { instanced, batch, instances };
}
