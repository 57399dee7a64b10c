import { describe, expect, it } from 'vitest';
import { roundUpLoosely32, roundDownLoosely32, roundDown32, roundUp32 } from '../../src/math/float32.ts';
import { createRandom } from '../support/random.ts';

const random = createRandom(5);
const VALUES = [
  0,
  -0,
  5e-324,
  -5e-324,
  2 ** -149,
  1e-45,
  1e-40,
  1,
  1 + 2 ** -24,
  2 ** 24 + 1,
  2 ** 50 + 1,
  0.1,
].flatMap((value) => [value, -value]);
for (let k = 0; k < 2000; k++) VALUES.push(random.between(-1, 1) * 10 ** random.between(-44, 15));

describe('rounding to Float32 in one direction', () => {
  it.each([
    { name: 'roundDown32', round: roundDown32, sign: -1, units: 2 },
    { name: 'roundUp32', round: roundUp32, sign: 1, units: 2 },
    { name: 'roundDownLoosely32', round: roundDownLoosely32, sign: -1, units: 3 },
    { name: 'roundUpLoosely32', round: roundUpLoosely32, sign: 1, units: 3 },
  ])(
    '$name returns a Float32 that is not beyond the value, and at most $units units in the last place away',
    ({ round, sign, units }) => {
      for (const value of VALUES) {
        const rounded = round(value);
        expect(Math.fround(rounded)).toBe(rounded);
        const error = (rounded - value) * sign;
        expect(error).toBeGreaterThanOrEqual(0);
        expect(error).toBeLessThanOrEqual(units * Math.max(2 ** -149, Math.abs(value) * 2 ** -23));
      }
    },
  );
});
