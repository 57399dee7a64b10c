/**
 * What nearest queries take, the shape from which they search (`RayRange` too) and the options; and where a body is
 * nearest to a point, in their records.
 */

import type { Workspace } from '../../octree/queries/workspace.ts';
import { requireObject, requireNotNegative } from '../../octree/input/input-checks.ts';
import type { KnownOptions } from '../../octree/input/known-options.ts';
import { setPoint, type MathTypes, type PlainMath, type PlainPoint } from '../../octree/input/math-types.ts';
import {
  readDistanceOption,
  readQueryOptions,
  withOptions,
  type QueryOptions,
} from '../../octree/queries/query-options.ts';
import type { AnyRecord, RecordWriter } from '../../octree/queries/record-writer.ts';
import { NearestQuery, type NearestVolume } from './nearest-query.ts';
import { readBox, readPoint, type BoxLike, type PointLike } from '../../octree/input/shapes.ts';
import { clamp } from '../../math/box.ts';
import { RayCapsule } from '../../math/ray-capsule.ts';
import { UnitRay } from '../../math/unit-ray.ts';
import { readRay, type RayLike } from '../../octree/input/query-shapes.ts';

/** The options of `nearest` and `collectNearest`. */
export interface NearestOptions<T, M extends MathTypes = PlainMath> extends QueryOptions<T, M> {
  /** World units, closed. Default Infinity. */
  readonly maxDistance?: number;
}

const REMEDY = 'pass a Vector3, a Box3 or a RayRange';
const NEAREST_OPTIONS: KnownOptions = /* @__PURE__ */ withOptions('maxDistance');

/** What a nearest query starts from, beyond points and boxes. */
export abstract class NearestStart {
  /** Of the types only: without it they would take any object for a start. */
  declare protected readonly brand: 'NearestStart';
  /**
   * @internal Returns the volume of a search from here. It belongs to the workspace, because a nested query may start
   *   from the same object.
   */
  abstract volumeIn(workspace: Workspace): NearestVolume;
  /** @internal Writes the record of a body, which has its distance; the exact bounds of the body are in the writer. */
  abstract writeRecord(writer: RecordWriter, workspace: Workspace, record: AnyRecord, isSphere: boolean): void;
}

export function isNearestStart(value: unknown): value is NearestStart {
  return typeof (value as NearestStart | null | undefined)?.volumeIn === 'function';
}

/** Where a nearest query searches from: a point, a box, or a part of a ray. */
export type NearestShape = PointLike | BoxLike | NearestStart;

/** Checks what a nearest query searches from, and its options; returns the categories to report. */
export function readNearest(
  workspace: Workspace,
  shape: NearestShape,
  options: NearestOptions<never, never> | undefined,
): number {
  const { where } = workspace;
  const query = workspace.queryOf(NearestQuery);
  readNearestShape(workspace, query, shape);
  const categories = readQueryOptions(workspace, options, NEAREST_OPTIONS);
  query.maxDistance = readDistanceOption(where, 'maxDistance', options?.maxDistance, Infinity);
  return categories;
}

/** Reads a box if the shape has a min but no x, else a point. A Vector3 has an x, and a method `min`. */
function readNearestShape(workspace: Workspace, query: NearestQuery, shape: NearestShape): void {
  const { where, values } = workspace;
  if (isNearestStart(shape)) {
    query.setVolume(shape.volumeIn(workspace));
    return;
  }
  requireObject(where, 'point', shape, REMEDY);
  if ('origin' in shape)
    throw new TypeError(`${where}: point must be a point or a box, but is a ray; pass new RayRange(ray).`);
  if ('min' in shape && !('x' in shape)) {
    readBox(where, 'box', shape, values);
    query.setBox(values);
  } else {
    readPoint(where, 'point', '', shape as PointLike, values);
    query.setPoint(values);
  }
}

/**
 * Writes the point of a body nearest to a point, the first three numbers of `from`, and the normal from there to a
 * record that has the distance. `bounds` are those of the body.
 */
export function writeNearest(record: AnyRecord, bounds: Float64Array, isSphere: boolean, from: Float64Array): void {
  const { distance, normal, position } = record;
  const [x, y, z] = [from[0], from[1], from[2]];
  if (distance === 0) {
    setPoint(position, x, y, z);
    setPoint(normal, 0, 0, 0);
  } else if (isSphere) {
    setUnit(normal, x - bounds[0], y - bounds[1], z - bounds[2]);
    setPoint(
      position,
      bounds[0] + normal.x * bounds[3],
      bounds[1] + normal.y * bounds[3],
      bounds[2] + normal.z * bounds[3],
    );
  } else {
    setPoint(position, clamp(x, bounds[0], bounds[3]), clamp(y, bounds[1], bounds[4]), clamp(z, bounds[2], bounds[5]));
    setUnit(normal, x - position.x, y - position.y, z - position.z);
  }
}

/** Sets a vector, scaled to length 1. The zero vector stays. */
function setUnit(vector: PlainPoint, x: number, y: number, z: number): void {
  const scale = 1 / (Math.sqrt(x * x + y * y + z * z) || 1);
  setPoint(vector, x * scale, y * scale, z * scale);
}

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
  override writeRecord(writer: RecordWriter, workspace: Workspace, record: AnyRecord, isSphere: boolean): void {
    const { direction, origin } = this.ray;
    const { bounds } = writer;
    const capsule = workspace.queryOf(RayCapsule);
    record.ray = writer.shareRay(this.ray);
    capsule.findNearestPoint(bounds, isSphere, record.distance);
    const along = capsule.nearest.time[0];
    record.alongRay = along;
    for (let axis = 0; axis < 3; axis++) reusedValues[axis] = origin[axis] + along * direction[axis];
    writeNearest(record, bounds, isSphere, reusedValues);
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
