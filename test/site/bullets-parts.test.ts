import { Box3, Color, Line3, Matrix4, Vector3 } from 'three';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { BulletOctree } from '../../examples/src/bullets/bullet-octree.ts';
import { CellHistory } from '../../examples/src/bullets/cell-history.ts';
import { BULLET_RADIUS, Flight } from '../../examples/src/bullets/flight.ts';
import { Gun } from '../../examples/src/bullets/gun.ts';
import { Impacts } from '../../examples/src/bullets/impacts.ts';
import { gunPlace, region } from '../../examples/src/bullets/range.ts';
import { readSettings } from '../../examples/src/bullets/settings.ts';
import { Simulation } from '../../examples/src/bullets/simulation.ts';
import { StepClock } from '../../examples/src/shared/step-clock.ts';
import { Target } from '../../examples/src/bullets/target.ts';
import { TargetView } from '../../examples/src/bullets/target-view.ts';
import { TickCounts } from '../../examples/src/bullets/tick-counts.ts';
import { QueryReader } from '../../examples/src/shared/query-reader.ts';
import { Octree, type TickStatistics } from '../../src/index.ts';
import { validate } from '../../src/debug/index.ts';
import { sampleFrom } from '../support/sampled.ts';

/** Simulated seconds. The gun turns to another place in the sixth second, which needs the most new nodes. */
const SECONDS = 8;
const WARM_UP = 5;
/** Simulated seconds after which two simulations must be equal. */
const SAMPLE = 2;
const STEP_SECONDS = 1 / 60;

const read = (query: string) => readSettings(new QueryReader(query, false));
const defaults = read('');
const everywhere = new Box3(new Vector3().setScalar(-200), new Vector3().setScalar(200));
const sphereAt = (x: number, y: number) => ({ center: { x, y, z: -60 }, radius: 1 });

/**
 * Two bodies keep the root split. `come` inserts a third one into the leaf [0, 128) on x, [-128, 0) on y and z; `look`
 * returns its phase.
 */
function cornerOf(lifespan: boolean) {
  const octree = new Octree<null>({ region, leafCapacity: 1, lifespan });
  octree.insert(sphereAt(-60, -60), null);
  octree.insert(sphereAt(-60, 60), null);
  const history = new CellHistory<null>();
  const look = () => {
    octree.update();
    history.observe(octree);
    return [...history.shown()].find(({ min }) => min.x === 0)?.phase;
  };
  look();
  return { look, come: () => octree.insert(sphereAt(60, -60), null) };
}

/** A copy of what two equal simulations have in common. */
const sampleOf = ({
  flight: { spheres },
  withLifespans: {
    counts: { totals },
  },
  targets,
  hits,
}: Simulation): object =>
  structuredClone({ spheres, totals, places: targets.map(({ position }) => position.toArray()), hits });

describe('Simulation', () => {
  const simulation = new Simulation(defaults.looseness);
  const { withLifespans, withoutLifespans, flight, gun, targets } = simulation;
  let minSaving = Infinity;
  let sample: object;

  beforeAll(() => {
    for (let step = 1; step <= SECONDS * defaults.ticks; step++) {
      simulation.step(defaults, null);
      if (step === SAMPLE * defaults.ticks) sample = sampleOf(simulation);
      if (step < WARM_UP * defaults.ticks) continue;
      minSaving = Math.min(
        minSaving,
        withoutLifespans.counts.perSecond('nodesCreated') / withLifespans.counts.perSecond('nodesCreated'),
      );
    }
  });

  it('creates at least three times as many nodes per second without lifespans as with them, in every step', () => {
    expect(minSaving).toBeGreaterThan(3);
    expect(withLifespans.counts.totals.nodesReused).toBeGreaterThan(withLifespans.counts.totals.nodesCreated);
    expect(withoutLifespans.counts.totals.nodesReused).toBe(0);
  });

  it('leaves both octrees valid, with the same bodies', () => {
    expect(simulation.hits).toBeGreaterThan(300);
    for (const { bodies } of [withLifespans, withoutLifespans]) {
      expect(bodies.octree.size).toBe(flight.count + targets.length);
      expect(validate(bodies.octree)).toEqual([]);
    }
  });

  it('moves targets that are hit, and both octrees have their positions', () => {
    expect(targets.filter(({ hasMoved }) => hasMoved).length).toBeGreaterThan(10);
    for (const {
      bodies: { octree },
    } of [withLifespans, withoutLifespans]) {
      const stored = new Map(octree.intersectBox(everywhere).map(({ body }) => [body.data, body.getSphere().center]));
      expect(targets.map((target) => stored.get(target))).toEqual(targets.map(({ position }) => position));
    }
  });

  it('fires bullets at the given rate, and each is in flight, has hit or has left the region', () => {
    expect(gun.fired).toBeCloseTo(simulation.seconds * defaults.rate, -1);
    expect(flight.count + simulation.hits + simulation.missed).toBe(gun.fired);
    expect(withLifespans.counts.totals.bodiesOutside).toBe(simulation.missed);
  });

  it('is deterministic', () => {
    const again = new Simulation(defaults.looseness);
    for (let step = 0; step < SAMPLE * defaults.ticks; step++) again.step(defaults, null);
    expect(again.hits).toBeGreaterThan(0);
    expect(sampleOf(again)).toEqual(sample);
  });

  it('continues with all bullets and targets after a rebuild', () => {
    const { fired } = gun;
    simulation.rebuild(1);
    simulation.step(defaults, null);
    expect(simulation.withLifespans.bodies.octree.size).toBe(flight.count + targets.length);
    expect(flight.count + simulation.hits + simulation.missed).toBe(gun.fired);
    expect(gun.fired).toBe(fired + defaults.rate / defaults.ticks);
  });
});

