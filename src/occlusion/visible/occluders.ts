/**
 * Which bodies of an octree are occluders, and which part of each is solid. The boxes are kept relative to the centre
 * of the body, so they follow its moves. While the bounds of the body have another size than when its boxes were set,
 * the boxes may lie where nothing is drawn, so the body is no occluder.
 */

import { BOX_STRIDE, magnitudeOf } from '../../math/box.ts';
import { sphereContainsBox, writeBoxOf } from '../../math/sphere.ts';
import { GIVEN_ERROR } from '../../math/tolerances.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import type { BodyStore } from '../../octree/bodies/body-store.ts';
import { requireBody, type Body } from '../../octree/bodies/body.ts';
import { isObject, throwType } from '../../octree/input/input-checks.ts';
import type { MathTypes } from '../../octree/input/math-types.ts';
import { readBox, type BoxLike } from '../../octree/input/shapes.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import {
  isOrientedBoxLike,
  ORIENTED_BOX_STRIDE,
  readOrientedBox,
  type OrientedBoxLike,
} from '../../features/volumes/volume-shapes.ts';

/** How far each face of a cube inside a sphere of diameter 1 lies inside it: the corners are just below the surface. */
const INSCRIBED_INSET = (1 - 0.57735) / 2;

/**
 * The solid boxes of a body: the size of its bounds when they were set (three numbers), how large the error of that
 * size may be, the number of boxes parallel to the axes, these (six numbers each), then the oriented boxes. All are
 * relative to the centre of the body.
 */
const TOLERANCE = 3;
const COUNT = 4;
const FIRST_BOX = 5;

export class Occluders {
  /** Whether there was ever an occluder. */
  isUsed = false;
  /** Boxes of the last `read` in world units: first those parallel to the axes, six numbers each, then the others. */
  values = new Float64Array(ORIENTED_BOX_STRIDE);
  /** Number of axis-aligned boxes. */
  alignedCount = 0;
  /** End of the oriented boxes in `values`. */
  end = 0;
  private store: BodyStore | null = null;
  /** By body index: undefined for no occluder, null if all of the body is solid. */
  private solids: (Float64Array | null | undefined)[] = [];
  private readonly size = new Float64Array(3);

  /** Sets the solid boxes of a body. `store` is that of the octree, which changes when it is cleared. */
  set(store: BodyStore, index: number, solid: Float64Array | null | undefined): void {
    this.isUsed = true;
    if (store !== this.store) {
      this.store = store;
      const solids: (Float64Array | null | undefined)[] = [];
      this.solids = solids;
      store.onFree = (freed) => {
        if (freed < solids.length) solids[freed] = undefined;
      };
    }
    const { solids } = this;
    // One by one: a gap may turn the array into a dictionary.
    while (solids.length <= index) solids.push(undefined);
    solids[index] = solid;
  }

  /**
   * Writes the solid boxes of a body to `values`, inside its bounds; returns whether there are any. `bounds` is the box
   * of the body.
   */
  read(store: BodyStore, index: number, bounds: Float64Array, isSphere: boolean): boolean {
    if (store !== this.store || index >= this.solids.length) return false;
    const solid = this.solids[index];
    if (solid === undefined) return false;
    if (solid === null) {
      this.readBounds(bounds, isSphere);
      return true;
    }
    const { size } = this;
    const tolerance = writeSize(bounds, size);
    for (let axis = 0; axis < 3; axis++)
      if (!(Math.abs(size[axis] - solid[axis]) <= tolerance + solid[TOLERANCE])) return false;
    this.readBoxes(solid, bounds, tolerance);
    return true;
  }

  private readBounds(bounds: Float64Array, isSphere: boolean): void {
    for (let axis = 0; axis < 3; axis++) {
      const min = bounds[axis];
      const max = bounds[axis + 3];
      const inset = isSphere ? (max - min) * INSCRIBED_INSET : 0;
      this.values[axis] = min + inset;
      this.values[axis + 3] = max - inset;
    }
    this.alignedCount = 1;
    this.end = BOX_STRIDE;
  }

