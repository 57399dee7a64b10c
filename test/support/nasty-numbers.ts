/**
 * Numbers that break spatial libraries, as arbitraries of fast-check. Uniform random coordinates almost never lie on a
 * splitting plane or touch each other; these often do.
 */
import * as fc from 'fast-check';

/** The largest magnitude of a coordinate that the octree accepts. */
export const LIMIT = 2 ** 50;

const POWERS = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [2 ** k, -(2 ** k)]);
const GRID = [0, 0.5, -0, -0.5, ...POWERS];
const HUGE = [2 ** 20, 2 ** 24 + 1, 1e7 + 0.3, 2 ** 33, 2 ** 40, 2 ** 49, LIMIT].flatMap((value) => [value, -value]);
const FEW_ULPS = GRID.flatMap((value) => [neighbour(value, 1), neighbour(value, -1)]);

/** The adjacent float64, above the value (`step` 1) or below it (-1). */
export function neighbour(value: number, step: 1 | -1): number {
  if (value === 0) return step * Number.MIN_VALUE;
  const bits = new BigInt64Array(1);
  const floats = new Float64Array(bits.buffer);
  floats[0] = value;
  bits[0] += BigInt(value > 0 ? step : -step);
  return floats[0];
}

/** Shrinks towards 0, then towards the simple numbers at the start of the tables. */
export const coordinate: fc.Arbitrary<number> = fc.oneof(
  { weight: 60, arbitrary: fc.constantFrom(...GRID) },
  { weight: 10, arbitrary: fc.integer({ min: -100, max: 100 }) },
  { weight: 15, arbitrary: fc.integer({ min: -(2 ** 30), max: 2 ** 30 }).map((n) => n / 2 ** 23.5) },
  { weight: 10, arbitrary: fc.constantFrom(...FEW_ULPS) },
  { weight: 5, arbitrary: fc.constantFrom(...HUGE) },
);

/** More than half are 0 or a power of two, so that many bodies are points, are flat, or touch each other. */
export const extent: fc.Arbitrary<number> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(0, 0.5, 1, 2, 4, 8, 64) },
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 2 ** 20 }).map((n) => n / 2 ** 18.5) },
  { weight: 1, arbitrary: fc.constantFrom(1e-9, 5e-324, 1000, 2 ** 20, 2 ** 48) },
);

/** Components that expose bugs with 0 * Infinity, signs and underflow. */
export const directionComponent: fc.Arbitrary<number> = fc.constantFrom(0, 1, -0, -1, 0.5, 1e-9, 0.3, -0.7);

export const position: fc.Arbitrary<number[]> = fc.array(coordinate, { minLength: 3, maxLength: 3 });

export const direction: fc.Arbitrary<number[]> = fc
  .array(directionComponent, { minLength: 3, maxLength: 3 })
  .map((components) =>
    components.every((component) => component === 0) ? [1, components[1], components[2]] : components,
  );

export const box: fc.Arbitrary<number[]> = fc
  .tuple(position, fc.array(extent, { minLength: 3, maxLength: 3 }))
  .map(([min, size]) => [...min, ...min.map((low, axis) => Math.min(low + size[axis], LIMIT))]);

/** Centre and radius. The box of the sphere stays within the limit. */
export const sphere: fc.Arbitrary<number[]> = fc
  .tuple(position, extent)
  .map(([center, radius]) => [...center, Math.min(radius, LIMIT - Math.max(...center.map(Math.abs)))]);
