/** What a camera may see: the bodies in its frustum that no occluder hides. */

import { isBetween, isIntegerBetween, requireBoolean, requireNumber } from '../../octree/input/input-checks.ts';
import type { KnownOptions } from '../../octree/input/known-options.ts';
import type { MathTypes, PlainMath } from '../../octree/input/math-types.ts';
import { internalsOf, type OctreeInternals } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import type { IntersectionRecord } from '../../octree/queries/record-writer.ts';
import { FRUSTUM } from '../../octree/queries/query-kinds.ts';
import { readQueryOptions, type QueryOptions, type QueryStats } from '../../octree/queries/query-options.ts';
import type { QueryKind, QueryRunner } from '../../octree/queries/query-runner.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { Occluders } from './occluders.ts';
import type { ViewLike } from './camera-projection.ts';
import { OcclusionQuery } from './occlusion-query.ts';

/** The cost of `collectVisible` or `intersectVisible`. All fields are overwritten. */
export interface VisibleStats extends QueryStats {
  /** Whether the query was switched off, and has found all bodies in the frustum. The fields below are 0 then. */
  isPaused?: boolean;
  /** Nodes tested against the depth buffer. */
  nodesTested?: number;
  /** Nodes that were hidden, with all that is in and below them. */
  nodesHidden?: number;
  /** Bodies that were hidden, without those in hidden nodes. */
  bodiesHidden?: number;
  /** Occluders among the visible bodies. */
  occludersTested?: number;
  /** Occluders drawn into the depth buffer: large enough, and not cut by the near plane. */
  occludersRasterised?: number;
}

/** The options of `collectVisible` and `intersectVisible`. */
export interface VisibleOptions<T, M extends MathTypes = PlainMath> extends Omit<
  QueryOptions<T, M>,
  'candidates' | 'stats'
> {
  /** As for `collectFrustum`: drops large bodies beside a corner of the frustum. Default false. */
  readonly exact?: boolean;
  /**
   * Cells in a row of the depth buffer, 16 to 2048, rounded up to a multiple of 8. More cells find more, and cost more.
   * By default the buffer has 208,000 cells in all: 608 x 342 for a screen of 16 : 9.
   */
  readonly bufferWidth?: number;
  /**
   * Occluders whose rectangle on the screen is smaller than this part of the screen hide nothing. 0 to 1. Default
   * 0.0005.
   */
  readonly minOccluderArea?: number;
  /**
   * Switches occlusion culling off for some frames, 64 at first and 256 at most, while it removes less than this share
   * of the bodies in the frustum, or takes too long for many bodies. 0 never switches it off, 1 always. Default 0.6.
   */
  readonly minRemoved?: number;
  /** Filled with the cost of the query. */
  readonly stats?: VisibleStats;
}

/** The options of the walk, which OcclusionCulling has, too. */
export type WalkOptions = Pick<VisibleOptions<never>, 'bufferWidth' | 'minOccluderArea' | 'minRemoved'>;

const VISIBLE_OPTIONS: KnownOptions<VisibleOptions<never>> = [
  'mask',
  'filter',
  'except',
  'stats',
  'exact',
  'bufferWidth',
  'minOccluderArea',
  'minRemoved',
];

/** Default of `minOccluderArea`. Test: occlusion.test. */
export const DEFAULT_AREA = 0.0005;
/** Default of `minRemoved`. Test: occlusion.test. */
const DEFAULT_REMOVED = 0.6;
/** Share of hidden nodes, as a part of `minRemoved`, below which the walk is given up early. */
const NODES_PART = 0.25;
/** The first pause, in frames. Test: occlusion.test. */
const MIN_PAUSE = 64;
/** The longest pause, in frames. Test: occlusion.test. */
const MAX_PAUSE = 256;
/** Frames after which the bodies in the frustum are counted again. */
const COUNT_INTERVAL = 32;

/** What is kept for a view from frame to frame. */
class ViewHistory {
  /** Bodies in the frustum when they were counted last, and frames since. */
  inFrustum = 0;
  age = COUNT_INTERVAL;
  /** Frames for which the view stays switched off, and for how many it will be the next time. */
  rest = 0;
  pause = MIN_PAUSE;
}

/** What an octree keeps for its views. */
class ViewHistories {
  readonly occluders: Occluders;
  private readonly histories = new WeakMap<object, ViewHistory>();

