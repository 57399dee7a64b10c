import * as fc from 'fast-check';
import { CylinderGeometry, SphereGeometry } from 'three';
import { expect, it } from 'vitest';
import { solidBoxes } from '../../../src/core.ts';
import {
  arraysOf,
  block,
  extruded,
  faultOf,
  gabled,
  mapped,
  placed,
  trianglesOf,
  withFlipped,
  withHole,
  withSlit,
  type Triangle,
} from '../../support/solid-meshes.ts';
import { IS_LONG } from '../../support/sampled.ts';

const length = fc.double({ min: 0.5, max: 30, noNaN: true });
const index = fc.nat(1000);

/** A polygon around the origin: a radius for each of some directions. */
const prism = fc
  .tuple(fc.array(fc.double({ min: 1, max: 20, noNaN: true }), { minLength: 3, maxLength: 12 }), length)
  .map(([radii, height]) =>
    extruded(
      radii.map((radius, k) => {
        const angle = (2 * Math.PI * k) / radii.length;
        return [radius * Math.cos(angle), -radius * Math.sin(angle)] as const;
      }),
      height,
    ),
  );
const house = fc
  .tuple(length, length, length)
  .map(([x, y, z]) => mapped(gabled(), (p) => [p[0] * x, p[1] * y, p[2] * z]));
const boxes = fc
  .array(fc.tuple(length, length, length, length, length, length), { minLength: 1, maxLength: 4 })
  .map((list) => list.flatMap(([x, y, z, a, b, c]) => block([x, y, z], [x + a, y + b, z + c])));
const round = fc
  .tuple(fc.integer({ min: 3, max: 12 }), length, length, fc.boolean())
  .map(([parts, radius, height, isSphere]) =>
    trianglesOf(
      isSphere ? new SphereGeometry(radius, parts, parts) : new CylinderGeometry(radius / 3, radius, height, parts),
    ),
  );
/** A mesh, turned and moved. Positions are Float32, as in a geometry. */
const meshes = fc
  .tuple(
    fc.oneof(prism, house, boxes, round),
    fc.double({ min: 0, max: 7, noNaN: true }),
    fc.tuple(length, length, length),
  )
  .map(([triangles, angle, to]) =>
    mapped(placed(triangles, angle, to), (p) => [Math.fround(p[0]), Math.fround(p[1]), Math.fround(p[2])]),
  );
const options = fc.record({
  maxBoxes: fc.integer({ min: 1, max: 4 }),
  resolution: fc.constantFrom(8, 16, 31, 32),
  axisAligned: fc.boolean(),
});
/** Removes or turns triangles, cuts holes, tears walls off. */
const damages = fc.array(fc.tuple(fc.constantFrom('hole', 'missing', 'flipped', 'torn'), index), {
  minLength: 1,
  maxLength: 2,
});

function damaged(triangles: readonly Triangle[], list: readonly (readonly [string, number])[]): readonly Triangle[] {
  let result = triangles;
  for (const [kind, k] of list) {
    const which = k % result.length;
    if (kind === 'hole') result = withHole(result, which, 0.002 * (1 + (k % 50)));
    else if (kind === 'missing') result = result.filter((_, place) => place !== which);
    else if (kind === 'flipped') result = withFlipped(result, which);
    else result = withSlit(result, result[which][0][0], 0.003);
  }
  return result;
}

/** The default number of runs takes seconds; more found nothing else. */
const RUNS = { numRuns: IS_LONG ? 150 : 30, seed: 11 };

it('every box in a random closed mesh is solid by another method, and most meshes have one', () => {
  let found = 0;
  let all = 0;
  fc.assert(
    fc.property(meshes, options, (triangles, own) => {
      all++;
      const solid = solidBoxes(arraysOf(triangles), own);
      if (solid.length > 0) found++;
      for (const box of solid) expect(faultOf(triangles, box, 'closed')).toBeNull();
    }),
    RUNS,
  );
  expect(found).toBeGreaterThan(0.9 * all);
});

it('every box in a damaged mesh is solid by another method: there is none in the damaged part', () => {
  let found = 0;
  fc.assert(
    fc.property(meshes, damages, options, (triangles, list, own) => {
      const mesh = damaged(triangles, list);
      for (const side of ['front', 'double'] as const) {
        for (const box of solidBoxes(arraysOf(mesh), { ...own, side })) {
          found++;
          expect(faultOf(mesh, box, side)).toBeNull();
        }
      }
    }),
    RUNS,
  );
  // Parts that are not damaged have boxes.
  expect(found).toBeGreaterThan(20);
});
