/** A set of bodies as one bit for each index. */

import { withCapacity } from '../math/typed-arrays.ts';
import { isIntegerBetween, isObject, requireMemory, requireNumber, throwType } from '../octree/input/input-checks.ts';
import type { IndexSet } from '../octree/queries/query-options.ts';

/**
 * A set of bodies by their indices, such as the results of a search: as `filter` of a query it costs one test of a bit
 * for each body found, and creates no handles. Memory: one bit per index, up to the largest.
 *
 * It does not follow the octree: take the index of a removed body out, before another body gets it. For sets that live
 * long keep ids, see `idOf`.
 *
 * @example
 * ```ts
 * import { IndexList, Octree } from 'scene-octree';
 * import { BodySet } from 'scene-octree/save';
 *
 * const octree = new Octree();
 * octree.insertMany(new Float32Array([0, 0, 0, 1, 5, 0, 0, 1, 9, 0, 0, 1]), { kind: 'sphere' });
 * const found = new BodySet([0, 2]); // what a search box has found
 * const list = new IndexList();
 * octree.collectSphere({ center: { x: 4, y: 0, z: 0 }, radius: 100 }, list, { filter: found });
 * console.log([...list]); // prints: [ 0, 2 ]
 * ```
 */
export class BodySet implements IndexSet, Iterable<number> {
  /** @internal A bit for each index. */
  words: Uint32Array = new Uint32Array(0);
  private count = 0;

  /**
   * @param indices The first members: an array, an `IndexList`, another set. Default none.
   * @throws As `add`.
   */
  constructor(indices: Iterable<number> = []) {
    if (!isObject(indices) || typeof indices[Symbol.iterator] !== 'function')
      throwType('BodySet', 'indices', 'be iterable', indices, 'pass an array or an IndexList');
    if (ArrayBuffer.isView(indices)) requireMemory('BodySet', 'indices', indices);
    for (const index of indices) this.add(index);
  }

  /** Number of members. */
  get size(): number {
    return this.count;
  }

  /** Whether an index is a member. */
  has(index: number): boolean {
    // Beyond the end undefined counts as 0.
    return typeof index === 'number' && index >>> 0 === index && ((this.words[index >>> 5] >>> (index & 31)) & 1) === 1;
  }

  /**
   * Adds an index. Nothing changes if it is a member.
   *
   * @throws {RangeError} If it is not an integer from 0 to 2^30.
   * @throws {TypeError} If it is not a number.
   */
  add(index: number): this {
    const isFine = isIntegerBetween(index, 0, 2 ** 30);
    requireNumber('BodySet.add', 'index', 'be an integer from 0 to 2^30', index, isFine, 'pass body.index');
    const word = index >>> 5;
    if (word >= this.words.length) this.words = withCapacity(this.words, word + 1);
    if (!this.has(index)) this.count++;
    this.words[word] |= 1 << (index & 31);
    return this;
  }

  /** Takes an index out. Returns whether it was a member. */
  delete(index: number): boolean {
    if (!this.has(index)) return false;
    this.words[index >>> 5] &= ~(1 << (index & 31));
    this.count--;
    return true;
  }

  /** Takes all out. Keeps the memory. */
  clear(): void {
    this.words.fill(0);
    this.count = 0;
  }

  /** The members by ascending index. */
  *[Symbol.iterator](): Generator<number, void, undefined> {
    for (let word = 0; word < this.words.length; word++)
      for (let bits = this.words[word]; bits !== 0; bits &= bits - 1) yield 32 * word + 31 - Math.clz32(bits & -bits);
  }
}