  constructor(internals: OctreeInternals) {
    this.occluders = internals.stateOf(Occluders);
  }

  historyOf(view: object): ViewHistory {
    let history = this.histories.get(view);
    if (history === undefined) this.histories.set(view, (history = new ViewHistory()));
    return history;
  }
}

/** The query of one call. */
class VisibleQuery extends OcclusionQuery {
  history = new ViewHistory();
  minRemoved = DEFAULT_REMOVED;
}

const VISIBLE: QueryKind<ViewLike, VisibleOptions<never, never>, ViewHistories> = {
  read(workspace, view, options, state) {
    const { where, frustumQuery } = workspace;
    const query = workspace.queryOf(VisibleQuery);
    query.projection.read(where, view, frustumQuery.planes);
    const categories = readQueryOptions(workspace, options, VISIBLE_OPTIONS);
    readVisibleOptions(workspace, query, options ?? {});
    query.occluders = state.occluders;
    query.history = state.historyOf(view);
    return categories;
  },
  run(runner, workspace, out) {
    const query = workspace.queryOf(VisibleQuery);
    const list = runner.listFor(workspace, out);
    const isPaused = !collectUnhidden(runner, workspace, query, list);
    if (isPaused) {
      query.walk.resetCosts();
      countInFrustum(runner, workspace, query.history, list);
    }
    const { stats } = workspace;
    if (stats !== undefined) Object.assign(stats, query.walk.costs, { isPaused });
    return runner.finishList(workspace, list, out);
  },
  write: (writer, workspace, k) => FRUSTUM.write(writer, workspace, k, NO_FRUSTUM),
};
/** Records of a frustum query do not read its argument. */
const NO_FRUSTUM = { planes: [] };

/**
 * Fills `out` with the bodies that are not hidden. Returns false if the query is switched off for this frame: then
 * `out` has to be filled by a frustum query.
 */
function collectUnhidden(runner: QueryRunner, workspace: Workspace, query: VisibleQuery, out: IndexList): boolean {
  const { history, minRemoved } = query;
  if (!query.occluders.isUsed) return false;
  if (history.rest > 0 && minRemoved > 0) {
    history.rest--;
    return false;
  }
  let limit = Infinity;
  if (minRemoved > 0) {
    if (history.age >= COUNT_INTERVAL) countInFrustum(runner, workspace, history, out);
    limit = history.inFrustum * (1 - minRemoved);
  }
  query.minHiddenShare = NODES_PART * minRemoved;
  const isComplete = query.collect(runner.store, workspace.frustumQuery, runner.searchOf(workspace), limit, out);
  history.age++;
  if (isComplete) history.pause = MIN_PAUSE;
  else if (history.age > 1) {
    // The count was of another frame. This one counts again, and the next one decides.
  } else {
    history.rest = history.pause;
    history.pause = Math.min(2 * history.pause, MAX_PAUSE);
  }
  return isComplete;
}

/** Fills `out` with the bodies in the frustum, and keeps their number. */
function countInFrustum(runner: QueryRunner, workspace: Workspace, history: ViewHistory, out: IndexList): void {
  history.inFrustum = runner.collectRange(workspace, workspace.frustumQuery, out);
  history.age = 0;
}

function readVisibleOptions(
  { where, frustumQuery }: Workspace,
  query: VisibleQuery,
  options: VisibleOptions<never, never>,
): void {
  const { exact } = options;
  frustumQuery.isExact = requireBoolean(where, 'options.exact', exact);
  frustumQuery.sizeLimit.minSize = 0;
  const { bufferWidth = 0, minOccluderArea, minRemoved } = readWalkOptions(where, options);
  query.bufferWidth = bufferWidth;
  query.minArea = minOccluderArea;
  query.minRemoved = minRemoved;
}

/** Reads each option of the walk once, and checks it. */
export function readWalkOptions(
  where: string,
  { bufferWidth, minOccluderArea = DEFAULT_AREA, minRemoved = DEFAULT_REMOVED }: WalkOptions,
): { bufferWidth: number | undefined; minOccluderArea: number; minRemoved: number } {
  const remedy = 'leave it out for';
  if (bufferWidth !== undefined) {
    const isFine = isIntegerBetween(bufferWidth, 16, 2048);
    requireNumber(
      where,
      'options.bufferWidth',
      'be an integer from 16 to 2048',
      bufferWidth,
      isFine,
      `${remedy} 608 at 16 : 9`,
    );
  }
  for (const [name, share, byDefault] of [
    ['minOccluderArea', minOccluderArea, DEFAULT_AREA],
    ['minRemoved', minRemoved, DEFAULT_REMOVED],
  ] as const)
    requireNumber(where, `options.${name}`, 'lie from 0 to 1', share, isBetween(share, 0, 1), `${remedy} ${byDefault}`);
  return { bufferWidth, minOccluderArea, minRemoved };
}

