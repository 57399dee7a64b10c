import { describe, expect, it } from 'vitest';
import { rayHits } from '../../../src/triangles/kernels/ray-triangle.ts';
import { exactPoints, rayMeetsTriangle } from '../../support/exact-distance.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { largest, pointNear, randomTriangle, TRIANGLE_KINDS } from '../../support/triangle-cases.ts';

const out = new Float64Array(1);
const say = (...arrays: readonly Float64Array[]): string => arrays.map((array) => `[${array.join()}]`).join(' ');

/** A ray from an origin towards a point. */
function rayTo(origin: readonly number[], point: readonly number[]): Float64Array {
  const toward = point.map((x, k) => x - origin[k]);
  const length = Math.sqrt(toward.reduce((sum, x) => sum + x * x, 0));
  return Float64Array.from([...origin, ...toward.map((x) => x / length)]);
}

const originNear = (random: Random): number[] => [0, 1, 2].map(() => random.between(-3, 3));

describe('a ray and a triangle', () => {
  it.each(TRIANGLE_KINDS)('%s: hits what exact arithmetic hits, but for rays that graze it', (kind) => {
    const random = createRandom(TRIANGLE_KINDS.indexOf(kind) + 51);
    let hits = 0;
    for (let round = 0; round < 2000; round++) {
      const triangle = randomTriangle(random, kind);
      const near = originNear(random).map((x, k) => x + triangle[k]);
      const ray = rayTo(near, pointNear(random, triangle));
      const message = say(triangle, ray);
      const exact = rayMeetsTriangle(exactPoints(ray), exactPoints(triangle));
      const isHit = rayHits(ray, triangle, out);
      if (isHit) hits++;
      // How near the ray is to an edge or to the plane, in parts of the coordinates.
      const margin = exact.margin / largest(triangle, ray) ** 2;
      if (margin > 1e-14) expect(isHit, message).toBe(exact.distance >= 0);
      if (!isHit || margin < 1e-13) continue;
      expect(Math.abs(out[0] - exact.distance), message).toBeLessThanOrEqual(
        (1e-15 * largest(triangle, ray)) / exact.slope,
      );
    }
    if (['point', 'line'].includes(kind)) expect(hits).toBe(0);
    else if (kind !== 'folded') expect(hits).toBeGreaterThan(50);
  });

  it.each([
    ['one way', [0, 0, 0, 2, 0, 0, 0, 2, 0]],
    ['the other way', [0, 2, 0, 2, 0, 0, 0, 0, 0]],
  ])('hits both sides, edges and vertices, and a triangle at its origin, whose vertices turn %s', (_, vertices) => {
    const triangle = Float64Array.from(vertices);
    for (const z of [-1, 1])
      for (const [x, y] of [
        [0, 0],
        [2, 0],
        [0, 2],
        [1, 0],
        [0, 1],
        [1, 1],
        [0.5, 0.5],
      ]) {
        expect(rayHits(Float64Array.from([x, y, z, 0, 0, -z]), triangle, out)).toBe(true);
        expect(out[0]).toBe(1);
        expect(rayHits(Float64Array.from([x, y, z, 0, 0, z]), triangle, out)).toBe(false);
        expect(rayHits(Float64Array.from([x, y, 0, 0, 0, z]), triangle, out)).toBe(true);
        expect(out[0]).toBe(0);
      }
    // Just outside of an edge, and in the plane.
    expect(rayHits(Float64Array.from([1, -1e-300, 1, 0, 0, -1]), triangle, out)).toBe(false);
    expect(rayHits(Float64Array.from([-1, 0.5, 0, 1, 0, 0]), triangle, out)).toBe(false);
  });

  it('slips through no common edge of two triangles, and through no common vertex of more', () => {
    const random = createRandom(71);
    for (let round = 0; round < 300; round++) {
      // A fan around a vertex, closed, of random slope, scale and place.
      const scale = 10 ** random.between(-6, 6);
      const place = random.pick([0, 1e3, 1e7]) * scale;
      const point = (): number[] => [0, 1, 2].map(() => place + scale * random.between(-1, 1));
      const center = point();
      const rim = [0, 1, 2].map((k) => {
        const angle = ((2 * Math.PI) / 3) * (k + random.between(-0.1, 0.1));
        return [Math.cos(angle), Math.sin(angle), random.between(-0.3, 0.3)].map((x, j) => center[j] + scale * x);
      });
      const fan = rim.map((a, k) => Float64Array.from([...center, ...a, ...rim[(k + 1) % 3]]));
      for (let shot = 0; shot < 60; shot++) {
        const spoke = random.pick(rim);
        const part = random.pick([0, random.next() * 0.9]);
        const target = center.map((x, k) => x + part * (spoke[k] - x));
        const origin = [random.between(-1, 1), random.between(-1, 1), 5].map((x, k) => center[k] + 2 * scale * x);
        const ray = rayTo(origin, target);
        expect(
          fan.some((triangle) => rayHits(ray, triangle, out)),
          say(...fan, ray),
        ).toBe(true);
      }
    }
  });
});
