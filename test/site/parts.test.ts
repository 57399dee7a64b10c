import { Box3, Frustum, Matrix4, PerspectiveCamera, Vector3 } from 'three';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  encodePlaces,
  latitudeOf,
  longitudeOf,
  openPlaces,
  populationOf,
} from '../../examples/src/shared/places-binary.ts';
import { cityDataSet } from '../../examples/src/fly-through/city.ts';
import { FrustumLoop } from '../../examples/src/shared/frustum-loop.ts';
import { RecentTimes } from '../../examples/src/shared/recent-times.ts';
import { runInSlices, type SlicedWork } from '../../examples/src/shared/slices.ts';

describe('the file of places', () => {
  const places = [
    { longitude: -180, latitude: -90, population: 0 },
    { longitude: 179.99, latitude: 90, population: 22_315_474 },
    { longitude: 4.9, latitude: 52.37, population: 1001 },
    { longitude: 4.9, latitude: 52.37, population: 5000 },
  ];

  it('stores places within its quantization error, in Z-order, then by descending population', () => {
    const columns = openPlaces(encodePlaces(places).buffer);
    const degrees = 180 / Math.PI;
    const read = Array.from(
      { length: columns.count },
      (_, place) =>
        [
          longitudeOf(columns, place) * degrees,
          latitudeOf(columns, place) * degrees,
          populationOf(columns, place),
        ] as const,
    );
    expect(read.map(([, , population]) => Math.round(population / 100))).toEqual([
      0,
      50,
      10,
      expect.closeTo(223_155, -2),
    ]);
    for (const [at, place] of [places[0], places[3], places[2]].entries()) {
      expect(Math.abs(read[at][0] - place.longitude)).toBeLessThan(0.003);
      expect(Math.abs(read[at][1] - place.latitude)).toBeLessThan(0.0015);
      expect(Math.abs(read[at][2] - place.population)).toBeLessThanOrEqual(place.population * 0.0002);
    }
  });

  it('is rejected when it is truncated or has another format', () => {
    const file = encodePlaces(places).buffer;
    expect(() => openPlaces(file.slice(0, -1))).toThrow(RangeError);
    expect(() => openPlaces(new ArrayBuffer(4))).toThrow(RangeError);
    expect(() => openPlaces(new ArrayBuffer(32))).toThrow(RangeError);
  });
});

describe('the generated city', () => {
  it('has exactly the requested number of buildings, the same each time, all at different places', async () => {
    const [first, second] = await Promise.all([
      runInSlices(cityDataSet().build(20_000)),
      runInSlices(cityDataSet().build(20_000)),
    ]);
    const { matrices } = first.set;
    expect(matrices).toHaveLength(20_000 * 16);
    expect(matrices).toEqual(second.set.matrices);
    const feet = Array.from({ length: 20_000 }, (_, body) => [...matrices.subarray(body * 16 + 12, body * 16 + 15)]);
    expect(feet.every((_, body) => matrices[body * 16 + 5] >= 5 && matrices[body * 16 + 5] < 500)).toBe(true);
    const { min, edge } = first.region;
    expect(
      feet.every(([x, y, z]) => x >= min.x && x <= min.x + edge && y === 0 && z >= min.z && z <= min.z + edge),
    ).toBe(true);
    expect(new Set(feet.map(([x, , z]) => `${x} ${z}`)).size).toBe(20_000);
  });
});

it.each([1, 100, 999, 3000, 5000])('a generated city has enough lots for %i buildings', async (count) => {
  expect((await runInSlices(cityDataSet().build(count))).set.matrices[count * 16 - 1]).toBe(1);
});

describe('FrustumLoop', () => {
  const camera = new PerspectiveCamera(60, 1.5, 1, 100);
  camera.updateMatrixWorld();
  const frustum = new Frustum().setFromProjectionMatrix(
    new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
  );
  const bounds = new Float32Array([
    -1, -1, -11, 1, 1, -9, -1, -1, 9, 1, 1, 11, -1, -1, -101, 1, 1, -99, 40, 0, -11, 41, 1, -10,
  ]);
  const loop = new FrustumLoop(bounds);

  it('finds the same boxes as the Frustum of three', () => {
    const count = loop.cull(frustum);
    const boxes = [0, 1, 2, 3].map(
      (body) => new Box3(new Vector3().fromArray(bounds, body * 6), new Vector3().fromArray(bounds, body * 6 + 3)),
    );
    expect([...loop.found.subarray(0, count)]).toEqual(
      [0, 1, 2, 3].filter((body) => frustum.intersectsBox(boxes[body])),
    );
  });

  it('agrees with exactly the same bodies in any order', () => {
    loop.cull(frustum);
    expect(loop.agreesWith(new Uint32Array([2, 0, 9]), 2)).toBe(true);
    expect(loop.agreesWith(new Uint32Array([2, 2]), 2)).toBe(false);
    expect(loop.agreesWith(new Uint32Array([2, 1]), 2)).toBe(false);
    expect(loop.agreesWith(new Uint32Array([2]), 1)).toBe(false);
  });
});

