import { describe, expect, it } from 'vitest';
import type { Body, Sensor, SensorOptions } from '../../../src/index.ts';
import { Octree, watch } from '../../../src/index.ts';
import { BruteForce } from '../../../src/debug/reference/brute-force.ts';
import { octreeOf } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { expectRejection } from '../../support/rejects.ts';
import { boxOf, cube, planesOf, planesOfBox, sphereOf } from '../../support/shapes.ts';
import { validate } from '../../../src/debug/index.ts';
import { SensorSet } from '../../../src/features/sensors/sensor-set.ts';
import { indicesOf, listsOf } from '../../support/lists.ts';

const around = { min: { x: -1e6, y: -1e6, z: -1e6 }, max: { x: 1e6, y: 1e6, z: 1e6 } };
const volumes = [
  ['box', boxOf(cube(0, 0, 0, 5))],
  ['sphere', sphereOf([0, 0, 0, 5])],
  ['frustum', planesOf(planesOfBox(cube(0, 0, 0, 5)))],
] as const;

describe('watch', () => {
  it.each(volumes)('fills lists that were taken before the update (%s)', (_kind, volume) => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(50, 0, 0), cube(1, 0, 0)]);
    const sensor = watch(octree, volume, { filter: ({ data }) => data >= 0 });
    const { entered, left, inside } = sensor;
    octree.update();
    expect([entered, left, inside].map(indicesOf)).toEqual([[0, 2], [], [0, 2]]);
    bodies[0].setBox(boxOf(cube(80, 0, 0)));
    bodies[1].setBox(boxOf(cube(1, 0, 0)));
    octree.insert(boxOf(cube(0, 0, 0)), -1);
    octree.update();
    expect([entered, left, inside].map(indicesOf)).toEqual([[1], [0], [1, 2]]);
    octree.insert(boxOf(cube(0, 0, 0)), -1);
    octree.update();
    expect([entered, left, inside].map(indicesOf)).toEqual([[], [], [1, 2]]);
    sensor.stop();
    expect([entered, left, inside].map(indicesOf)).toEqual([[], [], []]);
  });

  it.each(volumes)('reports the bodies that enter, leave and are inside a %s, by index', (_kind, volume) => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(20, 0, 0), cube(3, 0, 0)]);
    const sensor = watch(octree, volume);
    expect(listsOf(sensor)).toBe('+ - =');
    octree.update();
    expect(listsOf(sensor)).toBe('+0 2 - =0 2');
    octree.update();
    expect(listsOf(sensor)).toBe('+ - =0 2');
    bodies[0].setBox(boxOf(cube(30, 0, 0)));
    bodies[1].setBox(boxOf(cube(1, 0, 0)));
    octree.update();
    expect(listsOf(sensor)).toBe('+1 -0 =1 2');
    octree.update();
    expect(listsOf(sensor)).toBe('+ - =1 2');
  });

  it.each(volumes)('counts touching a %s, and nothing one ulp apart', (_kind, volume) => {
    const { octree, bodies } = octreeOf([[5, 0, 0, 6, 0, 0]]);
    const sensor = watch(octree, volume);
    octree.update();
    expect(listsOf(sensor)).toBe('+0 - =0');
    bodies[0].setBox(boxOf([5 + 2 ** -50, 0, 0, 6, 0, 0]));
    octree.update();
    expect(listsOf(sensor)).toBe('+ -0 =');
  });

  it.each(volumes)('counts moves of the %s from the next update on', (kind, volume) => {
    const { octree } = octreeOf([cube(0, 0, 0), cube(20, 0, 0)]);
    const sensor = watch(octree, volume);
    octree.update();
    const moved = {
      box: boxOf(cube(20, 0, 0, 3)),
      sphere: sphereOf([20, 0, 0, 3]),
      frustum: planesOf(planesOfBox(cube(20, 0, 0, 3))),
    }[kind];
    expect(sensor.moveTo(moved)).toBe(sensor);
    expect(listsOf(sensor)).toBe('+0 - =0');
    octree.update();
    expect(listsOf(sensor)).toBe('+1 -0 =1');
    sensor.moveTo(
      {
        box: boxOf(cube(10, 0, 0, 20)),
        sphere: sphereOf([10, 0, 0, 20]),
        frustum: planesOf(planesOfBox(cube(10, 0, 0, 20))),
      }[kind],
    );
    octree.update();
    expect(listsOf(sensor)).toBe('+0 - =0 1');
  });

  it('copies the volume: changing the object afterwards changes nothing', () => {
    const { octree } = octreeOf([cube(0, 0, 0), cube(20, 0, 0)]);
    const center = { x: 0, y: 0, z: 0 };
    const plane = { normal: { x: 1, y: 0, z: 0 }, constant: -10 };
    const [sphere, half] = [watch(octree, { center, radius: 1 }), watch(octree, { planes: [plane] })];
    center.x = 20;
    plane.constant = 10;
    octree.update();
    expect([listsOf(sphere), listsOf(half)]).toEqual(['+0 - =0', '+1 - =1']);
  });

  it('watches static bodies too, and none without a category of the mask', () => {
    const octree = new Octree<number>();
    for (const [i, options] of [{ isStatic: true }, { mask: 2 }, { mask: 0 }, {}].entries())
      octree.insert(boxOf(cube(0, 0, 0)), i, options);
    const [all, some, frustum] = [
      watch(octree, around),
      watch(octree, around, { mask: 1 }),
      watch(octree, planesOf([[1, 0, 0, 9]]), { mask: 1 }),
    ];
    octree.update();
    expect([listsOf(all), listsOf(some), listsOf(frustum)]).toEqual(['+0 1 3 - =0 1 3', '+0 3 - =0 3', '+0 3 - =0 3']);
  });

  it('sees small bodies in a frustum, also after a query that leaves them out', () => {
    const { octree } = octreeOf([cube(0, 0, 0, 0.01)]);
    const planes = planesOf(planesOfBox([-5, -5, -5, 5, 5, 5]));
    const sensor = watch(octree, planes);
    expect(octree.intersectFrustum(planes, { minSize: 1 })).toEqual([]);
    octree.update();
    expect(indicesOf(sensor.inside)).toEqual([0]);
  });

  it('takes a point-like box, a sphere of radius 0, and volumes beyond all coordinates', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0)]);
    const sensors = [
      watch(octree, boxOf([0.5, 0.5, 0.5, 0.5, 0.5, 0.5])),
      watch(octree, sphereOf([0.5, 0, 0, 0])),
      watch(octree, sphereOf([0, 0, 0, 1e300])),
      watch(octree, { planes: [] }),
    ];
    octree.update();
    expect(sensors.map(listsOf)).toEqual(Array.from({ length: 4 }, () => '+0 - =0'));
    bodies[0].setBox(boxOf(cube(2 ** 40, 0, 0)));
    octree.update();
    expect(sensors.map(listsOf)).toEqual(['+ -0 =', '+ -0 =', '+ - =0', '+ - =0']);
  });

  it('works before the first body, and in an octree that bodies have left', () => {
    const octree = new Octree<number>();
    const sensors = volumes.map(([, volume]) => watch(octree, volume));
    octree.update();
    const body = octree.insert(boxOf(cube(0, 0, 0)), 0);
    octree.update();
    expect(sensors.map(listsOf)).toEqual(['+0 - =0', '+0 - =0', '+0 - =0']);
    body.remove();
    octree.update();
    expect(sensors.map(listsOf)).toEqual(['+ -0 =', '+ -0 =', '+ -0 =']);
    octree.insert(boxOf(cube(1, 0, 0)), 1);
    octree.update();
    expect(sensors.map(({ entered }) => entered.length)).toEqual([1, 1, 1]);
  });
});

