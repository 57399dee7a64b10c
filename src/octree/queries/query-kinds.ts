/** The kinds of query: how each reads its arguments, runs, and writes records. */

import { BOX_STRIDE } from '../../math/box.ts';
import { SPHERE_STRIDE } from '../../math/sphere.ts';
import { BoxQuery } from './box-query.ts';
import { CapsuleQuery } from '../../features/volumes/capsule-query.ts';
import { OrientedBoxQuery } from '../../features/volumes/oriented-box-query.ts';
import type { ContactQuery } from './range-query.ts';
import { SphereQuery } from './sphere-query.ts';
import type { Workspace } from './workspace.ts';
import { readFrustumQuery } from './frustum-arguments.ts';
import { describe } from '../input/input-checks.ts';
import { readMask } from '../input/mask.ts';
import { readNearest, type NearestShape } from '../../features/nearest/nearest-arguments.ts';
import { readDistanceOption, readQueryOptions, type FrustumOptions, type NearestOptions, type PairOptions, type QueryOptions, type RayOptions } from './query-options.ts';
import type { QueryKind } from './query-runner.ts';
import { readCapsule, readConvex, readOrientedBox, readRay, readSegment, type CapsuleLike, type FrustumLike, type OrientedBoxLike, type PlaneLike, type RayLike, type SegmentLike } from '../input/query-shapes.ts';
import { readBox, readPoint, readSphere, type BoxLike, type PointLike, type SphereLike } from '../input/shapes.ts';

export const FRUSTUM: QueryKind<FrustumLike, FrustumOptions<never, never>> = {
  read: ({ where, frustumQuery }, shape, options) => readFrustumQuery(where, frustumQuery, shape, options),
  run: (runner, workspace, categories, options, out) => runner.collectRange(workspace, workspace.frustumQuery, categories, options, out),
  write: (writer, { list, frustumQuery }, k) => writer.addVisible(list.array[k], frustumQuery),
};

export const CONVEX: QueryKind<readonly PlaneLike[]> = {
  read({ where, frustumQuery }, planes, options) {
    readConvex(where, planes, frustumQuery.planes);
    frustumQuery.isExact = true;
    frustumQuery.sizeLimit.minSize = 0;
    return readQueryOptions(where, options);
  },
  run: (runner, workspace, categories, options, out) => runner.collectRange(workspace, workspace.frustumQuery, categories, options, out),
  write: (writer, { list, frustumQuery }, k) => writer.addVisible(list.array[k], frustumQuery),
};

type RayKind = QueryKind<RayLike, RayOptions<never, never>>;

const readRayQuery: RayKind['read'] = ({ where, values, rayQuery }, shape, options) => {
  readRay(where, shape, values);
  rayQuery.ray.set(values);
  const categories = readQueryOptions(where, options);
  rayQuery.near = readDistanceOption(where, 'near', options?.near, 0);
  rayQuery.far = readDistanceOption(where, 'far', options?.far, Infinity);
  return categories;
};

const writeHit: RayKind['write'] = (writer, { hits, rayQuery }, k) => writer.addHit(rayQuery.ray, hits, k);

// Bundlers keep a spread of another kind, `...RAY`, even where it is not used.
export const RAY: RayKind = {
  read: readRayQuery,
  run: (runner, workspace, categories, options, out) => runner.collectHits(workspace, workspace.rayQuery, categories, options, out),
  write: writeHit,
};

export const FIRST_HIT: RayKind = {
  read: readRayQuery,
  run: (runner, workspace, categories, options, out) => runner.collectFirstHit(workspace, workspace.rayQuery, categories, options, out),
  write: writeHit,
};

export const ANY_HIT: RayKind = {
  read: readRayQuery,
  run: (runner, workspace, categories, options) => runner.countAnyHit(workspace, workspace.rayQuery, categories, options),
  write: writeHit,
};

type SphereCastKind = QueryKind<SphereLike, QueryOptions<never, never>, PointLike>;
type BoxCastKind = QueryKind<BoxLike, QueryOptions<never, never>, PointLike>;
type AnyKind = QueryKind<unknown, QueryOptions<never, never>, unknown>;

const readSphereCast: SphereCastKind['read'] = ({ where, values, castQuery }, shape, options, motion) => {
  readSphere(where, 'sphere', shape, values);
  readPoint(where, 'motion', '', motion, values, SPHERE_STRIDE);
  castQuery.shape.setSphere(values);
  return readQueryOptions(where, options);
};

const readBoxCast: BoxCastKind['read'] = ({ where, values, castQuery }, shape, options, motion) => {
  readBox(where, 'box', shape, values);
  readPoint(where, 'motion', '', motion, values, BOX_STRIDE);
  castQuery.shape.setBox(values);
  return readQueryOptions(where, options);
};

