/** Capsules and segments: all points within a radius of a segment, or on it. */

import { readCapsule, readSegment, type CapsuleLike, type SegmentLike } from './volume-shapes.ts';
import { CapsuleQuery } from './capsule-query.ts';
import { Volume } from './volume.ts';

const reusedValues = /* @__PURE__ */ new Float64Array(7);

/**
 * A capsule for `intersect` and `collect`. Start and end may be equal; the radius may be any finite number from 0.
 *
 * The contact of a record is computed from one sphere of the capsule: the sphere about the point of the axis nearest to the body. If the axis
 * passes through a box, this point is the middle of the part inside. Cost: as a shape cast along the capsule.
 */
export class Capsule extends Volume {
  /** @internal */
  readonly query = new CapsuleQuery();

  /**
   * @param capsule A Capsule of three's addons, or anything shaped like it. Copied.
   * @throws {RangeError} If a number is not finite, a coordinate is beyond 2^50, or the radius is negative.
   * @throws {TypeError} If the argument is of another shape.
   */
  constructor(capsule: CapsuleLike) {
    super();
    readCapsule('Capsule', capsule, reusedValues);
    this.query.set(reusedValues);
  }

  /** Gives the capsule other numbers. Errors as in the constructor; then it is as before. */
  set(capsule: CapsuleLike): this {
    readCapsule('Capsule.set', capsule, reusedValues);
    this.query.set(reusedValues);
    return this;
  }
}

/**
 * A segment for `intersect` and `collect`; contacts as for a capsule of radius 0. For an order along the segment, use `octree.intersectRay` with `far`, or
 * `castSphereAll`.
 */
export class Segment extends Volume {
  /** @internal */
  readonly query = new CapsuleQuery();

  /**
   * @param segment A Line3, or anything shaped like it. The points may be equal. Copied.
   * @throws {RangeError} If a number is not finite, or beyond 2^50.
   * @throws {TypeError} If the argument is of another shape.
   */
  constructor(segment: SegmentLike) {
    super();
    this.read('Segment', segment);
  }

  /** Gives the segment other ends. Errors as in the constructor; then it is as before. */
  set(segment: SegmentLike): this {
    this.read('Segment.set', segment);
    return this;
  }

  private read(where: string, segment: SegmentLike): void {
    readSegment(where, 'segment', segment, reusedValues);
    reusedValues[6] = 0;
    this.query.set(reusedValues);
  }
}
