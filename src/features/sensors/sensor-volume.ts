/**
 * The volume of one sensor: a box, a frustum, or spheres about one centre. Distance bands are a sensor with several
 * spheres. The zone of a body is 0 outside and 1 inside; with several spheres it is the number of spheres that the body
 * touches.
 *
 * With hysteresis each sphere has a smaller one, its return sphere. A body that was outside a sphere at the last update
 * counts as inside again only when it touches the return sphere. So a zone depends on the previous zone, but does not
 * change while nothing moves.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { FrustumPlanes, translatePlanes } from '../../math/frustum-planes.ts';
import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import { writeSlackToStill } from '../../math/slack.ts';
import { MAX_RADIUS, SPHERE_STRIDE, writeDistanceSqToBox } from '../../math/sphere.ts';
import { SPHERE_TOLERANCE } from '../../math/tolerances.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import type { Tree } from '../../tree/tree.ts';
import { boxTouchesBody } from '../../octree/queries/box-query.ts';
import { FrustumQuery } from '../../octree/queries/frustum-query.ts';
import { collectRange } from '../../octree/queries/range-query.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';

/** The zone of a body outside. */
export const OUTSIDE = 0;

export type VolumeKind = 'box' | 'sphere' | 'frustum';

export class SensorVolume {
  readonly kind: VolumeKind;
  /** Bodies without any of these categories are outside. */
  readonly categories: number;
  /** Number of zones inside: the number of spheres, otherwise 1. */
  readonly zoneCount: number;
  /** Whether the zone of a body depends on its zone before. */
  readonly hasHysteresis: boolean;
  /**
   * The box, or the spheres in ascending order, with hysteresis followed by their return spheres. Empty for a frustum.
   */
  private readonly values: Float64Array;
  /** From the offset of a sphere to the offset of its return sphere; 0 without hysteresis. */
  private readonly toReturn: number;
  private readonly planes = new FrustumPlanes();
  private readonly bodyBox = new Float64Array(BOX_STRIDE);
  /** Output of `writeDistanceSqToBox`. */
  private readonly boxDistanceSq = new Float64Array(1);
  /** Output of `writeSlackToStill`. */
  private readonly slack = new Float64Array(1);

  /**
   * @param radii Radii of the spheres, ascending. The other numbers of the volume are set by `setBox`, `setCenter` or
   *   `setPlanes`.
   * @param hysteresis A return sphere has (1 - hysteresis) times the radius.
   */
  constructor(kind: VolumeKind, categories: number, radii: ArrayLike<number> = [], hysteresis = 0) {
    this.kind = kind;
    this.categories = categories;
    this.zoneCount = kind === 'sphere' ? radii.length : 1;
    this.hasHysteresis = hysteresis > 0;
    this.toReturn = hysteresis > 0 ? SPHERE_STRIDE * radii.length : 0;
    this.values = new Float64Array(
      kind === 'sphere' ? SPHERE_STRIDE * radii.length + this.toReturn : kind === 'box' ? BOX_STRIDE : 0,
    );
    for (let k = 0; k < radii.length; k++) {
      this.setRadius(k, radii[k]);
      if (hysteresis > 0) this.setRadius(radii.length + k, radii[k] * (1 - hysteresis));
    }
  }

  /** Sets the box: min and max. */
  setBox(box: Float64Array): void {
    for (let offset = 0; offset < BOX_STRIDE; offset++) this.values[offset] = box[offset];
  }

  /** Sets the centre of all spheres: the first three of `center`. */
  setCenter(center: Float64Array): void {
    for (let at = 0; at < this.values.length; at += SPHERE_STRIDE) {
      for (let axis = 0; axis < 3; axis++) this.values[at + axis] = center[axis];
    }
  }

  /** Sets the radius of a sphere by its number in ascending order; return spheres follow. */
  setRadius(sphere: number, radius: number): void {
    this.values[SPHERE_STRIDE * sphere + 3] = Math.min(radius, MAX_RADIUS);
  }

  setPlanes(planes: FrustumPlanes): void {
    this.planes.copy(planes);
  }

  /** Whether all coordinates stay within a limit if the volume is translated. Planes may lie anywhere. */
  staysWithin(limit: number, vector: Float64Array): boolean {
    const { kind, values } = this;
    for (let k = 0; k < values.length; k++) {
      const axis = kind === 'box' ? k % 3 : k % SPHERE_STRIDE;
      if (axis < 3 && !(Math.abs(values[k] + vector[axis]) <= limit)) return false;
    }
    return true;
  }

