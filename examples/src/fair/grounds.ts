// The grounds of the fair: a lawn with hills around it, paths, a fence, the gate, and where trees stand.

import { BufferAttribute, Color, Mesh, MeshLambertMaterial, type Object3D, PlaneGeometry } from 'three';
import { hash, smoothNoise } from '../shared/noise.ts';
import type { Parts } from './parts.ts';
import { CAROUSEL, GROUND, HALL, LEVEL, TOWER, WHEEL } from './plan.ts';

const CELLS = 100;
const SALT = 83;
/** Segments of the fence, which leaves out the gate. */
export const FENCE = 64;
const FENCE_RADIUS = 78;
const GATE_Z = 66;

const riseAt = (x: number, z: number): number => {
  const beyond = Math.min(2, Math.max(0, Math.sqrt(x * x + z * z) - LEVEL) / (GROUND - LEVEL));
  return beyond * beyond * (1 + 9 * smoothNoise(x / 38, z / 38, SALT));
};

/** One mesh of 20,000 triangles. */
export function createGround(): Mesh {
  const size = 3.2 * GROUND;
  const geometry = new PlaneGeometry(size, size, CELLS, CELLS).rotateX(-Math.PI / 2);
  const { position } = geometry.attributes;
  const colors = new Float32Array(3 * position.count);
  const [dry, lush, color] = [new Color('#a9bf6c'), new Color('#86ad5c'), new Color()];
  for (let k = 0; k < position.count; k++) {
    const [x, z] = [position.getX(k), position.getZ(k)];
    position.setY(k, riseAt(x, z));
    color.copy(lush).lerp(dry, smoothNoise(x / 9, z / 9, SALT + 1));
    color.toArray(colors, 3 * k);
  }
  geometry.setAttribute('color', new BufferAttribute(colors, 3));
  geometry.computeVertexNormals();
  const ground = new Mesh(geometry, new MeshLambertMaterial({ vertexColors: true }));
  ground.name = 'ground';
  ground.receiveShadow = true;
  return ground;
}

/** Slabs that are hardly higher than the lawn. */
export function addPaths(parts: Parts, parent: Object3D): void {
  const paths = parts.group(parent, 'paths');
  const slab = (name: string, x: number, z: number, wide: number, deep: number, high = 0.03): void =>
    void (parts.add(paths, 'box', 'path', name, [x, 0, z], [wide, high, deep]).castShadow = false);
  slab('avenue', 0, 34, 15.4, 66);
  for (const side of [-1, 1]) {
    slab('lane', side * 24, 34, 6.4, 52, 0.025);
    slab('lane', side * 43, 34, 6.4, 52, 0.025);
  }
  slab('cross lane', 0, 10, 96, 3.4, 0.02);
  slab('cross lane', 0, 62, 96, 3.4, 0.02);
  slab('way to the tower', -17, -6, 34, 3, 0.02);
  slab('way to the tower', -34, -11, 10, 9, 0.025);
  slab('way to the hall', 17, -6, 34, 3, 0.02);
  slab('way to the hall', 34, -9, 4, 8, 0.025);
  slab('way to the wheel', 0, -26, 5, 20, 0.025);
  const plaza = parts.add(paths, 'drum', 'path', 'plaza', [CAROUSEL.x, 0, CAROUSEL.z], [25, 0.035, 25]);
  plaza.castShadow = false;
  const ring = parts.add(paths, 'drum', 'stone', 'ring', [CAROUSEL.x, 0, CAROUSEL.z], [16, 0.05, 16]);
  ring.castShadow = false;
}

export function addFence(parts: Parts, parent: Object3D, number: number): void {
  const angle = ((number + 0.5) / FENCE) * 2 * Math.PI;
  const [x, z] = [FENCE_RADIUS * Math.sin(angle), FENCE_RADIUS * Math.cos(angle)];
  const length = (2 * Math.PI * FENCE_RADIUS) / FENCE;
  const fence = parts.group(parent, `fence ${number + 1}`, [x, 0, z], angle);
  for (const y of [0.4, 0.85]) parts.add(fence, 'box', 'white', 'rail', [0, y, 0], [length, 0.1, 0.05]);
  for (let k = 0; k < 5; k++)
    parts.add(fence, 'box', 'white', 'post', [(k / 5 - 0.5) * length, 0, 0], [0.12, 1.1, 0.12]);
}

export function addGate(parts: Parts, parent: Object3D): void {
  const gate = parts.group(parent, 'gate', [0, 0, GATE_Z]);
  for (const x of [-6, 6]) {
    parts.add(gate, 'box', 'cream', 'pillar', [x, 0, 0], [1.4, 5, 1.4]);
    parts.add(gate, 'box', 'coral', 'band', [x, 3.6, 0], [1.5, 0.4, 1.5]);
    parts.roof(gate, 'coral', 'cream', 'roof', [x, 5, 0], [2.6, 1.6, 2.6]);
  }
  parts.add(gate, 'box', 'teal', 'beam', [0, 4.2, 0], [10.6, 0.9, 0.4]);
  for (let k = 0; k < 9; k++)
    parts.add(gate, 'ball', k % 2 === 0 ? 'mustard' : 'white', 'globe', [-4.4 + 1.1 * k, 5.1, 0], [0.36, 0.36, 0.36]);
}

export function planTrees(): [x: number, z: number, size: number][] {
  const trees: [number, number, number][] = [];
  for (let k = 0; trees.length < 110 && k < 900; k++) {
    const [x, z] = [(2 * hash(k, 1, SALT) - 1) * 88, (2 * hash(k, 2, SALT) - 1) * 88];
    const away = Math.sqrt(x * x + z * z);
    const isAtLane = Math.abs(x) < 62 && z > 8 && z < 66;
    const isNear = (place: { x: number; z: number }, dx: number, dz: number): boolean =>
      Math.abs(x - place.x) < dx && Math.abs(z - place.z) < dz;
    if (isAtLane || away < 16 || (away > 74 && away < 81)) continue;
    if (
      isNear(TOWER, 20, 26) ||
      isNear(HALL, 17, 13) ||
      isNear(WHEEL, 18, 9) ||
      Math.abs(x) < 5 ||
      isNear({ x: 0, z: -6 }, 40, 4)
    )
      continue;
    trees.push([x, z, 1.1 + 0.9 * hash(k, 3, SALT)]);
  }
  return trees;
}
