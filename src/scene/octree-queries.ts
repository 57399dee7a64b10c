/** The questions of the octree, each in two forms: records and indices. */

import type { ContactQuery, RangeQuery } from '../query/range-query.ts';
import { WorkspacePool, type Workspace } from '../query/workspace.ts';
import { IndexList } from '../tree/storage/index-list.ts';
import { BodyStore } from './body-store.ts';
import { describe, requireBoolean, requireObject } from './input-checks.ts';
import { readBox, readFrustum, readPoint, readRay, readSphere, type BoxLike, type FrustumLike, type PointLike, type RayLike, type SphereLike } from './shapes.ts';
import type { IntersectionRecord } from './intersection-record.ts';
import { readDistanceOption, readQueryOptions, type FrustumOptions, type NearestOptions, type QueryOptions, type RayOptions, type ResolvedOptions } from './options.ts';
import { QueryRunner } from './query-runner.ts';

type Records<T> = IntersectionRecord<T>[];

/**
 * The questions of the octree, each in two forms: `intersect...` answers with records, which belong to the caller; `collect...`
 * empties and fills a list of indices of the caller, without any allocation once the list is long enough, and returns how many.
 *
 * All of them first apply what waits in the queue, may be called from a callback, and are exact: the answer is that of a loop over
 * all bodies. Boundaries are closed: touching counts. Lengths and coordinates are world units. A `target` array is emptied and filled,
 * and the records in it are reused. Tree order, where it is named, is the same for the same history.
 *
 * Errors of all: a RangeError for a number that is not finite, a coordinate beyond 2^50, an inverted box, a negative radius; a TypeError
 * for a wrong shape, target, list or option. They are thrown before anything changes.
 */
export abstract class OctreeQueries<T> {
  /** @internal */
  protected store: BodyStore<T>;
  /** @internal */
  protected questions: QueryRunner<T>;

  private readonly options: ResolvedOptions;
  private readonly pool = new WorkspacePool();

  constructor(options: ResolvedOptions) {
    this.options = options;
    this.store = new BodyStore<T>(options, this.pool);
    this.questions = new QueryRunner<T>(this.store, this.pool);
  }

  /** Begins anew with an empty store; the old handles are dead. */
  protected reset(): void {
    this.store.markAllRemoved();
    this.store = new BodyStore<T>(this.options, this.pool);
    this.questions = new QueryRunner<T>(this.store, this.pool);
  }

  /**
   * Every body that touches the inner side of all planes of a frustum, in tree order. Planes of an infinite far are ignored.
   *
   * Cost: a box test per node and body at the border; nodes wholly inside are taken without tests.
   */
  intersectFrustum(frustum: FrustumLike, options?: FrustumOptions<T>, target?: Records<T>): Records<T> {
    checkTarget('Octree.intersectFrustum', target);
    const workspace = this.questions.begin('Octree.intersectFrustum');
    try {
      this.askFrustum(workspace, frustum, options, workspace.list);
      const { list, frustum: query } = workspace;
      const writer = this.questions.records(target);
      for (let k = 0; k < list.length; k++) writer.addSeen(list.array[k], query);
      return writer.finish();
    } finally {
      this.questions.end();
    }
  }

  /** As `intersectFrustum`, but writes indices to `list`, in tree order; returns how many. */
  collectFrustum(frustum: FrustumLike, list: IndexList, options?: FrustumOptions<T>): number {
    checkList('Octree.collectFrustum', list);
    const workspace = this.questions.begin('Octree.collectFrustum');
    try {
      return this.askFrustum(workspace, frustum, options, list);
    } finally {
      this.questions.end();
    }
  }

  /**
   * Every body that a ray enters at a distance from near to far, by distance, then index; a body it starts in is at distance 0.
   *
   * Cost: a slab test per node and body near the ray, and a sort of the hits.
   */
  intersectRay(ray: RayLike, options?: RayOptions<T>, target?: Records<T>): Records<T> {
    checkTarget('Octree.intersectRay', target);
    const workspace = this.questions.begin('Octree.intersectRay');
    try {
      const categories = this.prepareRay(workspace, ray, options);
      this.questions.collectRay(workspace, categories, options, workspace.list);
      return this.writeHits(workspace, target);
    } finally {
      this.questions.end();
    }
  }

  /** As `intersectRay`, but writes indices to `list`, by distance, then index; returns how many. */
  collectRay(ray: RayLike, list: IndexList, options?: RayOptions<T>): number {
    checkList('Octree.collectRay', list);
    const workspace = this.questions.begin('Octree.collectRay');
    try {
      const categories = this.prepareRay(workspace, ray, options);
      return this.questions.collectRay(workspace, categories, options, list);
    } finally {
      this.questions.end();
    }
  }

