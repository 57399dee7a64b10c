/** Options and input validation of OctreeInstances. Each check runs before anything changes. */

import { Color } from 'three';
import type { BufferGeometry, ColorRepresentation, Material, Matrix4, Mesh, Object3D } from 'three';
import { COORDINATE_LIMIT } from '../math/integer-cube.ts';
import { containerOptions, type OctreeOptions } from '../octree/bodies/options.ts';
import {
  describe,
  isCoordinate,
  isIntegerBetween,
  requireFinite,
  requireObject,
  throwRange,
  throwType,
} from '../octree/input/input-checks.ts';
import type { KnownOptions } from '../octree/input/known-options.ts';
import type { BoundsKind } from '../octree/input/shapes.ts';
import type { IndexList } from '../tree/storage/index-list.ts';
import { MATRIX_STRIDE } from '../three/bounds/bounds-math.ts';
import { describeObject, nameOf } from '../three/bounds/object-kinds.ts';
import { warnOnce } from '../three/passes/warnings.ts';
import { attributeColumnsOf } from './store/attribute-columns.ts';

/** The options of `new OctreeInstances()`. */
export interface OctreeInstancesOptions extends Omit<OctreeOptions, 'outside'> {
  /**
   * Bounds of an instance: the box around its vertices, or the bounding sphere of its geometry. Default: the one with
   * the smaller volume. For materials that may move vertices (a ShaderMaterial, onBeforeCompile, a displacement map)
   * the default is the sphere. If your shader keeps the vertices inside the box of the geometry, 'box' is usually
   * tighter. It has no effect on geometries with morph targets, and on those whose vertices have changed more than 8
   * times: they get the sphere.
   */
  readonly bounds?: BoundsKind;
}

export const INSTANCES_OPTIONS: KnownOptions = /* @__PURE__ */ containerOptions('bounds');

/** A container, and which instances exist. */
interface Instances extends Object3D {
  has(id: number): boolean;
}

/** Null for the default. @throws {TypeError} If it is no kind of bounds. */
export function readBounds(bounds: BoundsKind | undefined): BoundsKind | null {
  if (bounds === undefined || bounds === 'box' || bounds === 'sphere') return bounds ?? null;
  return throwType('OctreeInstances', 'options.bounds', "be 'box' or 'sphere'", bounds, 'leave it out if unsure');
}

export function requireId(where: string, container: Instances, id: number): void {
  if (container.has(id)) return;
  if (typeof id !== 'number') throwType(where, 'id', 'be a number', id, 'pass what addInstance has returned');
  const remedy = 'use ids below the count that you pass to the constructor, and those that addInstance returns';
  const expected = `be that of an instance of ${nameOf(container)}`;
  throwRange(where, 'id', expected, id, `that instance was deleted or never added; ${remedy}`);
}

export function requireIds(where: string, container: Instances, ids: ArrayLike<number>): void {
  requireObject(where, 'ids', ids, 'pass an array of ids');
  for (let k = 0; k < ids.length; k++) requireId(where, container, ids[k]);
}

/** For a property that can only be set to null. */
export function requireNull(name: string, value: null, remedy = 'it is up to date'): void {
  if (value !== null) throwType('OctreeInstances', name, 'be null', value, remedy);
}

/** @param id Of the instance, if it has one. */
export function requireMatrix(where: string, container: Object3D, matrix: Matrix4, id?: number): void {
  requireObject(where, 'matrix', matrix, 'pass a Matrix4');
  requireObject(where, 'matrix.elements', matrix.elements, 'pass a Matrix4');
  const length: number = matrix.elements.length;
  if (length !== MATRIX_STRIDE)
    throw new RangeError(`${where}: matrix must have 16 elements, but has ${length}; pass a Matrix4.`);
  requireNumbers(where, id === undefined ? 'matrix for' : `matrix of instance ${id} of`, container, matrix.elements);
}

/** Requires 16 numbers for each of `count` instances; without a count, any multiple of 16. */
export function requireMatrices(
  where: string,
  container: Object3D,
  matrices: ArrayLike<number>,
  count: number = matrices?.length / MATRIX_STRIDE,
): void {
  requireObject(where, 'matrices', matrices, 'pass an array with 16 numbers for each instance');
  if (!Number.isInteger(count) || matrices.length !== count * MATRIX_STRIDE)
    throw new RangeError(
      `${where}: matrices must hold 16 numbers for each instance, but holds ${matrices.length} numbers for ${Math.ceil(count)}; add the missing ones.`,
    );
  for (let k = 0; k < count; k++)
    requireNumbers(where, `matrices, instance ${k}, for`, container, matrices, k * MATRIX_STRIDE);
}

/** @param field Stands before the name of the container in the message. */
function requireNumbers(
  where: string,
  field: string,
  container: Object3D,
  elements: ArrayLike<number>,
  offset = 0,
  remedy = 'check position, rotation and scale',
): void {
  if (areWithinLimit(elements, offset)) return;
  for (let k = offset; k < offset + MATRIX_STRIDE; k++) {
    const element: unknown = elements[k];
    if (isCoordinate(element)) continue;
    throw new RangeError(
      `${where}: ${field} ${nameOf(container)} must hold numbers within +-2^50 only, but holds ${describe(element)}; ${remedy}.`,
    );
  }
}

/**
 * One comparison for all 16 numbers: this runs for each matrix that is set. NaN, and a value of another type, fail it.
 */
function areWithinLimit(elements: ArrayLike<number>, offset: number): boolean {
  try {
    let sum = 0;
    for (let k = offset; k < offset + MATRIX_STRIDE; k += 4)
      sum +=
        Math.abs(elements[k]) + Math.abs(elements[k + 1]) + (Math.abs(elements[k + 2]) + Math.abs(elements[k + 3]));
    return sum <= COORDINATE_LIMIT;
  } catch {
    return false;
  }
}

