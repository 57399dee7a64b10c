/** The door of OctreeInstances: all that is given to it is checked before anything changes. */

import type { BufferGeometry, Color, Material, Matrix4, Object3D } from 'three';
import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import { describe, requireFinite, requireObject } from '../../scene/input-checks.ts';
import { describeObject, nameOf } from '../bounds/bounds-of.ts';
import { MATRIX_STRIDE, type InstanceStore } from './instance-store.ts';

/** How three marks its own; of several copies of three, too. */
const MARKS = { Matrix4: 'isMatrix4', Color: 'isColor', Box3: 'isBox3' } as const;

export function requireId(where: string, container: Object3D, store: InstanceStore, id: number): void {
  if (store.has(id)) return;
  if (typeof id !== 'number') throw new TypeError(`${where}: id must be a number, but is ${describe(id)}; pass what addInstance has returned.`);
  throw new RangeError(`${where}: id must be that of an instance of ${nameOf(container)}, but is ${id}; it was deleted or never given out.`);
}

export function requireIds(where: string, container: Object3D, store: InstanceStore, ids: ArrayLike<number>): void {
  requireObject(where, 'ids', ids, 'pass an array of ids');
  for (let k = 0; k < ids.length; k++) requireId(where, container, store, ids[k]);
}

export function requireMatrix(where: string, container: Object3D, matrix: Matrix4): void {
  requireObject(where, 'matrix', matrix, 'pass a Matrix4');
  const length: unknown = matrix.elements?.length;
  if (length !== MATRIX_STRIDE) throw new TypeError(`${where}: matrix must have sixteen elements, but has ${describe(length)}; pass a Matrix4.`);
  requireNumbers(where, 'matrix', container, matrix.elements, 0);
}

/** Sixteen numbers for each of `count` instances, or for any number of them. */
export function requireMatrices(where: string, container: Object3D, matrices: ArrayLike<number>, count: number = matrices?.length / MATRIX_STRIDE): void {
  requireObject(where, 'matrices', matrices, 'pass an array with sixteen numbers an instance');
  if (!Number.isInteger(count) || matrices.length !== count * MATRIX_STRIDE) {
    throw new TypeError(
      `${where}: matrices must hold sixteen numbers an instance, but has ${matrices.length} numbers for ${Math.ceil(count)}; add what is missing.`,
    );
  }
  for (let k = 0; k < count; k++) requireNumbers(where, `matrices, instance ${k},`, container, matrices, k * MATRIX_STRIDE);
}

function requireNumbers(where: string, field: string, container: Object3D, elements: ArrayLike<number>, at: number): void {
  for (let lane = 0; lane < MATRIX_STRIDE; lane++) {
    const element = elements[at + lane];
    // NaN fails the comparison too.
    if (!(Math.abs(element) <= COORDINATE_LIMIT)) {
      const what = `${where}: ${field} for ${nameOf(container)} must be made of numbers within +-2^50`;
      throw new RangeError(`${what}, but holds ${describe(element)}; check position, rotation and scale.`);
    }
  }
}

/** Finite channels; those of bright colours may be above 1. */
export function requireColor(where: string, color: Color): void {
  if (typeof color === 'object' && color !== null && Number.isFinite(color.r) && Number.isFinite(color.g) && Number.isFinite(color.b)) return;
  const remedy = 'pass a Color, such as new Color(0xff0000)';
  requireObject(where, 'color', color, remedy);
  for (const channel of ['r', 'g', 'b'] as const) requireFinite(where, `color.${channel}`, color[channel], remedy);
}

export function requireVisible(where: string, visible: boolean): void {
  if (typeof visible !== 'boolean') throw new TypeError(`${where}: visible must be true or false, but is ${describe(visible)}; pass one of them.`);
}

/** @param kind What is written to. */
export function requireTarget(where: string, kind: keyof typeof MARKS, target: object): void {
  if (typeof target === 'object' && target !== null && MARKS[kind] in target) return;
  throw new TypeError(`${where}: target must be a ${kind}, but is ${describe(target)}; pass one to write to.`);
}

export function requireGeometry(where: string, geometry: BufferGeometry): void {
  if ((geometry as BufferGeometry | null)?.isBufferGeometry === true) return;
  throw new TypeError(`${where}: geometry must be a BufferGeometry, but is ${describeObject(geometry)}; pass one, such as that of a mesh.`);
}

export function requireMaterial(where: string, material: Material | Material[]): void {
  const remedy = 'pass one, or an array of them';
  if (!Array.isArray(material)) {
    if (!isMaterial(material)) throw new TypeError(`${where}: material must be a Material, but is ${describeObject(material)}; ${remedy}.`);
    return;
  }
  for (const one of material) {
    if (!isMaterial(one)) throw new TypeError(`${where}: material must be made of Materials, but holds ${describeObject(one)}; ${remedy}.`);
  }
}

function isMaterial(material: Material | null | undefined): boolean {
  return material?.isMaterial === true;
}

/** How sentences name the geometry of one of the levels of detail. */
export function geometryName(container: Object3D, level: number): string {
  return level === 0 ? `the geometry of ${nameOf(container)}` : `the geometry of level ${level} of ${nameOf(container)}`;
}

/** The matrix of the container itself. */
export function requireWorld(where: string, container: Object3D): void {
  for (const element of container.matrixWorld.elements) {
    if (Math.abs(element) <= COORDINATE_LIMIT) continue;
    const what = `${where}: the matrixWorld of ${nameOf(container)} must be made of numbers within +-2^50`;
    throw new RangeError(`${what}, but holds ${element}; check its position, rotation and scale, and those of its parents.`);
  }
}
