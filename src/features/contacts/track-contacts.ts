/** `trackContacts`, its options and its result: the pairs of overlapping bodies, followed from update to update. */

import type { Body } from '../../octree/bodies/body.ts';
import { readMaskAndFilter, type KnownOptions } from '../../octree/input/known-options.ts';
import type { MathTypes, PlainMath } from '../../octree/input/math-types.ts';
import { internalsOf } from '../../octree/internals.ts';
import type { Octree } from '../../octree/octree.ts';
import { readOtherMask, readWithin, type PairOptions } from '../pairs/pairs.ts';
import { ContactReader } from './contact-reader.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import type { ChangeReaders } from '../../octree/change-readers.ts';

/** The options of `trackContacts`. */
export interface ContactOptions<T, M extends MathTypes = PlainMath> extends Pick<
  PairOptions<T, M>,
  'within' | 'otherMask'
> {
  /**
   * Both bodies of a pair must have one of these categories; with `otherMask`, one of the two bodies. Default all ones.
   */
  readonly mask?: number;
  /**
   * Both bodies of a pair must pass. Called by `update` when a pair begins to overlap; the result holds until the pair
   * ends. It may query and write; writes take effect after the update. If it throws, the pair is left out, and the
   * first error is thrown after the tick.
   */
  readonly filter?: (body: Body<T, M>) => boolean;
}

const CONTACT_OPTIONS: KnownOptions = /* @__PURE__ */ Object.keys({
  mask: true,
  filter: true,
  within: true,
  otherMask: true,
} satisfies Record<keyof ContactOptions<never>, true>);

/**
 * Keeps the pairs of bodies that touch, or are within `options.within` of each other, from update to update: after each
 * `update` the lists of the result tell which pairs began, stayed and ended. The first update after the call reports
 * all pairs as begun.
 *
 * Cost: grows with the number of bodies that move, not with the number of all bodies. Each call keeps pairs of its own.
 *
 * @throws {RangeError} If a mask is not an integer of 32 bits, or `within` is negative or NaN.
 * @throws {TypeError} If an option is of the wrong type.
 */
export function trackContacts<T, M extends MathTypes>(
  octree: Octree<T, M>,
  options: ContactOptions<T, M> = {},
): Contacts<T, M> {
  const where = 'trackContacts';
  const { readers } = internalsOf(where, octree);
  const categories = readMaskAndFilter(where, options, CONTACT_OPTIONS);
  const otherCategories = readOtherMask(where, options, categories);
  const tracked = { categories, otherCategories, distance: readWithin(where, options) };
  return new Contacts<T, M>(new ContactReader(tracked, options.filter), readers);
}

/**
 * The overlapping pairs of bodies, kept from update to update. Each `octree.update` replaces the contents of the three
 * lists; nothing else does, so that they describe the moment of the last update. The lists belong to the octree: read
 * them, do not change them.
 *
 * A list holds two indices a pair, the smaller one first, also with `otherMask`. Pairs of two static bodies are left
 * out. `began` and `stayed` together are the pairs that `collectPairs` would report at that moment with the same
 * options.
 *
 * A pair ends when its bodies part, and when one of them is removed. The index of a removed body is in no other use
 * until the next update begins; `bodyAt` returns its handle, whose `index` is -1.
 */
export class Contacts<T, M extends MathTypes = PlainMath> {
  private readonly reader: ContactReader;
  private readonly readers: ChangeReaders;

  /** @internal */
  constructor(reader: ContactReader, readers: ChangeReaders) {
    this.reader = reader;
    this.readers = readers;
    readers.add(reader);
  }

  /** Pairs that overlap now, but did not in the update before; by the smaller index, then the other. */
  get began(): IndexList {
    return this.reader.began;
  }

  /**
   * Pairs that overlap now and did in the update before. Order: new pairs are appended; when a pair ends, the last pair
   * takes its place.
   */
  get stayed(): IndexList {
    return this.reader.stayed;
  }

  /** Pairs that overlapped in the update before, but do not now; by the smaller index, then the other. */
  get ended(): IndexList {
    return this.reader.ended;
  }

  /** Number of pairs that overlap now: the pairs of `began` and of `stayed`. */
  get count(): number {
    return this.reader.count;
  }

  /** Whether `stop` was called. */
  get isStopped(): boolean {
    return this.reader.isStopped;
  }

  /**
   * The body of an index in the lists. For a body that was removed it is a handle with `index` -1 and the body's data,
   * until the next update begins.
   *
   * @throws {RangeError} If the index belongs to no body.
   */
  bodyAt(index: number): Body<T, M> {
    return this.reader.bodyAt(index) as Body<T, M>;
  }

  /** Ends the tracking: the lists are empty from now on. Does nothing if it was called before. */
  stop(): void {
    if (this.reader.isStopped) return;
    this.readers.remove(this.reader);
    this.reader.stop();
  }
}
