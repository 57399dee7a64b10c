import { describe, expect, it } from 'vitest';
import { deviationOf, type Surface } from '../../src/tiles/deviation.ts';
import { createRandom, type Random } from '../support/random.ts';
import { sampledDistance } from '../support/sampled-distance.ts';

const surface = (vertices: number[], index: number[]): Surface => ({
  vertices: Float64Array.from(vertices),
  stride: 3,
  index: Uint32Array.from(index),
});
/** A square of which one corner is raised, cut along a diagonal. */
const square = (height: number, index: number[]): Surface => surface([0, 0, 0, 1, 0, 0, 1, height, 1, 0, 0, 1], index);
/** A fan of triangles around a point, whose rim is turned by an angle. */
const fan = (turn: number, n: number): Surface => {
  const rim = Array.from({ length: n }, (_, k) => {
    const angle = (2 * Math.PI * (k + turn)) / n;
    return [Math.cos(angle), Math.sin(2 * angle) / 3, Math.sin(angle)];
  }).flat();
  return surface([0, 0, 0, ...rim], Array.from({ length: n }, (_, k) => [0, 1 + k, 1 + ((k + 1) % n)]).flat());
};
/** The deviation of two fans falls with the square of their triangles. */
const scaledDeviation = (triangles: number): number =>
  triangles ** 2 * deviationOf(fan(0, triangles), fan(0.5, triangles), 1e-9, 10);
/** Triangles of edges up to 1.5 in a cube; each third is a point or a line. */
const soup = (random: Random, count: number, at: number): number[][] =>
  Array.from({ length: count }, (_, k) => {
    const center = [0, 1, 2].map(() => random.between(-4, 4));
    const corners = [0, 1, 2].map(() => center.map((value) => at + value + random.between(-0.4, 0.4)));
    return k % 3 > 0 ? corners.flat() : [corners[0], corners[k % 2], corners[0]].flat();
  });
const surfaceOf = (triangles: number[][], stride = 3): Surface => ({
  // Behind each position there may be other numbers.
  vertices: Float64Array.from(
    triangles.flat().flatMap((value, at) => (at % 3 < 2 ? [value] : [value, ...Array(stride - 3).fill(99)])),
  ),
  stride,
  index: Uint32Array.from({ length: 3 * triangles.length }, (_, corner) => corner),
});
const ALONG = [0, 1, 2, 0, 2, 3];
const ACROSS = [0, 1, 3, 1, 2, 3];

describe('deviationOf', () => {
  it('is the distance of parallel squares, at most 1 % too large, both ways', () => {
    const flat = square(0, ALONG);
    const raised = surface([0, 3, 0, 1, 3, 0, 1, 3, 1, 0, 3, 1], ACROSS);
    for (const [a, b] of [
      [flat, raised],
      [raised, flat],
    ]) {
      const deviation = deviationOf(a, b, 0.01, 10);
      expect(deviation).toBeGreaterThanOrEqual(3);
      expect(deviation).toBeLessThanOrEqual(3.03 * (1 + 1e-12));
    }
  });

  it('finds a part that only one of the meshes has', () => {
    const flat = square(0, ALONG);
    const spike = surface([0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0.5, 2, 0.5], [...ALONG, 0, 1, 4]);
    expect(deviationOf(flat, spike, 0.01, 10)).toBeCloseTo(2, 0);
    expect(deviationOf(spike, flat, 0.01, 10)).toBeGreaterThanOrEqual(2);
    expect(deviationOf(spike, flat, 0.01, 1)).toBe(Infinity);
  });

  it('gives the floor where nothing is further away', () => {
    expect(deviationOf(square(0, ALONG), square(0, ACROSS), 0.01, 10)).toBeCloseTo(0.01, 8);
  });

  it.each([1, 2, 3, 4])('is that of sampled points, for triangles anywhere: seed %i', (seed) => {
    const random = createRandom(seed);
    const [a, b] = [soup(random, 3 * seed, 0), soup(random, 14 - seed, 3 * (seed % 3))];
    const sampled = Math.max(sampledDistance(a, b, 5), sampledDistance(b, a, 5));
    const deviation = deviationOf(surfaceOf(a), surfaceOf(b, 5), 0.01, 100);
    expect(deviation).toBeGreaterThanOrEqual(sampled);
    // No point is further than that from one that was sampled.
    expect(deviation).toBeLessThanOrEqual(1.01 * (sampled + 0.8 / 5));
    expect(deviationOf(surfaceOf(a), surfaceOf(b, 5), deviation, 100)).toBeCloseTo(deviation, 12);
    expect(deviationOf(surfaceOf(a), surfaceOf(b, 5), 0.01, sampled / 1.02)).toBe(Infinity);
    expect(deviationOf(surfaceOf(b, 5), surfaceOf(a), 0.01, sampled / 1.02)).toBe(Infinity);
  });

  it('is the distance of a point that one of two equal triangles has beside it, wherever it is', () => {
    const random = createRandom(8);
    for (let k = 0; k < 200; k++) {
      const [triangle] = soup(random, 2, 0).slice(k % 9 === 0 ? 0 : 1);
      const point = triangle.slice(0, 3).map((value) => value + random.between(-1, 1));
      const both = [triangle, [point, point, point].flat()];
      const distance = sampledDistance(both.slice(1), [triangle], 1);
      const deviation = deviationOf(surfaceOf(both), surfaceOf([triangle]), 1e-4, 100);
      expect(deviation).toBeGreaterThanOrEqual(distance * (1 - 1e-12));
      expect(deviation).toBeLessThanOrEqual(1.01 * distance * (1 + 1e-12));
    }
  });

  it('looks at 100,000 parts, then answers with a bound', () => {
    // 76 triangles take 87,000 parts, 88 take 162,000.
    expect(scaledDeviation(76)).toBeCloseTo(8.24, 1);
    const bound = scaledDeviation(88);
    expect(bound).toBeGreaterThan(8.3);
    expect(bound).toBeLessThan(88 ** 2);
  });
});
