/**
 * Shape casts: what a sphere or a box touches while it moves by a vector without turning. `visitRay` and `visitCast`
 * visit what is on the way of a ray or of such a shape, while the visitor narrows the search.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { SPHERE_STRIDE } from '../../math/sphere.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { requireObject } from '../../octree/input/input-checks.ts';
import type { MathTypes } from '../../octree/input/math-types.ts';
import type { RayLike } from '../../octree/input/query-shapes.ts';
import {
  readBox,
  readPoint,
  readSphere,
  type BoxLike,
  type PointLike,
  type SphereLike,
} from '../../octree/input/shapes.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import type { IntersectionRecord } from '../../octree/queries/record-writer.ts';
import {
  readQueryOptions,
  type AnyOptions,
  type QueryOptions,
  type RayOptions,
} from '../../octree/queries/query-options.ts';
import { FIRST_HIT } from '../../octree/queries/query-kinds.ts';
import { withWorkspace, writeStats, type QueryKind, type QueryRunner } from '../../octree/queries/query-runner.ts';
import { readLimit, requireVisitor, type HitVisitor, type VisitorResult } from '../../octree/queries/visitor-limit.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import type { Tree } from '../../tree/tree.ts';
import { HitQuery } from '../../octree/queries/hit-query.ts';
import { CastShape } from './moving-shape.ts';

type CastKind<Shape> = QueryKind<Shape, AnyOptions, PointLike>;

/** A cast of a shape whose numbers `readShape` reads; `stride` is their count. */
function castKind<Shape>(
  field: 'box' | 'sphere',
  readShape: (where: string, field: string, shape: Shape, target: Float64Array) => void,
  stride: number,
  run: CastKind<Shape>['run'],
): CastKind<Shape> {
  return {
    read(workspace, shape, options, motion) {
      const { where, values } = workspace;
      readShape(where, field, shape, values);
      readPoint(where, 'motion', '', motion, values, stride);
      workspace.queryOf(CastQuery).shape.set(values, field === 'sphere', stride);
      return readQueryOptions(workspace, options);
    },
    run,
    write: writeHit,
  };
}

const runAll: CastKind<unknown>['run'] = (runner, workspace, out) =>
  runner.collectHits(workspace, workspace.queryOf(CastQuery), out);

const runFirst: CastKind<unknown>['run'] = (runner, workspace, out) =>
  runner.collectFirstHit(workspace, workspace.queryOf(CastQuery), out);

const writeHit: CastKind<unknown>['write'] = (writer, workspace, k) => {
  const { shape } = workspace.queryOf(CastQuery);
  const { bodies } = writer.store.tree;
  const index = workspace.hits.array[k];
  const time = workspace.hits.distances[k];
  const record = writer.next(index);
  record.inside = shape.touches(shape.startValues, bodies, index);
  record.time = time;
  const contact = record.inside
    ? shape.writeStart(bodies, index, writer.contact)
    : shape.writeHit(bodies, index, time, writer.contact);
  contact.distance = time * shape.length;
  writer.writeContact(record, contact);
};

const SPHERE_CAST = /* @__PURE__ */ castKind('sphere', readSphere, SPHERE_STRIDE, runAll);
const FIRST_SPHERE_CAST = /* @__PURE__ */ castKind('sphere', readSphere, SPHERE_STRIDE, runFirst);
const BOX_CAST = /* @__PURE__ */ castKind('box', readBox, BOX_STRIDE, runAll);
const FIRST_BOX_CAST = /* @__PURE__ */ castKind('box', readBox, BOX_STRIDE, runFirst);

/**
 * The body that a moving sphere touches first, or null. It moves by `motion`, world units, in one step: nothing on its
 * way is missed, however far that is.
 *
 * Cost: visits the nearest nodes first and none beyond the hit.
 *
 * @param octree The octree whose bodies are asked.
 * @param sphere Centre and radius at the start, world units.
 * @param motion How far it moves, world units along each axis.
 * @param options `mask`, `filter`, `except`, `stats`, `candidates`: see `QueryOptions`.
 * @param target A record to write to and return, as in `octree.firstHit`. Default: a new one.
 *
 * @example
 * ```ts
 * import { castSphere, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ min: { x: 10, y: 0, z: -5 }, max: { x: 11, y: 4, z: 5 } }, 'wall');
 * const bullet = { center: { x: 0, y: 1, z: 0 }, radius: 0.5 };
 * const hit = castSphere(octree, bullet, { x: 80, y: 0, z: 0 }); // 80 units in this tick
 * console.log(hit?.body.data, hit?.distance, hit?.normal.x); // prints: wall 9.5 -1
 * ```
 */
