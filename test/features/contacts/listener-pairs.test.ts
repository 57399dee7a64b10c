import { describe, expect, it } from 'vitest';
import type { Body } from '../../../src/index.ts';
import { Octree, onIntersection } from '../../../src/index.ts';
import { BruteForce } from '../../../src/debug/reference/brute-force.ts';
import { createRandom } from '../../support/random.ts';
import { boxOf, cube } from '../../support/shapes.ts';
import { validate } from '../../../src/debug/index.ts';

const TICKS = 60;

/**
 * Bodies on a grid of two units, a part of which listens. In each tick some bodies move, are removed or are inserted.
 */
function run(listeners: number, moving: (tick: number) => number, replaced: number): void {
  const random = createRandom(7);
  const octree = new Octree<number>({ leafCapacity: 4 });
  const reference = new BruteForce();
  const bodies: Body<number>[] = [];
  const listens = new Set<number>();
  let calls: string[] = [];
  const insert = (isListener: boolean): void => {
    const shape = cube(random.below(8) * 2, random.below(8) * 2, random.below(3) * 2, random.pick([0.9, 1, 1.1]));
    const body = octree.insert(boxOf(shape), 0);
    if (isListener) onIntersection(octree, body, ({ other }) => void calls.push(`${body.index}>${other!.index}`));
    reference.setBox(body.index, shape);
    bodies.push(body);
    if (isListener) listens.add(body.index);
    else listens.delete(body.index);
  };
  for (let i = 0; i < 150; i++) insert(i < listeners);
  for (let tick = 0; tick < TICKS; tick++) {
    for (let i = 0; i < moving(tick); i++) {
      const body = random.pick(bodies);
      const shape = cube(random.below(16), random.below(16), random.below(6), 1);
      body.setBox(boxOf(shape));
      reference.setBox(body.index, shape);
    }
    for (let i = 0; i < replaced; i++) {
      const [body] = bodies.splice(random.below(bodies.length), 1);
      reference.remove(body.index);
      body.remove();
      insert(random.next() < 0.5);
    }
    calls = [];
    octree.update();
    const expected = reference.pairs().filter(({ index, other }) => listens.has(index) || listens.has(other));
    expect(calls).toEqual(
      expected.flatMap(({ index, other }) => [
        ...(listens.has(index) ? [`${index}>${other}`] : []),
        ...(listens.has(other) ? [`${other}>${index}`] : []),
      ]),
    );
  }
  expect(validate(octree)).toEqual([]);
}

describe('onIntersection', () => {
  it('of many bodies among few that move finds what a loop finds', () => {
    run(110, () => 2, 0);
  });

  it('of few bodies among many that move finds what a loop finds', () => {
    run(5, () => 50, 1);
  });

  it('finds what a loop finds when few and many move by turns, while bodies come and go', () => {
    run(80, (tick) => (tick % 24 < 12 ? 1 : 100), 1);
  });

  it('goes on after all listeners were removed and others came', () => {
    const octree = new Octree<number>();
    const calls: string[] = [];
    const listen = (name: string, x: number): Body<number> => {
      const body = octree.insert(boxOf(cube(x, 0, 0)), 0);
      onIntersection(octree, body, () => void calls.push(name));
      return body;
    };
    for (let i = 0; i < 50; i++) octree.insert(boxOf(cube(i, 0, 0)), i);
    const listeners = Array.from({ length: 40 }, (_, i) => listen('old', 200 + 5 * i));
    for (let tick = 0; tick < 10; tick++) octree.update();
    for (const body of listeners) body.remove();
    for (let tick = 0; tick < 3; tick++) octree.update();
    for (let i = 0; i < 30; i++) octree.insert(boxOf(cube(300 + i, 0, 0)), i);
    octree.update();
    listen('new', 300);
    octree.update();
    expect(calls).toEqual(['new', 'new']);
  });

  it('finds the pairs of a body at rest that gets a callback while others are tracked', () => {
    const octree = new Octree<number>();
    const resting = octree.insert(boxOf(cube(1000, 0, 0)), 0);
    const other = octree.insert(boxOf(cube(1001, 0, 0)), 0);
    for (let i = 0; i < 40; i++) onIntersection(octree, octree.insert(boxOf(cube(5 * i, 0, 0)), 0), () => undefined);
    for (let tick = 0; tick < 3; tick++) octree.update();
    const calls: (Body<number> | null)[] = [];
    onIntersection(octree, resting, (record) => void calls.push(record.other));
    for (let tick = 0; tick < 2; tick++) octree.update();
    expect(calls).toEqual([other, other]);
  });
});
