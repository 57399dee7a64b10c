import { describe, expect, it } from 'vitest';
import { NOT_FOUND, PairTable } from '../../../src/features/tracking/pair-table.ts';
import { createRandom } from '../../support/random.ts';

/** Pairs with numbers of their own, as `CandidatePairs` keeps them. */
class Members {
  readonly pairs: (readonly [number, number])[] = [];

  member(pair: number, end: 0 | 1): number {
    return this.pairs[pair][end];
  }
}

describe('PairTable', () => {
  it('finds the pairs of a Map, while thousands come and go', () => {
    const random = createRandom(4);
    const members = new Members();
    const table = new PairTable(members);
    const map = new Map<string, number>();
    for (let step = 0; step < 6000; step++) {
      // Few members first, so that pairs are removed and added again; then many, so that the table grows.
      const range = step < 3000 ? 12 : 400;
      const a = Math.floor(random.between(0, range));
      const b = Math.floor(random.between(0, range));
      const pair = map.get(`${a} ${b}`);
      expect(table.find(a, b)).toBe(pair ?? NOT_FOUND);
      if (pair === undefined) {
        table.add(members.pairs.push([a, b]) - 1);
        map.set(`${a} ${b}`, members.pairs.length - 1);
      } else if (random.next() < 0.8) {
        table.remove(pair);
        map.delete(`${a} ${b}`);
      }
    }
    for (const [k, [a, b]] of members.pairs.entries()) {
      const pair = map.get(`${a} ${b}`);
      if (pair !== undefined) expect(table.find(a, b)).toBe(pair);
      else expect(table.find(a, b), `removed pair ${k}`).toBe(NOT_FOUND);
    }
  });

  it('keeps apart (a, b) and (b, a), and negative members', () => {
    const members = new Members();
    const table = new PairTable(members);
    for (const pair of [
      [1, 2],
      [2, 1],
      [0, 0],
      [-1, 0x7fffffff],
    ] as const)
      table.add(members.pairs.push(pair) - 1);
    expect([
      table.find(1, 2),
      table.find(2, 1),
      table.find(0, 0),
      table.find(-1, 0x7fffffff),
      table.find(0, 1),
    ]).toEqual([0, 1, 2, 3, NOT_FOUND]);
  });
});
