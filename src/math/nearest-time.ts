/**
 * When a moving point is nearest to a box or to another point. The squared distance is convex in the time, so its
 * minimum lies in the first piece of the motion at whose end the distance has stopped falling.
 *
 * At the end of a piece the point reaches the plane of a face. `findGap` returns exactly 0 for the gap along that axis,
 * without rounding. So two cases are found exactly: the point enters the box at the end of the piece, or the distance
 * is constant in the next piece.
 */

import type { Boxes } from './box.ts';
import { clamp } from './clamp.ts';
import { MIN_LENGTH_SQ, type MovingPoint } from './moving-point.ts';

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
