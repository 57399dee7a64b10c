/**
 * A point that moves by a vector from time 0 to time 1, relative to a box: the pieces of its motion, and its gap from
 * the box at a time.
 *
 * On each axis the point is before the box, between its two faces, or past it. Its squared distance from the box is the
 * sum of the squared gaps of the axes on which it is before or past it. The times at which it crosses the planes of the
 * faces divide the motion into at most seven pieces. In each of them the squared distance is a polynomial of degree 2
 * in the time; over all of them it is convex. So a search visits the pieces in order: `TimeOfImpact` for the first time
 * within a radius, `NearestTime` for the minimum.
 */

import type { Boxes } from './box.ts';

/**
 * Squared world units. A vector with a smaller square has no direction, because the squares of its components
 * underflow.
 */
export const MIN_LENGTH_SQ = 2 ** -900;

export class MovingPoint {
  /** Where the point is at time 0. */
  readonly start = new Float64Array(3);
  /** Where it moves until time 1, from there. */
  readonly motion = new Float64Array(3);
  /** The interval of times in which the point is considered. Finite. */
  begin = 0;
  end = 1;

  /** Input and output of `beginPiece`: where the piece begins, and where it ends. */
  readonly piece = new Float64Array(2);
  /**
   * Output of `beginPiece`, per axis: from the start, at time 0, to the face that limits the gap; 0 where the point is
   * between the two faces.
   */
  readonly toFace = new Float64Array(3);
  /** Output of `beginPiece`, per axis: the motion per unit of time; 0 where the point is between the two faces. */
  readonly speed = new Float64Array(3);
  /** Output of `findGap`: the vector from the point to the nearest point of the box. */
  readonly gap = new Float64Array(3);

  /** Per axis: the times between which the point is between the two faces. */
  private readonly enter = new Float64Array(3);
  private readonly leave = new Float64Array(3);
  /** Per axis: from the start to the face that is crossed first, and to the face that is crossed last. */
  private readonly toNear = new Float64Array(3);
  private readonly toFar = new Float64Array(3);

  /** Sets the box: six numbers at offset `at`. */
  setBox(boxes: Boxes, at: number): void {
    const { start, motion, enter, leave, toNear, toFar } = this;
    for (let axis = 0; axis < 3; axis++) {
      const isBackward = motion[axis] < 0;
      toNear[axis] = boxes[isBackward ? at + axis + 3 : at + axis] - start[axis];
      toFar[axis] = boxes[isBackward ? at + axis : at + axis + 3] - start[axis];
      if (motion[axis] !== 0) {
        enter[axis] = toNear[axis] / motion[axis];
        leave[axis] = toFar[axis] / motion[axis];
      } else {
        enter[axis] = toNear[axis] > 0 ? Infinity : -Infinity;
        leave[axis] = toFar[axis] < 0 ? -Infinity : Infinity;
      }
    }
  }

  /** Finds the end of the piece that begins at `piece[0]`, and how the gap changes in it. */
  beginPiece(): void {
    const { motion, enter, leave, toNear, toFar, piece, toFace, speed } = this;
    const from = piece[0];
    let to = this.end;
    for (let axis = 0; axis < 3; axis++) {
      toFace[axis] = 0;
      speed[axis] = 0;
      if (from < enter[axis]) {
        toFace[axis] = toNear[axis];
        speed[axis] = motion[axis];
        if (enter[axis] < to) to = enter[axis];
      } else if (from >= leave[axis]) {
        toFace[axis] = toFar[axis];
        speed[axis] = motion[axis];
      } else if (leave[axis] < to) to = leave[axis];
    }
    piece[1] = to;
  }

  /** Sets `gap` for the time at `offset` of `times`. */
  findGap(times: Float64Array, offset: number): void {
    const { motion, enter, leave, toNear, toFar, gap } = this;
    const time = times[offset];
    for (let axis = 0; axis < 3; axis++) {
      if (time < enter[axis]) gap[axis] = toNear[axis] - time * motion[axis];
      else gap[axis] = time > leave[axis] ? toFar[axis] - time * motion[axis] : 0;
    }
  }

  /**
   * Among the axes along which the point moves, the axis whose faces it enters last; x before y before z on a tie. -1
   * if it does not move.
   */
  lastAxisEntered(): number {
    const { enter, motion } = this;
    let last = -1;
    for (let axis = 0; axis < 3; axis++) if (motion[axis] !== 0 && (last < 0 || enter[axis] > enter[last])) last = axis;
    return last;
  }
}
