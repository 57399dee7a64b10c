/** The volumes of the library: capsule, segment, oriented box, and a convex volume of planes. */

import {
  readCapsule,
  readInto,
  readSegment,
  type CapsuleLike,
  type SegmentLike,
  ORIENTED_BOX_STRIDE,
  readOrientedBox,
  type OrientedBoxLike,
  readConvex,
} from './volume-shapes.ts';
import { Volume } from './volumes.ts';
import { BOX_STRIDE, magnitudeOf, type Boxes, type KeptBoxes } from '../../math/box.ts';
import type { Contact } from '../../math/contact.ts';
import { NearestTime } from '../../math/moving-point.ts';
import { MAX_RADIUS, SPHERE_STRIDE } from '../../math/sphere.ts';
import { INTERSECTING, RAY_OVERLAP } from '../../tree/traverse/walk-numbers.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import { MovingShape } from '../casts/moving-shape.ts';
import type { RangeQuery } from '../../octree/queries/range-query.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { OrientedBox as OrientedBoxGeometry } from '../../math/oriented-box.ts';
import { FrustumPlanes } from '../../math/frustum-planes.ts';
import { FrustumQuery } from '../../octree/queries/frustum-query.ts';
import type { FrustumLike, PlaneLike } from '../../octree/input/query-shapes.ts';

/** Numbers of a capsule: start, end, radius. */
const CAPSULE_STRIDE = 7;

/**
 * A capsule for `intersect` and `collect`. Start and end may be equal; the radius may be any finite number from 0.
 *
 * The contact of a record is computed from one sphere of the capsule: the sphere about the point of the axis nearest to
 * the body. If the axis passes through a box, this point is the middle of the part inside. Cost: as a shape cast along
 * the capsule.
 *
 * @example
 * ```ts
 * import { Capsule, intersect, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ min: { x: 1, y: 0, z: -1 }, max: { x: 2, y: 3, z: 1 } }, 'wall');
 * // A person with a radius of half a unit.
 * const person = new Capsule({ start: { x: 0.7, y: 0.5, z: 0 }, end: { x: 0.7, y: 1.5, z: 0 }, radius: 0.5 });
 * const [contact] = intersect(octree, person);
 * console.log(contact.body.data, (-contact.distance).toFixed(1)); // prints: wall 0.2
 * ```
 */
export class Capsule extends Volume {
  /**
   * @param capsule A Capsule of three's addons, or anything shaped like it. Copied.
   * @throws {RangeError} If a number is not finite, a coordinate is beyond 2^50, or the radius is negative.
   * @throws {TypeError} If the argument is of another shape.
   */
  constructor(capsule: CapsuleLike) {
    super(new Float64Array(CAPSULE_STRIDE), 2);
    readCapsule('Capsule', capsule, this.values);
  }

  /** Gives the capsule other numbers. Errors as in the constructor; then it is as before. */
  set(capsule: CapsuleLike): this {
    readInto(this.values, 'Capsule.set', capsule, readCapsule);
    return this;
  }

  /** @internal */
  queryIn(workspace: Workspace): RangeQuery {
    return workspace.queryOf(CapsuleQuery).set(this.values);
  }
}

/**
 * A segment for `intersect` and `collect`; contacts as for a capsule of radius 0. For an order along the segment, use
 * `octree.intersectRay` with `far`, or `castSphereAll`.
 *
 * @example
 * ```ts
 * import { intersect, Octree, Segment } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 5, y: 0, z: 0 }, radius: 1 }, 'ball');
 * const laser = new Segment({ start: { x: 0, y: 0, z: 0 }, end: { x: 10, y: 0, z: 0 } });
 * console.log(intersect(octree, laser).map(({ body }) => body.data)); // prints: [ 'ball' ]
 * ```
 */
export class Segment extends Volume {
  /**
   * @param segment A Line3, or anything shaped like it. The points may be equal. Copied.
   * @throws {RangeError} If a number is not finite, or beyond 2^50.
   * @throws {TypeError} If the argument is of another shape.
   */
  constructor(segment: SegmentLike) {
    super(new Float64Array(CAPSULE_STRIDE), 2);
    readSegment('Segment', segment, this.values);
  }

  /** Gives the segment other ends. Errors as in the constructor; then it is as before. */
  set(segment: SegmentLike): this {
    readInto(this.values, 'Segment.set', segment, readSegment);
    return this;
  }

  /** @internal */
  queryIn(workspace: Workspace): RangeQuery {
    return workspace.queryOf(CapsuleQuery).set(this.values);
  }
}