describe('a body that was removed', () => {
  it('leaves; the callback and sensor.bodyAt give its dead handle with its data; its index is free when the next update begins', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(1, 0, 0)]);
    const gone: Body<number>[] = [];
    const sensor = watch(octree, around, { onLeave: (body) => void gone.push(body) });
    octree.update();
    bodies[0].remove();
    octree.intersectPoint({ x: 0, y: 0, z: 0 });
    expect(octree.insert(boxOf(cube(0, 0, 0)), 2).index).toBe(2);
    octree.update();
    expect(listsOf(sensor)).toBe('+2 -0 =1 2');
    expect([gone[0] === bodies[0], gone[0].index, gone[0].data, sensor.bodyAt(0) === bodies[0]]).toEqual([
      true,
      -1,
      0,
      true,
    ]);
    octree.update();
    expect(() => sensor.bodyAt(0)).toThrow(/^Sensor\.bodyAt: index/);
    expect(octree.insert(boxOf(cube(0, 0, 0)), 3).index).toBe(0);
    octree.update();
    expect(listsOf(sensor)).toBe('+0 - =0 1 2');
  });
});

/** Two sensors about the origin that log their calls. */
function octreeWithSensors(options: SensorOptions<number> = {}): {
  octree: Octree<number>;
  bodies: Body<number>[];
  calls: string[];
  sensors: Sensor<number>[];
} {
  const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(1, 0, 0), cube(50, 0, 0)]);
  const calls: string[] = [];
  const sensors: Sensor<number>[] = [];
  for (const name of ['a', 'b']) {
    const note =
      (sign: string) =>
      (body: Body<number>, sensor: Sensor<number>): void => {
        calls.push(`${name}${sign}${body.data}`);
        expect(sensor).toBe(sensors[name === 'a' ? 0 : 1]);
      };
    sensors.push(watch(octree, boxOf(cube(0, 0, 0, 5)), { onEnter: note('+'), onLeave: note('-'), ...options }));
  }
  return { octree, bodies, calls, sensors };
}

