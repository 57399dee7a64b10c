// Lists of values that are compared with those of the last time.

import { expect, it } from 'vitest';
import { Values } from '../../../src/three/detector/values.ts';

const take = (values: Values, list: readonly unknown[], isUnknown?: boolean): boolean =>
  values.take((each) => {
    each.push(...list);
    return isUnknown;
  });

const fail = (): never => {
  throw new Error('read');
};

it('tells whether a value, their number, or whether they show all changes differs from the last time', () => {
  const values = new Values();
  expect(take(values, [1, NaN, null])).toBe(true);
  expect(take(values, [1, NaN, null])).toBe(false);
  expect(take(values, [1, 0, null])).toBe(true);
  expect(take(values, [1, -0, null])).toBe(true);
  expect(take(values, [1, -0])).toBe(true);
  expect(take(values, [1, -0], true)).toBe(true);
  expect([take(values, [1, -0], true), values.isUnknown]).toEqual([false, true]);
  expect([take(values, [1, -0]), values.isUnknown]).toEqual([true, false]);
  expect(take(values, [])).toBe(true);
  expect(take(values, [])).toBe(false);
});

it('counts an error of what reads them as a change', () => {
  const values = new Values();
  take(values, [1, 2]);
  expect(() =>
    values.take((each) => {
      each.push(3);
      fail();
    }),
  ).toThrow('read');
  expect(take(values, [3, 2])).toBe(true);
  expect(take(values, [3, 2])).toBe(false);
});
