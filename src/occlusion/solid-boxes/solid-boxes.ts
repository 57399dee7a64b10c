/** Boxes that lie inside a closed mesh: the occluders of a mesh, without a person who draws them. */

import {
  isIntegerBetween,
  requireBoolean,
  requireNumber,
  throwRange,
  throwType,
} from '../../octree/input/input-checks.ts';
import { requireOptions, type KnownOptions } from '../../octree/input/known-options.ts';
import type { PlainBox } from '../../octree/input/math-types.ts';
import { readMatrix, type MatrixLike } from '../../octree/input/query-shapes.ts';
import { AXES } from '../../octree/input/shapes.ts';
import type { SolidRequest, SolidSide } from './closed-mesh.ts';
import type { GeometryLike, TriangleArrays } from './mesh-reader.ts';
import { alignedBoxOf, SolidBoxFinder, type SolidBox } from './solid-box-finder.ts';

/** How solid boxes are found. */
export interface SolidBoxesOptions {
  /** Most boxes, 1 to 8. Default 2: four hide a few percent more. */
  readonly maxBoxes?: number;
  /**
   * Cells of the grid along each axis, 4 to 32. Default 16. The time grows with the square, and 32 hides little more.
   */
  readonly resolution?: number;
  /**
   * Which sides of the triangles are drawn: that of the material, `'front'`, `'back'` or `'double'`. Default `'front'`.
   * With `'double'` also a mesh whose triangles face inside, or in both directions, is solid.
   */
  readonly side?: SolidSide;
  /**
   * Whether the mesh may lack a floor, because it stands on ground. Default false. Then the boxes are right only for
   * eyes above the lowest plane of the mesh: the ground must hide what could be seen from below. Walls that end up to
   * 1e-4 of the largest extent above that plane count as closed: 2 mm in a house of 20 m.
   */
  readonly hasGround?: boolean;
  /** The axis that points up, `'x'`, `'y'` or `'z'`: boxes are turned about it. Default `'y'`. */
  readonly up?: 'x' | 'y' | 'z';
  /** Whether boxes must be parallel to the axes, and have `min` and `max`. Default false. */
  readonly axisAligned?: boolean;
  /**
   * Finds boxes in the space to which this matrix transforms the mesh: its `matrixWorld` for the world. Default none.
   */
  readonly matrix?: MatrixLike;
}

const SOLID_OPTIONS: KnownOptions<SolidBoxesOptions> = [
  'maxBoxes',
  'resolution',
  'side',
  'hasGround',
  'up',
  'axisAligned',
  'matrix',
];

const SIDES: readonly unknown[] = ['front', 'back', 'double'];
const IDENTITY: readonly number[] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const MATRIX_REMEDY = 'pass a Matrix4, after mesh.updateWorldMatrix(true, false)';

/**
 * A few boxes inside a closed mesh, as `setOccluder` needs them: for houses, rocks and other solid objects.
 *
 * Each box is proven: a ray from a point outside the bounds of the mesh meets a triangle of the mesh, on the side that
 * is drawn, before it meets the box. So there are no boxes where a mesh has a hole, also of millimetres, or where its
 * triangles face the wrong way. Open parts, such as a sign on a house, do no harm if other parts are closed.
 * A crack counts as closed if it is no wider than the rounding of Float32 positions, 2^-22 of the largest coordinate.
 *
 * What is drawn must be opaque and where the vertices are: nothing that is transparent or tested for alpha, that a
 * shader moves, or that bones move. This function knows the geometry only. A geometry with morph targets, or whose
 * vertices are on the GPU, has no boxes.
 *
 * Cost: 0.15 ms for a house of some dozens of triangles, and about a millisecond for each 1,000 triangles. To
 * spread this over frames, use a `SolidBoxQueue`.
 *
 * @param geometry A BufferGeometry of three, or `{positions, index}` as plain arrays.
 * @param options `side`, `matrix`, `axisAligned`, `hasGround` and others: see `SolidBoxesOptions`.
 * @returns Boxes that may overlap, the most useful one first, in the units of the positions; empty if nothing is sure.
 * @throws {RangeError} If a position is no finite number, the mesh is empty, an index leads nowhere, or an option is
 *   out of range.
 * @throws {TypeError} If the geometry has no positions, or an option is unknown or of another type.
 *
 * @example
 * ```ts
 * import { solidBoxes } from 'scene-octree';
 * import { BoxGeometry } from 'three';
 *
 * const [box] = solidBoxes(new BoxGeometry(12, 9, 10), { axisAligned: true });
 * console.log(box.min.x.toFixed(2), box.max.x.toFixed(2)); // prints: -6.00 6.00
 * ```
 */
export function solidBoxes(
  geometry: GeometryLike | TriangleArrays,
  options: SolidBoxesOptions & { readonly axisAligned: true },
): PlainBox[];
export function solidBoxes(
  geometry: GeometryLike | TriangleArrays,
  options?: SolidBoxesOptions & { readonly axisAligned?: false },
): SolidBox[];
export function solidBoxes(
  geometry: GeometryLike | TriangleArrays,
  options?: SolidBoxesOptions,
): SolidBox[] | PlainBox[];
export function solidBoxes(
  geometry: GeometryLike | TriangleArrays,
  options: SolidBoxesOptions = {},
): SolidBox[] | PlainBox[] {
  const where = 'solidBoxes';
  const request = readSolidOptions(where, options, SOLID_OPTIONS);
  const steps = new SolidBoxFinder().find(where, geometry, request);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return request.isAxisAligned ? value.map((box) => alignedBoxOf(box, request.up)) : value;
  }
}

/** Checks options. `known` are the names of all options. */
export function readSolidOptions(where: string, options: SolidBoxesOptions, known: KnownOptions): SolidRequest {
  requireOptions(where, options, known);
  const { maxBoxes = 2, resolution = 16, side, hasGround, up = 'y', axisAligned, matrix } = options;
  requireInteger(where, 'maxBoxes', maxBoxes, 1, 8);
  requireInteger(where, 'resolution', resolution, 4, 32);
  if (!(AXES as readonly unknown[]).includes(up))
    throwType(where, 'options.up', "be 'x', 'y' or 'z'", up, "leave it out for 'y'");
  return {
    maxBoxes,
    resolution,
    side: readSide(where, 'options.side', side),
    hasGround: requireBoolean(where, 'options.hasGround', hasGround),
    isAxisAligned: requireBoolean(where, 'options.axisAligned', axisAligned),
    up: AXES.indexOf(up),
    matrix: matrix === undefined ? IDENTITY : readTransform(where, matrix),
  };
}

/** Checks a side, which may be left out. */
export function readSide(where: string, field: string, side: unknown): SolidSide {
  if (side === undefined) return 'front';
  if (!SIDES.includes(side))
    throwType(where, field, "be 'front', 'back' or 'double'", side, "leave it out for 'front'");
  return side as SolidSide;
}

function requireInteger(where: string, name: string, value: unknown, min: number, max: number): void {
  const isFine = isIntegerBetween(value, min, max);
  const expected = `be an integer from ${min} to ${max}`;
  requireNumber(where, `options.${name}`, expected, value, isFine, 'leave it out if unsure');
}

function readTransform(where: string, matrix: MatrixLike): Float64Array {
  const elements = readMatrix(where, 'options.matrix', matrix, MATRIX_REMEDY, new Float64Array(16));
  if (elements[3] !== 0 || elements[7] !== 0 || elements[11] !== 0 || elements[15] !== 1)
    throwRange(where, 'options.matrix', 'have the last row 0, 0, 0, 1', 'another', 'pass no projection');
  return elements;
}
