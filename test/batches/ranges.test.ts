// The ranges of the index buffer that a pass draws, against a plain loop over all slots.

import { describe, expect, it } from 'vitest';
import { GapBridging, rangesOf, SlotMarks, takeRuns } from '../../src/batches/ranges.ts';
import { createRandom, type Random } from '../support/random.ts';

const MIN_BRIDGED = 6000;
const BRIDGED_SHARE = 0.1;

interface Case {
  readonly starts: Uint32Array;
  readonly isMarked: readonly boolean[];
  readonly isBlocked: readonly boolean[];
}

function randomCase(random: Random): Case {
  const slots = 1 + random.below(random.pick([3, 32, 33, 64, 100, 700]));
  const largest = random.pick([1, 12, 300, 5000]);
  const starts = new Uint32Array(slots + 1);
  for (let slot = 0; slot < slots; slot++) starts[slot + 1] = starts[slot] + 3 * (1 + random.below(largest));
  const density = random.pick([0, 0.02, 0.3, 0.7, 0.98, 1]);
  const isMarked = Array.from({ length: slots }, () => random.next() < density);
  const share = random.pick([0, 0, 0.05, 0.5]);
  return { starts, isMarked, isBlocked: isMarked.map((marked) => !marked && random.next() < share) };
}

function marksOf(flags: readonly boolean[]): SlotMarks {
  const marks = new SlotMarks();
  marks.resize(flags.length);
  flags.forEach((flag, slot) => flag && marks.set(slot));
  return marks;
}

const none = (slots: number): SlotMarks => marksOf(Array.from({ length: slots }, () => false));

/** The indices of runs of marked slots, without any bridge. */
function plainRanges({ starts, isMarked }: Case): number[] {
  const ranges: number[] = [];
  isMarked.forEach((marked, slot) => {
    if (!marked) return;
    if (ranges.at(-1) === starts[slot]) ranges[ranges.length - 1] = starts[slot + 1];
    else ranges.push(starts[slot], starts[slot + 1]);
  });
  return ranges;
}

/** The ranges of several chunks in one pass. */
function findAll(chunks: readonly Case[]): number[][] {
  const bridging = new GapBridging();
  const runs = chunks.map(({ isMarked, starts }) => {
    const found: number[] = [];
    takeRuns(marksOf(isMarked), none(isMarked.length), isMarked.length, found);
    bridging.add(found, starts);
    return found;
  });
  bridging.choose();
  return chunks.map(({ isBlocked, starts }, k) =>
    runs[k].length === 0 ? [] : rangesOf(runs[k], starts, bridging, marksOf(isBlocked)),
  );
}