  /** The first of what `intersectRay` would answer, or null. Looks no farther than that body: nearest nodes first, with early out. */
  firstHit(ray: RayLike, options?: RayOptions<T>): IntersectionRecord<T> | null {
    const workspace = this.questions.begin('Octree.firstHit');
    try {
      const categories = this.prepareRay(workspace, ray, options);
      return this.questions.findFirstHit(workspace, categories, options) ? this.writeHits(workspace)[0] : null;
    } finally {
      this.questions.end();
    }
  }

  /** Every body that touches a box, in tree order. Cost: a box test per node and body near its faces; the inside is taken whole. */
  intersectBox(box: BoxLike, options?: QueryOptions<T>, target?: Records<T>): Records<T> {
    checkTarget('Octree.intersectBox', target);
    const workspace = this.questions.begin('Octree.intersectBox');
    try {
      readBox(workspace.where, 'box', box, workspace.values);
      workspace.box.set(workspace.values);
      this.askRange(workspace, workspace.box, options, workspace.list);
      return this.writeContacts(workspace, workspace.box, target);
    } finally {
      this.questions.end();
    }
  }

  /** As `intersectBox`, but writes indices to `list`, in tree order; returns how many. */
  collectBox(box: BoxLike, list: IndexList, options?: QueryOptions<T>): number {
    checkList('Octree.collectBox', list);
    const workspace = this.questions.begin('Octree.collectBox');
    try {
      readBox(workspace.where, 'box', box, workspace.values);
      workspace.box.set(workspace.values);
      return this.askRange(workspace, workspace.box, options, list);
    } finally {
      this.questions.end();
    }
  }

  /** Every body that touches a ball, in tree order; the radius may be any finite number from 0. Cost: as of a box. */
  intersectSphere(sphere: SphereLike, options?: QueryOptions<T>, target?: Records<T>): Records<T> {
    checkTarget('Octree.intersectSphere', target);
    const workspace = this.questions.begin('Octree.intersectSphere');
    try {
      readSphere(workspace.where, 'sphere', sphere, workspace.values);
      workspace.sphere.set(workspace.values);
      this.askRange(workspace, workspace.sphere, options, workspace.list);
      return this.writeContacts(workspace, workspace.sphere, target);
    } finally {
      this.questions.end();
    }
  }

  /** As `intersectSphere`, but writes indices to `list`, in tree order; returns how many. */
  collectSphere(sphere: SphereLike, list: IndexList, options?: QueryOptions<T>): number {
    checkList('Octree.collectSphere', list);
    const workspace = this.questions.begin('Octree.collectSphere');
    try {
      readSphere(workspace.where, 'sphere', sphere, workspace.values);
      workspace.sphere.set(workspace.values);
      return this.askRange(workspace, workspace.sphere, options, list);
    } finally {
      this.questions.end();
    }
  }

  /** Every body that holds a point, in tree order. */
  intersectPoint(point: PointLike, options?: QueryOptions<T>, target?: Records<T>): Records<T> {
    checkTarget('Octree.intersectPoint', target);
    const workspace = this.questions.begin('Octree.intersectPoint');
    try {
      this.askPoint(workspace, point, options, workspace.list);
      return this.writeContacts(workspace, workspace.box, target);
    } finally {
      this.questions.end();
    }
  }

  /** As `intersectPoint`, but writes indices to `list`, in tree order; returns how many. */
  collectPoint(point: PointLike, list: IndexList, options?: QueryOptions<T>): number {
    checkList('Octree.collectPoint', list);
    const workspace = this.questions.begin('Octree.collectPoint');
    try {
      return this.askPoint(workspace, point, options, list);
    } finally {
      this.questions.end();
    }
  }

  /**
   * The `count` bodies nearest to a point within `maxDistance`, by the distance to their surface, then index.
   *
   * Cost: nearest nodes first; nodes farther than the last of `count` found are left out.
   *
   * @throws {RangeError} If `count` is not an integer from 0.
   */
  nearest(point: PointLike, count: number, options?: NearestOptions<T>, target?: Records<T>): Records<T> {
    checkTarget('Octree.nearest', target);
    const workspace = this.questions.begin('Octree.nearest');
    try {
      this.askNearest(workspace, point, count, options, workspace.list);
      const { hits, nearest } = workspace;
      const writer = this.questions.records(target);
      for (let k = 0; k < hits.length; k++) writer.addNear(hits.indices[k], nearest.sphere.x, nearest.sphere.y, nearest.sphere.z, hits.distances[k]);
      return writer.finish();
    } finally {
      this.questions.end();
    }
  }

  /** As `nearest`, but writes indices to `list`, by distance, then index; returns how many. */
  collectNearest(point: PointLike, count: number, list: IndexList, options?: NearestOptions<T>): number {
    checkList('Octree.collectNearest', list);
    const workspace = this.questions.begin('Octree.collectNearest');
    try {
      return this.askNearest(workspace, point, count, options, list);
    } finally {
      this.questions.end();
    }
  }

