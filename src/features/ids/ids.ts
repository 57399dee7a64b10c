/**
 * Ids as functions of an octree: the ids of bodies, the bodies of ids, and bulk calls by id, which skip removed bodies.
 */

import { readBulkMove, readIndices, readBulkMasks, readNumbers } from '../../octree/bodies/bulk.ts';
import { requireMemory, throwType } from '../../octree/input/input-checks.ts';
import type { MathTypes } from '../../octree/input/math-types.ts';
import { internalsOf, type OctreeInternals } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import { BulkMove } from '../../tree/update/move.ts';
import { BodyIds, REMOVED_INDEX, requireId } from './body-ids.ts';
import { requireUsed } from '../tracking/reported-bodies.ts';

/** The ids of an octree. From the first call on, they count how often each index is used. */
export function idsIn(internals: OctreeInternals): BodyIds {
  const ids = internals.stateOf(BodyIds);
  internals.store.indexOwner = ids;
  return ids;
}

/**
 * The id of a body: a number that names this body alone. Its index is used again after its removal, its id is not. Use
 * ids for references that live longer than a tick: network messages, maps of the application. An id counts for this
 * octree object only: in a saved game keep a key of your own in the data of the body.
 *
 * An id holds the index and its generation, which counts how often the index was used: `index + generation * 2^32`, a
 * safe integer from 2^32 up, so no id is mistaken for an index. An index that was used 2^21 - 1 times is retired, so
 * ids do not repeat; only `clear` takes such an index into use again. Ids of bodies from before `clear` are stale.
 * Cost: once ids are used, an array of four bytes per index.
 *
 * @param octree The octree of the body.
 * @param index Of a living body; or of a removed one in the lists of contacts and sensors.
 * @throws {RangeError} If the index is unknown.
 *
 * @example
 * ```ts
 * import { idOf, indexOfId, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * const tank = octree.insert({ center: { x: 0, y: 0, z: 0 }, radius: 1 }, 'tank');
 * const target = idOf(octree, tank.index); // sent to clients
 * tank.remove();
 * octree.insert({ center: { x: 9, y: 0, z: 0 }, radius: 1 }, 'tree'); // may get the index of the tank
 * console.log(indexOfId(octree, target)); // prints: -1
 * ```
 */
export function idOf<T, M extends MathTypes>(octree: Octree<T, M>, index: number): number {
  const internals = internalsOf('idOf', octree);
  requireUsed('idOf', 'index', internals.store, index);
  return idsIn(internals).idOf(index);
}

/**
 * The ids of many bodies, see `idOf`.
 *
 * @param octree The octree of the bodies.
 * @param indices Of living bodies; or of removed ones in the lists of contacts and sensors.
 * @param target Filled from the beginning, and returned. Without it a new array is allocated.
 * @throws {RangeError} If an index is unknown, or the target is too short.
 * @throws {TypeError} If the target is not a Float64Array.
 *
 * @example
 * ```ts
 * import { idsOf, indexOfId, Octree } from 'scene-octree';
 *
 * const octree = new Octree();
 * const indices = octree.insertMany(new Float32Array([0, 0, 0, 1, 9, 0, 0, 1]), { kind: 'sphere' });
 * const ids = idsOf(octree, indices);
 * console.log(ids.length, indexOfId(octree, ids[1]) === indices[1]); // prints: 2 true
 * ```
 */
export function idsOf<T, M extends MathTypes>(
  octree: Octree<T, M>,
  indices: ArrayLike<number>,
  target?: Float64Array,
): Float64Array {
  const where = 'idsOf';
  const internals = internalsOf(where, octree);
  const integers = readIndices(where, indices);
  const { length } = integers;
  const ids = target ?? new Float64Array(length);
  if (!(ids instanceof Float64Array))
    throwType(where, 'target', 'be a Float64Array', target, 'leave it out for a fresh one');
  requireMemory(where, 'target', ids);
  if (ids.length < length)
    throw new RangeError(
      `${where}: target must have room for ${length} ids, but has ${ids.length} elements; use a longer one.`,
    );
  for (let k = 0; k < length; k++) requireUsed(where, `indices[${k}]`, internals.store, integers[k]);
  const source = idsIn(internals);
  for (let k = 0; k < length; k++) ids[k] = source.idOf(integers[k]);
  return ids;
}

/**
 * The index of the body with an id; -1 once it was removed.
 *
 * @param octree The octree that has given the id.
 * @param id What `idOf` or `idsOf` has returned.
 * @throws {RangeError} If the number is not an id, for example an index.
 * @throws {TypeError} If it is not a number.
 *
 * @example
 * ```ts
 * import { idOf, indexOfId, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * const { index } = octree.insert({ center: { x: 0, y: 0, z: 0 }, radius: 1 }, 'tank');
 * const id = idOf(octree, index);
 * console.log(octree.dataAt(indexOfId(octree, id))); // prints: tank
 * ```
 */
export function indexOfId<T, M extends MathTypes>(octree: Octree<T, M>, id: number): number {
  const internals = internalsOf('indexOfId', octree);
  requireId('indexOfId', 'id', id);
  const index = idsIn(internals).indexOf(id, internals.store);
  return index === REMOVED_INDEX ? -1 : index;
}