const SPEEDS = [
  [800, 10],
  [150, 30],
  [40, 60],
];

describe.each(sampleFrom(SPEEDS, 3, 1))('bullets of %i m/s at %i ticks per second', (speed, ticks) => {
  it.each([true, false])('hit each target that their way crosses if casts are on (%s), and only those', (casts) => {
    const simulation = new Simulation(defaults.looseness);
    const { flight, targets, impacts } = simulation;
    const settings = { ...defaults, rate: 180, speed, ticks, casts };
    const way = new Line3();
    const nearest = new Vector3();
    let differ = 0;
    for (let seconds = 0; seconds < 120 / speed + 1.5; seconds += 1 / ticks) {
      simulation.step(settings, null);
      const doHit = flight.bullets.map(({ velocity }, slot) => {
        way.start.fromArray(flight.spheres, slot * 4);
        way.end.copy(way.start).addScaledVector(velocity, 1 / ticks);
        if (!casts) way.start.copy(way.end);
        const reach = way.distance();
        return targets.some(
          ({ position, radius }) =>
            // Most targets are too far from the end of the way to be near any point of it.
            position.distanceTo(way.end) <= reach + radius + 2 * BULLET_RADIUS &&
            way.closestPointToPoint(position, true, nearest).distanceTo(position) <= radius + BULLET_RADIUS,
        );
      });
      differ += flight.bullets.filter(({ impact }, slot) => (impact !== null) !== doHit[slot]).length;
    }
    expect(simulation.hits).toBeGreaterThan(casts ? 20 : 1);
    expect(differ).toBe(0);
    expect(impacts.crossed).toBeGreaterThan(impacts.overlapped);
  });
});

describe('a bullet that hits', () => {
  it('touches its target where and when a cast does, and is removed in the next step', () => {
    const target = new Target(new Vector3(0, 0, 0), 3);
    const octree = new BulletOctree([target], 2, true);
    const flight = new Flight();
    // 80 metres per step of a tenth of a second.
    flight.add(new Vector3(0, 0, 53.35), new Vector3(0, 0, -800));
    flight.add(new Vector3(60, 0, 50), new Vector3(0, 0, -800));
    octree.sync(flight, [target]);
    octree.tick(0.1);
    const impacts = new Impacts();
    impacts.find(flight, octree, 0.1, false);
    expect(impacts).toMatchObject({ coming: [], crossed: 1, overlapped: 0 });
    impacts.find(flight, octree, 0.1, true);
    expect(impacts.coming).toHaveLength(1);
    const [{ bullet, delay, position, normal }] = impacts.coming;
    expect(bullet).toBe(flight.bullets[0]);
    expect(delay).toBeCloseTo(50 / 800, 9);
    expect(position.z).toBeCloseTo(3, 9);
    expect(normal.z).toBeCloseTo(1, 9);
    expect(flight.bullets[1].impact).toBeNull();
  });

  it('knocks its target in its direction; the target returns and rests', () => {
    const target = new Target(new Vector3(0, 0, 0), 3);
    target.knock(new Vector3(0, 0, -120), new Vector3(0.3, 0, 1).normalize());
    let farthest = 0;
    for (let step = 0; target.isMoving; step++) {
      target.move(STEP_SECONDS);
      farthest = Math.min(farthest, target.position.z);
      expect(step).toBeLessThan(20 * 60);
    }
    expect(farthest).toBeLessThan(-1);
    expect(target.position.toArray()).toEqual([0, 0, 0]);
    expect(target.orientation.y).not.toBe(0);
    expect(target.glow).toBe(0);
  });

  it('does not pass through a target when the tick rate falls in flight', () => {
    const simulation = new Simulation(defaults.looseness);
    for (let step = 0; step < 200; step++) {
      const { interval } = simulation;
      const expected = simulation.impacts.coming.length + simulation.hits;
      simulation.step({ ...defaults, rate: 300, speed: 300, ticks: step % 2 === 0 ? 10 : 60 }, null);
      expect(simulation.hits).toBe(expected);
      expect(simulation.interval).not.toBe(interval);
    }
  });
});