const runCast: AnyKind['run'] = (runner, workspace, categories, options, out) => runner.collectHits(workspace, workspace.castQuery, categories, options, out);

const runFirstCast: AnyKind['run'] = (runner, workspace, categories, options, out) => runner.collectFirstHit(workspace, workspace.castQuery, categories, options, out);

const writeCastHit: AnyKind['write'] = (writer, { hits, castQuery }, k) => writer.addCastHit(hits.indices[k], castQuery.shape, hits.distances[k]);

export const SPHERE_CAST: SphereCastKind = { read: readSphereCast, run: runCast, write: writeCastHit };
export const FIRST_SPHERE_CAST: SphereCastKind = { read: readSphereCast, run: runFirstCast, write: writeCastHit };
export const BOX_CAST: BoxCastKind = { read: readBoxCast, run: runCast, write: writeCastHit };
export const FIRST_BOX_CAST: BoxCastKind = { read: readBoxCast, run: runFirstCast, write: writeCastHit };

/** A kind for the bodies that touch a volume. `read` checks the argument and sets the query from it. */
function volumeKind<Shape, Query extends ContactQuery>(kind: new () => Query, read: (query: Query, workspace: Workspace, shape: Shape) => void): QueryKind<Shape> {
  return {
    read(workspace, shape, options) {
      const query = workspace.volumeOf(kind);
      read(query, workspace, shape);
      workspace.volume = query;
      return readQueryOptions(workspace.where, options);
    },
    run: (runner, workspace, categories, options, out) => runner.collectRange(workspace, workspace.volume, categories, options, out),
    write: (writer, { list, volume }, k) => writer.addContact(list.array[k], volume),
  };
}

export const BOX = /* @__PURE__ */ volumeKind(BoxQuery, (query, { where, values }, shape: BoxLike) => {
  readBox(where, 'box', shape, values);
  query.set(values);
});

export const POINT = /* @__PURE__ */ volumeKind(BoxQuery, (query, { where, values }, shape: PointLike) => {
  readPoint(where, 'point', '', shape, values);
  query.setPoint(values);
});

export const SPHERE = /* @__PURE__ */ volumeKind(SphereQuery, (query, { where, values }, shape: SphereLike) => {
  readSphere(where, 'sphere', shape, values);
  query.set(values);
});

export const CAPSULE = /* @__PURE__ */ volumeKind(CapsuleQuery, (query, { where, values }, shape: CapsuleLike) => {
  readCapsule(where, shape, values);
  query.set(values);
});

export const SEGMENT = /* @__PURE__ */ volumeKind(CapsuleQuery, (query, { where, values }, shape: SegmentLike) => {
  readSegment(where, 'segment', shape, values);
  values[6] = 0;
  query.set(values);
});

export const ORIENTED_BOX = /* @__PURE__ */ volumeKind(OrientedBoxQuery, (query, { where, values }, shape: OrientedBoxLike) => {
  readOrientedBox(where, shape, values);
  query.set(values);
});

export const NEAREST: QueryKind<NearestShape, NearestOptions<never, never>, number> = {
  read(workspace, shape, options, count) {
    requireCount(workspace.where, count);
    workspace.nearestQuery.count = count;
    return readNearest(workspace, shape, options);
  },
  run: (runner, workspace, categories, options, out) => runner.collectNearest(workspace, categories, options, out),
  write: (writer, { hits, nearestQuery, rayQuery }, k) => writer.addNearest(hits, k, nearestQuery, rayQuery.ray),
};

export const PAIRS: QueryKind<undefined, PairOptions<never, never>> = {
  read({ where, pairQuery }, _shape, options) {
    const categories = readQueryOptions(where, options);
    const within = readDistanceOption(where, 'within', options?.within, 0);
    pairQuery.set(within, options?.otherMask === undefined ? categories : readMask(where, 'options.otherMask', options.otherMask));
    return categories;
  },
  run: (runner, workspace, categories, options, out) => runner.collectPairs(workspace, categories, options, out),
  write: (writer, { list }, k) => void writer.addPair(list.array[2 * k], list.array[2 * k + 1]),
};

function requireCount(where: string, count: unknown): void {
  if (typeof count !== 'number') throw new TypeError(`${where}: count must be a number, but is ${describe(count)}; pass how many bodies you want.`);
  if (Number.isInteger(count) && count >= 0) return;
  throw new RangeError(`${where}: count must be an integer from 0, but is ${count}; pass how many bodies you want, octree.size for all.`);
}
