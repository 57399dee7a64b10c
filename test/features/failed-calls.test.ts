/**
 * Calls of features that fail in the middle: memory is missing for the n-th allocation, or the n-th callback of the
 * user throws; in `npm test` a sample of them. After that a retry works, every query equals a twin without the error,
 * and what follows the bodies (contacts, sensors, bands, overlaps) equals the queries after the next update, by lists
 * that miss no change.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import type { Body, Contacts, DistanceBands, Sensor } from '../../src/index.ts';
import {
  assignBands,
  Capsule,
  castBoxAll,
  castRays,
  castSphere,
  collect,
  collectPairs,
  Convex,
  CustomVolume,
  idOf,
  IndexList,
  intersect,
  intersectPairs,
  moveManyById,
  nearest,
  Octree,
  onIntersection,
  OrientedBox,
  RayRange,
  Segment,
  sortByDistance,
  trackContacts,
  translate,
  visitCast,
  visitNearest,
  watch,
  watchDistances,
} from '../../src/index.ts';
import { validate } from '../../src/debug/index.ts';
import { MemoryFault, withFault } from '../support/allocation-faults.ts';
import { createRandom } from '../support/random.ts';
import { IS_LONG, sampleOf } from '../support/sampled.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, cube, planesOf, planesOfBox, point, rayOf, shapeOf, sphereOf } from '../support/shapes.ts';
import { freeMemories } from '../support/wasm.ts';

beforeAll(freeMemories);

const SHAPES = uniform(60, 1, 44, 12);
const DISTANCES = [10, 25, 60];
const FRUSTUM = planesOf(planesOfBox([-20, -20, -20, 30, 20, 25]));
const VOLUME = { overlap: () => 1 as const, touchesBox: () => true, touchesSphere: () => true };
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** A set of bodies or pairs that is only changed by what lists report. */
class Told {
  readonly known = new Set<string>();

  change(ended: readonly string[], began: readonly string[]): void {
    for (const one of ended) expect(this.known.delete(one), `${one} ends, but did not begin`).toBe(true);
    for (const one of began) expect(this.known.has(one), `${one} begins again`).toBe(false);
    for (const one of began) this.known.add(one);
  }
}

const numbersOf = (list: IndexList, stride: number): string[] =>
  Array.from({ length: list.length / stride }, (_, k) => list.array.subarray(stride * k, stride * (k + 1)).join(' '));

/** An octree whose bodies are followed in every way. */
class Scene {
  readonly octree = new Octree<number>({ leafCapacity: 4 });
  readonly bodies: Body<number>[] = SHAPES.map((shape, k) => this.octree.insert(shapeOf(shape), k));
  readonly contacts: Contacts<number>;
  readonly near: Contacts<number>;
  readonly sensors: Sensor<number>[];
  readonly bands: DistanceBands<number>;
  readonly list = new IndexList();
  private readonly told: Told[] = [new Told(), new Told()];
  private readonly toldBands = new Map<number, number>();
  overlaps: string[] = [];

  constructor() {
    const { octree } = this;
    this.contacts = trackContacts(octree);
    this.near = trackContacts(octree, { within: 3 });
    this.sensors = [boxOf(cube(0, 0, 0, 20)), sphereOf([5, 5, 5, 25]), sphereOf([0, 0, 0, 12]), FRUSTUM].map((volume) =>
      watch(octree, volume),
    );
    for (let k = 0; k < this.sensors.length; k++) this.told.push(new Told());
    this.bands = watchDistances(octree, point([1, 2, 3]), DISTANCES, { hysteresis: 0.1 });
    for (const body of this.bodies.slice(0, 30))
      onIntersection(octree, body, ({ other }) => void this.overlaps.push(`${body.index} ${other!.index}`));
    this.update();
    for (let k = 0; k < 9; k++) octree.update(0.1);
  }

  /** Moves all bodies, and the third sensor, by steps that the seed gives; replaces some bodies. */
  move(seed: number, far: number): void {
    const random = createRandom(seed);
    for (const body of this.bodies) {
      const { min, max } = body.getBox();
      const by = [0, 1, 2].map(() => random.between(-far, far));
      body.setCenter(point([min.x + max.x, min.y + max.y, min.z + max.z].map((sum, axis) => sum / 2 + by[axis])));
    }
    this.sensors[2].moveTo(sphereOf([random.between(-20, 20), 0, 0, 15]));
    for (let k = 0; k < 5; k++) {
      this.bodies[40 + 2 * k].remove();
      this.bodies[40 + 2 * k] = this.octree.insert(shapeOf(SHAPES[random.below(SHAPES.length)]), 1000 + k);
    }
  }

