import { describe, expect, it } from 'vitest';
import { createRandom } from '../support/random.ts';

describe('createRandom', () => {
  it('gives the same numbers for the same seed', () => {
    const [a, b] = [createRandom(7), createRandom(7)];
    for (let i = 0; i < 100; i++) expect(a.next()).toBe(b.next());
    expect(createRandom(8).next()).not.toBe(createRandom(7).next());
  });

  it('fills the range evenly: each of 64 bins is within 10 % of its share', () => {
    const random = createRandom(1);
    const bins = new Uint32Array(64);
    for (let i = 0; i < 640_000; i++) bins[Math.floor(random.next() * 64)]++;
    for (const count of bins) expect(Math.abs(count - 10_000)).toBeLessThan(1_000);
  });

  it('draws successive numbers that are independent: pairs of them fill 256 cells evenly', () => {
    const random = createRandom(2);
    const cells = new Uint32Array(256);
    for (let i = 0; i < 256_000; i++) cells[random.below(16) * 16 + random.below(16)]++;
    for (const count of cells) expect(Math.abs(count - 1_000)).toBeLessThan(200);
  });

  it('stays within the given bounds', () => {
    const random = createRandom(3);
    for (let i = 0; i < 10_000; i++) {
      const value = random.between(-5, 11);
      expect(value >= -5 && value < 11).toBe(true);
      expect([0, 1, 2]).toContain(random.below(3));
    }
  });
});
