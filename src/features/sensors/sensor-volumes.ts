/**
 * The volumes that sensors watch. Every volume has a query. Boxes and spheres have more: while they rest, a tracker
 * follows the bodies near them, by the box of the volume and an exact test.
 *
 * The zone of a body is 0 outside and 1 inside. Distance bands are a sensor with several spheres: there it is the
 * number of spheres that the body touches. With hysteresis each sphere has a smaller one, its return sphere. A body
 * that was outside a sphere at the last update counts as inside again only when it touches the return sphere. So a zone
 * depends on the previous zone, but does not change while nothing moves.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { FrustumPlanes } from '../../math/frustum-planes.ts';
import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import { MAX_RADIUS, SPHERE_STRIDE, writeDistanceSqToBox } from '../../math/sphere.ts';
import { SPHERE_TOLERANCE } from '../../math/tolerances.ts';
import { requireObject } from '../../octree/input/input-checks.ts';
import type { MathFactory, MathTypes, PlainMath } from '../../octree/input/math-types.ts';
import { readFrustum, type FrustumLike } from '../../octree/input/query-shapes.ts';
import { readBox, readSphere, type BoxLike, type SphereLike } from '../../octree/input/shapes.ts';
import { boxTouchesBody } from '../../octree/queries/box-query.ts';
import { FrustumQuery } from '../../octree/queries/frustum-query.ts';
import type { RangeQuery } from '../../octree/queries/range-query.ts';
import type { SphereQuery } from '../../octree/queries/sphere-query.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { CONTAINED } from '../../tree/overlap.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import type { Tree } from '../../tree/tree.ts';
import { translated, Volume, volumeOf, type VolumeTest, type VolumeTestQuery } from '../volumes/volume.ts';

/** The zone of a body outside. */
export const OUTSIDE = 0;

/** Shaped like three's `Box3`, `Sphere` or `Frustum`; or a volume, as for `intersect`. */
export type SensorShape<M extends MathTypes = PlainMath> = BoxLike | SphereLike | FrustumLike | Volume | VolumeTest<M>;

/** A volume that has a query. */
export type WatchedVolume = Volume | VolumeTestQuery;

const REMEDY = 'pass a Box3, a Sphere, a Frustum, a volume such as a Capsule, or {overlap, touchesBox, touchesSphere}';
const NO_SHIFT = /* @__PURE__ */ new Float64Array(3);
const reusedSphere = /* @__PURE__ */ new Float64Array(SPHERE_STRIDE);
const reusedBox = /* @__PURE__ */ new Float64Array(BOX_STRIDE);
/** Output of `writeDistanceSqToBox`. */
const reusedDistanceSq = /* @__PURE__ */ new Float64Array(1);
/** Output of `filterBoxes`. */
const reusedKept = /* @__PURE__ */ new Int32Array(1);
const reusedOverlaps = /* @__PURE__ */ new Int32Array(1);

/** Checks a volume and returns a copy for a sensor. The callbacks of a `VolumeTest` are not copied. */
export function readVolume<M extends MathTypes>(
  where: string,
  volume: SensorShape<M>,
  { values }: Workspace,
  math: MathFactory<MathTypes>,
): WatchedVolume {
  requireObject(where, 'volume', volume, REMEDY);
  if (volume instanceof Volume) return translated(volume, NO_SHIFT);
  if ('overlap' in volume) return volumeOf(where, volume, math, REMEDY);
  if ('planes' in volume) {
    const frustum = new WatchedFrustum();
    readFrustum(where, volume, frustum.planes);
    return frustum;
  }
  if ('center' in volume) {
    readSphere(where, 'volume', volume, values);
    return new WatchedSpheres(values, [values[3]], 0);
  }
  if ('min' in volume) {
    readBox(where, 'volume', volume, values);
    return new WatchedBox(values);
  }
  throw new TypeError(
    `${where}: volume must have min and max, center and radius, planes, or callbacks, but has none of them; ${REMEDY}.`,
  );
}

class WatchedFrustum extends Volume {
  override readonly values = NO_SHIFT;
  override readonly points = 0;
  override readonly planes = new FrustumPlanes();

  queryIn(workspace: Workspace): RangeQuery {
    // Not the workspace's own: a query of the class may have left `exact` and `minSize` in it.
    const query = workspace.queryOf(FrustumQuery);
    query.planes.copy(this.planes);
    return query;
  }
}

/** A volume that the tracker can follow while it rests. */
export abstract class TrackedVolume extends Volume {
  /** Number of zones inside. */
  readonly zoneCount: number = 1;
  /** Whether the zone of a body depends on its zone before. */
  readonly hasHysteresis: boolean = false;

  /**
   * Writes a box that overlaps every body box that the exact test of the volume accepts. Returns false if there is none
   * within the limits of a tree, because the volume reaches too far out.
   */
  abstract writeBox(target: Float64Array): boolean;
  /**
   * The zone of a body, whatever its categories are. `before` is its zone at the last update, which counts with
   * hysteresis only.
   */
  abstract zoneOf(bodies: BodyArrays, index: number, before: number): number;
  /** Whether the zone of a body is the same wherever it is in a box of the tree. */
  isSettled(box: Float64Array, tree: Tree, workspace: Workspace): boolean {
    return isApartOrInside(this.queryIn(workspace), box, tree);
  }
}