describe('a clock of whole milliseconds, as that of Firefox and Safari', () => {
  /** Milliseconds since the start. Each look at the clock takes 1 us. */
  let trueTime = 0;
  beforeEach(() => {
    vi.resetModules();
    vi.spyOn(performance, 'now').mockImplementation(() => Math.floor((trueTime += 0.001)));
  });
  afterEach(() => void vi.restoreAllMocks());

  it('measures work of 50 us by as many runs as it needs', async () => {
    const { clockStep, timeOf } = await import('../../examples/src/shared/clock.ts');
    expect(clockStep()).toBe(1);
    let runs = 0;
    const time = timeOf(() => {
      trueTime += 0.05;
      runs++;
    });
    expect(runs).toBeGreaterThan(60);
    expect(time).toBeGreaterThan(0.05 * 0.75);
    expect(time).toBeLessThan(0.05 * 1.25);
  });

  it('has a mean with digits in the place of the median, once it has moved often enough', async () => {
    const { RecentTimes } = await import('../../examples/src/shared/recent-times.ts');
    const times = new RecentTimes();
    for (const value of [0, 0, 0, 1, 0, 0, 0, 1]) times.add(value, 0);
    expect(times.medianAt(0)).toBeNaN();
    for (const value of [0, 0, 0, 1, 0, 0, 0, 1]) times.add(value, 0);
    expect(times.medianAt(0)).toBe(0.25);
  });
});

describe('RecentTimes', () => {
  it('gives the median of the last second, and NaN if there are no measurements in it', () => {
    const times = new RecentTimes(1000, 5);
    for (const [value, now] of [
      [90, 0],
      [5, 900],
      [1, 1000],
      [3, 1700],
      [4, 1700],
    ] as const)
      times.add(value, now);
    // Four are too few.
    expect([times.countAt(1800), times.medianAt(1800)]).toEqual([4, Number.NaN]);
    times.add(3, 1800);
    expect(times.medianAt(1800)).toBe(3);
    expect(times.medianAt(1850)).toBe(3);
    expect(times.medianAt(5000)).toBeNaN();
  });

  it('gives the mean without pauses, with digits where the clock is coarser than the times', () => {
    const times = new RecentTimes();
    for (const value of [4, 900, 2, 3, 0, 5, 2, 4]) times.add(value, 0);
    expect(times.meanAt(500)).toBe((4 + 2 + 3 + 0 + 5 + 2 + 4) / 7);
    expect(times.meanAt(5000)).toBeNaN();
    // 0.03 ms each, by a clock of 0.1 ms.
    for (let k = 0; k < 400; k++) times.add((Math.floor((k + 1) * 0.3) - Math.floor(k * 0.3)) * 0.1, 3000);
    times.add(20, 3000);
    expect(times.meanAt(3000)).toBeCloseTo(0.03, 9);
    for (let k = 0; k < 400; k++) times.add((Math.floor((k + 1) * 2.7) - Math.floor(k * 2.7)) * 0.1, 6000);
    expect(times.meanAt(6000)).toBeCloseTo(0.27, 9);
  });

  it('visits the measurements of the given window, oldest first', () => {
    const times = new RecentTimes(3000);
    for (let turn = 0; turn < 600; turn++) times.add(turn, turn * 10);
    const seen: number[] = [];
    times.forEachAt(6000, (value, takenAt) => seen.push(value, takenAt));
    expect(seen).toHaveLength(600);
    expect(seen.slice(0, 2)).toEqual([300, 3000]);
    expect(seen.slice(-2)).toEqual([599, 5990]);
    expect(times.medianAt(6000)).toBe(450);
  });
});

describe('runInSlices', () => {
  it('yields to the event loop between slices, and throws the reason of its signal', async () => {
    const stop = new AbortController();
    let turns = 0;
    setTimeout(() => stop.abort(new Error('enough')), 30);
    await expect(runInSlices(endless(), { signal: stop.signal, onProgress: () => turns++ })).rejects.toThrow('enough');
    expect(turns).toBeGreaterThan(1);
  });
});

function* endless(): SlicedWork<void> {
  for (;;) yield 0.5;
}
