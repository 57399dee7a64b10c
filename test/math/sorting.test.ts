import { describe, expect, it } from 'vitest';
import { RadixSorter } from '../../src/math/sorting.ts';
import { createRandom } from '../support/random.ts';

describe('RadixSorter', () => {
  const sorter = new RadixSorter();
  const random = createRandom(1);

  it.each([0, 1, 2, 63, 64, 65, 1000, 5000])(
    'sorts %d keys of any size, keeps the order of equal keys, and changes nothing outside the range',
    (count) => {
      for (const limit of [1, 2, 2 ** 11, 2 ** 11 + 1, 2 ** 22, 2 ** 22 + 1, 2 ** 32]) {
        const before = 3;
        const keys = Uint32Array.from({ length: count + 2 * before }, () => Math.floor(random.next() * limit));
        const values = Uint32Array.from(keys, (_, k) => k);
        const expected = [...values.subarray(before, before + count)].sort((a, b) => keys[a] - keys[b] || a - b);
        const margins = [...keys.subarray(0, before), ...keys.subarray(before + count)];
        const original = keys.slice();
        sorter.sort(keys, values, before, before + count);
        expect([...values.subarray(before, before + count)]).toEqual(expected);
        expect([...keys.subarray(before, before + count)]).toEqual(expected.map((k) => original[k]));
        expect([...keys.subarray(0, before), ...keys.subarray(before + count)]).toEqual(margins);
      }
    },
  );
});
