import { describe, expect, it } from 'vitest';
import { Comparison } from '../../examples/src/sensors/comparison.ts';
import { readSettings, type Settings } from '../../examples/src/sensors/settings.ts';
import { BANDS, TownWatch } from '../../examples/src/sensors/town-watch.ts';
import { QueryReader } from '../../examples/src/shared/query-reader.ts';
import { finish } from './support/finish.ts';

const read = (query: string) => readSettings(new QueryReader(query, false));
const settings: Settings = read('people=1200&zone=8&walking=100&streets=off');

describe('TownWatch', () => {
  it('has in each step the people of each zone and band that queries find', () => {
    const town = finish(TownWatch.build(settings));
    const comparison = finish(Comparison.build(town));
    // All who are in a zone at the start count as entered.
    const inside = new Set(
      town.sensors.flatMap((sensor, zone) =>
        Array.from(sensor.inside.array.subarray(0, sensor.inside.length), (index) => `${zone} ${index}`),
      ),
    );
    expect(town.entered).toBe(inside.size);
    expect(inside.size).toBeGreaterThan(100);
    let wrong = 0;
    for (let step = 0; step < 150; step++) {
      town.step(true);
      comparison.step(town, step);
      if (comparison.doAgree !== true) wrong++;
      for (const [zone, { entered, left }] of town.sensors.entries()) {
        for (let k = 0; k < left.length; k++) if (!inside.delete(`${zone} ${left.array[k]}`)) wrong++;
        for (let k = 0; k < entered.length; k++) inside.add(`${zone} ${entered.array[k]}`);
      }
      if (step % 25 !== 0) continue;
      for (const [zone, box] of town.zones.entries()) {
        const found = town.octree
          .intersectBox(box)
          .map(({ body }) => body.index)
          .sort((a, b) => a - b);
        const { array, length } = town.sensors[zone].inside;
        if (length !== found.length || found.some((index, k) => index !== array[k])) wrong++;
      }
      expect(inside.size).toBe(town.sensors.reduce((sum, sensor) => sum + sensor.inside.length, 0));
    }
    expect(wrong).toBe(0);
    expect(town.entered).toBeGreaterThan(100);
    expect(town.left).toBeGreaterThan(50);
    expect(town.changed).toBeGreaterThan(20);
    expect(town.inBand.reduce((sum, count) => sum + count, 0)).toBe(1200);
    expect([...town.bandOf].filter((band) => band === 0).length).toBe(town.inBand[0]);
  });

  it('moves the player along its path, to where it is sent, and not at all without a path', () => {
    const town = finish(TownWatch.build(settings));
    town.step(false);
    expect(town.player).toEqual({ x: 0, z: 0 });
    town.send(30, -10);
    for (let step = 0; step < 60; step++) town.step(false);
    expect(town.player.x).toBeCloseTo(30, 9);
    expect(town.player.z).toBeCloseTo(-10, 9);
    town.step(true);
    town.step(true);
    expect(town.player.x).not.toBeCloseTo(30, 3);
    expect(town.inBand[0]).toBe(
      town.octree.intersectSphere({ center: { x: town.player.x, y: 1, z: town.player.z }, radius: BANDS[0] }).length,
    );
  });
});

describe('zones and people', () => {
  it('stand at crossings and along streets; only some of the people walk', () => {
    const town = finish(TownWatch.build(read('people=1000&walking=10')));
    const crossings = finish(TownWatch.build(settings));
    expect([crossings.zones.length, town.zones.length]).toEqual([13 * 13, 13 * 13 + 7 * 2 * 13 * 12]);
    const before = town.spheres.slice();
    town.step(false);
    const moved = Array.from({ length: 1000 }, (_, person) => person).filter((person) =>
      before.subarray(person * 4, person * 4 + 3).some((value, k) => value !== town.spheres[person * 4 + k]),
    );
    expect(moved).toEqual(Array.from({ length: 100 }, (_, person) => person));
  });
});

describe('Comparison', () => {
  it('agrees with many people in each zone', () => {
    const town = finish(TownWatch.build({ ...settings, people: 12_000, zone: 16, walking: 50, streets: true }));
    const comparison = finish(Comparison.build(town));
    town.step(true);
    comparison.step(town, 0);
    expect(town.sensors.some(({ inside }) => inside.length > 64)).toBe(true);
    expect(comparison.doAgree).toBe(true);
  });
});

describe('the settings in the query string', () => {
  it('are clamped to their ranges, and invalid values keep the default', () => {
    expect(read('')).toEqual({ people: 5000, walking: 5, streets: true, zone: 2, patrol: true, isPaused: false });
    expect(read('people=1e9&zone=-1&walking=200&streets=off&patrol=off&pause=on')).toEqual({
      people: 20_000,
      walking: 100,
      streets: false,
      zone: 2,
      patrol: false,
      isPaused: true,
    });
  });
});
