/**
 * A point that moves by a vector from time 0 to time 1: when it first comes within a radius of a box or of another point, and when it is nearest. The
 * searches for the nearest time may use another interval than 0 to 1.
 *
 * On each axis the point is before the box, between its two faces, or past it. Its squared distance from the box is the sum of the squared gaps of the
 * axes on which it is before or past it. The times at which it crosses the planes of the faces divide the motion into at most seven pieces. In each of
 * them the squared distance is a polynomial of degree 2 in the time; over all of them it is convex. So the first time within the radius is the smaller
 * root of the polynomial of one piece, found by visiting the pieces in order.
 *
 * A moving sphere touches a box when its centre comes within its radius of the box. Source: Ericson, "Real-Time Collision Detection", 2005, 5.5.7; the
 * pieces replace its tests of each edge and corner.
 */

import type { Boxes } from './box.ts';
import { clamp } from './clamp.ts';

/** Squared world units. A vector with a smaller square has no direction, because the squares of its components underflow. */
export const MIN_LENGTH_SQ = 2 ** -900;

export class MovingPoint {
  /** Where the point is at time 0. */
  readonly start = new Float64Array(3);
  /** Where it moves until time 1, from there. */
  readonly motion = new Float64Array(3);
  /** When it begins and ends to move, for `findFirstNearestToBox` and `findNearestToPoint`. The other searches assume 0 and 1. Finite. */
  begin = 0;
  end = 1;
  /** Distance of interest in world units. */
  radius = 0;
  /** Output of `reachesBox` and `reachesPoint`: the first time within the radius; of the other searches: the time of the nearest point. */
  readonly time = new Float64Array(1);
  /** Output of `findGap`: the vector from the point to the nearest point of the box. */
  readonly gap = new Float64Array(3);

  /** Per axis: the times between which the point is between the two faces. */
  private readonly enter = new Float64Array(3);
  private readonly leave = new Float64Array(3);
  /** Per axis: from the start to the face that is crossed first, and to the one that is crossed last. */
  private readonly toNear = new Float64Array(3);
  private readonly toFar = new Float64Array(3);
  /** The piece that is searched: its begin and end. */
  private readonly piece = new Float64Array(2);
  /** Per axis, within the piece: from the start to the face that limits the gap, and the motion; both are 0 between the faces. */
  private readonly toFace = new Float64Array(3);
  private readonly speed = new Float64Array(3);

