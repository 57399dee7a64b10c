/** The kinds of query that the class `Octree` has: how each reads its arguments, runs, and writes records. */

import { BOX_STRIDE } from '../../math/box.ts';
import { FLOAT32_MAX } from '../../math/float32.ts';
import type { Workspace } from './workspace.ts';
import {
  FRUSTUM_OPTIONS,
  RAY_OPTIONS,
  readDistanceOption,
  readQueryOptions,
  type FrustumOptions,
  type RayOptions,
} from './query-options.ts';
import type { QueryKind } from './query-runner.ts';
import type { RangeQuery } from './range-query.ts';
import { readFrustum, readRay, type FrustumLike, type RayLike } from '../input/query-shapes.ts';
import {
  readBoxOrEmpty,
  readPoint,
  readSphere,
  type BoxLike,
  type PointLike,
  type SphereLike,
} from '../input/shapes.ts';
import type { SizeLimit } from './frustum-query.ts';
import { requireBoolean, requireFiniteNotNegative } from '../input/input-checks.ts';

export const FRUSTUM: QueryKind<FrustumLike, FrustumOptions<never, never>> = {
  read(workspace, shape, options) {
    const { where, frustumQuery } = workspace;
    readFrustum(where, shape, frustumQuery.planes);
    frustumQuery.isExact = requireBoolean(where, 'options.exact', options?.exact);
    readSizeLimit(where, options, frustumQuery.sizeLimit);
    return readQueryOptions(workspace, options, FRUSTUM_OPTIONS);
  },
  run: (runner, workspace, out) => runner.collectRange(workspace, workspace.frustumQuery, out),
  write(writer, { list, frustumQuery }, k) {
    const record = writer.addTouching(list.array[k], frustumQuery);
    const { x, y, z } = record.position;
    record.distance = frustumQuery.distanceFromNear(x, y, z);
  },
};

/** A kind for what a ray hits, by the way in which it runs. */
function rayKind(
  run: QueryKind<RayLike, RayOptions<never, never>>['run'],
): QueryKind<RayLike, RayOptions<never, never>> {
  return {
    read(workspace, shape, options) {
      const { where, values, rayQuery } = workspace;
      readRay(where, shape, values);
      rayQuery.ray.set(values);
      const categories = readQueryOptions(workspace, options, RAY_OPTIONS);
      rayQuery.near = readDistanceOption(where, 'near', options?.near, 0);
      rayQuery.far = readDistanceOption(where, 'far', options?.far, Infinity);
      return categories;
    },
    run,
    write: (writer, { hits, rayQuery }, k) => writer.addHit(rayQuery.ray, hits, k),
  };
}

export const RAY = /* @__PURE__ */ rayKind((runner, workspace, out) =>
  runner.collectHits(workspace, workspace.rayQuery, out),
);
export const FIRST_HIT = /* @__PURE__ */ rayKind((runner, workspace, out) =>
  runner.collectFirstHit(workspace, workspace.rayQuery, out),
);
export const ANY_HIT = /* @__PURE__ */ rayKind((runner, workspace, out) =>
  runner.collectFirstHit(workspace, workspace.rayQuery, out, true),
);

/**
 * A kind for the bodies that touch a volume. `read` checks the argument, and returns the query that it has set from it.
 */
export function volumeKind<Shape>(read: (workspace: Workspace, shape: Shape) => RangeQuery): QueryKind<Shape> {
  return {
    read(workspace, shape, options) {
      workspace.volume = read(workspace, shape);
      return readQueryOptions(workspace, options);
    },
    run: (runner, workspace, out) => runner.collectRange(workspace, workspace.volume!, out),
    write: (writer, { list, volume }, k) => void writer.addTouching(list.array[k], volume!),
  };
}

/** Touches nothing. */
const EMPTY_BOX = /* @__PURE__ */ Float64Array.from({ length: BOX_STRIDE }, (_, k) =>
  k < 3 ? FLOAT32_MAX : -FLOAT32_MAX,
);

export const BOX = /* @__PURE__ */ volumeKind(({ where, values, boxQuery }, shape: BoxLike) => {
  boxQuery.set(readBoxOrEmpty(where, 'box', shape, values) ? values : EMPTY_BOX);
  return boxQuery;
});

export const POINT = /* @__PURE__ */ volumeKind(({ where, values, boxQuery }, shape: PointLike) => {
  readPoint(where, 'point', '', shape, values);
  boxQuery.setPoint(values);
  return boxQuery;
});

export const SPHERE = /* @__PURE__ */ volumeKind(({ where, values, sphereQuery }, shape: SphereLike) => {
  readSphere(where, 'sphere', shape, values);
  sphereQuery.set(values);
  return sphereQuery;
});

function readSizeLimit(where: string, options: FrustumOptions<never, never> | undefined, limit: SizeLimit): void {
  const { minSize = 0, eye } = options ?? NO_OPTIONS;
  limit.minSize = requireFiniteNotNegative(where, 'options.minSize', minSize, 'leave it out for 0');
  limit.hasEye = eye !== undefined;
  if (eye !== undefined) readPoint(where, 'options.eye', '', eye, limit.eye);
}
const NO_OPTIONS: FrustumOptions<never, never> = {};