  translate(vector: Float64Array): void {
    const { kind, values } = this;
    for (let k = 0; k < values.length; k++) {
      const axis = kind === 'box' ? k % 3 : k % SPHERE_STRIDE;
      if (axis < 3) values[k] += vector[axis];
    }
    translatePlanes(this.planes, vector[0], vector[1], vector[2]);
  }

  /**
   * Writes a box that overlaps every body box that the exact test of the volume accepts. Returns false if there is none
   * within the limits of a tree: for a frustum and for a volume that reaches too far out.
   */
  writeBox(target: Float64Array): boolean {
    const { kind, values } = this;
    if (kind === 'frustum') return false;
    if (kind === 'box') {
      target.set(values);
      return values.every((value) => Math.abs(value) <= COORDINATE_LIMIT);
    }
    const at = this.outermost;
    const radius = values[at + 3];
    const largest = Math.max(Math.abs(values[at]), Math.abs(values[at + 1]), Math.abs(values[at + 2])) + radius;
    const tolerantRadius = radius + largest * SPHERE_TOLERANCE;
    if (!(largest * (1 + SPHERE_TOLERANCE) <= COORDINATE_LIMIT)) return false;
    for (let axis = 0; axis < 3; axis++) {
      target[axis] = values[at + axis] - tolerantRadius;
      target[axis + 3] = values[at + axis] + tolerantRadius;
    }
    return true;
  }

  /** Offset of the largest sphere. */
  private get outermost(): number {
    return SPHERE_STRIDE * (this.zoneCount - 1);
  }

  /**
   * The zone of a body, whatever its categories are. Not for a frustum. `before` is its zone at the last update, which
   * counts with hysteresis only.
   */
  zoneOf(bodies: BodyArrays, index: number, before: number): number {
    const { boxDistanceSq, kind, toReturn, values, zoneCount } = this;
    if (kind === 'box') return boxTouchesBody(values, bodies, index) ? 1 : OUTSIDE;
    const { bounds } = bodies;
    const from = index * BOX_STRIDE;
    // The expressions of `sphereTouchesBody`. The spheres share their centre, so the distances are computed once.
    let distanceSq = 0;
    let bodyRadius = 0;
    if (!bodies.isSphere(index)) writeDistanceSqToBox(values, 0, bounds, from, boxDistanceSq);
    else {
      writeDistanceSqToBox(values, 0, bodies.readBox(index, this.bodyBox), 0, boxDistanceSq);
      const dx = bounds[from] - values[0];
      const dy = bounds[from + 1] - values[1];
      const dz = bounds[from + 2] - values[2];
      distanceSq = dx * dx + dy * dy + dz * dz;
      bodyRadius = bounds[from + 3];
    }
    for (let at = 0, zone = zoneCount; zone > OUTSIDE; at += SPHERE_STRIDE, zone--) {
      const radius = values[at + (before < zone ? toReturn : 0) + 3];
      const radii = bodyRadius + radius;
      if (boxDistanceSq[0] <= radius * radius && distanceSq <= radii * radii) return zone;
    }
    return OUTSIDE;
  }

  /**
   * Writes the slack of a body to `target[0]`: while the body moves by less, its zone stays the same. Not for a
   * frustum.
   */
  writeSlack(bodies: BodyArrays, index: number, target: Float64Array): void {
    const { kind, slack, values } = this;
    const isBox = kind === 'box';
    const isBodySphere = bodies.isSphere(index);
    const from = index * BOX_STRIDE;
    target[0] = Infinity;
    for (let at = 0; at < values.length; at += isBox ? BOX_STRIDE : SPHERE_STRIDE) {
      writeSlackToStill(bodies.bounds, from, isBodySphere, values, at, !isBox, slack);
      target[0] = Math.min(target[0], slack[0]);
    }
  }

  /** Fills `out` with the bodies inside, in tree order; with hysteresis, with all that may be inside. */
  findInside(tree: Tree, workspace: Workspace, out: IndexList): void {
    const { categories, kind, values } = this;
    const { boxQuery, scratch, sphereQuery, values: numbers } = workspace;
    // Not the workspace's own: a query of the class may have left `exact` and `minSize` in it.
    const frustumQuery = workspace.queryOf(FrustumQuery);
    if (kind === 'box') boxQuery.set(values);
    else if (kind === 'sphere') {
      for (let offset = 0; offset < SPHERE_STRIDE; offset++) numbers[offset] = values[this.outermost + offset];
      sphereQuery.set(numbers);
    } else frustumQuery.planes.copy(this.planes);
    const query = kind === 'box' ? boxQuery : kind === 'sphere' ? sphereQuery : frustumQuery;
    collectRange(tree, query, categories, false, scratch, out);
  }
}