describe('onEnter and onLeave', () => {
  it('are called sensor by sensor, bodies that leave first, each by index', () => {
    const { octree, bodies, calls } = octreeWithSensors();
    octree.update();
    expect(calls).toEqual(['a+0', 'a+1', 'b+0', 'b+1']);
    calls.length = 0;
    bodies[1].setBox(boxOf(cube(60, 0, 0)));
    bodies[2].setBox(boxOf(cube(2, 0, 0)));
    octree.update();
    expect(calls).toEqual(['a-1', 'a+2', 'b-1', 'b+2']);
  });

  it('see the lists of all sensors, and may query, write, move, stop and watch', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(1, 0, 0), cube(50, 0, 0)]);
    const seen: string[] = [];
    const sensors: Sensor<number>[] = [];
    const onEnter = (body: Body<number>, sensor: Sensor<number>): void => {
      seen.push(`${body.data} ${sensors.map(listsOf).join(' | ')}`);
      expect(() => octree.update()).toThrow(/^Octree\.update: /);
      if (seen.length > 1) return;
      bodies[1].remove();
      bodies[0].setBox(boxOf(cube(50, 1, 0)));
      sensor.moveTo(boxOf(cube(50, 0, 0, 5)));
      sensors[1].stop();
      sensors.push(watch(octree, sphereOf([50, 0, 0, 1])));
      expect(octree.intersectBox(boxOf(cube(0, 0, 0, 5)))).toHaveLength(2);
    };
    sensors.push(
      watch(octree, boxOf(cube(0, 0, 0, 5)), { onEnter }),
      watch(octree, sphereOf([0, 0, 0, 1]), { onEnter }),
    );
    octree.update();
    expect(seen).toEqual(['0 +0 1 - =0 1 | +0 1 - =0 1', '1 +0 1 - =0 1 | + - = | + - =']);
    octree.update();
    expect(sensors.map(listsOf)).toEqual(['+2 -1 =0 2', '+ - =', '+0 2 - =0 2']);
    expect(validate(octree)).toEqual([]);
  });

  it('that throw do not keep others from being called; the first error is thrown after the tick', () => {
    const { octree, calls } = octreeWithSensors({
      onEnter: (body) => {
        calls.push(`${body.data}`);
        throw new Error(`enter ${body.data}`);
      },
    });
    expect(() => octree.update()).toThrow('enter 0');
    expect(calls).toEqual(['0', '1', '0', '1']);
    octree.update();
    expect(calls).toHaveLength(4);
  });

  it('end with the sensor that a callback stops', () => {
    const { octree, calls, sensors } = octreeWithSensors({
      onEnter: (body, sensor) => {
        calls.push(`${body.data}`);
        sensor.stop();
      },
    });
    octree.update();
    expect(calls).toEqual(['0', '0']);
    expect(sensors.map(({ isStopped }) => isStopped)).toEqual([true, true]);
    octree.update();
  });
});

describe('the filter of a sensor', () => {
  it.each(volumes)('is called when a body enters the %s; its result holds until the body leaves', (_kind, volume) => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(1, 0, 0)]);
    const calls: number[] = [];
    let accepts = false;
    const sensor = watch(octree, volume, {
      filter: ({ data }) => {
        calls.push(data);
        return accepts || data === 1;
      },
    });
    octree.update();
    accepts = true;
    bodies[0].setBox(boxOf(cube(0.5, 0, 0)));
    octree.update();
    expect([calls, listsOf(sensor)]).toEqual([[0, 1], '+ - =1']);
    bodies[0].setBox(boxOf(cube(40, 0, 0)));
    octree.update();
    expect(listsOf(sensor)).toBe('+ - =1');
    bodies[0].setBox(boxOf(cube(0, 0, 0)));
    octree.update();
    expect([calls, listsOf(sensor)]).toEqual([[0, 1, 0], '+0 - =0 1']);
  });

  it('that throws leaves out the body; it may stop the sensor', () => {
    const { octree } = octreeOf([cube(0, 0, 0), cube(1, 0, 0)]);
    const failing = watch(octree, around, {
      filter: ({ data }) => {
        if (data === 0) throw new Error('no');
        return true;
      },
    });
    const stopping: Sensor<number> = watch(octree, around, {
      filter: () => {
        stopping.stop();
        return true;
      },
    });
    expect(() => octree.update()).toThrow('no');
    expect([listsOf(failing), listsOf(stopping)]).toEqual(['+1 - =1', '+ - =']);
  });
});