export function castSphere<T, M extends MathTypes>(
  octree: Octree<T, M>,
  sphere: SphereLike,
  motion: PointLike,
  options?: QueryOptions<T, M>,
  target?: IntersectionRecord<T, M> | null,
): IntersectionRecord<T, M> | null {
  const where = 'castSphere';
  return internalsOf(where, octree).runner.first(where, FIRST_SPHERE_CAST, sphere, options, target, motion);
}

/**
 * Every body that a sphere touches while it moves by `motion`, by time, then index. `time` runs from 0, at the start,
 * to 1, at the end; `distance` is the part of the motion in world units. A body that the sphere touches at its start
 * has time 0 and `inside`. A body that it touches at its end is found too. A motion of length 0 finds what
 * `intersectSphere` finds.
 *
 * Cost: a slab test per node and body near the path, and a sort of the hits.
 *
 * @param octree The octree whose bodies are asked.
 * @param sphere Centre and radius at the start, world units.
 * @param motion How far it moves, world units along each axis.
 * @param options `mask`, `filter`, `except`, `stats`, `candidates`: see `QueryOptions`.
 * @param target An array whose records are written to and returned. Default: a new one.
 *
 * @example
 * ```ts
 * import { castSphereAll, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * for (const x of [10, 30]) octree.insert({ center: { x, y: 0, z: 0 }, radius: 1 }, `ball at ${x}`);
 * const hits = castSphereAll(octree, { center: { x: 0, y: 0, z: 0 }, radius: 1 }, { x: 40, y: 0, z: 0 });
 * console.log(hits.map(({ body, time }) => `${body.data}: ${time}`).join()); // prints: ball at 10: 0.2,ball at 30: 0.7
 * ```
 */
export function castSphereAll<T, M extends MathTypes>(
  octree: Octree<T, M>,
  sphere: SphereLike,
  motion: PointLike,
  options?: QueryOptions<T, M>,
  target?: IntersectionRecord<T, M>[],
): IntersectionRecord<T, M>[] {
  const where = 'castSphereAll';
  return internalsOf(where, octree).runner.records(where, SPHERE_CAST, sphere, options, target, motion);
}

/**
 * Writes the indices of the bodies that a moving sphere touches to a list, by time, then index: those of
 * `castSphereAll`. Returns how many. Allocates nothing.
 *
 * @param octree The octree whose bodies are asked.
 * @param sphere Centre and radius at the start, world units.
 * @param motion How far it moves, world units along each axis.
 * @param list Emptied and filled with indices. Keep it from call to call.
 * @param options `mask`, `filter`, `except`, `stats`, `candidates`: see `QueryOptions`.
 *
 * @example
 * ```ts
 * import { collectSphereCast, IndexList, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 10, y: 0, z: 0 }, radius: 1 }, 'ball');
 * const list = new IndexList();
 * const count = collectSphereCast(octree, { center: { x: 0, y: 0, z: 0 }, radius: 1 }, { x: 40, y: 0, z: 0 }, list);
 * console.log(count, octree.dataAt(list.array[0])); // prints: 1 ball
 * ```
 */
export function collectSphereCast<T, M extends MathTypes>(
  octree: Octree<T, M>,
  sphere: SphereLike,
  motion: PointLike,
  list: IndexList,
  options?: QueryOptions<T, M>,
): number {
  const where = 'collectSphereCast';
  return internalsOf(where, octree).runner.indices(where, SPHERE_CAST, sphere, list, options, motion);
}

/**
 * The body that a moving box touches first, or null. It moves by `motion`, world units, in one step, without turning.
 *
 * Cost: visits the nearest nodes first and none beyond the hit.
 *
 * @param octree The octree whose bodies are asked.
 * @param box Its min and max at the start, world units.
 * @param motion How far it moves, world units along each axis.
 * @param options `mask`, `filter`, `except`, `stats`, `candidates`: see `QueryOptions`.
 * @param target A record to write to and return, as in `octree.firstHit`. Default: a new one.
 *
 * @example
 * ```ts
 * import { castBox, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ min: { x: 0, y: 0, z: 0 }, max: { x: 9, y: 1, z: 9 } }, 'floor');
 * const crate = { min: { x: 1, y: 5, z: 1 }, max: { x: 2, y: 6, z: 2 } };
 * const hit = castBox(octree, crate, { x: 0, y: -10, z: 0 }); // falls by 10 units
 * console.log(hit?.body.data, hit?.distance, hit?.normal.y); // prints: floor 4 1
 * ```
 */
export function castBox<T, M extends MathTypes>(
  octree: Octree<T, M>,
  box: BoxLike,
  motion: PointLike,
  options?: QueryOptions<T, M>,
  target?: IntersectionRecord<T, M> | null,
): IntersectionRecord<T, M> | null {
  return internalsOf('castBox', octree).runner.first('castBox', FIRST_BOX_CAST, box, options, target, motion);
}