/**
 * The bodies that touch a capsule. A capsule is a swept sphere: it touches what the sphere touches while it moves. A
 * segment is a capsule of radius 0.
 */
class CapsuleQuery implements RangeQuery {
  readonly simdKernel = RAY_OVERLAP;
  readonly rootOverlap = INTERSECTING;
  /** The sphere that moves from start to end. */
  private readonly shape = new MovingShape();
  /** When its centre, which moves along the axis, is nearest to something. */
  private readonly nearest = new NearestTime(this.shape.point);
  /**
   * The sphere of the capsule about the point of its axis nearest to a body. Its radius is as the caller gave it, not
   * limited to MAX_RADIUS, for contacts.
   */
  private readonly sphere = new Float64Array(SPHERE_STRIDE);
  private readonly corner = new Float64Array(3);

  /** Sets the volume to a capsule: start, end and radius. */
  set(values: Float64Array): this {
    this.shape.setSphereSegment(values);
    this.shape.path.maxDistance = 1;
    this.shape.path.begin();
    this.sphere[3] = values[6];
    return this;
  }

  writeVolume(target: Float32Array): void {
    this.shape.path.writeFloat32(target);
  }

  filterBoxes(boxes: Boxes, begin: number, end: number, kept: KeptBoxes): void {
    this.shape.path.filterBoxes(boxes, begin, end, kept);
  }

  touches(bodies: BodyArrays, index: number): boolean {
    return this.shape.hits(bodies, index);
  }

  /** A capsule is convex: it contains a box if it contains the eight corners of the box. */
  contains(bodies: BodyArrays, index: number): boolean {
    const { corner, sphere } = this;
    const { bounds } = bodies;
    const at = index * BOX_STRIDE;
    const radius = Math.min(sphere[3], MAX_RADIUS);
    if (bodies.isSphere(index)) return Math.sqrt(this.distanceSqToAxis(bounds, at)) + bounds[at + 3] <= radius;
    for (let octant = 0; octant < 8; octant++) {
      for (let axis = 0; axis < 3; axis++) corner[axis] = bounds[at + axis + 3 * ((octant >> axis) & 1)];
      if (this.distanceSqToAxis(corner, 0) > radius * radius) return false;
    }
    return true;
  }

  /**
   * The contact with the sphere about the point of the axis that is nearest to the body; if there are several, about
   * the middle of them.
   */
  writeContact(values: Float64Array, isSphere: boolean, target: Contact): Contact {
    const { nearest, sphere } = this;
    if (isSphere) nearest.findForPoint(values, 0);
    else nearest.findForBox(values, 0, true);
    this.moveSphere();
    return target.between(values, isSphere, sphere, true);
  }

  private distanceSqToAxis(points: Float64Array, at: number): number {
    const { nearest, sphere } = this;
    nearest.findForPoint(points, at);
    this.moveSphere();
    const dx = points[at] - sphere[0];
    const dy = points[at + 1] - sphere[1];
    const dz = points[at + 2] - sphere[2];
    return dx * dx + dy * dy + dz * dz;
  }

  /** Moves the sphere to the nearest point of the axis that was found last. */
  private moveSphere(): void {
    const { nearest, sphere } = this;
    const { endValues, point } = this.shape;
    const time = nearest.time[0];
    // At time 1 the end as it was given: start + motion may be rounded.
    for (let k = 0; k < 3; k++) sphere[k] = time === 1 ? endValues[k] : point.start[k] + time * point.motion[k];
  }
}

/**
 * A box of any orientation for `intersect` and `collect`.
 *
 * The contact of a record with a box body is along the axis of the smallest overlap: a face normal of one of the two
 * boxes, or perpendicular to an edge of each. Cost: as `octree.intersectFrustum` with six planes, and nine more axes
 * for each body near a face.
 *
 * @example
 * ```ts
 * import { intersect, Octree, OrientedBox } from 'scene-octree';
 * import { Matrix3, Vector3 } from 'three';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 3, y: 0, z: 3 }, radius: 0.5 }, 'car');
 * // A parking space, turned by 45 degrees.
 * const c = Math.SQRT1_2;
 * const rotation = new Matrix3().set(c, 0, c, 0, 1, 0, -c, 0, c);
 * const space = new OrientedBox({ center: new Vector3(3, 0, 3), halfSize: new Vector3(1, 1, 3), rotation });
 * console.log(intersect(octree, space).length); // prints: 1
 * ```
 */
