import { describe, expect, it } from 'vitest';
import { runRound, warmUp } from '../../examples/src/benchmark/round-timing.ts';

describe('warmUp and runRound', () => {
  it('repeat short calls long enough for a coarse clock, in multiples of minCalls, and give the time of one', () => {
    const session = { operationsPerCall: 2, minCalls: 5, call: () => spin(0.05), check: () => null };
    const calls = warmUp(session);
    expect(calls % 5).toBe(0);
    expect(calls).toBeGreaterThanOrEqual(40);
    expect(runRound(session, calls)).toBeGreaterThan(0.024);
  });

  it('prepare each call, and limit the warm-up of calls that get faster and faster', () => {
    let [prepared, wait] = [0, 1000];
    const session = {
      operationsPerCall: 1,
      minCalls: 1,
      prepare: () => prepared++,
      call: () => spin((wait *= 0.85)),
      check: () => null,
    };
    expect(warmUp(session)).toBe(1);
    expect(prepared).toBeLessThan(5);
  });
});

function spin(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}