describe('TargetView', () => {
  it('draws targets at their positions, and in another colour after a hit', () => {
    const targets = [new Target(new Vector3(1, 2, 3), 3), new Target(new Vector3(9, 9, 9), 2)];
    const view = new TargetView(targets);
    const colourOf = (k: number): Color => {
      const colour = new Color();
      view.object.getColorAt(k, colour);
      return colour;
    };
    const [resting, other] = [colourOf(0), colourOf(1)];
    expect(resting).toEqual(other);
    targets[0].knock(new Vector3(0, 0, -100), new Vector3(0, 1, 0));
    targets[0].move(STEP_SECONDS);
    view.update();
    expect(colourOf(0).r).toBeGreaterThan(resting.r + 0.5);
    expect(colourOf(1)).toEqual(other);
    const matrix = new Matrix4();
    view.object.getMatrixAt(0, matrix);
    expect(new Vector3().setFromMatrixPosition(matrix).distanceTo(targets[0].position)).toBeLessThan(1e-5);
    expect(matrix.getMaxScaleOnAxis()).toBeCloseTo(3, 5);
  });
});

describe('Gun', () => {
  it('fires within its cone, and turns with limited speed', () => {
    const gun = new Gun(1);
    const flight = new Flight();
    const before = gun.direction.clone();
    gun.turnTo(gunPlace.clone().add(new Vector3(100, 0, 0)), 0.1);
    expect(gun.direction.angleTo(before)).toBeGreaterThan(0.1);
    expect(gun.direction.angleTo(before)).toBeLessThan(0.25);
    gun.fire(flight, 1, { rate: 500, speed: 100, spread: 5 });
    expect(flight.count).toBe(500);
    const angles = flight.bullets.map(({ velocity }) => velocity.angleTo(gun.direction));
    expect(Math.max(...angles)).toBeLessThan((5.001 * Math.PI) / 180);
    expect(Math.max(...angles)).toBeGreaterThan((4.8 * Math.PI) / 180);
    expect(flight.bullets.every(({ velocity }) => Math.abs(velocity.length() - 100) < 1e-9)).toBe(true);
  });
});

describe('Flight', () => {
  it('moves the last bullet to the slot of a removed one', () => {
    const flight = new Flight();
    for (let x = 0; x < 3000; x++) flight.add(new Vector3(x, 0, 0), new Vector3(0, x, 0));
    flight.remove(1);
    flight.fly(1);
    expect(flight.count).toBe(2999);
    expect([...flight.spheres.subarray(0, 8)]).toEqual([0, 0, 0, 0.35, 2999, 2999, 0, 0.35]);
    flight.remove(2998);
    expect([...flight.spheres.subarray(-4)]).toEqual([2997, 2997, 0, 0.35]);
  });
});