/**
 * The bodies that a perspective camera may see: those in its frustum that no occluder hides, which
 * `setOccluder` has named. Writes their indices to `list`; returns how many. A body of which a pixel could be seen is
 * never left out, whatever the resolution; some that are hidden are kept. Occluders that the mask, the filter or
 * `except` leaves out hide nothing: they are not drawn.
 *
 * Use it for what a camera draws, not for shadow maps, reflections or picking: there, what the camera does not see
 * counts too. An occluder must be drawn by the same camera in the same frame, before or after what it hides, and
 * clipping planes must not cut it.
 *
 * The order is that of the walk, roughly from near to far. Without occluders, and while it has switched itself off (see
 * `minRemoved`), it is `collectFrustum` in its order. Whether it is switched off is kept for each `view` object, so
 * pass the same camera in each frame. The filter may be called more than once for a body.
 *
 * Cost: 2 to 24 times that of `collectFrustum`, 0.2 to 0.9 ms in two cities of 400,000 buildings; the table is in the
 * guide *Culling a big scene*. It pays where drawing a body costs more than a microsecond. Views of which it removes
 * 80 % or more stay on. From 150 m it removes 27 to 46 %, so it switches itself off in nine of ten views, which then
 * cost 1.6 to 1.9, trials included.
 *
 * @param octree The octree whose bodies are asked.
 * @param view A perspective camera with matrices that are up to date.
 * @param list Emptied and filled with indices. Keep it from call to call.
 * @param options See `VisibleOptions`.
 * @throws {RangeError} If the projection is orthographic, or a matrix has a number that is not finite.
 * @throws {TypeError} If the view has no matrices.
 *
 * @example
 * ```ts
 * import { collectVisible, IndexList, Octree } from 'scene-octree';
 * import { PerspectiveCamera } from 'three';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 0, y: 0, z: -20 }, radius: 1 }, 'tree');
 * const camera = new PerspectiveCamera(60, 16 / 9, 0.1, 1000);
 * camera.updateMatrixWorld();
 * const visible = new IndexList();
 * const count = collectVisible(octree, camera, visible);
 * for (let k = 0; k < count; k++) console.log(octree.dataAt(visible.array[k])); // prints: tree
 * ```
 */
export function collectVisible<T, M extends MathTypes>(
  octree: Octree<T, M>,
  view: ViewLike,
  list: IndexList,
  options?: VisibleOptions<T, M>,
): number {
  const internals = internalsOf('collectVisible', octree);
  return internals.runner.indices('collectVisible', VISIBLE, view, list, options, internals.stateOf(ViewHistories));
}

/**
 * The bodies that a perspective camera may see, without those that occluders hide, as records like those of
 * `intersectFrustum`. The bodies are those of `collectVisible`.
 *
 * @param octree The octree whose bodies are asked.
 * @param view A perspective camera with matrices that are up to date.
 * @param options See `VisibleOptions`.
 * @param target An array whose records are written to and returned. Default: a new one.
 *
 * @example
 * ```ts
 * import { intersectVisible, Octree } from 'scene-octree';
 * import { PerspectiveCamera } from 'three';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 0, y: 0, z: -20 }, radius: 1 }, 'tree');
 * const camera = new PerspectiveCamera(60, 16 / 9, 0.1, 1000);
 * camera.updateMatrixWorld();
 * console.log(intersectVisible(octree, camera).map(({ body }) => body.data)); // prints: [ 'tree' ]
 * ```
 */
export function intersectVisible<T, M extends MathTypes>(
  octree: Octree<T, M>,
  view: ViewLike,
  options?: VisibleOptions<T, M>,
  target?: IntersectionRecord<T, M>[],
): IntersectionRecord<T, M>[] {
  const internals = internalsOf('intersectVisible', octree);
  return internals.runner.records('intersectVisible', VISIBLE, view, options, target, internals.stateOf(ViewHistories));
}
