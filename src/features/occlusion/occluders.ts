/**
 * Which bodies of an octree are occluders, and which part of each is solid. The boxes are kept relative to the centre
 * of the body, so they follow its moves. While the bounds of the body have another size than when its boxes were set,
 * the boxes may lie where nothing is drawn, so the body is no occluder.
 */

import { BOX_STRIDE, type Boxes } from '../../math/box.ts';
import { sphereContainsBox, writeBoxOf } from '../../math/sphere.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import { Body } from '../../octree/bodies/body.ts';
import { isObject, throwType } from '../../octree/input/input-checks.ts';
import type { MathTypes } from '../../octree/input/math-types.ts';
import { readBox, type BoxLike } from '../../octree/input/shapes.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';

/** Half the edge of a cube inside a sphere of radius 1; its corners are just below the surface. */
const INSCRIBED = 0.57735;
/**
 * By how much a box may leave the bounds of its body, and the size of bounds may change by rounding: a part of the
 * largest coordinate.
 */
const ROUNDING = 2 ** -48;

/** The solid boxes of one body. */
interface Solid {
  /** Size of the bounds of the body when its boxes were set. */
  readonly size: Float64Array;
  /** How large the error of that size may be. */
  readonly tolerance: number;
  /** Six numbers for each box, relative to the centre of the body; null if all of the body is solid. */
  readonly boxes: Float64Array | null;
}

export class Occluders {
  /** Whether there was ever an occluder. */
  isUsed = false;
  private readonly solids = new WeakMap<Body<unknown>, Solid>();
  /** 1 for an index whose body may be in `solids`. Faster than a search in the map for each visible body. */
  private flags = new Uint8Array(0);
  private readonly size = new Float64Array(3);
  /** Boxes of the last `read`, in world units: six numbers each. */
  boxes = new Float64Array(BOX_STRIDE);

  set(body: Body<unknown>, solid: Solid | null): void {
    if (solid === null) {
      this.solids.delete(body);
      return;
    }
    this.isUsed = true;
    if (body.index >= this.flags.length) this.flags = withCapacity(this.flags, body.index + 1);
    this.flags[body.index] = 1;
    this.solids.set(body, solid);
  }

  /** Whether the body of an index may be an occluder. */
  mayOcclude(index: number): boolean {
    return index < this.flags.length && this.flags[index] !== 0;
  }

  /**
   * Writes the solid boxes of a body to `boxes`, cut to its bounds; returns how many. `bounds` is the box of the body
   * at offset `at`.
   */
  read(body: Body<unknown>, bounds: Boxes, at: number, isSphere: boolean): number {
    const solid = this.solids.get(body);
    if (solid === undefined) return 0;
    const { size } = this;
    const tolerance = writeSize(bounds, at, size);
    const parts = solid.boxes === null ? 1 : solid.boxes.length / BOX_STRIDE;
    if (parts * BOX_STRIDE > this.boxes.length) this.boxes = new Float64Array(2 * parts * BOX_STRIDE);
    const { boxes } = this;
    const scale = isSphere ? INSCRIBED : 1;
    for (let axis = 0; axis < 3; axis++) {
      const min = bounds[at + axis];
      const max = bounds[at + axis + 3];
      const middle = (min + max) * 0.5;
      if (solid.boxes === null) {
        boxes[axis] = isSphere ? middle - (middle - min) * scale : min;
        boxes[axis + 3] = isSphere ? middle + (max - middle) * scale : max;
        continue;
      }
      if (!(Math.abs(size[axis] - solid.size[axis]) <= tolerance + solid.tolerance)) return 0;
      for (let k = axis; k < solid.boxes.length; k += BOX_STRIDE) {
        boxes[k] = Math.max(min, middle + solid.boxes[k]);
        boxes[k + 3] = Math.min(max, middle + solid.boxes[k + 3]);
      }
    }
    return parts;
  }
}

/** Writes the size of a box; returns how large the error of that size may be. */
function writeSize(boxes: Boxes, at: number, target: Float64Array): number {
  let largest = 0;
  for (let axis = 0; axis < 3; axis++) {
    const min = boxes[at + axis];
    const max = boxes[at + axis + 3];
    target[axis] = max - min;
    largest = Math.max(largest, Math.abs(min), Math.abs(max));
  }
  return largest * ROUNDING;
}

