/** The bodies of the public class `Octree`: insertion, moves, removal, handles and ids. */

import { REMOVED_INDEX, requireId } from '../features/ids/body-ids.ts';
import { Body, readBoxOf, readSphereOf } from './bodies/body.ts';
import { readBulkInsert, readBulkMove, readIds, readMasks, requireIndex, requireIndices, resolveIds, withoutRemoved } from './bodies/bulk.ts';
import { describe } from './input/input-checks.ts';
import type { MathTypes } from './input/math-types.ts';
import { OctreeQueries } from './octree-queries.ts';
import { readBodyOptions, type BodyOptions } from './bodies/body-options.ts';
import { readIdOptions, type BulkOptions, type IdOptions } from './bodies/bulk-options.ts';
import { readBounds, type BoxLike, type SphereLike } from './input/shapes.ts';

export abstract class OctreeBodies<T, M extends MathTypes> extends OctreeQueries<T, M> {
  /** Bounds of the body being inserted. */
  private readonly bounds = new Float64Array(6);

  /** Registers the callbacks of a new body, if it has any. @internal */
  protected abstract registerCallbacks(body: Body<T, M>, options: BodyOptions<T, M>): void;

  /** Living bodies, pending ones included. */
  get size(): number {
    return this.store.size;
  }

  /**
   * Queues a body. Its bounds are copied, so the caller may reuse the object.
   *
   * @param bounds A Box3 or a Sphere, or anything shaped like them. Queries test a sphere as a sphere, not as its box.
   * @returns The handle of the body. If the body lies outside the region and `outside` is 'remove', its index is -1.
   * @throws {RangeError} If a number is not finite or beyond 2^50, a box is inverted, a radius is negative, or the body lies outside the region and
   * `outside` is 'throw'.
   * @throws {TypeError} If the bounds are shaped like neither.
   */
  insert(bounds: BoxLike | SphereLike, data: T, options: BodyOptions<T, M> = {}): Body<T, M> {
    const where = 'Octree.insert';
    const mask = readBodyOptions(where, options);
    const isSphere = readBounds(where, bounds, this.bounds);
    const body = this.store.insert(where, this.bounds, isSphere, data, mask, options.isStatic === true);
    if (body.index >= 0) this.registerCallbacks(body, options);
    return body;
  }

  /**
   * Queues many bodies at once. No handles are created; `bodyAt` creates them on demand.
   *
   * @param bounds According to `options.kind`, boxes of six numbers (min x y z, max x y z) or spheres of four (centre x y z, radius).
   * @returns The index of each body, in order, from 0 up in a new octree; 2^32 - 1 for one that lies outside the region if `outside` is 'remove'.
   * @throws As `insert`. A rejected batch changes nothing.
   */
  insertMany(bounds: Float32Array | Float64Array, options: BulkOptions<T>): Uint32Array {
    const where = 'Octree.insertMany';
    const batch = readBulkInsert(where, bounds, options);
    this.store.checkInside(where, bounds, batch.stride, batch.isSphere);
    return this.store.addMany(where, bounds, batch);
  }

  /**
   * Gives many bodies new bounds at once: boxes if there are six numbers per index, spheres if there are four. Three numbers per index are centres: each body,
   * box or sphere, keeps its kind and its size. A box becomes the centre plus and minus half of its size. The size is that of its last full bounds (`insert`,
   * `setBox`, or six numbers here), so rounding does not add up, however often the box moves. If an index is repeated, its last bounds count. A body that
   * leaves the region is removed if `outside` is 'remove'.
   *
   * Cost: at 100,000 bodies a call with centres takes 0.66 to 0.75 times as long as one with boxes, and 0.60 to 0.67 times as long as one with spheres; at 10,000
   * about as long. Where it does not run in WebAssembly it takes up to 1.6 times as long. It runs there with `outside: 'grow'` and at least `simdFrom` bodies and 64
   * moves, after two to three moves per body. Centres need 24 bytes more per body, and 56 where they run in WebAssembly. A call with ids takes about 1.7 times as
   * long as one with indices.
   *
   * @param indices With the option `ids` these are ids. Those of removed bodies are skipped, and so are their bounds.
   * @returns The number of elements that were applied: all but the ids of removed bodies.
   * @throws {RangeError} If an index is unknown, a number is not an id or out of range, or a body leaves the region and `outside` is 'throw'. A rejected
   * batch changes nothing.
   */
  moveMany(indices: ArrayLike<number>, bounds: Float32Array | Float64Array, options?: IdOptions): number {
    const where = 'Octree.moveMany';
    const { store } = this;
    const move = readIdOptions(where, options)
      ? withoutRemoved(readBulkMove(where, store, resolveIds(where, store, indices), bounds))
      : readBulkMove(where, store, indices, bounds);
    store.moveMany(where, move);
    return move.indices.length;
  }

  /**
   * Removes many bodies at once. A repeated index counts once.
   *
   * @param indices With the option `ids` these are ids. Those of removed bodies are skipped.
   * @returns The number of bodies removed.
   * @throws {RangeError} If an index is unknown, or a number is not an id. Then nothing is removed.
   */
  removeMany(indices: ArrayLike<number>, options?: IdOptions): number {
    const { store } = this;
    const living = this.readTargets('Octree.removeMany', indices, options);
    const before = store.size;
    for (let k = 0; k < living.length; k++) if (store.isAlive(living[k])) store.remove(living[k]);
    return before - store.size;
  }