  private readBoxes(solid: Float64Array, bounds: Float64Array, tolerance: number): void {
    const { length } = solid;
    const values = (this.values = withCapacity(this.values, length));
    this.alignedCount = solid[COUNT];
    this.end = length - FIRST_BOX;
    const firstOriented = this.alignedCount * BOX_STRIDE;
    for (let axis = 0; axis < 3; axis++) {
      const min = bounds[axis];
      const max = bounds[axis + 3];
      const middle = (min + max) * 0.5;
      let k = axis;
      for (; k < firstOriented; k += BOX_STRIDE) {
        values[k] = Math.max(min, middle + solid[FIRST_BOX + k]);
        values[k + 3] = Math.min(max, middle + solid[FIRST_BOX + k + 3]);
      }
      for (; k < this.end; k += ORIENTED_BOX_STRIDE) {
        values[k] = middle + solid[FIRST_BOX + k];
        // Smaller by the rounding of its centre. A negative size hides nothing.
        values[k + 3] = solid[FIRST_BOX + k + 3] - tolerance;
        for (let row = 6; row < ORIENTED_BOX_STRIDE; row += 3) values[k + row] = solid[FIRST_BOX + k + row];
      }
    }
  }
}

/** Writes the size of a box; returns how large the error of that size may be. */
function writeSize(box: Float64Array, target: Float64Array): number {
  for (let axis = 0; axis < 3; axis++) target[axis] = box[axis + 3] - box[axis];
  return magnitudeOf(box) * GIVEN_ERROR;
}

/**
 * Makes a body an occluder for `collectVisible` and `intersectVisible`: nothing behind its solid boxes can be seen.
 * `true` says that the bounds of the body are solid. Of a sphere, the cube inside it hides. Boxes say which part is
 * solid: for example one inside the walls of a house whose bounds include the eaves. They are in world units,
 * where the body is now: a `Box3` is parallel to the axes, an `OBB` of three's addons, or anything shaped like it, has
 * any orientation. `null` makes the body an ordinary one again.
 *
 * What is drawn must cover the boxes, seen from everywhere outside the bounds of the body: no windows, no missing
 * walls, no transparency. A box that is too large hides what could be seen. The octree cannot test this, so nothing is
 * an occluder by itself: the bounds of a tree are no wall.
 *
 * The boxes follow moves of the body. They do not follow a rotation or a change of its size: while its bounds have
 * another size than when the boxes were set, the body hides nothing, until they are set again. With `true` the bounds
 * are solid at any place and size.
 *
 * Cost: a pointer for each index up to the largest one of an occluder; for a body with boxes about 200 bytes, and 48
 * for each `Box3` or 120 for each oriented box. A visible oriented box takes about a third longer than a `Box3`.
 *
 * @param octree The octree of the body.
 * @param body The body that hides others.
 * @param boxes The solid parts in world space; true if all of the bounds is solid.
 * @throws {RangeError} If the body was removed, a box is empty, leaves the bounds of the body or has a number that is
 *   not finite; if the columns of a rotation are not perpendicular unit vectors. Then nothing changes.
 * @throws {TypeError} If an argument is of another type.
 *
 * @example
 * ```ts
 * import { collectVisible, IndexList, Octree, setOccluder } from 'scene-octree';
 * import { PerspectiveCamera } from 'three';
 *
 * const octree = new Octree<string>();
 * const house = octree.insert({ min: { x: -6, y: 0, z: -30 }, max: { x: 6, y: 9, z: -20 } }, 'house');
 * octree.insert({ min: { x: -1, y: 0, z: -52 }, max: { x: 1, y: 2, z: -50 } }, 'car behind it');
 * setOccluder(octree, house, true); // its bounds are solid
 * const camera = new PerspectiveCamera(60, 16 / 9, 0.1, 1000).translateY(1.7);
 * camera.updateMatrixWorld();
 * console.log(collectVisible(octree, camera, new IndexList(), { minRemoved: 0 })); // prints: 1
 * ```
 */
export function setOccluder<T, M extends MathTypes>(
  octree: Octree<T, M>,
  body: Body<T, M>,
  boxes: true | SolidBoxLike | readonly SolidBoxLike[] | null,
): void {
  const where = 'setOccluder';
  const internals = internalsOf(where, octree);
  const parts = boxes === null || boxes === true ? [] : readSolid(where, boxes, REMEDY);
  const { store } = internals;
  // After the boxes, because a getter of them may remove the body.
  requireBody(where, store, body);
  const solid = boxes === null ? undefined : boxes === true ? null : solidOf(where, boxes, parts, store, body.index);
  internals.stateOf(Occluders).set(store, body.index, solid);
}