  update(): void {
    this.overlaps = [];
    this.octree.update(0.1);
    this.read();
    this.check();
  }

  /** Reads what the last update has reported. */
  read(): void {
    const { bands, contacts, near, sensors, told } = this;
    for (const [k, { began, ended, stayed }] of [contacts, near].entries()) {
      told[k].change(numbersOf(ended, 2), numbersOf(began, 2));
      expect([...told[k].known].sort()).toEqual([...numbersOf(stayed, 2), ...numbersOf(began, 2)].sort());
    }
    for (const [k, { entered, inside, left }] of sensors.entries()) {
      told[k + 2].change(numbersOf(left, 1), numbersOf(entered, 1));
      expect([...told[k + 2].known].sort()).toEqual(numbersOf(inside, 1).sort());
    }
    for (const one of numbersOf(bands.changed, 3)) {
      const [index, before, now] = one.split(' ').map(Number);
      expect(this.toldBands.get(index) ?? DISTANCES.length).toBe(before);
      this.toldBands.set(index, now);
    }
  }

  /** Throws unless all that follows the bodies equals the queries. Call it after an update without an error. */
  check(): void {
    const { bands, list, octree, overlaps, sensors, told } = this;
    for (const [k, within] of [0, 3].entries()) {
      collectPairs(octree, list, { within });
      expect([...told[k].known].sort()).toEqual(numbersOf(list, 2).sort());
    }
    collectPairs(octree, list);
    const listeners = new Set(this.bodies.slice(0, 30).map(({ index }) => index));
    const expected = numbersOf(list, 2)
      .map((pair) => pair.split(' ').map(Number))
      .flatMap(([a, b]) => [...(listeners.has(a) ? [`${a} ${b}`] : []), ...(listeners.has(b) ? [`${b} ${a}`] : [])]);
    expect([...overlaps].sort()).toEqual(expected.sort());
    for (const sensor of sensors) {
      collect(octree, sensor.volumes[0], list);
      expect(numbersOf(sensor.inside, 1).sort()).toEqual(numbersOf(list, 1).sort());
    }
    for (const { index } of this.bodies) {
      const band = bands.bandOf(index);
      expect(this.toldBands.get(index) ?? DISTANCES.length).toBe(band);
      if (band < DISTANCES.length) {
        octree.collectSphere({ center: point([1, 2, 3]), radius: DISTANCES[band] }, list);
        expect([...list]).toContain(index);
      }
      if (band > 0) {
        octree.collectSphere({ center: point([1, 2, 3]), radius: DISTANCES[band - 1] * 0.9 }, list);
        expect([...list]).not.toContain(index);
      }
    }
    expect(validate(octree)).toEqual([]);
  }

  /** An update after a failed call; and one after all have moved, and have come to rest. */
  goOn(): void {
    this.update();
    this.move(50, 2);
    this.update();
    for (let k = 0; k < 10; k++) this.octree.update(0.1);
    this.read();
    this.octree.collectBox(boxOf(cube(0, 0, 0, 99)), this.list, { filter: () => this.refuses() });
  }

  /** `update` and `clear` are refused in a callback. */
  private refuses(): boolean {
    expect(() => this.octree.update(0.1)).toThrow('must not be called from a callback');
    expect(() => {
      this.octree.clear();
    }).toThrow('must not be called from a callback');
    return true;
  }
}

type Call = (scene: Scene) => unknown;

/** A scene of which all bodies have moved since the last update. */
function movedScene(): Scene {
  const scene = new Scene();
  scene.move(9, 3);
  scene.overlaps = [];
  return scene;
}

function dataIn(records: readonly { readonly body: Body<number> }[]): string {
  return records.map(({ body }) => body.data).join(' ');
}