/**
 * Makes a body an occluder for `collectVisible` and `intersectVisible`: nothing behind its solid boxes can be seen.
 * `true` says that the bounds of the body are solid: those of a box, and of a sphere the cube inside it. Boxes say
 * which part is: for example one inside the walls of a house whose bounds include the eaves. They are in world units,
 * where the body is now, and parallel to the axes. `null` makes the body an ordinary one again.
 *
 * What is drawn must cover the boxes, seen from everywhere outside the bounds of the body: no windows, no missing
 * walls, no transparency. A box that is too large hides what could be seen. The octree cannot test this, so nothing is
 * an occluder by itself: the bounds of a tree are no wall.
 *
 * The boxes follow moves of the body. They do not follow a rotation or a change of its size: while its bounds have
 * another size than when the boxes were set, the body hides nothing. Set them again then. With `true` the bounds are
 * solid wherever and however large they are.
 *
 * Cost: a byte for each index up to the largest one of an occluder.
 *
 * @throws {RangeError} If the body was removed, a box is empty, leaves the bounds of the body or has a number that is
 *   not finite. Then nothing changes.
 * @throws {TypeError} If an argument is of another type.
 */
export function setOccluder<T, M extends MathTypes>(
  octree: Octree<T, M>,
  body: Body<T, M>,
  boxes: true | BoxLike | readonly BoxLike[] | null,
): void {
  const where = 'setOccluder';
  const internals = internalsOf(where, octree);
  if (!(body instanceof Body)) throwType(where, 'body', 'be a Body', body, 'pass what insert or bodyAt returned');
  if (!octree.has(body)) {
    throw new RangeError(
      `${where}: body must be a living body of this octree, but was removed or belongs to another one; insert it first.`,
    );
  }
  const values = new Float64Array(BOX_STRIDE);
  const isSphere = internals.store.readLatest(body.index, values);
  internals.stateOf(Occluders).set(body, boxes === null ? null : readSolid(where, boxes, values, isSphere));
}

/** Checks the solid boxes of a body with these bounds. */
function readSolid(where: string, boxes: unknown, values: Float64Array, isSphere: boolean): Solid {
  const bounds = new Float64Array(BOX_STRIDE);
  writeBoxOf(values, 0, isSphere, bounds);
  const size = new Float64Array(3);
  const tolerance = writeSize(bounds, 0, size);
  if (boxes === true) return { size, tolerance, boxes: null };
  if (!isObject(boxes)) throwType(where, 'boxes', 'be true, a box, an array of boxes or null', boxes, REMEDY);
  const isList = Array.isArray(boxes);
  const list = (isList ? boxes : [boxes]) as readonly BoxLike[];
  if (list.length === 0) throw new RangeError(`${where}: boxes must have at least one box, but is empty; ${REMEDY}.`);
  const relative = new Float64Array(list.length * BOX_STRIDE);
  const box = new Float64Array(BOX_STRIDE);
  for (let k = 0; k < list.length; k++) {
    const field = isList ? `boxes[${k}]` : 'box';
    readBox(where, field, list[k], box);
    if (!isInside(box, bounds, tolerance) || (isSphere && !sphereContainsBox(values, 0, box, 0))) {
      throw new RangeError(
        `${where}: ${field} must lie inside the bounds of the body, but leaves them; set the bounds first, and then boxes inside them.`,
      );
    }
    for (let axis = 0; axis < 3; axis++) {
      const middle = (bounds[axis] + bounds[axis + 3]) * 0.5;
      relative[k * BOX_STRIDE + axis] = box[axis] - middle;
      relative[k * BOX_STRIDE + axis + 3] = box[axis + 3] - middle;
    }
  }
  return { size, tolerance, boxes: relative };
}
const REMEDY = 'pass true if the bounds are solid, and null for none';

function isInside(box: Float64Array, bounds: Float64Array, tolerance: number): boolean {
  for (let axis = 0; axis < 3; axis++)
    if (box[axis] < bounds[axis] - tolerance || box[axis + 3] > bounds[axis + 3] + tolerance) return false;
  return true;
}
