// Memory is missing for the n-th allocation of work in slices, in any step: batches that are built, changed and built
// again, boxes inside of occluders, members that a detector takes over. Each frame then draws what a plain group draws,
// and after the last step all is as in a twin without the error.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { validate } from '../../src/debug-three/index.ts';
import { clock } from '../../src/math/clock.ts';
import { MemoryFault, withFault } from '../support/allocation-faults.ts';
import { sampleOf } from '../support/sampled.ts';
import { SLICED_WORK, type SlicedWork } from '../support/sliced-work.ts';

/** Each look at the clock is later than any slice, so a slice is one step. */
beforeEach(() => {
  let now = 0;
  vi.spyOn(clock, 'now').mockImplementation(() => (now += 1000));
});
afterEach(() => void vi.restoreAllMocks());

/** Does the work, and fails at its n-th allocation; 0 for none. Returns all allocations. */
async function work(own: SlicedWork, n: number): Promise<number> {
  let count = 0;
  let checks = 0;
  for (let k = 0; k < own.frames; k++) {
    await Promise.resolve();
    own.changes[k]?.();
    const { allocations, error } = withFault(Math.max(0, n - count), () => own.frame());
    if (error !== undefined) expect(error).toBeInstanceOf(MemoryFault);
    else if ((n > 0 && count + allocations >= n && checks++ < 3) || k === own.frames - 1) own.check();
    count += allocations;
  }
  return count;
}

it.each(SLICED_WORK.map(([name, create], row) => ({ name, create, row })))(
  '$name: all is drawn after each step that fails, and at the end all is done',
  async ({ create, row }) => {
    await work(create(), 0);
    const twin = create();
    const allocations = await work(twin, 0);
    expect(allocations).toBeGreaterThan(5);
    for (const n of sampleOf(allocations, 40, row)) {
      const own = create();
      await work(own, n);
      expect(own.state(), `allocation ${n} of ${allocations}`).toBe(twin.state());
      expect(validate(own.group)).toEqual([]);
    }
  },
);