/** Whether either no body in a box touches the volume of a query, or every one does. */
function isApartOrInside(query: RangeQuery, box: Float64Array, tree: Tree): boolean {
  query.begin(tree);
  const count = query.filterBoxes(box, 0, 1, query.rootOverlap, reusedKept, reusedOverlaps, 0);
  return count === 0 || reusedOverlaps[0] === CONTAINED;
}

class WatchedBox extends TrackedVolume {
  override readonly values: Float64Array;
  override readonly points = 2;

  constructor(box: Float64Array) {
    super();
    this.values = box.slice(0, BOX_STRIDE);
  }

  queryIn({ boxQuery }: Workspace): RangeQuery {
    boxQuery.set(this.values);
    return boxQuery;
  }

  writeBox(target: Float64Array): boolean {
    target.set(this.values);
    return this.values.every((value) => Math.abs(value) <= COORDINATE_LIMIT);
  }

  zoneOf(bodies: BodyArrays, index: number): number {
    return boxTouchesBody(this.values, bodies, index) ? 1 : OUTSIDE;
  }
}

/** Spheres about one centre. The numbers are the centre, then the radii, ascending, then those of return spheres. */
export class WatchedSpheres extends TrackedVolume {
  override readonly values: Float64Array;
  override readonly points = 1;
  override readonly zoneCount: number;
  override readonly hasHysteresis: boolean;
  /** @param hysteresis A return sphere has (1 - hysteresis) times the radius. */
  constructor(center: Float64Array, radii: readonly number[], hysteresis: number) {
    super();
    this.zoneCount = radii.length;
    this.hasHysteresis = hysteresis > 0;
    this.values = new Float64Array(3 + (hysteresis > 0 ? 2 : 1) * radii.length);
    for (let k = 0; k < radii.length; k++) {
      this.values[3 + k] = Math.min(radii[k], MAX_RADIUS);
      // Ignored without hysteresis: the array has no room for return spheres.
      this.values[3 + radii.length + k] = Math.min(radii[k] * (1 - hysteresis), MAX_RADIUS);
    }
    this.setCenter(center);
  }

  setCenter(center: Float64Array): void {
    for (let axis = 0; axis < 3; axis++) this.values[axis] = center[axis];
  }

  /** For the largest sphere: with hysteresis it finds more bodies than those inside. */
  queryIn(workspace: Workspace): RangeQuery {
    return this.sphereIn(workspace, 2 + this.zoneCount);
  }

  writeBox(target: Float64Array): boolean {
    const { values } = this;
    const radius = values[2 + this.zoneCount];
    const largest = Math.max(Math.abs(values[0]), Math.abs(values[1]), Math.abs(values[2])) + radius;
    const tolerantRadius = radius + largest * SPHERE_TOLERANCE;
    for (let axis = 0; axis < 3; axis++) {
      target[axis] = values[axis] - tolerantRadius;
      target[axis + 3] = values[axis] + tolerantRadius;
    }
    return largest * (1 + SPHERE_TOLERANCE) <= COORDINATE_LIMIT;
  }

  zoneOf(bodies: BodyArrays, index: number, before: number): number {
    const { hasHysteresis, values, zoneCount } = this;
    const { bounds } = bodies;
    const from = index * BOX_STRIDE;
    // The expressions of `SphereQuery.touches`. The spheres share their centre, so the distances are computed once.
    let distanceSq = 0;
    let bodyRadius = 0;
    if (!bodies.isSphere(index)) writeDistanceSqToBox(values, 0, bounds, from, reusedDistanceSq);
    else {
      writeDistanceSqToBox(values, 0, bodies.readBox(index, reusedBox), 0, reusedDistanceSq);
      const dx = bounds[from] - values[0];
      const dy = bounds[from + 1] - values[1];
      const dz = bounds[from + 2] - values[2];
      distanceSq = dx * dx + dy * dy + dz * dz;
      bodyRadius = bounds[from + 3];
    }
    const boxSq = reusedDistanceSq[0];
    for (let at = 3, zone = zoneCount; zone > OUTSIDE; at++, zone--) {
      const radius = values[hasHysteresis && before < zone ? at + zoneCount : at];
      const radii = bodyRadius + radius;
      if (boxSq <= radius * radius && distanceSq <= radii * radii) return zone;
    }
    return OUTSIDE;
  }

  /** For each sphere, those of hysteresis included. */
  override isSettled(box: Float64Array, tree: Tree, workspace: Workspace): boolean {
    const { values } = this;
    for (let at = 3; at < values.length; at++)
      if (!isApartOrInside(this.sphereIn(workspace, at), box, tree)) return false;
    return true;
  }

  /** The query for the sphere whose radius is the number `at`. */
  private sphereIn({ sphereQuery }: Workspace, at: number): SphereQuery {
    const { values } = this;
    for (let axis = 0; axis < 3; axis++) reusedSphere[axis] = values[axis];
    reusedSphere[3] = values[at];
    sphereQuery.set(reusedSphere);
    return sphereQuery;
  }
}