describe('sensor.stop and octree.clear', () => {
  it('takes its options when it is made: later changes of the object do not count', () => {
    const { octree } = octreeOf([cube(0, 0, 0)]);
    const called: string[] = [];
    const options = { onEnter: () => void called.push('first'), filter: () => true };
    watch(octree, sphereOf([0, 0, 0, 5]), options);
    options.onEnter = () => void called.push('later');
    options.filter = () => false;
    octree.update();
    expect(called).toEqual(['first']);
  });

  it('stop empties the lists for good; moveTo then throws, a second stop does nothing', () => {
    const { octree } = octreeOf([cube(0, 0, 0)]);
    const sensors = volumes.map(([, volume]) => watch(octree, volume));
    octree.update();
    for (const [k, sensor] of sensors.entries()) {
      sensor.stop();
      sensor.stop();
      octree.update();
      expect([sensor.isStopped, listsOf(sensor)]).toEqual([true, '+ - =']);
      expectRejection(
        octree,
        () => sensor.moveTo(volumes[k][1]),
        RangeError,
        /^Sensor\.moveTo: stop was called before; call watch again\.$/,
      );
    }
  });

  it('clear empties the sensors without a report; they go on with the bodies that come', () => {
    const { octree } = octreeOf([cube(0, 0, 0)]);
    const left: number[] = [];
    const sensors = volumes.map(([, volume]) => watch(octree, volume, { onLeave: ({ data }) => void left.push(data) }));
    octree.update();
    octree.clear();
    expect(sensors.map(listsOf)).toEqual(['+ - =', '+ - =', '+ - =']);
    octree.update();
    octree.insert(boxOf(cube(0, 0, 0)), 7);
    octree.update();
    expect(sensors.map(listsOf)).toEqual(['+0 - =0', '+0 - =0', '+0 - =0']);
    expect(left).toEqual([]);
  });
});

describe('sensors of all kinds and sizes among bodies that move', () => {
  it('equal queries, while they rest, move, grow and come back', () => {
    const random = createRandom(11);
    const octree = new Octree<number>({ leafCapacity: 8 });
    const reference = new BruteForce();
    const place = (spread: number): number[] => [0, 1, 2].map(() => random.between(-spread, spread));
    const bodies = Array.from({ length: 500 }, (_, i) => octree.insert(sphereOf([...place(20), 0.5]), i));
    const shapes = bodies.map((body) => {
      const { center } = body.getSphere();
      return [center.x, center.y, center.z, 0.5];
    });
    for (const [i, shape] of shapes.entries()) reference.setSphere(i, shape);
    const watchAt = (
      radius: number,
      moves: (tick: number) => boolean,
    ): { sensor: Sensor<number>; step: (tick: number) => void; check: () => void } => {
      let [center, size] = [place(10), radius];
      const sensor = watch(octree, sphereOf([...center, size]));
      const twin = reference.watch(() => reference.sphere(center, size));
      const step = (tick: number): void => {
        if (!moves(tick)) return;
        center = center.map((value) => value + random.between(-1, 1));
        size = tick % 9 === 0 ? 40 : radius;
        sensor.moveTo(sphereOf([...center, size]));
      };
      const check = (): void => {
        twin.update();
        expect([indicesOf(sensor.entered), indicesOf(sensor.left), indicesOf(sensor.inside)]).toEqual([
          twin.entered,
          twin.left,
          twin.inside,
        ]);
      };
      return { sensor, step, check };
    };
    const cases = [
      watchAt(2, () => false),
      watchAt(15, () => false),
      watchAt(2, () => true),
      watchAt(15, () => true),
      watchAt(15, (tick) => tick % 20 < 5),
      watchAt(3, (tick) => tick % 12 === 0),
    ];
    const inTree = (): boolean[] => cases.map(({ sensor }) => sensor.index >= 0);
    const history: string[] = [];
    for (let tick = 0; tick < 60; tick++) {
      for (const [i, body] of bodies.entries()) {
        if (i % 4 !== 0 || (tick > 40 && tick < 50)) continue;
        shapes[i] = [...shapes[i].slice(0, 3).map((value) => value + random.between(-0.3, 0.3)), 0.5];
        body.setSphere(sphereOf(shapes[i]));
        reference.setSphere(i, shapes[i]);
      }
      for (const { step } of cases) step(tick);
      octree.update();
      for (const { check } of cases) check();
      history.push(inTree().map(Number).join(''));
    }
    // The first two never move, so they stay in the tree; the fourth moves, so it leaves it; the fifth comes back when
    // it rests.
    expect(history.every((places) => places.startsWith('11'))).toBe(true);
    expect(history.at(-1)![3]).toBe('0');
    expect(new Set(history.map((places) => places[4])).size).toBe(2);
  });

  it('keep no candidates that have parted: their number does not grow with time', () => {
    const { octree, bodies } = octreeOf(Array.from({ length: 60 }, (_, i) => cube(i * 4, 0, 0)));
    const sensors = Array.from({ length: 20 }, (_, i) => watch(octree, sphereOf([i * 12, 0, 0, 3])));
    const random = createRandom(2);
    const candidates = (): number => octree.internals.stateOf(SensorSet).tracker.pairs.recordCount;
    let firstCount = 0;
    for (let tick = 0; tick < 200; tick++) {
      for (const body of bodies) body.setBox(boxOf(cube(random.between(0, 240), 0, 0)));
      sensors[tick % 20].moveTo(sphereOf([random.between(0, 240), 0, 0, 3]));
      octree.update();
      if (tick === 20) firstCount = candidates();
    }
    expect(candidates()).toBeLessThan(2 * firstCount);
  });
});

