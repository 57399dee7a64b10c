/**
 * What nearest queries take, the shape from which they search and the options; and where a body is nearest to a point,
 * in their records.
 */

import type { Workspace } from '../../octree/queries/workspace.ts';
import type { KnownOptions } from '../../octree/input/known-options.ts';
import { requireObject } from '../../octree/input/input-checks.ts';
import { setPoint, type MathTypes, type PlainMath, type PlainPoint } from '../../octree/input/math-types.ts';
import {
  readDistanceOption,
  readQueryOptions,
  withOptions,
  type QueryOptions,
} from '../../octree/queries/query-options.ts';
import type { AnyRecord } from '../../octree/queries/intersection-record.ts';
import type { RecordWriter } from '../../octree/queries/record-writer.ts';
import { NearestQuery, type NearestVolume } from './nearest-query.ts';
import { readBox, readPoint, type BoxLike, type PointLike } from '../../octree/input/shapes.ts';
import { clamp } from '../../math/clamp.ts';

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
  /** @internal Writes the fields of the record of a body, `distance` away, whose exact bounds are in the writer. */
  abstract writeRecord(
    writer: RecordWriter,
    workspace: Workspace,
    record: AnyRecord,
    isSphere: boolean,
    distance: number,
  ): void;
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

/** The point of a body nearest to a point, and the normal from there. `bounds` are those of the body. */
export function writeNearest(
  { position, normal }: AnyRecord,
  bounds: Float64Array,
  x: number,
  y: number,
  z: number,
  isSphere: boolean,
  distance: number,
): void {
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
