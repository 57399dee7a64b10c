import { describe, expect, it } from 'vitest';
import {
  HALF_CITY,
  planBuildings,
  STREET_DISTANCE,
  streetAt,
  STREETS,
} from '../../examples/src/shared/city-blocks-plan.ts';
import { Comparison } from '../../examples/src/line-of-sight/comparison.ts';
import { readSettings, type Settings } from '../../examples/src/line-of-sight/settings.ts';
import { Sight } from '../../examples/src/line-of-sight/sight.ts';
import { Walkers } from '../../examples/src/shared/walkers.ts';
import { QueryReader } from '../../examples/src/shared/query-reader.ts';

const read = (query: string) => readSettings(new QueryReader(query, false));

/** Distance from the middle of the nearest street. */
const offStreet = (value: number): number =>
  Math.abs(value - streetAt(Math.round((value + HALF_CITY) / STREET_DISTANCE)));

/** Distance at which a ray in the plane enters a box, or Infinity. The ray starts outside. */
function entryOf(box: Float64Array, x: number, z: number, dx: number, dz: number): number {
  let [enter, leave] = [0, Infinity];
  for (const [from, along, min, max] of [
    [x, dx, box[0], box[3]],
    [z, dz, box[2], box[5]],
  ]) {
    if (along === 0 && (from < min || from > max)) return Infinity;
    if (along === 0) continue;
    const [first, second] = [(min - from) / along, (max - from) / along];
    enter = Math.max(enter, Math.min(first, second));
    leave = Math.min(leave, Math.max(first, second));
  }
  return enter <= leave ? enter : Infinity;
}

describe('the city', () => {
  it('has its buildings between the streets, so that no walker passes through one', () => {
    const boxes = planBuildings();
    expect(boxes.length / 6).toBeGreaterThan(400);
    const walkers = new Walkers(300, 5);
    for (let step = 0; step < 120; step++) {
      walkers.walk(0.5);
      for (let walker = 0; walker < walkers.count; walker++) {
        const [x, z] = walkers.places.subarray(walker * 2, walker * 2 + 2);
        expect(Math.max(Math.abs(x), Math.abs(z))).toBeLessThan(HALF_CITY + 10);
        // One of both coordinates is in a street.
        expect(Math.min(offStreet(x), offStreet(z))).toBeLessThan(6);
      }
    }
    expect(boxes.every((value, at) => at % 3 === 1 || Math.abs(value) < streetAt(STREETS - 1))).toBe(true);
  });
});

describe('Sight', () => {
  const settings: Settings = read('watchers=12&people=200&fan=24');
  const sight = new Sight(settings);

  it('has fans that end at the first building, and sees the people to whom no building is in the way', () => {
    const boxes = Array.from({ length: sight.buildings.length / 6 }, (_, k) =>
      sight.buildings.subarray(k * 6, k * 6 + 6),
    );
    for (let step = 0; step < 4; step++) {
      sight.step(2, settings);
      const { hits, rays, rayCount, watchers, fan } = sight;
      expect(rayCount).toBeGreaterThan(watchers.count * fan);
      for (let k = 0; k < rayCount; k++) {
        const [x, , z, dx, , dz, far] = rays.subarray(k * 7, k * 7 + 7);
        const length = Math.hypot(dx, dz);
        const expected = Math.min(...boxes.map((box) => entryOf(box, x, z, dx / length, dz / length)));
        if (expected <= far) expect(hits.distances[k]).toBeCloseTo(expected, 6);
        else expect(hits.indices[k]).toBe(-1);
      }
    }
    expect(sight.seen).toBeGreaterThan(0);
    expect(sight.seen).toBeLessThan(200);
  });

  it('has equal hits by one call and by single calls', () => {
    const comparison = new Comparison();
    comparison.begin(sight, 0);
    while (comparison.doAgree === null) comparison.advance(sight, 0);
    expect(comparison.doAgree).toBe(true);
    expect([comparison.batch.countAt(0), comparison.single.countAt(0)]).toEqual([1, 1]);
    const again = new Sight(settings);
    for (let step = 0; step < 4; step++) again.step(2, { ...settings, batch: false });
    expect([...again.isSeen]).toEqual([...sight.isSeen]);
  });
});

describe('the settings in the query string', () => {
  it('are clamped to their ranges, and invalid values keep the default', () => {
    expect(read('')).toEqual({ watchers: 150, people: 1500, fan: 72, range: 70, batch: true, isPaused: false });
    expect(read('watchers=1e9&people=-5&fan=x&range=33.4&batch=off&pause=on')).toEqual({
      watchers: 400,
      people: 0,
      fan: 72,
      range: 33,
      batch: false,
      isPaused: true,
    });
  });
});
