import { Vector3, type Box3 } from 'three';
import { describe, expect, it, vi } from 'vitest';
import type { Sensor, SensorShape } from '../../../src/index.ts';
import { IndexList, Octree, watch } from '../../../src/index.ts';
import { octreeOf } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { boxOf, cube, sphereOf } from '../../support/shapes.ts';
import { SensorSet } from '../../../src/features/sensors/sensor-set.ts';
import { indicesOf } from '../../support/lists.ts';

function shapeAt([x, y, z]: number[], size: number, k: number): SensorShape {
  return k % 2 === 0 ? sphereOf([x, y, z, size]) : boxOf(cube(x, y, z, size));
}

describe('many sensors about the same bodies', () => {
  it('find a body that leaves the boundaries near it, and reaches another one', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0, 0)]);
    const sensors = [9, 8.99, 8.98, 8.97, 11.2].map((radius) => watch(octree, sphereOf([0, 0, 0, radius])));
    // The first step is long: the fat bounds contain the next ones, so that no step but the first reviews the sensors.
    const inside = [0, 10, 10.6, 11.3].map((x) => {
      bodies[0].setBox(boxOf(cube(x, 0, 0, 0)));
      octree.update();
      return sensors.map((sensor) => sensor.inside.length).join('');
    });
    expect(inside).toEqual(['11111', '00001', '00001', '00000']);
  });

  // Where most bodies move, all pairs are read. Where few move, their pairs are looked up.
  it.each([
    ['most', 100, 500, (i: number): boolean => i % 5 > 0],
    ['few', 700, 200, (i: number, tick: number): boolean => i % 13 === Math.floor(tick / 50) % 13],
  ] as const)(
    'equal queries, while %s bodies move a little and then far, and sensors stop and begin',
    (which, ticks, minEvents, moves) => {
      const random = createRandom(5);
      const octree = new Octree<number>();
      const place = (): number[] => [0, 1, 2].map(() => random.between(-10, 10));
      const bodies = Array.from({ length: 40 }, (_, i) =>
        octree.insert(
          i % 2 === 0 ? sphereOf([...place(), 0.25]) : boxOf(cube(...(place() as [number, number, number]), 0.25)),
          i,
        ),
      );
      const steps = bodies.map(() => [0, 1, 2].map(() => random.between(-0.05, 0.05)));
      const watchAny = (k: number): { sensor: Sensor<number>; volume: SensorShape } => {
        const [x, y, z] = place();
        const volume = k % 3 === 0 ? boxOf(cube(x, y, z, 8)) : sphereOf([x, y, z, 6 + (k % 5)]);
        return { sensor: watch(octree, volume), volume };
      };
      const watched = Array.from({ length: 30 }, (_, k) => watchAny(k));
      let events = 0;
      // How often it tests and looks up is its cost, which no result shows. The first update makes the tracker.
      octree.update();
      const { tracker } = octree.internals.stateOf(SensorSet);
      const lookUp = vi.spyOn(tracker, 'lookUp');
      const test = vi.spyOn(tracker, 'test');
      let candidates = 0;
      const list = new IndexList();
      for (let tick = 0; tick < ticks; tick++) {
        const scale = tick % 50 === 49 ? 100 : 1;
        for (const [i, body] of bodies.entries()) {
          const center = body.kind === 'sphere' ? body.getSphere().center : body.getBox().getCenter(new Vector3());
          if (moves(i, tick))
            body.setCenter(new Vector3(...center.toArray().map((value, axis) => value + scale * steps[i][axis])));
          if (Math.abs(center.x) + Math.abs(center.y) + Math.abs(center.z) > 20)
            steps[i] = center.toArray().map((value) => -value / 300);
        }
        if (tick % 7 === 0) {
          watched[tick % 30].sensor.stop();
          watched[tick % 30] = watchAny(tick);
        }
        octree.update();
        for (const [i, body] of bodies.entries()) {
          if (!moves(i, tick)) continue;
          for (let link = tracker.pairs.firstLink(1, body.index); link >= 0; link = tracker.pairs.nextLink(link))
            candidates++;
        }
        for (const { sensor, volume } of watched) {
          if ('radius' in volume) octree.collectSphere(volume, list);
          else octree.collectBox(volume as Box3, list);
          expect(indicesOf(sensor.inside)).toEqual(indicesOf(list).sort((a, b) => a - b));
          events += sensor.entered.length + sensor.left.length;
        }
      }
      expect(events).toBeGreaterThan(minEvents);
      expect(lookUp.mock.calls.length > ticks / 2).toBe(which === 'few');
      // The others are settled.
      expect(test.mock.calls.length).toBeLessThan(0.9 * candidates);
    },
  );
});

describe('sensors of which all pairs are read', () => {
  it('equal queries, while in turn all bodies move, or only a few', () => {
    const random = createRandom(7);
    const octree = new Octree<number>();
    const homes = Array.from({ length: 120 }, () => [0, 1, 2].map(() => random.between(-10, 10)));
    const bodies = homes.map((home, i) => octree.insert(shapeAt(home, 0.25, i) as Box3, i));
    const volumes = Array.from({ length: 4 }, (_, k) =>
      shapeAt(
        [0, 1, 2].map(() => random.between(-10, 10)),
        5,
        k,
      ),
    );
    const sensors = volumes.map((volume) => watch(octree, volume));
    octree.update();
    const scan = vi.spyOn(octree.internals.stateOf(SensorSet).tracker, 'scan');
    const list = new IndexList();
    let events = 0;
    for (let tick = 0; tick < 60; tick++) {
      // In every third update all bodies move. In the next two a few are near where they were tested alone before.
      for (const [i, body] of bodies.entries()) {
        const offset = tick % 3 === 0 ? 3 + (tick % 2) : 0.01 * (tick % 3);
        if (tick % 3 === 0 || i % 60 === 0) body.setCenter(new Vector3(homes[i][0] + offset, homes[i][1], homes[i][2]));
      }
      octree.update();
      for (const [k, volume] of volumes.entries()) {
        if ('radius' in volume) octree.collectSphere(volume, list);
        else octree.collectBox(volume as Box3, list);
        expect(indicesOf(sensors[k].inside)).toEqual(indicesOf(list).sort((a, b) => a - b));
        events += sensors[k].entered.length + sensors[k].left.length;
      }
    }
    expect(events).toBeGreaterThan(50);
    expect(scan.mock.calls.length).toBeGreaterThan(15);
    expect(scan.mock.calls.length).toBeLessThan(45);
  });
});
