/** `prepareTriangles`: the trees of all geometries of a scene, built ahead. */

import { clock, nextTask } from '../math/clock.ts';
import { requireFunction, requireNotNegative, throwType } from '../octree/input/input-checks.ts';
import { requireOptions, type KnownOptions } from '../octree/input/known-options.ts';
import { IndexList } from '../tree/storage/index-list.ts';
import type { GeometryTriangles } from './geometry-triangles.ts';
import type { MeshVisitor, TriangleScene } from './triangle-scene.ts';
import type { MeshTreeWorker } from './triangle-tree.ts';
import { collectAll } from './triangle-walk.ts';

/** The options of work that is done in slices. */
export interface SliceOptions {
  /**
   * Longest time without a break, milliseconds, but for a single geometry, a pair of bodies, or the search for all
   * pairs of bodies. Default 4.
   */
  readonly budget?: number;
  /** Called with the part that is done, 0 to 1; at the end with 1. */
  readonly onProgress?: (part: number) => void;
  /** Ends the work: the promise is rejected with its reason. */
  readonly signal?: AbortSignal;
}

/** The options of `prepareTriangles`. Trees that are built before its `signal` ends the work are kept. */
export interface PrepareOptions extends SliceOptions {
  /**
   * Builds the trees of geometries that would take longer than the budget, one after the other. It gets a copy of
   * position and index, so that the scene stays drawable. Default: they are built in the calling thread.
   */
  readonly worker?: MeshTreeWorker;
}

export const SLICE_OPTIONS: KnownOptions = ['budget', 'onProgress', 'signal'];
/** Triangles whose tree is built in a millisecond, at least. Test: prepare.test. */
const TRIANGLES_PER_MS = 2000;

/**
 * Builds the trees of all geometries of a scene now, in slices, in place of a pause at the first query that reaches a
 * large one. While it runs, queries that reach a geometry without a tree test all its triangles. What is added later
 * gets its tree by the first query, or by another call.
 *
 * Cost: 0.2 to 0.4 us a triangle of each geometry, once.
 *
 * @param scene A scene with the class `MeshBVH`.
 * @param options See `PrepareOptions`.
 * @throws {TypeError} If an argument has a wrong type, or the scene has no `MeshBVH`.
 *
 * @example
 * ```ts
 * import { MeshBVH } from 'three-mesh-bvh';
 * import { prepareTriangles, TriangleScene } from 'scene-octree/triangles';
 *
 * const triangles = new TriangleScene(group, { MeshBVH });
 * await prepareTriangles(triangles, { onProgress: (part) => console.log(`${Math.round(100 * part)} %`) });
 * ```
 */
export async function prepareTriangles<T>(scene: TriangleScene<T>, options: PrepareOptions = {}): Promise<void> {
  const where = 'prepareTriangles';
  if (typeof (scene as TriangleScene | null)?.visitUnculled !== 'function')
    throwType(where, 'scene', 'be a TriangleScene', scene, 'create one over the container: new TriangleScene(group)');
  requireOptions(where, options, [...SLICE_OPTIONS, 'worker']);
  const { budget = 4, worker, onProgress, signal } = options;
  checkSlices(where, options);
  if (worker !== undefined && typeof worker?.generate !== 'function')
    throwType(where, 'options.worker', 'have the method generate', worker, 'pass new GenerateMeshBVHWorker()');
  const { treeClass } = scene;
  if (treeClass === null)
    throw new TypeError(
      `${where}: scene must have the option MeshBVH, to build trees with; pass new TriangleScene(group, { MeshBVH }).`,
    );
  const end = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { signal: end.signal });
  });
  // Without a worker nothing waits for it.
  aborted.catch(() => {});
  scene.preparations++;
  try {
    const waiting = trianglesWithoutTree(scene as never);
    if (waiting.length === 0) onProgress?.(1);
    let start = clock.now();
    for (const [k, triangles] of waiting.entries()) {
      signal?.throwIfAborted();
      if (worker !== undefined && triangles.count > budget * TRIANGLES_PER_MS) {
        await Promise.race([triangles.buildTreeIn(worker, treeClass), aborted]);
        start = clock.now();
      } else {
        if (clock.now() - start + triangles.count / TRIANGLES_PER_MS > budget) {
          await nextTask();
          start = clock.now();
        }
        triangles.refreshTree(treeClass);
      }
      onProgress?.((k + 1) / waiting.length);
    }
  } finally {
    end.abort();
    scene.preparations--;
  }
}

export function checkSlices(where: string, { budget, onProgress, signal }: SliceOptions): void {
  if (budget !== undefined) requireNotNegative(where, 'options.budget', budget, 'pass milliseconds');
  requireFunction(where, 'options.onProgress', onProgress);
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    throwType(where, 'options.signal', 'be an AbortSignal', signal, 'pass controller.signal');
  signal?.throwIfAborted();
}

/** The triangles of all meshes whose trees are to be built. */
function trianglesWithoutTree(scene: TriangleScene<never>): GeometryTriangles[] {
  const { octree } = scene;
  const list = new IndexList();
  const found = new Set<GeometryTriangles>();
  const visitor: MeshVisitor = (object, instanceId, geometry, material) => {
    const triangles = geometry && scene.trianglesOf({ object, instanceId, geometry, material });
    if (triangles?.wantsTree) found.add(triangles);
  };
  scene.visitUnculled(visitor);
  collectAll(octree, list);
  for (const index of list) scene.visitBody(octree, index, visitor);
  return [...found];
}