function find(one: Case): number[] {
  return findAll([one])[0];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const lengthOf = (ranges: readonly number[]): number =>
  ranges.reduce((sum, number, k) => sum + (k % 2 === 0 ? -number : number), 0);

describe('ranges', () => {
  it('covers all marked slots and no blocked one, within the budget of bridged indices, in no more ranges than runs', () => {
    const random = createRandom(1);
    let bridged = 0;
    for (let k = 0; k < 3000; k++) {
      const one = randomCase(random);
      const plain = plainRanges(one);
      const ranges = find(one);
      const isCovered = (slot: number): boolean =>
        ranges.some((start, at) => at % 2 === 0 && start <= one.starts[slot] && one.starts[slot + 1] <= ranges[at + 1]);
      one.isMarked.forEach((marked, slot) => {
        if (marked !== isCovered(slot) && (marked || one.isBlocked[slot])) expect([k, slot, ranges]).toBeNull();
      });
      for (let at = 1; at < ranges.length; at++) if (ranges[at] <= ranges[at - 1]) expect([k, ranges]).toBeNull();
      const needed = lengthOf(plain);
      expect(lengthOf(ranges)).toBeLessThanOrEqual(needed + Math.max(BRIDGED_SHARE * needed, MIN_BRIDGED));
      expect(ranges.length).toBeLessThanOrEqual(plain.length);
      if (ranges.length < plain.length) bridged++;
    }
    expect(bridged).toBeGreaterThan(500);
  });

  it.each([
    [
      [59_994, 3, 3, 5997, 3],
      [0, 66_000],
    ],
    [
      [59_994, 6, 3, 5997, 3],
      [0, 60_003, 66_000, 66_003],
    ],
    [
      [59_994, 5997, 3, 6, 3],
      [0, 59_994, 65_991, 66_003],
    ],
    [
      [59_994, 5994, 3, 6, 3],
      [0, 66_000],
    ],
  ])('bridges the smallest gaps first: marked slots and gaps by turns of %j indices', (sizes, ranges) => {
    // The budget is 6,000 indices.
    const starts = Uint32Array.from([0, ...sizes], (_, k) => sizes.slice(0, k).reduce((a, b) => a + b, 0));
    const isMarked = sizes.map((_, k) => k % 2 === 0);
    expect(find({ starts, isMarked, isBlocked: isMarked.map(() => false) })).toEqual(ranges);
  });

  it('bridges no gap over a blocked slot, however small', () => {
    const starts = Uint32Array.from([0, 3, 6, 9]);
    const isMarked = [true, false, true];
    expect(find({ starts, isMarked, isBlocked: [false, false, false] })).toEqual([0, 9]);
    expect(find({ starts, isMarked, isBlocked: [false, true, false] })).toEqual([0, 3, 6, 9]);
  });

  it('share one budget among the chunks of a pass: the smallest gaps of all come first', () => {
    const random = createRandom(3);
    for (let k = 0; k < 500; k++) {
      const chunks = Array.from({ length: 3 }, () => randomCase(random)).map((one) => ({
        ...one,
        isBlocked: one.isBlocked.map(() => false),
      }));
      const together = findAll(chunks);
      const plain = chunks.map(plainRanges);
      const budgets = plain.map((ranges) =>
        ranges.length === 0 ? 0 : Math.max(BRIDGED_SHARE * lengthOf(ranges), MIN_BRIDGED),
      );
      const added = together.map((ranges, at) => lengthOf(ranges) - lengthOf(plain[at]));
      expect(sum(added)).toBeLessThanOrEqual(sum(budgets));
      const count = (lists: number[][]): number => sum(lists.map(({ length }) => length));
      // Sizes count as equal up to a factor of 2, so a few more ranges are possible.
      expect(count(together)).toBeLessThanOrEqual(1.1 * count(chunks.map(find)) + 4);
    }
  });

  it('clear the marks, and are none without any', () => {
    const marks = marksOf([true, true, false, true]);
    const runs: number[] = [];
    takeRuns(marks, none(4), 4, runs);
    expect(runs).toEqual([0, 2, 3, 4]);
    takeRuns(marks, none(4), 4, runs);
    expect(runs).toEqual([]);
  });
});

describe('runs over erased slots', () => {
  it('begin and end at marked slots, and have nothing but marked and erased ones between', () => {
    const random = createRandom(3);
    for (let k = 0; k < 2000; k++) {
      const slots = 1 + random.below(random.pick([4, 33, 64, 200]));
      const [density, share] = [random.pick([0.02, 0.3, 0.9]), random.pick([0.1, 0.5, 1])];
      const isMarked = Array.from({ length: slots }, () => random.next() < density);
      const isErased = isMarked.map((marked) => !marked && random.next() < share);
      const letters = isMarked.map((marked, slot) => (marked ? 'm' : isErased[slot] ? 'e' : '-')).join('');
      const expected = Array.from(letters.matchAll(/m([me]*m)?/g), ({ index, 0: { length } }) => [
        index,
        index + length,
      ]);
      const runs: number[] = [];
      const marks = marksOf(isMarked);
      takeRuns(marks, marksOf(isErased), slots, runs);
      expect(runs).toEqual(expected.flat());
      expect(marks.firstIn(0, slots)).toBe(slots);
    }
  });
});

describe('SlotMarks', () => {
  it('mark all slots from one to another', () => {
    for (let start = 0; start < 100; start++) {
      for (let end = start + 1; end <= 100; end++) {
        const marks = marksOf(Array.from({ length: 100 }, (_, slot) => slot === 50));
        marks.setAll(start, end);
        const runs: number[] = [];
        takeRuns(marks, none(100), 100, runs);
        const isTouched = start <= 51 && end >= 50;
        const apart = start > 51 ? [50, 51, start, end] : [start, end, 50, 51];
        expect(runs).toEqual(isTouched ? [Math.min(start, 50), Math.max(end, 51)] : apart);
      }
    }
  });

  it('agree with an array of flags', () => {
    const random = createRandom(2);
    const flags = Array.from({ length: 200 }, () => false);
    const marks = marksOf(flags);
    for (let k = 0; k < 2000; k++) {
      const slot = random.below(200);
      flags[slot] = random.below(2) === 0;
      if (flags[slot]) marks.set(slot);
      else marks.clear(slot);
      const [start, end] = [random.below(200), random.below(201)];
      expect(marks.has(start)).toBe(flags[start]);
      const found = flags.slice(start, Math.max(start, end)).indexOf(true);
      expect(marks.firstIn(start, end)).toBe(found < 0 ? end : start + found);
    }
  });
});
