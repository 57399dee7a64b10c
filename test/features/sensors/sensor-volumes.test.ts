/** Sensors of volumes other than boxes, spheres and frusta. */
import { describe, expect, it } from 'vitest';
import type { Sensor } from '../../../src/index.ts';
import {
  Capsule,
  collect,
  Convex,
  CustomVolume,
  OrientedBox,
  Segment,
  translate,
  VolumeOverlap,
  watch,
} from '../../../src/index.ts';
import { collected, octreeOf } from '../../support/octrees.ts';
import { SensorSet } from '../../../src/features/sensors/sensor-set.ts';
import { boxOf, cube, planesOf, planesOfBox, sphereOf } from '../../support/shapes.ts';
import { listsOf } from '../../support/lists.ts';

describe('a sensor of any volume', () => {
  const capsule = new Capsule({ start: { x: -3, y: 0, z: 0 }, end: { x: 3, y: 0, z: 0 }, radius: 1 });
  const slab = { overlap: () => VolumeOverlap.Intersecting, touchesSphere: () => true };

  it('follows a capsule, copies it, and takes another kind of volume', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(20, 0, 0), cube(0, 9, 0)]);
    const volume = new Capsule({ start: { x: -3, y: 0, z: 0 }, end: { x: 3, y: 0, z: 0 }, radius: 1 });
    const sensor = watch(octree, volume);
    volume.set({ start: { x: 19, y: 0, z: 0 }, end: { x: 21, y: 0, z: 0 }, radius: 1 });
    octree.update();
    expect(listsOf(sensor)).toBe('+0 - =0');
    bodies[2].setBox(boxOf(cube(2, 1, 0)));
    octree.update();
    expect(listsOf(sensor)).toBe('+2 - =0 2');
    sensor.moveTo(volume);
    octree.update();
    expect(listsOf(sensor)).toBe('+1 -0 2 =1');
    sensor.moveTo(sphereOf([0, 0, 0, 1]));
    octree.update();
    for (let tick = 0; tick < 20; tick++) octree.update();
    bodies[2].setBox(boxOf(cube(0, 0, 0)));
    octree.update();
    expect(listsOf(sensor)).toBe('+2 - =0 2');
  });

  it.each([
    ['capsule', capsule],
    ['segment', new Segment({ start: { x: -3, y: 0, z: 0 }, end: { x: 3, y: 0, z: 0 } })],
    [
      'oriented box',
      new OrientedBox({
        center: { x: 0, y: 0, z: 0 },
        halfSize: { x: 1, y: 1, z: 1 },
        rotation: { elements: [0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1] },
      }),
    ],
    ['convex volume', new Convex(planesOf(planesOfBox(cube(0, 0, 0, 2))).planes)],
  ])('reports nothing when a %s is translated with the world', (_kind, volume) => {
    const { octree } = octreeOf([cube(0, 0, 0), cube(20, 0, 0)]);
    const sensor = watch(octree, volume);
    octree.update();
    translate(octree, { x: 20, y: 0, z: 0 });
    octree.update();
    expect(listsOf(sensor)).toBe('+ - =0');
    expect(collected((list) => collect(octree, volume, list))).toEqual([]);
  });

  it('follows a volume of the user, which the user moves', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(0, 20, 0)]);
    let top = 5;
    const volume = new CustomVolume({ ...slab, touchesBox: ({ min }) => min.y <= top });
    const sensor = watch(octree, volume);
    octree.update();
    expect(listsOf(sensor)).toBe('+0 - =0');
    top = 30;
    octree.update();
    expect(listsOf(sensor)).toBe('+ - =0');
    sensor.moveTo(volume);
    octree.update();
    expect(listsOf(sensor)).toBe('+1 - =0 1');
    bodies[0].setBox(boxOf(cube(0, 50, 0)));
    octree.update();
    expect(listsOf(sensor)).toBe('+ -0 =1');
  });

  it('keeps its lists if a callback of its volume throws, and the first error is thrown after the tick', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(0, 20, 0)]);
    let result: unknown = true;
    const sensor = watch(octree, new CustomVolume({ ...slab, touchesBox: () => result as boolean }));
    const other = watch(octree, sphereOf([0, 0, 0, 5]));
    octree.update();
    result = 5;
    bodies[0].setBox(boxOf(cube(0, 50, 0)));
    expect(() => octree.update()).toThrow(/^CustomVolume: touchesBox must return true or false, but returned 5/);
    expect([listsOf(sensor), listsOf(other)]).toEqual(['+ - =0 1', '+ -0 =']);
    result = false;
    octree.update();
    expect(listsOf(sensor)).toBe('+ -0 1 =');
  });

  it('may stop other sensors by a callback of its volume', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0)]);
    const others: Sensor<number>[] = [];
    const sensor = watch(
      octree,
      new CustomVolume({
        ...slab,
        touchesBox: () => {
          if (bodies[0].getBox().min.x > 1) for (const other of others) other.stop();
          return true;
        },
      }),
    );
    for (let k = 0; k < 12; k++) others.push(watch(octree, sphereOf([0, 0, 0, 5])));
    octree.update();
    // From here on each has rested for another number of updates.
    for (let k = 0; k < 12; k++) {
      others[k].moveTo(sphereOf([1, 0, 0, 5]));
      octree.update();
    }
    bodies[0].setBox(boxOf(cube(3, 0, 0)));
    octree.update();
    expect(listsOf(sensor)).toBe('+ - =0');
    for (let k = 0; k < 10; k++) {
      bodies[0].setBox(boxOf(cube(3 + k, 0, 0)));
      octree.update();
    }
    expect(others.map(listsOf)).toEqual(others.map(() => '+ - ='));
    expect(octree.internals.stateOf(SensorSet).tree.placedCount).toBe(0);
  });

  it('may be stopped by a callback of its volume', () => {
    const { octree } = octreeOf([cube(0, 0, 0)]);
    const sensor: Sensor<number> = watch(
      octree,
      new CustomVolume({
        ...slab,
        touchesBox: () => {
          sensor.stop();
          return true;
        },
      }),
    );
    octree.update();
    expect(listsOf(sensor)).toBe('+ - =');
    octree.update();
    expect(sensor.isStopped).toBe(true);
  });
});