describe('memory that is missing', () => {
  const rays = Float64Array.from({ length: 7 * 300 }, (_, k) => (k % 7 === 6 ? 200 : ((k * 7919) % 101) - 50.5));
  const hitsOf = ({ octree }: Scene): string => {
    const hits = { indices: new Int32Array(300), distances: new Float64Array(300), normals: new Float64Array(900) };
    castRays(octree, rays, hits);
    return `${hits.indices.join(' ')} ${hits.distances.join(' ')} ${hits.normals.join(' ')}`;
  };
  const box = new OrientedBox({
    center: point([0, 0, 0]),
    halfSize: point([9, 8, 30]),
    rotation: { elements: IDENTITY },
  });
  const convex = new Convex(FRUSTUM);
  const reads: Readonly<Record<string, (scene: Scene) => string>> = {
    castRays: hitsOf,
    intersectPairs: ({ octree }) => dataIn(intersectPairs(octree, { within: 2 })),
    nearest: ({ octree }) => dataIn(nearest(octree, point([1, 2, 3]), 100)),
    'nearest to a ray': ({ octree }) => dataIn(nearest(octree, new RayRange(rayOf([0, 0, 0], [1, 2, 3])), 100)),
    visitNearest: ({ octree }) => {
      const seen: number[] = [];
      visitNearest(octree, point([0, 0, 0]), ({ data }) => void seen.push(data));
      return seen.join(' ');
    },
    castSphere: ({ octree }) => String(castSphere(octree, sphereOf([-50, 0, 0, 3]), point([100, 1, 2]))?.body.data),
    castBoxAll: ({ octree }) => dataIn(castBoxAll(octree, boxOf(cube(-50, 0, 0, 3)), point([100, 1, 2]))),
    capsule: ({ octree }) =>
      dataIn(intersect(octree, new Capsule({ start: point([0, 0, 0]), end: point([9, 9, 9]), radius: 9 }))),
    segment: ({ octree }) => dataIn(intersect(octree, new Segment({ start: point([0, 0, 0]), end: point([9, 9, 9]) }))),
    'oriented box': ({ octree }) => dataIn(intersect(octree, box)),
    convex: ({ octree }) => dataIn(intersect(octree, convex)),
    'Convex.set': ({ octree }) => {
      convex.set(planesOf([...planesOfBox([-20, -20, -20, 30, 20, 25]), [0, 1, 1, 40], [1, 0, 1, 40], [1, 1, 1, 50]]));
      const found = dataIn(intersect(octree, convex));
      convex.set(FRUSTUM);
      return found;
    },
    'volume of callbacks': ({ octree }) => dataIn(intersect(octree, new CustomVolume(VOLUME))),
    sortByDistance: ({ octree, list }) => {
      octree.collectBox(boxOf(cube(0, 0, 0, 99)), list);
      return [...sortByDistance(octree, list, point([3, 2, 1]))].join(' ');
    },
    assignBands: ({ octree, list }) => {
      octree.collectBox(boxOf(cube(0, 0, 0, 99)), list);
      const bands = new Uint8Array(256);
      assignBands(octree, list, point([3, 2, 1]), DISTANCES, bands);
      return bands.join(' ');
    },
  };

  for (const [row, [name, read]] of Object.entries(reads).entries()) {
    it.each([0, Infinity])(`in ${name}, simdFrom %s`, (simdFrom) => {
      const sceneOf = (): Scene => ({ octree: filledOctree(simdFrom), list: new IndexList() }) as unknown as Scene;
      let expected = '';
      const { allocations } = withFault(0, () => (expected = read(sceneOf())));
      expect(allocations).toBeGreaterThan(0);
      const scenes = sceneOf();
      const own = withFault(0, () => read(scenes)).allocations;
      for (const n of sampleOf(own, 8, simdFrom === 0 ? row : row + 4)) {
        const scene = sceneOf();
        withFault(n, () => read(scene));
        expect(read(scene), `after allocation ${n} of ${own}`).toBe(expected);
        expect(() => scene.octree.update(0.1)).not.toThrow();
      }
    });
  }

  const writes: Readonly<Record<string, Call>> = {
    trackContacts: ({ octree }) => {
      trackContacts(octree, { within: 1 }).stop();
    },
    onIntersection: ({ octree, bodies }) => {
      onIntersection(octree, bodies[50], () => undefined);
    },
    watch: ({ octree }) => {
      watch(octree, FRUSTUM).stop();
    },
    'moveTo, of a sensor at rest': ({ sensors }) => sensors[0].moveTo(boxOf(cube(1, 2, 3, 30))),
    'moveTo, by another shape': ({ sensors }) => sensors[2].moveTo(FRUSTUM),
    'moveTo, of bands': ({ bands }) => bands.moveTo(point([1, 2, 3])),
    watchDistances: ({ octree }) => {
      watchDistances(octree, point([0, 0, 0]), [5, 9]).stop();
    },
    ids: ({ bodies, octree }) => {
      const ids = bodies.map(({ index }) => idOf(octree, index));
      moveManyById(
        octree,
        ids.slice(0, 4),
        Float64Array.from([...cube(0, 0, 0), ...cube(1, 1, 1), ...cube(2, 0, 0), ...cube(9, 0, 0)]),
      );
    },
    translate: ({ octree }) => {
      translate(octree, { x: 0, y: 0, z: 0 });
    },
  };
  for (const [row, [name, call]] of Object.entries(writes).entries()) {
    it(`in ${name}`, () => {
      const twin = new Scene();
      const { allocations } = withFault(0, () => call(twin));
      for (const n of sampleOf(allocations, 8, row)) {
        const scene = new Scene();
        const { error } = withFault(n, () => call(scene));
        expect(error === undefined || error instanceof MemoryFault, String(error)).toBe(true);
        scene.goOn();
      }
    });
  }

  it('in an update in which all have moved: the next one reports the difference', () => {
    const twin = movedScene();
    const { allocations } = withFault(0, () => twin.octree.update(0.1));
    for (const n of sampleOf(allocations, 11, 0)) {
      const scene = movedScene();
      const { error } = withFault(n, () => scene.octree.update(0.1));
      expect(error === undefined || error instanceof MemoryFault, String(error)).toBe(true);
      // Lists describe the last update, also one that has failed.
      scene.read();
      scene.update();
    }
  });
});