export class OrientedBox extends Volume {
  /**
   * @param orientedBox An OBB of three's addons, or anything shaped like it. Copied.
   * @throws {RangeError} If a number is not finite, a coordinate is beyond 2^50, a half size is negative, or the
   *   columns of the rotation are not perpendicular unit vectors.
   * @throws {TypeError} If the argument is of another shape.
   */
  constructor(orientedBox: OrientedBoxLike) {
    super(new Float64Array(ORIENTED_BOX_STRIDE), 1);
    readOrientedBox('OrientedBox', orientedBox, this.values);
  }

  /** Gives the box other numbers. Errors as in the constructor; then it is as before. */
  set(orientedBox: OrientedBoxLike): this {
    readInto(this.values, 'OrientedBox.set', orientedBox, readOrientedBox);
    return this;
  }

  /** @internal */
  queryIn(workspace: Workspace): RangeQuery {
    return workspace.queryOf(OrientedBoxQuery).set(this.values);
  }
}

/** The bodies that touch a box of any orientation: those that touch the frustum of its six faces, and more axes. */
class OrientedBoxQuery extends FrustumQuery {
  private readonly box = new OrientedBoxGeometry();
  override readonly planes = this.box.planes;

  /** Sets the volume: centre, half sizes, three axes. */
  set(values: Float64Array): this {
    this.box.set(values);
    return this;
  }

  override get testsOnlyPlanes(): boolean {
    return false;
  }

  override begin(): void {
    // The exact test computes with the axes and the centre too.
    this.tolerant.set(this.planes, magnitudeOf(this.box.bounds));
  }

  override touches(bodies: BodyArrays, index: number, overlap: number): boolean {
    const { box } = this;
    const at = index * BOX_STRIDE;
    if (!bodies.isSphere(index)) return box.intersectsBox(bodies.bounds, at, overlap);
    return (
      box.intersectsBox(bodies.readBox(index, this.bodyBox), 0, overlap) && box.intersectsSphere(bodies.bounds, at)
    );
  }

  writeContact(values: Float64Array, isSphere: boolean, target: Contact): Contact {
    return this.box.writeContact(values, isSphere, target);
  }
}

/**
 * A convex volume for `intersect` and `collect`: the intersection of the inner half-spaces of any number of planes. It
 * may be unbounded, and may be empty. A gap of up to 1e-9 of the largest coordinate of the body counts as touching; at
 * an edge where two planes meet at an angle below 1e-3 rad, of 1e-12 divided by the angle. `position` of a record is
 * the centre of the body, `normal` is (0, 0, 0), `distance` is 0.
 *
 * `octree.intersectFrustum` tests bodies against each plane alone; this volume is tested as a whole. Cost: that of
 * `intersectFrustum`, an exact test for each body near a plane, and a preparation in each query that grows with the
 * cube of the number of planes: with 6 planes some microseconds, with 30 about a millisecond.
 *
 * @example
 * ```ts
 * import { collect, Convex, IndexList, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 0, y: 3, z: 0 }, radius: 1 }, 'lamp');
 * octree.insert({ center: { x: 0, y: 9, z: 0 }, radius: 1 }, 'roof');
 * // One floor of a building: from height 0 to 4. Normals point inward.
 * const floor = new Convex([
 *   { normal: { x: 0, y: 1, z: 0 }, constant: 0 },
 *   { normal: { x: 0, y: -1, z: 0 }, constant: 4 },
 * ]);
 * const list = new IndexList();
 * console.log(collect(octree, floor, list), octree.dataAt(list.array[0])); // prints: 1 lamp
 * ```
 */
export class Convex extends Volume {
  /** @internal */
  override planes = new FrustumPlanes();

  /**
   * @param planes An array of Plane, or a Frustum, or anything shaped like them. Copied.
   * @throws {RangeError} If a number is not finite, or a normal has no length.
   * @throws {TypeError} If the argument is of another shape.
   */
  constructor(planes: readonly PlaneLike[] | FrustumLike) {
    super();
    readConvex('Convex', planes, this.planes);
  }

  /** Gives the volume other planes. Errors as in the constructor; then the volume is as before. */
  set(planes: readonly PlaneLike[] | FrustumLike): this {
    const read = new FrustumPlanes();
    readConvex('Convex.set', planes, read);
    this.planes = read;
    return this;
  }

  /** @internal */
  queryIn(workspace: Workspace): RangeQuery {
    const query = workspace.queryOf(ConvexQuery);
    query.planes.copy(this.planes);
    return query;
  }
}

class ConvexQuery extends FrustumQuery {
  override isExact = true;
}
