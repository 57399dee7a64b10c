/**
 * An octree that can be read: the queries of octree-queries.ts, and the bodies, the tree and its statistics. `Octree`
 * adds the writes. The octrees of containers have none, so that containers do not carry the code that checks them.
 */

import { isBody, readBoxOf, readSphereOf, type Body } from './bodies/body.ts';
import { requireIndex } from './bodies/bulk.ts';
import { resolveOptions, type OctreeOptions } from './bodies/octree-options.ts';
import type { MathFactory, MathTypes } from './input/math-types.ts';
import type { Region } from './input/shapes.ts';
import { OctreeQueries } from './octree-queries.ts';
import { statisticsOf, type OctreeStatistics } from './statistics.ts';
import { createAccelerator } from '../wasm/accelerator.ts';

export abstract class ReadableOctree<T, M extends MathTypes> extends OctreeQueries<T, M> {
  /** @param keeper See `ResolvedOptions.keeper`. */
  constructor(options: OctreeOptions, math: MathFactory<M>, keeper: string | null = null) {
    super(resolveOptions(options, keeper), math, createAccelerator);
  }

  /** Living bodies, pending ones included. */
  get size(): number {
    return this.internals.store.size;
  }

  /** Whether the body of a handle is alive in this octree. */
  has(body: Body<T, M>): boolean {
    return isBody(body) && body.belongsTo(this.internals.store);
  }

  /** The handle of a living body. @throws {RangeError} If the index is unknown. */
  bodyAt(index: number): Body<T, M> {
    requireIndex('Octree.bodyAt', this.internals.store, index);
    return this.internals.store.bodyAt(index) as Body<T, M>;
  }

  /**
   * The data of a living body; undefined for a body of `insertMany` without data.
   *
   * @throws {RangeError} If the index is unknown.
   */
  dataAt(index: number): T {
    requireIndex('Octree.dataAt', this.internals.store, index);
    return this.internals.store.dataAt(index) as T;
  }

  /**
   * The box of a living body as last set, or the box around its sphere. Creates no handle.
   *
   * @param target Filled and returned. Without it a new box is allocated.
   * @throws {RangeError} If the index is unknown.
   * @throws {TypeError} If the target is not shaped like a box.
   */
  getBoxAt(index: number, target?: M['box']): M['box'] {
    requireIndex('Octree.getBoxAt', this.internals.store, index);
    return readBoxOf('Octree.getBoxAt', this.internals.store, index, target);
  }

  /** The sphere of a living body as last set, or the sphere around its box. Otherwise as `getBoxAt`. */
  getSphereAt(index: number, target?: M['sphere']): M['sphere'] {
    requireIndex('Octree.getSphereAt', this.internals.store, index);
    return readSphereOf('Octree.getSphereAt', this.internals.store, index, target);
  }

  /**
   * The living bodies, by ascending index: `for (const body of octree)`. Creates the handles of bodies that have none.
   * Bodies may be inserted, moved and removed meanwhile: a body is left out if it was removed before its turn. `clear`
   * ends the loop.
   */
  *[Symbol.iterator](): Generator<Body<T, M>, void, undefined> {
    const { store } = this.internals;
    for (let index = 0; store === this.internals.store && index < store.indexCount; index++)
      if (store.isAlive(index)) yield store.bodyAt(index) as Body<T, M>;
  }

  /** The root's cell; null until the `region` option or a first batch has set it. */
  get region(): Region | null {
    const { region } = this.internals.store;
    return region === null ? null : { min: { x: region.minX, y: region.minY, z: region.minZ }, edge: region.edge };
  }

  /** The state of the tree, and counts since the start. Does not apply the queue. */
  get statistics(): OctreeStatistics {
    return statisticsOf(this.internals.store);
  }
}
