import { describe, expect, it } from 'vitest';
import { DrawSlots } from '../../src/instances/views/draw-slots.ts';
import { createRandom } from '../support/random.ts';

const LIMIT = 500;

function held({ idAt, count }: DrawSlots): number[] {
  return [...idAt.subarray(0, count)];
}

function assign(slots: DrawSlots, ids: readonly number[]): number[] {
  slots.assign(Uint32Array.from(ids), ids.length, LIMIT);
  return [...slots.changed.array.subarray(0, slots.changed.length)]
    .filter((slot) => slot < slots.count)
    .sort((a, b) => a - b);
}

describe('DrawSlots', () => {
  it('keeps the slots of ids that stay, and gives the slots of leaving ids to entering ones', () => {
    const slots = new DrawSlots();
    expect(assign(slots, [1, 2, 3, 4])).toEqual([0, 1, 2, 3]);
    const before = held(slots);
    expect(assign(slots, [9, 4, 3, 1])).toEqual([before.indexOf(2)]);
    expect(held(slots)).toEqual(before.map((id) => (id === 2 ? 9 : id)));
    expect(assign(slots, [1, 3, 4, 9])).toEqual([]);
  });

  it('fills holes from the end, and appends the remaining ids', () => {
    const slots = new DrawSlots();
    assign(slots, [5, 6, 7, 8]);
    const [first, second, third, last] = held(slots);
    expect(assign(slots, [second, third, last])).toEqual([0]);
    expect(held(slots)).toEqual([last, second, third]);
    expect(assign(slots, [second, third, last, first])).toEqual([3]);
    expect(assign(slots, [])).toEqual([]);
    expect(assign(slots, [third])).toEqual([0]);
  });

  it('keeps the order of an ordered assignment, and returns to any order afterwards', () => {
    const slots = new DrawSlots();
    assign(slots, [1, 2, 3]);
    for (const ids of [
      [3, 1, 2],
      [3, 1],
      [4, 3, 1, 2],
    ]) {
      slots.assignInOrder(Uint32Array.from(ids), ids.length, LIMIT);
      expect(held(slots)).toEqual(ids);
    }
    expect(assign(slots, [1, 2, 3])).toEqual([0]);
  });

  it('gives a new slot to an id that returns, however many assignments later', () => {
    for (let absence = 250; absence < 260; absence++) {
      const slots = new DrawSlots();
      assign(slots, [2, 1]);
      for (let k = 0; k < absence; k++) assign(slots, [2]);
      assign(slots, [2, 1]);
      expect(held(slots)).toEqual([2, 1]);
    }
  });

  it('holds each id once and lists the changed slots, over more assignments than a byte can count', () => {
    const slots = new DrawSlots();
    const random = createRandom(1);
    let before: number[] = [];
    for (let step = 0; step < 900; step++) {
      const share = random.next();
      const shift = random.below(3) === 0 ? random.below(LIMIT) : 10;
      const ids = Array.from({ length: LIMIT }, (_, id) => id).filter(
        (id) => (id * 7 + step * shift) % LIMIT < share * LIMIT,
      );
      const changed = new Set(assign(slots, ids));
      const now = held(slots);
      expect([...now].sort((a, b) => a - b)).toEqual(ids);
      expect(now.filter((id, slot) => id !== before[slot] && !changed.has(slot))).toEqual([]);
      // Only entering ids change a slot, and ids that fill the holes of a smaller view.
      const entered = ids.filter((id) => !before.includes(id)).length;
      expect(changed.size).toBeLessThanOrEqual(entered + Math.max(0, before.length - now.length));
      before = now;
    }
  });
});
