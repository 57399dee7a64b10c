import { expect, it } from 'vitest';
import { BitSet } from '../../src/instances/store/bit-set.ts';

it('lists integers once and in ascending order, then is empty and can be used again', () => {
  const set = new BitSet();
  for (const [limit, values] of [
    [100, [99, 0, 31, 32, 63, 64, 31, 0]],
    [1, [0]],
    [1000, [999, 512]],
    [64, []],
  ] as const) {
    set.reserve(limit);
    for (const value of values) set.add(value);
    const target = new Uint32Array(values.length);
    const count = set.drain(target, limit);
    expect([...target.subarray(0, count)]).toEqual([...new Set(values)].sort((a, b) => a - b));
  }
});
