import { describe, expect, it } from 'vitest';
import { DrawSlots } from '../../../src/three/instances/draw-slots.ts';
import { createRandom } from '../../support/random.ts';

const LIMIT = 500;

function held({ idAt, count }: DrawSlots): number[] {
  return [...idAt.subarray(0, count)];
}

function assign(seats: DrawSlots, ids: readonly number[]): number[] {
  seats.assign(Uint32Array.from(ids), ids.length, LIMIT);
  return [...seats.changed.array.subarray(0, seats.changed.length)].filter((seat) => seat < seats.count).sort((a, b) => a - b);
}

describe('ViewSeats', () => {
  it('lets those that stay where they are, and gives those that enter the seats of those that leave', () => {
    const seats = new DrawSlots();
    expect(assign(seats, [1, 2, 3, 4])).toEqual([0, 1, 2, 3]);
    const before = held(seats);
    expect(assign(seats, [9, 4, 3, 1])).toEqual([before.indexOf(2)]);
    expect(held(seats)).toEqual(before.map((id) => (id === 2 ? 9 : id)));
    expect(assign(seats, [1, 3, 4, 9])).toEqual([]);
  });

  it('fills holes from the end, and appends what is left over', () => {
    const seats = new DrawSlots();
    assign(seats, [5, 6, 7, 8]);
    const [first, second, third, last] = held(seats);
    expect(assign(seats, [second, third, last])).toEqual([0]);
    expect(held(seats)).toEqual([last, second, third]);
    expect(assign(seats, [second, third, last, first])).toEqual([3]);
    expect(assign(seats, [])).toEqual([]);
    expect(assign(seats, [third])).toEqual([0]);
  });

  it('keeps an order where it is asked for one, and goes back to seats of any order', () => {
    const seats = new DrawSlots();
    assign(seats, [1, 2, 3]);
    for (const ids of [[3, 1, 2], [3, 1], [4, 3, 1, 2]]) {
      seats.assignInOrder(Uint32Array.from(ids), ids.length, LIMIT);
      expect(held(seats)).toEqual(ids);
    }
    expect(assign(seats, [1, 2, 3])).toEqual([0]);
  });

  it('does not take one that comes back after a long time for one that has stayed', () => {
    for (let absence = 250; absence < 260; absence++) {
      const seats = new DrawSlots();
      assign(seats, [2, 1]);
      for (let k = 0; k < absence; k++) assign(seats, [2]);
      assign(seats, [2, 1]);
      expect(held(seats)).toEqual([2, 1]);
    }
  });

  it('holds each id once and says what has changed, through more assignments than a byte counts', () => {
    const seats = new DrawSlots();
    const random = createRandom(1);
    let before: number[] = [];
    for (let step = 0; step < 900; step++) {
      const share = random.next();
      const drift = random.below(3) === 0 ? random.below(LIMIT) : 10;
      const ids = Array.from({ length: LIMIT }, (_, id) => id).filter((id) => (id * 7 + step * drift) % LIMIT < share * LIMIT);
      const changed = new Set(assign(seats, ids));
      const now = held(seats);
      expect([...now].sort((a, b) => a - b)).toEqual(ids);
      expect(now.filter((id, seat) => id !== before[seat] && !changed.has(seat))).toEqual([]);
      // No more is copied than must be: those that enter, and those that fill the holes of a smaller view.
      const entered = ids.filter((id) => !before.includes(id)).length;
      expect(changed.size).toBeLessThanOrEqual(entered + Math.max(0, before.length - now.length));
      before = now;
    }
  });
});