/** A solid part of a body: a `Box3`, or an `OBB` of three's addons. */
export type SolidBoxLike = BoxLike | OrientedBoxLike;

/** Reads solid boxes: of each the numbers of a `Box3`, or those of an oriented box. */
export function readSolid(where: string, boxes: unknown, remedy: string): Float64Array[] {
  if (!isObject(boxes)) throwType(where, 'boxes', 'be true, a box, an array of boxes or null', boxes, remedy);
  const list = (Array.isArray(boxes) ? boxes.slice() : [boxes]) as readonly SolidBoxLike[];
  if (list.length === 0) throw new RangeError(`${where}: boxes must have at least one box, but is empty; ${remedy}.`);
  return list.map((box, k) => {
    const field = nameOf(boxes, k);
    const isOriented = isOrientedBoxLike(box);
    const values = new Float64Array(isOriented ? ORIENTED_BOX_STRIDE : BOX_STRIDE);
    if (isOriented) readOrientedBox(Array.isArray(boxes) ? `${where}: ${field}` : where, box, values);
    else readBox(where, field, box, values);
    return values;
  });
}

/** The name of a box in errors. */
export function nameOf(boxes: unknown, k: number): string {
  return Array.isArray(boxes) ? `boxes[${k}]` : 'box';
}

/** Checks that the solid boxes of a body lie inside it, and makes them relative to its centre. */
function solidOf(
  where: string,
  boxes: unknown,
  parts: readonly Float64Array[],
  store: BodyStore,
  index: number,
): Float64Array {
  const shape = new Float64Array(BOX_STRIDE);
  const bounds = new Float64Array(BOX_STRIDE);
  const isSphere = store.readLatest(index, shape);
  writeBoxOf(shape, 0, isSphere, bounds);
  const size = new Float64Array(3);
  const tolerance = writeSize(bounds, size);
  const aligned: number[] = [];
  const oriented: number[] = [];
  for (const [k, values] of parts.entries()) {
    const isOriented = values.length > BOX_STRIDE;
    if (!isInsideBody(values, isOriented, bounds, tolerance, isSphere ? shape : null)) {
      throw new RangeError(
        `${where}: ${nameOf(boxes, k)} must lie inside the bounds of the body, but leaves them; set the bounds first, and then boxes inside them.`,
      );
    }
    for (let axis = 0; axis < 3; axis++) {
      const middle = (bounds[axis] + bounds[axis + 3]) * 0.5;
      values[axis] -= middle;
      if (!isOriented) values[axis + 3] -= middle;
    }
    (isOriented ? oriented : aligned).push(...values);
  }
  return Float64Array.of(...size, tolerance, aligned.length / BOX_STRIDE, ...aligned, ...oriented);
}
const REMEDY = 'pass true if the bounds are solid, and null for none';

/** Whether a box, or all corners of an oriented box, lie inside the bounds of a body, and in it if it is a sphere. */
function isInsideBody(
  box: Float64Array,
  isOriented: boolean,
  bounds: Float64Array,
  tolerance: number,
  sphere: Float64Array | null,
): boolean {
  for (let corner = isOriented ? 7 : 0; corner >= 0; corner--) {
    const part = isOriented ? cornerOf(box, corner) : box;
    for (let axis = 0; axis < 3; axis++)
      if (part[axis] < bounds[axis] - tolerance || part[axis + 3] > bounds[axis + 3] + tolerance) return false;
    if (sphere !== null && !sphereContainsBox(sphere, 0, part, 0)) return false;
  }
  return true;
}

/** A corner of an oriented box, as a box without a size. Bit `row` of `corner` is its side along axis `row`. */
function cornerOf(oriented: Float64Array, corner: number): Float64Array {
  const box = new Float64Array(BOX_STRIDE);
  for (let axis = 0; axis < 3; axis++) {
    let place = oriented[axis];
    for (let row = 0; row < 3; row++)
      place += (((corner >> row) & 1) * 2 - 1) * oriented[3 + row] * oriented[6 + 3 * row + axis];
    box[axis] = box[axis + 3] = place;
  }
  return box;
}