/**
 * Moves many bodies, named by their ids: to boxes, spheres or centres, as `octree.moveMany`. Removed bodies are
 * skipped, and so are their bounds. Returns the number of moves that were applied.
 *
 * Cost: about 1.7 times that of `octree.moveMany`.
 *
 * @param octree The octree that has given the ids.
 * @param ids What `idsOf` has returned.
 * @param bounds Six numbers for each id (boxes), four (spheres) or three (centres), as for `octree.moveMany`.
 * @throws {RangeError} If a number is not an id, or for the reasons of `octree.moveMany`. Then nothing changes.
 *
 * @example
 * ```ts
 * import { idsOf, moveManyById, Octree } from 'scene-octree';
 *
 * const octree = new Octree();
 * const ids = idsOf(octree, octree.insertMany(new Float32Array([0, 0, 0, 1, 9, 0, 0, 1]), { kind: 'sphere' }));
 * octree.bodyAt(1).remove(); // a player has left; the list of the sender does not know it yet
 * console.log(moveManyById(octree, ids, new Float32Array([1, 0, 0, 8, 0, 0]))); // prints: 1
 * ```
 */
export function moveManyById<T, M extends MathTypes>(
  octree: Octree<T, M>,
  ids: ArrayLike<number>,
  bounds: Float32Array | Float64Array,
): number {
  const where = 'moveManyById';
  const internals = internalsOf(where, octree);
  const indices = resolveIds(where, internals, readIds(where, ids));
  const store = internals.storeToWrite(where);
  const move = withoutRemoved(readBulkMove(where, store, indices, bounds));
  store.moveMany(where, move);
  return move.indices.length;
}

/**
 * Gives many bodies, named by their ids, other categories, as `octree.setMaskMany`. Removed bodies are skipped, and so
 * are their masks.
 *
 * @param octree The octree that has given the ids.
 * @param ids What `idsOf` has returned.
 * @param mask One mask for all, or one for each id: integers of 32 bits.
 * @throws {RangeError} If a number is not an id, or for the reasons of `octree.setMaskMany`. Then nothing changes.
 *
 * @example
 * ```ts
 * import { idsOf, Octree, setMaskManyById } from 'scene-octree';
 *
 * const RED = 1;
 * const BLUE = 2;
 * const octree = new Octree();
 * const ids = idsOf(octree, octree.insertMany(new Float32Array([0, 0, 0, 1, 9, 0, 0, 1]), { kind: 'sphere' }));
 * setMaskManyById(octree, ids, new Int32Array([RED, BLUE]));
 * console.log(octree.intersectPoint({ x: 9, y: 0, z: 0 }, { mask: BLUE }).length); // prints: 1
 * ```
 */
export function setMaskManyById<T, M extends MathTypes>(
  octree: Octree<T, M>,
  ids: ArrayLike<number>,
  mask: number | ArrayLike<number>,
): void {
  const where = 'setMaskManyById';
  const internals = internalsOf(where, octree);
  const numbers = readIds(where, ids);
  const masks = readBulkMasks(where, 'mask', mask, numbers.length);
  internals.storeToWrite(where).setMaskMany(resolveIds(where, internals, numbers), masks);
}

/**
 * Removes many bodies, named by their ids. Bodies that were removed before are skipped. Returns the number of bodies
 * removed.
 *
 * @param octree The octree that has given the ids.
 * @param ids What `idsOf` has returned.
 * @throws {RangeError} If a number is not an id. Then nothing is removed.
 *
 * @example
 * ```ts
 * import { idsOf, Octree, removeManyById } from 'scene-octree';
 *
 * const octree = new Octree();
 * const ids = idsOf(octree, octree.insertMany(new Float32Array([0, 0, 0, 1, 9, 0, 0, 1]), { kind: 'sphere' }));
 * console.log(removeManyById(octree, ids), octree.size); // prints: 2 0
 * console.log(removeManyById(octree, ids)); // prints: 0
 * ```
 */
export function removeManyById<T, M extends MathTypes>(octree: Octree<T, M>, ids: ArrayLike<number>): number {
  const where = 'removeManyById';
  const internals = internalsOf(where, octree);
  const indices = resolveIds(where, internals, readIds(where, ids));
  return internals.storeToWrite(where).removeMany(indices);
}

function readIds(where: string, ids: ArrayLike<number>): Float64Array {
  return readNumbers(where, 'ids', ids, Float64Array, requireId);
}

/** The indices of the bodies with some ids; REMOVED_INDEX for a body that was removed. */
function resolveIds(where: string, internals: OctreeInternals, ids: Float64Array): Uint32Array {
  const source = idsIn(internals);
  const { length } = ids;
  const indices = new Uint32Array(length);
  for (let k = 0; k < length; k++) {
    indices[k] = source.indexOf(ids[k], internals.store);
    // The id of a living body is valid, so only others need the check.
    if (indices[k] === REMOVED_INDEX) requireId(where, `ids[${k}]`, ids[k]);
  }
  return indices;
}

/** A call of `moveMany` without the bodies that were removed, whose indices are REMOVED_INDEX. */
function withoutRemoved(move: BulkMove): BulkMove {
  const { indices, bounds, stride, check } = move;
  if (!indices.includes(REMOVED_INDEX)) return move;
  const positions = Uint32Array.from(indices.keys()).filter((k) => indices[k] !== REMOVED_INDEX);
  const kept = bounds.slice(0, positions.length * stride);
  for (let k = 0; k < kept.length; k++) kept[k] = bounds[positions[Math.floor(k / stride)] * stride + (k % stride)];
  // Error sentences name the places in the arrays of the caller.
  return new BulkMove(
    positions.map((k) => indices[k]),
    kept,
    stride,
    (k) => check?.(positions[k]),
  );
}
