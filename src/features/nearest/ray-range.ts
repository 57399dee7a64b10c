/** A part of a ray, from which nearest queries search. */

import { RayCapsule } from '../../math/ray-capsule.ts';
import { UnitRay } from '../../math/unit-ray.ts';
import { requireNotNegative } from '../../octree/input/input-checks.ts';
import { readRay, type RayLike } from '../../octree/input/query-shapes.ts';
import type { AnyRecord } from '../../octree/queries/intersection-record.ts';
import type { RecordWriter } from '../../octree/queries/record-writer.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { NearestStart, writeNearest } from './nearest-arguments.ts';

const reusedValues = /* @__PURE__ */ new Float64Array(6);

/**
 * The part of a ray between two distances from its origin, for `nearest`, `collectNearest` and `visitNearest`. Records
 * tell by `alongRay` where the ray is nearest to the body. A search from a ray runs in JavaScript.
 *
 * @example
 * ```ts
 * import { nearest, Octree, RayRange } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 3, y: 0, z: -10 }, radius: 1 }, 'star');
 * const ray = { origin: { x: 0, y: 0, z: 0 }, direction: { x: 0, y: 0, z: -1 } };
 * const [beside] = nearest(octree, new RayRange(ray, 0, 100), 1);
 * console.log(beside.body.data, beside.distance, beside.alongRay); // prints: star 2 10
 * ```
 */
export class RayRange extends NearestStart {
  private readonly ray = new UnitRay();
  /** Near and far. An array, because V8 may box doubles in fields that are passed to a call. */
  private readonly range = new Float64Array(2);

  /**
   * @param ray A Ray, or anything shaped like it. Copied.
   * @param near World units, closed.
   * @param far World units, closed. If it is less than `near`, nothing is found.
   * @throws {RangeError} If a number of the ray is not finite, the direction has length 0, or a distance is negative or
   *   NaN.
   * @throws {TypeError} If an argument is of another shape.
   */
  constructor(ray: RayLike, near = 0, far = Infinity) {
    super();
    this.read('RayRange', ray, near, far);
  }

  /**
   * Gives the range other numbers. Errors as in the constructor; then it is as before. Do not call it in a filter of a
   * query that searches from here.
   */
  set(ray: RayLike, near = 0, far = Infinity): this {
    this.read('RayRange.set', ray, near, far);
    return this;
  }

  /** @internal */
  override volumeIn(workspace: Workspace): RayCapsule {
    const capsule = workspace.queryOf(RayCapsule);
    capsule.setRay(this.ray, this.range);
    return capsule;
  }

  /** @internal */
  override writeRecord(
    writer: RecordWriter,
    workspace: Workspace,
    record: AnyRecord,
    isSphere: boolean,
    distance: number,
  ): void {
    const { direction, origin } = this.ray;
    const { bounds } = writer;
    const capsule = workspace.queryOf(RayCapsule);
    record.ray = writer.shareRay(this.ray);
    capsule.findNearestPoint(bounds, isSphere, distance);
    const along = capsule.nearest.time[0];
    record.alongRay = along;
    writeNearest(
      record,
      bounds,
      origin[0] + along * direction[0],
      origin[1] + along * direction[1],
      origin[2] + along * direction[2],
      isSphere,
      distance,
    );
  }

  private read(where: string, ray: RayLike, near: number, far: number): void {
    requireNotNegative(where, 'near', near, 'leave it out for 0');
    requireNotNegative(where, 'far', far, 'leave it out for Infinity');
    readRay(where, ray, reusedValues);
    this.ray.set(reusedValues);
    this.range[0] = near;
    this.range[1] = far;
  }
}