describe('invalid arguments of watch and sensor.moveTo', () => {
  it('throw a sentence and change nothing', () => {
    const { octree } = octreeOf([cube(0, 0, 0)]);
    const box = watch(octree, boxOf(cube(0, 0, 0)));
    const frustum = watch(octree, planesOf([[1, 0, 0, 0]]));
    octree.update();
    for (const [volume, errorClass, sentence] of [
      [undefined, TypeError, /volume must be an object/],
      [{}, TypeError, /volume must have min and max, center and radius, or planes, but is an object; pass a Box3/],
      [sphereOf([0, 0, 0, -1]), RangeError, /volume\.radius .*-1/],
      [sphereOf([NaN, 0, 0, 1]), RangeError, /volume\.center\.x .*NaN/],
      [boxOf([1, 0, 0, 0, 1, 1]), RangeError, /the volume is empty/],
      [planesOf([[NaN, 0, 0, 1]]), RangeError, /planes\[0\]\.normal\.x/],
      [{ planes: 5 }, TypeError, /planes must be an array/],
    ] as const) {
      expectRejection(octree, () => watch(octree, volume as never), errorClass, sentence);
      expectRejection(octree, () => box.moveTo(volume as never), errorClass, sentence);
      expectRejection(octree, () => frustum.moveTo(volume as never), errorClass, sentence);
    }
    const callbacks = { overlap: () => 0, touchesBox: () => false, touchesSphere: () => false };
    expectRejection(
      octree,
      () => box.moveTo(callbacks as never),
      TypeError,
      /^Sensor\.moveTo: .* or a CustomVolume\.$/,
    );
    expectRejection(octree, () => watch(octree, around, { mask: 0.5 }), RangeError, /^watch: options\.mask/);
    for (const field of ['filter', 'onEnter', 'onLeave'])
      expectRejection(
        octree,
        () => watch(octree, around, { [field]: 1 }),
        TypeError,
        new RegExp(`^watch: options\\.${field}`),
      );
    octree.update();
    expect([listsOf(box), listsOf(frustum)]).toEqual(['+ - =0', '+ - =0']);
  });
});

describe('a sensor that has moved', () => {
  it('is put into the tree of sensors after eight updates at rest', () => {
    const { octree } = octreeOf([cube(0, 0, 0)]);
    const sensor = watch(octree, boxOf(cube(0, 0, 0)));
    const updatesUntilRest = (): number => {
      let updates = 0;
      while (sensor.index < 0) {
        octree.update();
        updates++;
      }
      return updates;
    };
    expect(updatesUntilRest()).toBe(1);
    sensor.moveTo(boxOf(cube(1, 0, 0)));
    expect(updatesUntilRest()).toBe(9);
  });
});
