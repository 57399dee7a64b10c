import { Frustum, Plane, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { VisitResults } from '../../src/helper/visit-result.ts';
import { errorOf } from '../support/rejects.ts';
import { boxOf, point } from '../support/shapes.ts';

const along = (far?: number): VisitResults =>
  new VisitResults('test', { origin: point([0, 0, 0]), direction: point([2, 0, 0]), far: far as number });

it.each<[string, number | undefined, number[], string]>([
  ['before it', undefined, [5, -1, -1, 6, 1, 1], 'tested'],
  ['before it', 6, [5, -1, -1, 6, 1, 1], 'tested'],
  ['before it, where it ends', 5, [5, -1, -1, 6, 1, 1], 'tested'],
  ['behind its end', 4.9, [5, -1, -1, 6, 1, 1], 'skipped'],
  ['behind its origin', undefined, [-6, -1, -1, -5, 1, 1], 'skipped'],
  ['beside it', undefined, [5, 1, 1, 6, 2, 2], 'skipped'],
  ['around it all', 0.5, [-1, -1, -1, 1, 1, 1], 'tested'],
  ['around its origin, which is all of it', 0, [-1, -1, -1, 1, 1, 1], 'tested'],
  ['of no body', undefined, [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity], 'skipped'],
])('tells what a ray does with a node %s, for far %s and the box %j', (_, far, box, result) => {
  expect(along(far).of(boxOf(box), 0)).toBe(result);
  expect(along(far).of(boxOf(box), 1)).toBe(result === 'tested' ? 'split' : result);
});

it('skips a node of no body for a frustum, too', () => {
  const planes = [0, 1, 2].flatMap((axis) =>
    [1, -1].map((sign) => new Plane(new Vector3().setComponent(axis, sign), 10)),
  );
  const results = new VisitResults('test', new Frustum(...(planes as Parameters<Frustum['set']>)));
  const none = boxOf([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
  expect(results.of(none, 0)).toBe('skipped');
  expect(results.of(boxOf([-1, -1, -1, 1, 1, 1]), 0)).toBe('contained');
  expect(results.of(boxOf([-1, -1, -1, 11, 1, 1]), 1)).toBe('split');
  expect(results.of(boxOf([11, -1, -1, 12, 1, 1]), 1)).toBe('skipped');
});

it('refuses a negative far', () => {
  expect(String(errorOf(() => along(-1)))).toBe(
    'RangeError: test: query.far must be 0 or more, but is -1; leave it out for a ray without end.',
  );
});
