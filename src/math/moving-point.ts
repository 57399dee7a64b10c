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

import { type Boxes, clamp } from './box.ts';

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

/**
 * When a moving point first comes within a radius of a box or of another point. A moving sphere touches a box when its
 * centre comes within its radius of the box, and another sphere when its centre comes within the sum of both radii of
 * the other centre.
 *
 * The time is the smaller root of the polynomial of one piece of the motion. Source: Ericson, "Real-Time Collision
 * Detection", 2005, 5.5.7; the pieces replace its tests of each edge and corner.
 */
export class TimeOfImpact {
  /** World units. */
  radius = 0;
  /** Output: the first time within the radius. */
  readonly time = new Float64Array(1);
  private readonly point: MovingPoint;

  constructor(point: MovingPoint) {
    this.point = point;
  }

  /**
   * Whether the point comes within the radius of the box at offset `at`; sets `time`. It must not be within the radius
   * when it begins to move.
   */
  reachesBox(boxes: Boxes, at: number): boolean {
    const { point, time, radius } = this;
    const { begin, end, gap, piece } = point;
    point.setBox(boxes, at);
    piece[0] = begin;
    for (;;) {
      point.beginPiece();
      if (this.searchPiece()) return true;
      // Tests the end of the piece separately, because there the gap of the crossed axis is exactly 0. A flat box has
      // no piece between its faces, so only this test can accept it.
      time[0] = piece[1];
      point.findGap(time, 0);
      if (gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2] <= radius * radius) return true;
      if (piece[1] === end) return false;
      piece[0] = piece[1];
    }
  }

  /** As `reachesBox`, for the distance from the point at offset `at`. */
  reachesPoint(points: Float64Array, at: number): boolean {
    const { start, motion, begin, end, piece, toFace, speed } = this.point;
    for (let axis = 0; axis < 3; axis++) {
      toFace[axis] = points[at + axis] - start[axis];
      speed[axis] = motion[axis];
    }
    piece[0] = begin;
    piece[1] = end;
    return this.searchPiece();
  }

  /** Whether the point comes within the radius inside the piece, before its end; sets `time`. */
  private searchPiece(): boolean {
    const { time, radius } = this;
    const { piece, toFace, speed } = this.point;
    const radiusSq = radius * radius;
    const speedSq = speed[0] * speed[0] + speed[1] * speed[1] + speed[2] * speed[2];
    if (speedSq <= MIN_LENGTH_SQ) {
      time[0] = piece[0];
      return toFace[0] * toFace[0] + toFace[1] * toFace[1] + toFace[2] * toFace[2] <= radiusSq;
    }
    // The distance at the nearest point of the line comes from the perpendicular vector: a difference of squares would
    // lose digits far away.
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
}

/**
 * When a moving point is nearest to a box or to another point. The squared distance is convex in the time, so its
 * minimum lies in the first piece of the motion at whose end the distance has stopped falling.
 *
 * At the end of a piece the point reaches the plane of a face. `findGap` returns exactly 0 for the gap along that axis,
 * without rounding. So two cases are found exactly: the point enters the box at the end of the piece, or the distance
 * is constant in the next piece.
 */
export class NearestTime {
  /** Output: the time of the minimum. */
  readonly time = new Float64Array(1);
  private readonly point: MovingPoint;

  constructor(point: MovingPoint) {
    this.point = point;
  }

  /**
   * Sets `time` for the box at offset `at`; if the minimum distance lasts for an interval, to its first time or to its
   * middle. Sets `gap` of the point for that time; it is exactly 0 if the point enters the box.
   */
  findForBox(boxes: Boxes, at: number, takesMiddle: boolean): void {
    const { point, time } = this;
    const { begin, end, piece, toFace, speed, gap } = point;
    point.setBox(boxes, at);
    piece[0] = begin;
    for (;;) {
      point.beginPiece();
      const speedSq = speed[0] * speed[0] + speed[1] * speed[1] + speed[2] * speed[2];
      point.findGap(piece, 1);
      const falling = gap[0] * speed[0] + gap[1] * speed[1] + gap[2] * speed[2];
      if (speedSq <= MIN_LENGTH_SQ) time[0] = takesMiddle ? (piece[0] + piece[1]) * 0.5 : piece[0];
      else if (falling < 0)
        time[0] = clamp(
          (toFace[0] * speed[0] + toFace[1] * speed[1] + toFace[2] * speed[2]) / speedSq,
          piece[0],
          piece[1],
        );
      // If the derivative at the end of the piece is exactly 0, the first minimum is that end. The minimum may last for
      // the next piece.
      else if (piece[1] === end || (falling === 0 && !takesMiddle)) time[0] = piece[1];
      else {
        piece[0] = piece[1];
        continue;
      }
      point.findGap(time, 0);
      return;
    }
  }

  /** Sets `time` for the point at offset `at`; to the begin if the moving point does not move. */
  findForPoint(points: Float64Array, at: number): void {
    const { time } = this;
    const { start, motion, begin, end } = this.point;
    const speedSq = motion[0] * motion[0] + motion[1] * motion[1] + motion[2] * motion[2];
    const along =
      (points[at] - start[0]) * motion[0] +
      (points[at + 1] - start[1]) * motion[1] +
      (points[at + 2] - start[2]) * motion[2];
    time[0] = speedSq <= MIN_LENGTH_SQ ? begin : clamp(along / speedSq, begin, end);
  }
}
