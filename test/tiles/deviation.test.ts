import { describe, expect, it } from 'vitest';
import { deviationOf, type Surface } from '../../src/tiles/deviation.ts';

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

  it('gives little more than the floor where nothing is further away', () => {
    expect(deviationOf(square(0, ALONG), square(0, ACROSS), 0.01, 10)).toBeCloseTo(0.0101, 8);
  });

  it('looks at 100,000 parts, then answers with a bound', () => {
    // 76 triangles take 87,000 parts, 88 take 162,000.
    expect(scaledDeviation(76)).toBeCloseTo(8.24, 1);
    expect(scaledDeviation(88)).toBeGreaterThan(8.3);
    expect(scaledDeviation(88)).toBeLessThan(88 ** 2);
  });
});
