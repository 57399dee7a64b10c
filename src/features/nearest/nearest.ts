/** The bodies nearest to a point, a box or a ray: as records, as indices, or visited one after the other. */

import { clamp } from '../../math/clamp.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { describe } from '../../octree/input/input-checks.ts';
import { setPoint, type MathTypes, type PlainPoint } from '../../octree/input/math-types.ts';
import type { RayLike } from '../../octree/input/query-shapes.ts';
import type { BoxLike, PointLike } from '../../octree/input/shapes.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import type { AnyRecord, IntersectionRecord } from '../../octree/queries/intersection-record.ts';
import type { QueryKind } from '../../octree/queries/query-runner.ts';
import { readNearest, type NearestOptions, type NearestShape } from './nearest-arguments.ts';
import { NearestQuery } from './nearest-query.ts';

const NEAREST: QueryKind<NearestShape, NearestOptions<never, never>, number> = {
  read(workspace, shape, options, count) {
    requireCount(workspace.where, count);
    workspace.queryOf(NearestQuery).count = count;
    return readNearest(workspace, shape, options);
  },
  run(runner, workspace, categories, options, out) {
    const { scratch, hits } = workspace;
    const query = workspace.queryOf(NearestQuery);
    const filter = runner.filterOf(workspace, options);
    if (options?.candidates === true) query.findCandidates(runner.tree, categories, filter, scratch, hits);
    else query.find(runner.tree, categories, filter, scratch, hits);
    return runner.finishHits(workspace, options, out);
  },
  write(writer, workspace, k) {
    const { indices, distances } = workspace.hits;
    const { bounds, contact } = writer;
    const query = workspace.queryOf(NearestQuery);
    const { core } = query.roundedBox;
    const record = writer.next(indices[k]);
    const distance = distances[k];
    const isSphere = writer.readBounds(indices[k], bounds);
    if (query.start === 'ray') {
      const { capsule } = query;
      const { ray } = workspace.rayQuery;
      record.ray = writer.shareRay(ray);
      capsule.findNearestPoint(bounds, isSphere, distance);
      const along = capsule.nearest.time[0];
      record.alongRay = along;
      writeNearest(record, bounds, ray.originX + along * ray.directionX, ray.originY + along * ray.directionY, ray.originZ + along * ray.directionZ, isSphere, distance);
    } else if (query.start === 'box') {
      writer.writeContact(record, contact.between(bounds, isSphere, core, false));
      if (distance === 0) setPoint(record.normal, 0, 0, 0);
    } else writeNearest(record, bounds, core[0], core[1], core[2], isSphere, distance);
    record.distance = distance;
    record.inside = distance === 0;
  },
};

/**
 * The `count` bodies nearest to a point, a box or a ray within `maxDistance`, by the distance between the surfaces, then index. The distance is 0 for
 * bodies that contain the point, touch the box, or are hit by the ray. A ray reaches from `near` to `far`; its records tell by `alongRay` where it is
 * nearest to the body.
 *
 * Cost: visits the nearest nodes first, and none farther away than the last of `count` bodies found. From a ray it runs in JavaScript.
 *
 * @throws {RangeError} If `count` is not an integer from 0.
 */
export function nearest<T, M extends MathTypes>(octree: Octree<T, M>, from: PointLike | BoxLike | RayLike, count: number, options?: NearestOptions<T, M>, target?: IntersectionRecord<T, M>[]): IntersectionRecord<T, M>[] {
  return internalsOf('nearest', octree).runner.records('nearest', NEAREST, from, options, target, count) as IntersectionRecord<T, M>[];
}

/** As `nearest`, but writes indices to `list`, by distance, then index; returns how many. */
export function collectNearest<T, M extends MathTypes>(octree: Octree<T, M>, from: PointLike | BoxLike | RayLike, count: number, list: IndexList, options?: NearestOptions<T, M>): number {
  return internalsOf('collectNearest', octree).runner.collect('collectNearest', NEAREST, from, list, options, count);
}

/** The point of a body nearest to a point, and the normal from there. `bounds` are those of the body. */
function writeNearest({ position, normal }: AnyRecord, bounds: Float64Array, x: number, y: number, z: number, isSphere: boolean, distance: number): void {
  if (distance === 0) {
    setPoint(position, x, y, z);
    setPoint(normal, 0, 0, 0);
  } else if (isSphere) {
    setUnit(normal, x - bounds[0], y - bounds[1], z - bounds[2]);
    setPoint(position, bounds[0] + normal.x * bounds[3], bounds[1] + normal.y * bounds[3], bounds[2] + normal.z * bounds[3]);
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

function requireCount(where: string, count: unknown): void {
  if (typeof count !== 'number') throw new TypeError(`${where}: count must be a number, but is ${describe(count)}; pass how many bodies you want.`);
  if (Number.isInteger(count) && count >= 0) return;
  throw new RangeError(`${where}: count must be an integer from 0, but is ${count}; pass how many bodies you want, octree.size for all.`);
}