/** An octree of all shapes. */
function filledOctree(simdFrom = Infinity): Octree<number> {
  const octree = new Octree<number>({ leafCapacity: 4, simdFrom });
  for (const [k, shape] of SHAPES.entries()) octree.insert(shapeOf(shape), k);
  octree.update(0.1);
  return octree;
}

describe('a callback that throws at its n-th call', () => {
  /** Counts the calls of callbacks, and throws in one of them. */
  class Fuse {
    calls = 0;
    failing = 0;

    /** A callback that returns a value. */
    wire<Value>(value: Value): () => Value {
      return () => {
        if (++this.calls === this.failing) throw new Error('fuse');
        return value;
      };
    }
  }
  const near = point([1, 2, 3]);
  const all = boxOf(cube(0, 0, 0, 60));
  type Read = (octree: Octree<number>, fuse: Fuse) => string;
  const reads: Readonly<Record<string, Read>> = {
    'a filter of castRays': (octree, fuse) => {
      const hits = { indices: new Int32Array(40), distances: new Float64Array(40) };
      const rays = Float64Array.from({ length: 280 }, (_, k) => (k % 7 === 6 ? 99 : ((k * 7919) % 61) - 30.5));
      castRays(octree, rays, hits, { filter: fuse.wire(true) });
      return hits.indices.join(' ');
    },
    'a filter of intersectPairs': (octree, fuse) => dataIn(intersectPairs(octree, { filter: fuse.wire(true) })),
    'a filter of nearest': (octree, fuse) => dataIn(nearest(octree, near, 9, { filter: fuse.wire(true) })),
    'a filter of nearest to a ray': (octree, fuse) =>
      dataIn(nearest(octree, new RayRange(rayOf([0, 0, 0], [1, 2, 3])), 9, { filter: fuse.wire(true) })),
    'a visitor': (octree, fuse) => String(visitNearest(octree, near, fuse.wire(undefined))),
    'a filter of visitNearest': (octree, fuse) =>
      String(visitNearest(octree, near, () => undefined, { filter: fuse.wire(true) })),
    'a visitor of visitCast': (octree, fuse) =>
      String(visitCast(octree, sphereOf([-50, 0, 0, 5]), point([99, 1, 2]), fuse.wire(undefined))),
    'a filter of castBoxAll': (octree, fuse) =>
      dataIn(castBoxAll(octree, boxOf(cube(-50, 0, 0, 5)), point([100, 1, 2]), { filter: fuse.wire(true) })),
    'a filter of castSphere': (octree, fuse) =>
      String(castSphere(octree, sphereOf([-50, 0, 0, 5]), point([99, 1, 2]), { filter: fuse.wire(true) })?.body.data),
    'a filter of a volume': (octree, fuse) =>
      dataIn(intersect(octree, new Convex(FRUSTUM), { filter: fuse.wire(true) })),
    'a volume of callbacks': (octree, fuse) =>
      dataIn(
        intersect(
          octree,
          new CustomVolume({ overlap: fuse.wire(1), touchesBox: fuse.wire(true), touchesSphere: fuse.wire(true) }),
        ),
      ),
  };

  for (const [name, read] of Object.entries(reads))
    it(`in ${name}: the query ends, and the next one is right`, () => {
      const octree = filledOctree();
      const fuse = new Fuse();
      const expected = read(octree, fuse);
      const { calls } = fuse;
      expect(calls).toBeGreaterThan(0);
      for (let n = 1; n <= calls; n += IS_LONG || n < 5 ? 1 : 13) {
        fuse.calls = 0;
        fuse.failing = n;
        expect(() => read(octree, fuse)).toThrow('fuse');
        fuse.failing = 0;
        expect(read(octree, fuse)).toBe(expected);
        // No query is left open.
        expect(octree.update(0.1)).toBeDefined();
      }
      expect(validate(octree)).toEqual([]);
    });

  type Follow = (octree: Octree<number>, fuse: Fuse) => () => string;
  /** Each returns what the lists hold. */
  const follows: Readonly<Record<string, Follow>> = {
    onIntersection: (octree, fuse) => {
      for (let index = 0; index < 20; index++) onIntersection(octree, octree.bodyAt(index), fuse.wire(undefined));
      return () => '';
    },
    'onEnter and onLeave': (octree, fuse) => {
      const calls = { onEnter: fuse.wire(undefined), onLeave: fuse.wire(undefined) };
      const sensors = [sphereOf([0, 0, 0, 15]), FRUSTUM].map((volume) => watch(octree, volume, calls));
      return () => sensors.map(({ inside }) => [...inside].join(' ')).join();
    },
    onChange: (octree, fuse) => {
      const bands = watchDistances(octree, near, DISTANCES, { onChange: fuse.wire(undefined) });
      return () => SHAPES.map((_, index) => bands.bandOf(index)).join(' ');
    },
    'a volume of callbacks': (octree, fuse) => {
      const volume = { overlap: fuse.wire(1 as const), touchesBox: fuse.wire(true), touchesSphere: fuse.wire(true) };
      const sensor = watch(octree, new CustomVolume(volume));
      return () => [...sensor.inside].join(' ');
    },
  };

  /** Two updates; in the first one the n-th call throws, in which all bodies have moved. */
  function run(follow: Follow, n: number): { readonly lists: string; readonly calls: number } {
    const octree = filledOctree();
    const fuse = new Fuse();
    const lists = follow(octree, fuse);
    octree.update(0.1);
    for (const body of octree) body.setCenter(point([body.index % 9, body.index % 7, body.index % 5]));
    fuse.calls = 0;
    fuse.failing = n;
    if (n === 0) octree.update(0.1);
    else expect(() => octree.update(0.1)).toThrow('fuse');
    const { calls } = fuse;
    fuse.failing = 0;
    octree.update(0.1);
    expect(validate(octree)).toEqual([]);
    return { lists: lists(), calls };
  }

  for (const [name, follow] of Object.entries(follows))
    it(`in ${name}: the others run, the error ends the tick, and the next update has all`, () => {
      const { calls, lists } = run(follow, 0);
      expect(calls).toBeGreaterThan(3);
      for (let n = 1; n <= calls; n += IS_LONG || n < 5 ? 1 : 29) {
        const after = run(follow, n);
        expect(after.lists).toBe(lists);
        // A volume that throws is asked again in the next update.
        if (name !== 'a volume of callbacks') expect(after.calls).toBe(calls);
      }
    });

  it('in a filter of contacts and sensors: only what was asked for is left out, until it ends', () => {
    for (let n = 1; n < 40; n += 3) {
      const octree = filledOctree();
      const fuse = new Fuse();
      const contacts = trackContacts(octree, { filter: fuse.wire(true) });
      const sensor = watch(octree, all, { filter: fuse.wire(true) });
      const bands = watchDistances(octree, near, [999], { filter: fuse.wire(true) });
      fuse.failing = n;
      expect(() => octree.update(0.1)).toThrow('fuse');
      octree.update(0.1);
      const list = new IndexList();
      const pairs = collectPairs(octree, list);
      const inside = octree.collectBox(all, list);
      const left = [pairs - contacts.count, inside - sensor.inside.length, SHAPES.length - bands.inside.length];
      expect(left.sort((a, b) => a - b)).toEqual([0, 0, 1]);
    }
  });
});
