/**
 * Candidate pairs that are kept from tick to tick. The pairs of each end are linked, so that the cost of a change is
 * linear in the number of its pairs. A pair has two ends, one on side 0 and one on side 1. In contacts both are bodies,
 * and share their lists; in sensors the end on side 0 is a sensor, that on side 1 a body, and each side has lists of
 * its own.
 *
 * A pair is a record of eight numbers, half a cache line: both ends, two links of each list, and two numbers for the
 * user of this class. The link of a side is 2 * pair + side, so the other side has the link `link ^ 1`. Stored links
 * are one greater, and 0 means none.
 */

import { RadixSorter } from '../../math/sorting.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import { IndexList } from '../../tree/storage/index-list.ts';

/** log2 of the numbers of a record. */
const RECORD_SHIFT = 3;
/**
 * Offsets in a record, for side 0; side 1 follows. The ends are at offset 0. The links lead to the next and to the
 * previous pair of the same end.
 */
const NEXT = 2;
const PREVIOUS = 4;
const STATE = 6;
const TAG = 7;

const INITIAL_CAPACITY = 64;
export const NO_LINK = -1;
/** Stored instead of the next link of a pair that is in no list. */
const UNLINKED = -1;
/** Initial tag of a pair. */
export const NO_TAG = -1;

export class CandidatePairs {
  /** By side, then by end: the first link plus one. */
  private readonly heads: [Int32Array, Int32Array];
  private readonly sharesLists: boolean;
  private records = new Int32Array(INITIAL_CAPACITY << RECORD_SHIFT);
  /** Number of records handed out so far, free ones included: every pair is a smaller number. */
  recordCount = 0;
  /** First free record plus one. The first number of a free record leads to the next. */
  private free = 0;
  private readonly dropped = new IndexList(0);

  /**
   * @param sharesLists Whether the ends of both sides are of one kind: an end then has one list, for its pairs at
   *   both sides.
   */
  constructor(sharesLists: boolean) {
    this.sharesLists = sharesLists;
    this.heads = [new Int32Array(0), new Int32Array(0)];
  }

  /**
   * Makes room for the ends 0 to `ends - 1` on a side. Other ends have no pairs; do not pass them to the
   * methods.
   */
  reserve(side: 0 | 1, ends: number): void {
    const { heads } = this;
    if (ends <= heads[side].length) return;
    heads[side] = withCapacity(heads[side], ends);
    if (this.sharesLists) heads[1 - side] = heads[side];
  }

  /** The first link of an end, or NO_LINK. */
  firstLink(side: 0 | 1, end: number): number {
    return this.heads[side][end] - 1;
  }

  /** The link to the next pair of the same end, or NO_LINK. */
  nextLink(link: number): number {
    return this.records[at(link) + NEXT] - 1;
  }

  /** The end on the other side of a link's pair. */
  other(link: number): number {
    return this.records[at(link ^ 1)];
  }

  end(pair: number, side: 0 | 1): number {
    return this.records[(pair << RECORD_SHIFT) + side];
  }

  /** Whether a record is in use, and its pair is in the lists of its ends. */
  isLinked(record: number): boolean {
    return this.records[(record << RECORD_SHIFT) + NEXT] !== UNLINKED;
  }

  /** For the user of this class. */
  state(pair: number): number {
    return this.records[(pair << RECORD_SHIFT) + STATE];
  }

  setState(pair: number, state: number): void {
    this.records[(pair << RECORD_SHIFT) + STATE] = state;
  }

  /** For the user of this class; NO_TAG at first. */
  tag(pair: number): number {
    return this.records[(pair << RECORD_SHIFT) + TAG];
  }

  setTag(pair: number, tag: number): void {
    this.records[(pair << RECORD_SHIFT) + TAG] = tag;
  }

  /** Adds a pair that does not exist yet. Returns its number. */
  add(a: number, b: number, state: number): number {
    const pair = this.take();
    const from = pair << RECORD_SHIFT;
    this.records[from + STATE] = state;
    this.records[from + TAG] = NO_TAG;
    this.prepend(0, a, 2 * pair);
    this.prepend(1, b, 2 * pair + 1);
    return pair;
  }

  /** Makes a pair the first one of an end. */
  bringToFront(link: number): void {
    this.detach(link);
    this.prepend(link & 1, this.records[at(link)], link);
  }

  /**
   * Drops a pair: it is not a candidate any more. With `keepsRecord` its record stays readable until `releaseDropped`.
   */
  drop(pair: number, keepsRecord: boolean): void {
    this.detach(2 * pair);
    this.detach(2 * pair + 1);
    this.records[(pair << RECORD_SHIFT) + NEXT] = UNLINKED;
    if (keepsRecord) this.dropped.push(pair);
    else this.release(pair);
  }

  /** Frees the records of dropped pairs, after they were read. */
  releaseDropped(): void {
    const { dropped } = this;
    for (let k = 0; k < dropped.length; k++) this.release(dropped.array[k]);
    dropped.length = 0;
  }

  /** Frees the record of an unlinked pair. */
  private release(pair: number): void {
    this.records[pair << RECORD_SHIFT] = this.free;
    this.free = pair + 1;
  }

  private take(): number {
    const pair = this.free - 1;
    if (pair >= 0) {
      this.free = this.records[pair << RECORD_SHIFT];
      return pair;
    }
    const length = (this.recordCount + 1) << RECORD_SHIFT;
    if (length > this.records.length) this.records = withCapacity(this.records, length);
    return this.recordCount++;
  }

  private prepend(side: number, end: number, link: number): void {
    const { records } = this;
    const heads = this.heads[side];
    const from = at(link);
    const next = heads[end];
    records[from] = end;
    records[from + NEXT] = next;
    records[from + PREVIOUS] = 0;
    if (next !== 0) records[at(next - 1) + PREVIOUS] = link + 1;
    heads[end] = link + 1;
  }

  private detach(link: number): void {
    const { records } = this;
    const heads = this.heads[link & 1];
    const from = at(link);
    const end = records[from];
    const next = records[from + NEXT];
    const previous = records[from + PREVIOUS];
    if (previous === 0) heads[end] = next;
    else records[at(previous - 1) + NEXT] = next;
    if (next !== 0) records[at(next - 1) + PREVIOUS] = previous;
  }
}

/** Offset of a link's side in the records. */
function at(link: number): number {
  return ((link >> 1) << RECORD_SHIFT) + (link & 1);
}

/** Sorts pairs by their first end, then the second. Keeps its working memory for the next call. */
export class PairSorter {
  private keys = new Uint32Array(0);
  private readonly sorter = new RadixSorter();

  /** Sorts a list of candidate pairs. */
  sort(pairs: CandidatePairs, { array, length }: IndexList): void {
    if (length < 2) return;
    this.keys = withCapacity(this.keys, length);
    const { keys, sorter } = this;
    // The sort is stable, so that sorting by the second end first gives the order of both.
    for (let k = 0; k < length; k++) keys[k] = pairs.end(array[k], 1);
    sorter.sort(keys, array, 0, length);
    for (let k = 0; k < length; k++) keys[k] = pairs.end(array[k], 0);
    sorter.sort(keys, array, 0, length);
  }
}
