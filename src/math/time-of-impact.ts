/**
 * When a moving point first comes within a radius of a box or of another point. A moving sphere touches a box when its
 * centre comes within its radius of the box, and another sphere when its centre comes within the sum of both radii of
 * the other centre.
 *
 * The time is the smaller root of the polynomial of one piece of the motion. Source: Ericson, "Real-Time Collision
 * Detection", 2005, 5.5.7; the pieces replace its tests of each edge and corner.
 */

import type { Boxes } from './box.ts';
import { MIN_LENGTH_SQ, type MovingPoint } from './moving-point.ts';

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