/** Returns a colour with finite channels, which may exceed 1 (high dynamic range). */
export function readColor(where: string, color: ColorRepresentation): Color {
  const remedy = "pass what Color takes, such as new Color(1, 0, 0), 0xff0000 or 'red'";
  if (typeof color === 'string' || typeof color === 'number') {
    // Color.set leaves the channels as they are if it does not know the text.
    const { r } = readColor_result.setRGB(NaN, 0, 0).set(color);
    if (Number.isNaN(r) || (typeof color === 'number' && !isIntegerBetween(color, 0, 0xffffff)))
      throwRange(where, 'color', 'be a CSS colour or an integer from 0 to 0xffffff', describe(color), remedy);
    return readColor_result;
  }
  requireObject(where, 'color', color, remedy);
  for (const channel of ['r', 'g', 'b'] as const) requireFinite(where, `color.${channel}`, color[channel], remedy);
  return color;
}
const readColor_result = /* @__PURE__ */ new Color();

/** Requires `object.morphTargetInfluences` with `targets` elements, or with at least one if `targets` is null. */
export function requireInfluences(
  where: string,
  object: Pick<Mesh, 'morphTargetInfluences'>,
  targets: number | null,
): number[] {
  const remedy = 'pass a Mesh whose geometry has morph targets';
  requireObject(where, 'object', object, remedy);
  const influences = object.morphTargetInfluences;
  const field = 'object.morphTargetInfluences';
  if (!Array.isArray(influences)) return throwType(where, field, 'be an array', influences, remedy);
  if (influences.length === 0)
    throw new RangeError(`${where}: ${field} must have an influence, but is empty; ${remedy}.`);
  if (targets === null || influences.length === targets) return influences;
  throw new RangeError(
    `${where}: ${field} must have as many influences as in the first call, ${targets}, but has ${influences.length}; set morphTexture to null before changing their number.`,
  );
}

/**
 * Reads the flag by which three recognises the class: unlike `instanceof`, it works across several copies of three.
 *
 * @param kind The class that `target` must be of.
 */
export function requireTarget(where: string, kind: 'Matrix4' | 'Color' | 'Box3', target: object): void {
  if (typeof target === 'object' && target !== null && `is${kind}` in target) return;
  throwType(where, 'target', `be a ${kind}`, target, 'pass one to fill');
}

export function requireGeometry(where: string, geometry: BufferGeometry): void {
  if ((geometry as BufferGeometry | null)?.isBufferGeometry === true) return;
  throw new TypeError(
    `${where}: geometry must be a BufferGeometry, but is ${describeObject(geometry)}; pass mesh.geometry.`,
  );
}

export function requireMaterial(where: string, material: Material | Material[]): void {
  const expected = Array.isArray(material) ? 'hold Materials only, but holds' : 'be a Material, but is';
  for (const one of [material].flat() as (Material | null | undefined)[])
    if (one?.isMaterial !== true)
      throw new TypeError(`${where}: material must ${expected} ${describeObject(one)}; pass one, or an array.`);
}

/** The geometry of a level of detail, as error messages name it. */
export function geometryName(container: Object3D, level: number): string {
  return `the geometry of ${level === 0 ? '' : `level ${level} of `}${nameOf(container)}`;
}

/** Requires bounds that an octree accepts: boxes of 6 numbers or spheres of 4, one for each id of the list. */
export function requireBounds(
  where: string,
  container: Object3D,
  bounds: Float64Array,
  stride: 4 | 6,
  { array, length }: IndexList,
): void {
  for (let k = 0, at = 0; k < length; k++, at += stride) {
    const low = Math.max(Math.abs(bounds[at]), Math.abs(bounds[at + 1]), Math.abs(bounds[at + 2]));
    const reach =
      stride === 4
        ? low + bounds[at + 3]
        : Math.max(low, Math.abs(bounds[at + 3]), Math.abs(bounds[at + 4]), Math.abs(bounds[at + 5]));
    // NaN fails the comparison too.
    if (reach <= COORDINATE_LIMIT) continue;
    const what = `${where}: the bounds of instance ${array[k]} of ${nameOf(container)} must lie within +-2^50, but reach ${reach}`;
    throw new RangeError(
      `${what}; check its matrix, and position, rotation and scale of the container and its parents.`,
    );
  }
}

/** Requires finite numbers in the world matrix of the container. */
export function requireWorld(where: string, container: Object3D): void {
  const remedy = 'check its position, rotation and scale, and those of its parents';
  requireNumbers(where, 'the matrixWorld of', container, container.matrixWorld.elements, 0, remedy);
}

/**
 * Warns once of each instanced attribute that has no item for an existing instance. Views draw 0 in its place.
 *
 * @param idEnd Greater than all ids.
 */
export function warnOfMissingItems(container: Instances, meshes: readonly Mesh[], idEnd: number): void {
  meshes.forEach(({ geometry }, level) => {
    for (const { name, idCount } of attributeColumnsOf(geometry)) {
      for (let id = idCount; id < idEnd; id++) {
        if (!container.has(id)) continue;
        const what = `OctreeInstances: the attribute "${name}" in ${geometryName(container, level)} must have an item for each instance`;
        const why = `but has items for ${idCount} ids only, and there is an instance with id ${id}`;
        warnOnce(
          container,
          `attribute ${name} ${level}`,
          `${what}, ${why}; set a longer attribute. Missing items read as 0.`,
        );
        break;
      }
    }
  });
}
