import { beforeAll, describe, expect, it } from 'vitest';
import { Balls, STIRRER_RADIUS } from '../../examples/src/contacts/balls.ts';
import { Comparison } from '../../examples/src/contacts/comparison.ts';
import { readSettings, type Settings } from '../../examples/src/contacts/settings.ts';
import { Table } from '../../examples/src/contacts/table.ts';
import { QueryReader } from '../../examples/src/shared/query-reader.ts';
import { validate } from '../../src/debug/index.ts';
import { finish } from './support/finish.ts';

const read = (query: string) => readSettings(new QueryReader(query, false));

/** Two balls side by side, the first one moving at 10 m/s towards the second. */
function twoBalls(): Balls {
  const balls = new Balls(2, 0, 1);
  balls.spheres.set([0, 0, 0, 1, 1.9, 0, 0, 1]);
  balls.velocities.set([10, 0, 0, 0]);
  return balls;
}

describe('Table', () => {
  const settings: Settings = { ...read('balls=600&stirrers=2'), replaced: 240 };
  const table = finish(Table.build(settings));
  const comparison = new Comparison();
  /**
   * Pairs that touch, by a count of those that began and ended; and steps in which this was not the number of tracked
   * pairs, or not the pairs from scratch.
   */
  const wrongSteps: number[] = [];
  const touching = new Set<string>();
  let maxMoving = 0;

  beforeAll(() => {
    for (let step = 1; step <= 180; step++) {
      table.step(settings);
      const { began, ended, count } = table.contacts;
      for (let k = 0; k < ended.length; k += 2) touching.delete(`${ended.array[k]} ${ended.array[k + 1]}`);
      for (let k = 0; k < began.length; k += 2) touching.add(`${began.array[k]} ${began.array[k + 1]}`);
      if (step % 10 === 0) comparison.compare(table, step);
      if (touching.size !== count || table.began - table.ended !== count || comparison.doAgree === false)
        wrongSteps.push(step);
      maxMoving = Math.max(maxMoving, table.moving);
    }
  });

  it('has in each step the pairs that began and have not ended, which are all pairs from scratch', () => {
    expect(wrongSteps).toEqual([]);
    expect(comparison.doAgree).toBe(true);
    expect(table.began).toBeGreaterThan(300);
    expect(table.ended).toBeGreaterThan(300);
  });

  it('keeps the number of bodies while some are replaced, and all balls on the table', () => {
    expect(table.replaced).toBe(720);
    expect(table.octree.size).toBe(602);
    expect(validate(table.octree)).toEqual([]);
    const { spheres, tableRadius } = table.balls;
    for (let ball = 0; ball < 602; ball++)
      expect(Math.hypot(spheres[ball * 4], spheres[ball * 4 + 2])).toBeLessThan(tableRadius + STIRRER_RADIUS);
  });

  it('moves only the balls that roll', () => {
    expect(maxMoving).toBeGreaterThan(20);
    expect(table.moving).toBeLessThan(602);
  });

  it('comes to rest without stirrers, and wakes up by a shove', () => {
    const calm: Settings = { ...read('balls=200&stirrers=0'), replaced: 0, friction: 3 };
    const still = finish(Table.build(calm));
    still.shove(0, 0);
    still.step(calm);
    const { moving } = still;
    expect(moving).toBeGreaterThan(20);
    for (let step = 0; step < 400; step++) still.step(calm);
    expect(still.moving).toBe(0);
  });

  it('is deterministic', () => {
    const [first, second] = [1, 2].map(() => {
      const again = finish(Table.build(settings));
      for (let step = 0; step < 60; step++) again.step(settings);
      return { spheres: again.balls.spheres, began: again.began, ended: again.ended };
    });
    expect(first.began).toBeGreaterThan(0);
    expect(first).toEqual(second);
  });
});

describe('Balls', () => {
  it('bounce once: they keep their momentum, and nine tenths of their approach', () => {
    const balls = twoBalls();
    balls.bounce(0, 1);
    const [a, , b] = balls.velocities;
    expect(a + b).toBeCloseTo(10, 9);
    expect(b - a).toBeCloseTo(9, 9);
    balls.bounce(0, 1);
    expect(balls.velocities[0]).toBe(a);
  });

  it('at the same place part, too', () => {
    const balls = twoBalls();
    balls.spheres.set([0, 0, 0], 4);
    balls.velocities.fill(0);
    balls.bounce(0, 1);
    expect(balls.velocities[2]).toBeGreaterThan(0);
    expect([...balls.velocities].every(Number.isFinite)).toBe(true);
  });

  it('bounce off a stirrer, which keeps its way, and off the rim', () => {
    const balls = new Balls(1, 1, 1);
    balls.spheres.set([0, 0, 0, 1, 6.5, 0, 0, STIRRER_RADIUS]);
    balls.velocities.set([10, 0, -2, 0]);
    balls.bounce(0, 1);
    expect(balls.velocities[2]).toBe(-2);
    expect(balls.velocities[0]).toBeLessThan(-2);
    balls.spheres[0] = balls.tableRadius;
    balls.velocities.set([10, 0]);
    balls.roll(0.001, 0);
    expect(balls.velocities[0]).toBeCloseTo(-10, 9);
  });
});

describe('the settings in the query string', () => {
  it('are clamped to their ranges, and invalid values keep the default', () => {
    expect(read('')).toEqual({ balls: 10_000, stirrers: 4, friction: 1.2, replaced: 60, pace: 1, isPaused: false });
    expect(read('balls=99999999&stirrers=2.4&friction=-1&replaced=x&pause=on')).toEqual({
      balls: 20_000,
      stirrers: 2,
      friction: 0,
      replaced: 60,
      pace: 1,
      isPaused: true,
    });
    expect(readSettings(new QueryReader('', true)).isPaused).toBe(true);
  });
});
