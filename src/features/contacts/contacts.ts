/** The public class `Contacts`, which `octree.trackContacts` returns. */

import type { IndexList } from '../../tree/storage/index-list.ts';
import type { Body } from '../../octree/bodies/body.ts';
import type { ChangeReaders } from '../../octree/change-readers.ts';
import type { ContactReader } from './contact-reader.ts';
import type { MathTypes, PlainMath } from '../../octree/input/math-types.ts';

/**
 * The overlapping pairs of bodies, kept from update to update. Each `octree.update` replaces the contents of the three lists; nothing else does, so
 * that they describe the moment of the last update. The lists belong to the octree: read them, do not change them.
 *
 * A list holds two indices a pair, the smaller one first. Pairs of two static bodies are left out. `began` and `stayed` together are the pairs that
 * `collectPairs` would report at that moment with the same options.
 *
 * A pair ends when its bodies part, and when one of them is removed. The index of a removed body is in no other use until the next update begins;
 * `bodyAt` returns its handle, whose `index` is -1.
 */
export class Contacts<T, M extends MathTypes = PlainMath> {
  private readonly reader: ContactReader;
  private readonly readers: ChangeReaders<T, M>;

  /** @internal */
  constructor(reader: ContactReader, readers: ChangeReaders<T, M>) {
    this.reader = reader;
    this.readers = readers;
    readers.add(reader);
  }

  /** Pairs that overlap now, but did not in the update before; by the smaller index, then the other. */
  get began(): IndexList {
    return this.reader.began;
  }

  /**
   * Pairs that overlap now and did in the update before. Order: new pairs are appended; when a pair ends, the last pair takes its place.
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
   * The body of an index in the lists. For a body that was removed it is a handle with `index` -1 and the body's data, until the next update begins.
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