  /** Whether the point comes within the radius of the box at offset `at`; sets `time`. It must not be within the radius at its start. */
  reachesBox(boxes: Boxes, at: number): boolean {
    const { piece, time, gap, radius } = this;
    this.setBox(boxes, at);
    piece[0] = 0;
    for (;;) {
      this.beginPiece();
      if (this.searchPiece()) return true;
      // Tests the end of the piece separately, because there the gap of the crossed axis is exactly 0. A flat box has no piece between its faces, so
      // only this test can accept it.
      time[0] = piece[1];
      this.findGapAt(time, 0);
      if (gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2] <= radius * radius) return true;
      if (piece[1] === 1) return false;
      piece[0] = piece[1];
    }
  }

  /** As `reachesBox`, for the distance from the point at offset `at`. */
  reachesPoint(points: Float64Array, at: number): boolean {
    const { start, motion, piece, toFace, speed } = this;
    for (let axis = 0; axis < 3; axis++) {
      toFace[axis] = points[at + axis] - start[axis];
      speed[axis] = motion[axis];
    }
    piece[0] = 0;
    piece[1] = 1;
    return this.searchPiece();
  }

  /**
   * Sets `time` to when the point is nearest to the box at offset `at`; if the minimum distance lasts for an interval, to its middle.
   *
   * The minimum lies in the first piece at whose end the distance has stopped falling. The gap of the crossed axis is exactly 0 at that end, so rounding
   * does not hide a piece in which the distance is constant.
   */
  findNearestToBox(boxes: Boxes, at: number): void {
    const { piece, toFace, speed, time, gap } = this;
    this.setBox(boxes, at);
    piece[0] = 0;
    for (;;) {
      this.beginPiece();
      const speedSq = speed[0] * speed[0] + speed[1] * speed[1] + speed[2] * speed[2];
      if (speedSq <= MIN_LENGTH_SQ) {
        time[0] = (piece[0] + piece[1]) * 0.5;
        return;
      }
      this.findGapAt(piece, 1);
      if (piece[1] === 1 || gap[0] * speed[0] + gap[1] * speed[1] + gap[2] * speed[2] < 0) {
        time[0] = clamp((toFace[0] * speed[0] + toFace[1] * speed[1] + toFace[2] * speed[2]) / speedSq, piece[0], piece[1]);
        return;
      }
      piece[0] = piece[1];
    }
  }

  /**
   * Sets `time` to when the point is first nearest to the box at offset `at`, and `gap` for that time; if the point enters the box, `gap` is exactly 0.
   *
   * The minimum lies in the first piece at whose end the distance has stopped falling. If its derivative is exactly 0 there, the minimum is that end. At
   * such an end the gap of the crossed axis is exactly 0, so a point that enters the box there gets distance 0.
   */
  findFirstNearestToBox(boxes: Boxes, at: number): void {
    const { piece, toFace, speed, time, gap, end } = this;
    this.setBox(boxes, at);
    piece[0] = this.begin;
    for (;;) {
      this.beginPiece();
      const speedSq = speed[0] * speed[0] + speed[1] * speed[1] + speed[2] * speed[2];
      this.findGapAt(piece, 1);
      const falling = gap[0] * speed[0] + gap[1] * speed[1] + gap[2] * speed[2];
      if (speedSq <= MIN_LENGTH_SQ) time[0] = piece[0];
      else if (falling < 0) time[0] = clamp((toFace[0] * speed[0] + toFace[1] * speed[1] + toFace[2] * speed[2]) / speedSq, piece[0], piece[1]);
      else if (falling === 0 || piece[1] === end) time[0] = piece[1];
      else {
        piece[0] = piece[1];
        continue;
      }
      this.findGapAt(time, 0);
      return;
    }
  }

  /** Sets `time` to when the point is nearest to the point at offset `at`; its begin if it does not move. */
  findNearestToPoint(points: Float64Array, at: number): void {
    const { start, motion, time } = this;
    const speedSq = motion[0] * motion[0] + motion[1] * motion[1] + motion[2] * motion[2];
    const along = (points[at] - start[0]) * motion[0] + (points[at + 1] - start[1]) * motion[1] + (points[at + 2] - start[2]) * motion[2];
    time[0] = speedSq <= MIN_LENGTH_SQ ? this.begin : clamp(along / speedSq, this.begin, this.end);
  }

  /** Sets `gap` for the box at offset `at` and the time at `offset` of `times`. */
  findGap(boxes: Boxes, at: number, times: Float64Array, offset: number): void {
    this.setBox(boxes, at);
    this.findGapAt(times, offset);
  }

  /** The axis whose faces the point enters last, of those along which it moves: x before y before z on a tie. -1 if it does not move. */
  lastAxisEntered(boxes: Boxes, at: number): number {
    const { enter, motion } = this;
    this.setBox(boxes, at);
    let last = -1;
    for (let axis = 0; axis < 3; axis++) if (motion[axis] !== 0 && (last < 0 || enter[axis] > enter[last])) last = axis;
    return last;
  }

  private setBox(boxes: Boxes, at: number): void {
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

  /** Sets the end of the piece that begins at `piece[0]`, and its gaps. */
  private beginPiece(): void {
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

  /** Whether the point comes within the radius inside the piece, before its end; sets `time`. */
  private searchPiece(): boolean {
    const { piece, toFace, speed, time, radius } = this;
    const radiusSq = radius * radius;
    const speedSq = speed[0] * speed[0] + speed[1] * speed[1] + speed[2] * speed[2];
    if (speedSq <= MIN_LENGTH_SQ) {
      time[0] = piece[0];
      return toFace[0] * toFace[0] + toFace[1] * toFace[1] + toFace[2] * toFace[2] <= radiusSq;
    }
    // The distance at the nearest point of the line comes from the perpendicular vector: a difference of squares would lose digits far away.
    const along = toFace[0] * speed[0] + toFace[1] * speed[1] + toFace[2] * speed[2];
    const nearest = along / speedSq;
    const x = toFace[0] - nearest * speed[0];
    const y = toFace[1] - nearest * speed[1];
    const z = toFace[2] - nearest * speed[2];
    const rest = radiusSq - (x * x + y * y + z * z);
    // If the nearest point lies before the piece, the distance grows from here on.
    if (rest < 0 || nearest < piece[0]) return false;
    const first = (along - Math.sqrt(speedSq * rest)) / speedSq;
    time[0] = first > piece[0] ? first : piece[0];
    return time[0] <= piece[1];
  }

  private findGapAt(times: Float64Array, offset: number): void {
    const { motion, enter, leave, toNear, toFar, gap } = this;
    const time = times[offset];
    for (let axis = 0; axis < 3; axis++) {
      if (time < enter[axis]) gap[axis] = toNear[axis] - time * motion[axis];
      else gap[axis] = time > leave[axis] ? toFar[axis] - time * motion[axis] : 0;
    }
  }
}