describe('CellHistory', () => {
  it('shows a cell as created, used, in countdown, reused and expired, and then drops it', () => {
    const { look, come } = cornerOf(true);
    const third = come();
    expect(look()).toBe('created');
    for (let update = 0; update < 30; update++) look();
    expect(look()).toBe('used');
    third.remove();
    expect(look()).toBe('countdown');
    const second = come();
    expect(look()).toBe('reused');
    second.remove();
    const phases = Array.from({ length: 16 }, look);
    expect(new Set(phases)).toEqual(new Set(['countdown']));
    expect(look()).toBe('expired');
    for (let update = 0; update < 40; update++) look();
    expect(look()).toBeUndefined();
  });

  it('shows an empty cell as expired at once without lifespans', () => {
    const { look, come } = cornerOf(false);
    const third = come();
    expect(look()).toBe('created');
    third.remove();
    expect(look()).toBe('expired');
    come();
    expect(look()).toBe('created');
  });

  it('does not show merged cells as expired', () => {
    const octree = new Octree<null>({ region, leafCapacity: 4 });
    const bodies = Array.from({ length: 5 }, (_, k) =>
      octree.insert({ center: { x: k % 2 === 0 ? -60 : 60, y: k * 4, z: 1 }, radius: 1 }, null),
    );
    const history = new CellHistory<null>();
    const look = () => {
      octree.update();
      history.observe(octree);
      return [...history.shown()].map(({ edge }) => edge);
    };
    expect(look()).toEqual([128, 128]);
    for (const body of bodies.slice(2)) body.remove();
    expect(look()).toEqual([256]);
  });

  it('shows the cells of the first observed update as used', () => {
    const octree = new Octree<null>();
    octree.insert({ center: { x: 0, y: 0, z: 0 }, radius: 1 }, null);
    const history = new CellHistory<null>();
    history.observe(octree);
    expect([...history.shown()].map(({ phase }) => phase)).toEqual(['used']);
  });
});

describe('StepClock', () => {
  /** What the clock shows, in milliseconds: on a busy machine any step may take more than 30. */
  let now = 0;

  beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => now));
  afterEach(() => void vi.restoreAllMocks());

  it('runs 60 steps per second at any frame rate, and drops steps above the maximum per frame', () => {
    let steps = 0;
    const step = () => void steps++;
    for (const frames of [20, 60, 144]) {
      const clock = new StepClock();
      steps = 0;
      for (let frame = 0; frame < frames; frame++) clock.run(1 / frames, 1 / 60, step);
      expect(Math.abs(steps - 60)).toBeLessThanOrEqual(1);
    }
    const clock = new StepClock();
    const stepsIn = (seconds: number, stepSeconds: number): number => {
      steps = 0;
      clock.run(seconds, stepSeconds, step);
      return steps;
    };
    expect([stepsIn(10, 1 / 60), stepsIn(0, 1 / 60), stepsIn(0.1, 1 / 10)]).toEqual([4, 0, 1]);
  });

  it('begins no step after 30 ms', () => {
    let steps = 0;
    new StepClock().run(4, 1, () => {
      steps++;
      now += 20;
    });
    expect(steps).toBe(2);
  });
});

describe('TickCounts', () => {
  it('gives totals, rates of the last 240 ticks and the mean time', () => {
    const counts = new TickCounts();
    expect(counts.milliseconds).toBeNaN();
    const zero = {
      nodesReused: 0,
      nodesExpired: 0,
      nodesMerged: 0,
      bodiesRelocated: 0,
      bodiesOutside: 0,
      outside: [],
      pairs: 0,
      bodiesRemoved: 0,
      bodies: 0,
      pending: 0,
      depth: 0,
      bytes: 0,
    };
    const tick = (nodesCreated: number): TickStatistics => ({ ...zero, nodesCreated, nodes: nodesCreated });
    for (let k = 0; k < 300; k++) counts.add(tick(7), 9, 1);
    for (let k = 0; k < 240; k++) counts.add(tick(k % 2), k < 130 ? 1 : 5, 1 / 60);
    expect(counts.totals.nodesCreated).toBe(300 * 7 + 120);
    expect(counts.perSecond('nodesCreated')).toBeCloseTo(30);
    expect(counts.milliseconds).toBeCloseTo((130 * 1 + 110 * 5) / 240, 9);
    expect(counts.nodes).toBe(1);
  });
});

describe('the settings in the query string', () => {
  it('are clamped to their ranges, and invalid values keep the default', () => {
    expect(
      read('rate=99999&spread=-3&looseness=x&lifespan=off&cells=changing&pause=on&ticks=10&casts=off'),
    ).toMatchObject({
      rate: 5000,
      spread: 0,
      looseness: 2,
      lifespan: false,
      cells: 'changing',
      isPaused: true,
      ticks: 10,
      casts: false,
    });
    expect(read('ticks=7').ticks).toBe(30);
    expect(defaults).toMatchObject({
      ticks: 30,
      casts: true,
      rate: 1200,
      speed: 150,
      lifespan: true,
      cells: 'all',
      patrol: true,
      isPaused: false,
    });
    expect(readSettings(new QueryReader('', true)).isPaused).toBe(true);
  });
});