/**
 * Every body that a box touches while it moves by `motion`, without turning, by time, then index. Records and cost are
 * those of `castSphereAll`.
 *
 * @param octree The octree whose bodies are asked.
 * @param box Its min and max at the start, world units.
 * @param motion How far it moves, world units along each axis.
 * @param options `mask`, `filter`, `except`, `stats`, `candidates`: see `QueryOptions`.
 * @param target An array whose records are written to and returned. Default: a new one.
 *
 * @example
 * ```ts
 * import { castBoxAll, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * for (const y of [0, 2]) octree.insert({ min: { x: 0, y, z: 0 }, max: { x: 9, y: y + 1, z: 9 } }, `floor ${y}`);
 * const crate = { min: { x: 1, y: 5, z: 1 }, max: { x: 2, y: 6, z: 2 } };
 * const hits = castBoxAll(octree, crate, { x: 0, y: -10, z: 0 });
 * console.log(hits.map(({ body }) => body.data)); // prints: [ 'floor 2', 'floor 0' ]
 * ```
 */
export function castBoxAll<T, M extends MathTypes>(
  octree: Octree<T, M>,
  box: BoxLike,
  motion: PointLike,
  options?: QueryOptions<T, M>,
  target?: IntersectionRecord<T, M>[],
): IntersectionRecord<T, M>[] {
  return internalsOf('castBoxAll', octree).runner.records('castBoxAll', BOX_CAST, box, options, target, motion);
}

/**
 * Writes the indices of the bodies that a moving box touches to a list, by time, then index: those of `castBoxAll`.
 * Returns how many. Allocates nothing.
 *
 * @param octree The octree whose bodies are asked.
 * @param box Its min and max at the start, world units.
 * @param motion How far it moves, world units along each axis.
 * @param list Emptied and filled with indices. Keep it from call to call.
 * @param options `mask`, `filter`, `except`, `stats`, `candidates`: see `QueryOptions`.
 *
 * @example
 * ```ts
 * import { collectBoxCast, IndexList, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ min: { x: 0, y: 0, z: 0 }, max: { x: 9, y: 1, z: 9 } }, 'floor');
 * const list = new IndexList();
 * const crate = { min: { x: 1, y: 5, z: 1 }, max: { x: 2, y: 6, z: 2 } };
 * console.log(collectBoxCast(octree, crate, { x: 0, y: -10, z: 0 }, list), list.array[0]); // prints: 1 0
 * ```
 */
export function collectBoxCast<T, M extends MathTypes>(
  octree: Octree<T, M>,
  box: BoxLike,
  motion: PointLike,
  list: IndexList,
  options?: QueryOptions<T, M>,
): number {
  return internalsOf('collectBoxCast', octree).runner.indices('collectBoxCast', BOX_CAST, box, list, options, motion);
}

/**
 * Visits the bodies that a moving sphere or box touches, those of `castSphereAll` or `castBoxAll`, while the visitor
 * narrows the search. It gets a body and its time, 0 to 1, and returns the new maximum time: bodies that are touched
 * later are not visited, a body at exactly that time is. Use it to search inside bodies, for example for the first
 * triangle: return the time of the first one so far. The maximum only shrinks: a larger value is ignored. `false` ends
 * the search; nothing (undefined) leaves the maximum as it is.
 *
 * The order is roughly that of the times: nodes of the tree nearest first, and a body of a large node before nearer
 * ones in its children. So the first body visited need not be the first one touched; return its time, not `false`, to
 * find that one. Of bodies with equal times the order is not defined.
 *
 * The visitor may query and write; it sees the octree as it was when the outermost query began. If it throws, the
 * search ends.
 *
 * Cost: as `castSphere`, for the nodes and bodies up to the last maximum. Returns the number of visits.
 *
 * @param octree The octree whose bodies are asked.
 * @param shape A sphere or a box at the start, world units. For a ray use `visitRay`.
 * @param motion How far it moves, world units along each axis.
 * @param visitor Returns the new maximum time, nothing to leave it, or false to end the search.
 * @param options `mask`, `filter`, `except`, `stats`, `candidates`: see `QueryOptions`.
 * @throws {TypeError} If the visitor is not a function, or returns anything but a number, `false` or undefined.
 * @throws {RangeError} If the visitor returns NaN or a negative number.
 *
 * @example
 * ```ts
 * import { Octree, visitCast } from 'scene-octree';
 *
 * // Each body has a floor of its own in its box.
 * const octree = new Octree<number>();
 * for (const [y, floor] of [[4, 4.1], [0, 0.5]])
 *   octree.insert({ min: { x: 0, y, z: 0 }, max: { x: 9, y: y + 1, z: 9 } }, floor);
 * let first = 1;
 * const crate = { min: { x: 1, y: 10, z: 1 }, max: { x: 2, y: 11, z: 2 } };
 * visitCast(octree, crate, { x: 0, y: -10, z: 0 }, ({ data }) => (first = Math.min(first, (10 - data) / 10)));
 * console.log(first.toFixed(2)); // prints: 0.59
 * ```
 */