  /**
   * Gives many bodies other categories, as `body.setMask` does. If an index is repeated, its last mask counts.
   *
   * @param indices With the option `ids` these are ids. Those of removed bodies are skipped.
   * @param mask One mask of 32 bits for all bodies, or one per index.
   * @throws {RangeError} If an index is unknown, a number is not an id, a mask is not an integer of 32 bits, or there is not one mask per index. Then
   * nothing changes.
   * @throws {TypeError} If a mask is not a number.
   */
  setMaskMany(indices: ArrayLike<number>, mask: number | ArrayLike<number>, options?: IdOptions): void {
    const where = 'Octree.setMaskMany';
    const targets = this.readTargets(where, indices, options);
    const masks = readMasks(where, 'mask', mask, targets.length);
    for (let k = 0; k < targets.length; k++) if (targets[k] !== REMOVED_INDEX) this.store.setMask(targets[k], typeof masks === 'number' ? masks : masks[k]);
  }

  /**
   * The id of a body: a number that names this body alone. Its index is used again after its removal, its id is not. Use ids for references
   * that live longer than a tick: network messages, saved games, maps of the application.
   *
   * An id holds the index and its generation, which counts how often the index was used: `index + generation * 2^32`, a safe integer from 2^32 up, so no
   * id is mistaken for an index. An index that was used 2^21 - 1 times is retired, so ids do not repeat; only `clear` takes such an index into use
   * again. Ids of bodies from before `clear` are stale. Cost: once ids are used, an array of four bytes per index.
   *
   * @param index Of a living body; or of a removed one in the lists of contacts and sensors.
   * @throws {RangeError} If the index is unknown.
   */
  idOf(index: number): number {
    this.store.requireUsed('Octree.idOf', 'index', index);
    return this.store.ids.idOf(index);
  }

  /**
   * The ids of many bodies, see `idOf`.
   *
   * @param target Filled from the beginning, and returned. Without it a new array is allocated.
   * @throws {RangeError} If an index is unknown, or the target is too short.
   * @throws {TypeError} If the target is not a Float64Array.
   */
  idsOf(indices: ArrayLike<number>, target?: Float64Array): Float64Array {
    return readIds('Octree.idsOf', this.store, indices, target);
  }

  /**
   * The index of the body with an id; -1 once it was removed.
   *
   * @throws {RangeError} If the number is not an id, for example an index.
   * @throws {TypeError} If it is not a number.
   */
  indexOf(id: number): number {
    requireId('Octree.indexOf', 'id', id);
    const index = this.store.ids.indexOf(id, this.store);
    return index === REMOVED_INDEX ? -1 : index;
  }

  /** The handle of a living body. @throws {RangeError} If the index is unknown. */
  bodyAt(index: number): Body<T, M> {
    requireIndex('Octree.bodyAt', this.store, index);
    return this.store.bodyAt(index);
  }

  /** The data of a living body; undefined for a body of `insertMany` without data. @throws {RangeError} If the index is unknown. */
  dataAt(index: number): T {
    requireIndex('Octree.dataAt', this.store, index);
    return this.store.dataAt(index);
  }

  /**
   * The box of a living body as last set, or the box around its sphere. Creates no handle.
   *
   * @param target Filled and returned. Without it a new box is allocated.
   * @throws {RangeError} If the index is unknown.
   * @throws {TypeError} If the target is not shaped like a box.
   */
  getBoxAt(index: number, target?: M['box']): M['box'] {
    requireIndex('Octree.getBoxAt', this.store, index);
    return readBoxOf('Octree.getBoxAt', this.store, index, target);
  }

  /** The sphere of a living body as last set, or the sphere around its box. Otherwise as `getBoxAt`. */
  getSphereAt(index: number, target?: M['sphere']): M['sphere'] {
    requireIndex('Octree.getSphereAt', this.store, index);
    return readSphereOf('Octree.getSphereAt', this.store, index, target);
  }

  /**
   * The living bodies, by ascending index: `for (const body of octree)`. Creates the handles of bodies that have none. Bodies may be inserted, moved and
   * removed meanwhile: a body is left out if it was removed before its turn.
   */
  *[Symbol.iterator](): Generator<Body<T, M>, void, undefined> {
    const { store } = this;
    for (let index = 0; index < store.indexCount; index++) if (store.isAlive(index)) yield store.bodyAt(index);
  }

  /**
   * Removes a body, as `body.remove()` does.
   *
   * @returns False if it was removed before.
   * @throws {TypeError} If the argument is not a Body.
   * @throws {RangeError} If the body belongs to another octree.
   */
  remove(body: Body<T, M>): boolean {
    if (!(body instanceof Body)) throw new TypeError(`Octree.remove: body must be a Body, but is ${describe(body)}; pass what insert returned, or use removeMany for an index.`);
    if (body.index >= 0 && !body.belongsTo(this.store)) throw new RangeError('Octree.remove: this body belongs to another octree; remove it there, or call body.remove().');
    return body.remove();
  }

  /** Whether the body of a handle is alive in this octree. */
  has(body: Body<T, M>): boolean {
    return body instanceof Body && body.belongsTo(this.store);
  }

  /** The indices of the bodies that are given by index or by id; REMOVED_INDEX for one that was removed, which only ids allow. */
  private readTargets(where: string, indices: ArrayLike<number>, options: IdOptions | undefined): ArrayLike<number> {
    if (readIdOptions(where, options)) return resolveIds(where, this.store, indices);
    requireIndices(where, this.store, indices);
    return indices;
  }
}