  /**
   * Every pair of overlapping bodies once, in tree order, but for pairs of two static ones; mask and filter must be passed by both.
   *
   * Cost: the tree walked against itself; about a microsecond a body where each has a few neighbours.
   */
  intersectPairs(options?: QueryOptions<T>, target?: Records<T>): Records<T> {
    checkTarget('Octree.intersectPairs', target);
    const workspace = this.questions.begin('Octree.intersectPairs');
    try {
      this.askPairs(workspace, options, workspace.list);
      const { list } = workspace;
      const writer = this.questions.records(target);
      for (let k = 0; k < list.length; k += 2) writer.addPair(list.array[k], list.array[k + 1]);
      return writer.finish();
    } finally {
      this.questions.end();
    }
  }

  /** Writes two indices a pair, the smaller one first; returns the number of pairs. */
  collectPairs(list: IndexList, options?: QueryOptions<T>): number {
    checkList('Octree.collectPairs', list);
    const workspace = this.questions.begin('Octree.collectPairs');
    try {
      return this.askPairs(workspace, options, list);
    } finally {
      this.questions.end();
    }
  }

  private askFrustum(workspace: Workspace, frustum: FrustumLike, options: FrustumOptions<T> | undefined, list: IndexList): number {
    const { where } = workspace;
    readFrustum(where, frustum, workspace.frustum.planes);
    requireBoolean(where, 'options.exact', options?.exact);
    const categories = readQueryOptions(where, options);
    this.questions.settle();
    workspace.frustum.isExact = options?.exact === true;
    return this.questions.collectRange(workspace, workspace.frustum, categories, options, list);
  }

  private askRange(workspace: Workspace, query: RangeQuery, options: QueryOptions<T> | undefined, list: IndexList): number {
    const { where } = workspace;
    const categories = readQueryOptions(where, options);
    this.questions.settle();
    return this.questions.collectRange(workspace, query, categories, options, list);
  }

  private askPoint(workspace: Workspace, point: PointLike, options: QueryOptions<T> | undefined, list: IndexList): number {
    readPoint(workspace.where, 'point', '', point, workspace.values);
    workspace.box.setPoint(workspace.values);
    return this.askRange(workspace, workspace.box, options, list);
  }

  private prepareRay(workspace: Workspace, ray: RayLike, options: RayOptions<T> | undefined): number {
    const { ray: query, values, where } = workspace;
    readRay(where, ray, values);
    query.ray.set(values);
    const categories = readQueryOptions(where, options);
    query.near = readDistanceOption(where, 'near', options?.near, 0);
    query.far = readDistanceOption(where, 'far', options?.far, Infinity);
    this.questions.settle();
    return categories;
  }

  private askNearest(
    workspace: Workspace,
    point: PointLike,
    count: number,
    options: NearestOptions<T> | undefined,
    list: IndexList,
  ): number {
    const { nearest, values, where } = workspace;
    readPoint(where, 'point', '', point, values);
    requireCount(where, count);
    const categories = readQueryOptions(where, options);
    nearest.set(values, count, readDistanceOption(where, 'maxDistance', options?.maxDistance, Infinity));
    this.questions.settle();
    return this.questions.collectNearest(workspace, categories, options, list);
  }

  private askPairs(workspace: Workspace, options: QueryOptions<T> | undefined, list: IndexList): number {
    const { where } = workspace;
    const categories = readQueryOptions(where, options);
    this.questions.settle();
    return this.questions.collectPairs(workspace, categories, options, list);
  }

  private writeHits(workspace: Workspace, target?: Records<T>): Records<T> {
    const { hits, ray } = workspace;
    const writer = this.questions.records(target);
    for (let k = 0; k < hits.length; k++) writer.addHit(hits.indices[k], ray.ray, hits.distances[k]);
    return writer.finish();
  }

  private writeContacts(workspace: Workspace, query: ContactQuery, target?: Records<T>): Records<T> {
    const { list } = workspace;
    const writer = this.questions.records(target);
    for (let k = 0; k < list.length; k++) writer.addContact(list.array[k], query);
    return writer.finish();
  }
}

function checkTarget(where: string, target: unknown): void {
  if (target !== undefined && !Array.isArray(target)) {
    throw new TypeError(`${where}: target must be an array, but is ${describe(target)}; leave it out for a fresh one.`);
  }
}

function checkList(where: string, list: IndexList): void {
  requireObject(where, 'list', list, 'pass an IndexList');
  if (!(list instanceof IndexList)) throw new TypeError(`${where}: list must be an IndexList, but is ${describe(list)}; make one with new IndexList().`);
}

function requireCount(where: string, count: unknown): void {
  if (typeof count !== 'number') throw new TypeError(`${where}: count must be a number, but is ${describe(count)}; pass how many bodies you want.`);
  if (Number.isInteger(count) && count >= 0) return;
  throw new RangeError(`${where}: count must be an integer from 0, but is ${count}; pass how many bodies you want, octree.size for all.`);
}