export function visitCast<T, M extends MathTypes>(
  octree: Octree<T, M>,
  shape: SphereLike | BoxLike,
  motion: PointLike,
  visitor: HitVisitor<T, M>,
  options?: QueryOptions<T, M>,
): number {
  const where = 'visitCast';
  const { runner } = internalsOf(where, octree);
  requireVisitor(where, visitor, 'body, time');
  return withWorkspace(runner, where, (workspace) => {
    requireObject(where, 'shape', shape, 'pass a Sphere or a Box3');
    const categories =
      'min' in shape
        ? FIRST_BOX_CAST.read(workspace, shape, options, motion)
        : FIRST_SPHERE_CAST.read(workspace, shape, options, motion);
    runner.prepare(workspace, categories);
    return visitHits(runner, workspace, workspace.queryOf(CastQuery), 'time', visitor);
  });
}

/**
 * Visits the bodies that a ray hits, those of `octree.intersectRay`, while the visitor narrows the search. It gets a
 * body and its distance, in world units from the origin, and returns the new maximum distance. Order, end and errors
 * are those of `visitCast`.
 *
 * Cost: as `octree.firstHit`, for the nodes and bodies up to the last maximum. Returns the number of visits.
 *
 * @param octree The octree whose bodies are asked.
 * @param ray A Ray, or anything shaped like it.
 * @param visitor Returns the new maximum distance, nothing to leave it, or false to end the search.
 * @param options `near` and `far`, world units, and what all queries take: see `RayOptions`.
 * @throws {TypeError} If the visitor is not a function, or returns anything but a number, `false` or undefined.
 * @throws {RangeError} If the visitor returns NaN or a negative number.
 *
 * @example
 * ```ts
 * import { Octree, visitRay } from 'scene-octree';
 *
 * // Discs across the x axis: `hole` is the radius of the hole in each.
 * const octree = new Octree<{ x: number; hole: number }>();
 * for (const disc of [{ x: 5, hole: 2 }, { x: 8, hole: 0 }])
 *   octree.insert({ min: { x: disc.x, y: -4, z: -4 }, max: { x: disc.x, y: 4, z: 4 } }, disc);
 * let first = Infinity;
 * const ray = { origin: { x: 0, y: 1, z: 0 }, direction: { x: 1, y: 0, z: 0 } };
 * visitRay(octree, ray, ({ data }, distance) => {
 *   if (data.hole < 1) first = Math.min(first, distance);
 *   return first;
 * });
 * console.log(first); // prints: 8
 * ```
 */
export function visitRay<T, M extends MathTypes>(
  octree: Octree<T, M>,
  ray: RayLike,
  visitor: HitVisitor<T, M>,
  options?: RayOptions<T, M>,
): number {
  const where = 'visitRay';
  const { runner } = internalsOf(where, octree);
  requireVisitor(where, visitor, 'body, distance');
  return withWorkspace(runner, where, (workspace) => {
    runner.prepare(workspace, FIRST_HIT.read(workspace, ray, options, undefined));
    return visitHits(runner, workspace, workspace.rayQuery, 'distance', visitor);
  });
}

/**
 * Searches for the first hit with a filter that lets the visitor lower the maximum distance and accepts no body.
 * Returns the number of visits.
 */
function visitHits(
  runner: QueryRunner,
  workspace: Workspace,
  query: HitQuery,
  measure: 'distance' | 'time',
  visitor: (body: never, distance: number) => VisitorResult,
): number {
  const { where } = workspace;
  const { filter } = runner.searchOf(workspace);
  const { path } = query;
  let visits = 0;
  workspace.filter = (index) => {
    if (filter !== null && !filter(index)) return false;
    visits++;
    const limit = readLimit(where, measure, visitor(runner.store.bodyAt(index) as never, query.distance[0]));
    if (limit < path.maxDistance) path.maxDistance = limit;
    return false;
  };
  query.findFirst(workspace, false);
  writeStats(workspace, visits);
  return visits;
}

/**
 * The bodies that a sphere or a box touches while it moves by a vector. In the list of hits, the distance is a fraction
 * of the motion, 0 to 1.
 */
class CastQuery extends HitQuery {
  override far = 1;
  readonly shape = new CastShape();
  readonly path = this.shape.path;
  readonly distance = this.shape.time;

  protected hits({ bodies }: Tree, index: number): boolean {
    return this.shape.hits(bodies, index);
  }

  protected hitsSlotBounds({ bodies, slots }: Tree, index: number): boolean {
    return this.shape.crossesBox(slots.slotBounds, bodies.slot[index] * BOX_STRIDE);
  }
}
