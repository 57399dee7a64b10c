import { Vector3 } from 'three';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Body, collectPairs, IndexList, Octree, trackContacts, translate } from '../../../src/index.ts';
import { ContactTracker } from '../../../src/features/contacts/contact-tracker.ts';
import { PairTest } from '../../../src/features/pairs/pair-test.ts';
import { BruteForce } from '../../../src/debug/reference/brute-force.ts';
import { octreeOf } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { uniform } from '../../support/scenes.ts';
import type { Shape } from '../../support/shapes.ts';
import { boundsOf, boxOf, cube, sphereOf } from '../../support/shapes.ts';
import { pairsOf } from '../../support/lists.ts';

/** The pairs in some lists whose smaller index is below `end`, sorted. */
function pairsBelow(end: number, ...lists: IndexList[]): number[] {
  const pairs: number[] = [];
  for (const { array, length } of lists)
    for (let k = 0; k < length; k += 2) if (array[k] < end) pairs.push(array[k] * 1000 + array[k + 1]);
  return pairs.sort((a, b) => a - b);
}

/**
 * Twelve bodies at rest in one place: 66 pairs. Beside them the pairs of a few moved bodies are looked up.
 */
function insertCrowd(octree: Octree<number>): void {
  for (let k = 0; k < 12; k++) octree.insert(boxOf(cube(-40, -40, -40)), 100 + k);
}

describe('began and stayed together', () => {
  it.each([
    { within: 0, otherMask: -1 },
    { within: 2.5, otherMask: -1 },
    { within: 30, otherMask: 2 },
    { within: 2.5, otherMask: 2, hysteresis: 0.5 },
    { within: 30, otherMask: -1, hysteresis: 0.1 },
  ])(
    'are the pairs of a loop over all bodies, while boxes and spheres move slowly, turn, jump and stop: %o',
    (limits) => {
      const random = createRandom(5);
      const shapes: Shape[] = [...uniform(150, 3), cube(0, 0, 0, 90), [20, 20, 20, 60]];
      const { octree, bodies } = octreeOf(shapes, { leafCapacity: 8 });
      const reference = new BruteForce();
      for (const [i, body] of bodies.entries()) body.setMask(1 + (i % 3));
      const contacts = trackContacts(octree, limits);
      const twin = reference.trackContacts(limits);
      const steps = shapes.map(() => [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)]);
      const write = (i: number, shape: Shape): void => {
        shapes[i] = shape;
        if (shape.length === 6) reference.setBox(i, shape, { mask: 1 + (i % 3) });
        else reference.setSphere(i, shape, { mask: 1 + (i % 3) });
      };
      for (const [i, shape] of shapes.entries()) write(i, shape);
      const list = new IndexList();
      let kept = 0;
      for (let tick = 0; tick < 40; tick++) {
        for (const [i, shape] of shapes.entries()) {
          if (i % 5 === 0 || (tick > 25 && i % 2 === 0)) continue;
          const isJump = random.next() < 0.01;
          const moved = shape.map((value, k) =>
            shape.length === 4 && k === 3 ? value : value + (isJump ? 50 : 1) * steps[i][k % 3],
          );
          write(i, moved);
          if (moved.length === 6) bodies[i].setBox(boxOf(moved));
          else bodies[i].setSphere(sphereOf(moved));
        }
        octree.update();
        twin.update();
        expect(pairsOf(contacts.began)).toEqual(twin.began.map(([a, b]) => `${a}+${b}`));
        expect(pairsOf(contacts.stayed)).toEqual(twin.stayed.map(([a, b]) => `${a}+${b}`));
        expect(pairsOf(contacts.ended)).toEqual(twin.ended.map(([a, b]) => `${a}+${b}`));
        collectPairs(octree, list, { within: limits.within, otherMask: limits.otherMask });
        kept += contacts.count - list.length / 2;
      }
      if ('hysteresis' in limits) expect(kept).toBeGreaterThan(50);
      else expect(kept).toBe(0);
    },
  );
});

describe('hysteresis', () => {
  it('leaves less than half of the begins of players who turn often, for 1.1 times the exact tests of one tracker', () => {
    const random = createRandom(2);
    const [EDGE, STEP] = [600, 0.6];
    const shapes = Array.from({ length: 400 }, () => [random.between(0, EDGE), 1, random.between(0, EDGE), 0]);
    const trackers = [{ within: 100 }, { within: 100, hysteresis: 0.1 }].map((options) => {
      const { octree, bodies } = octreeOf(shapes);
      return { octree, bodies, contacts: trackContacts(octree, options), begins: 0, tests: 0 };
    });
    // A spy would keep the arguments of each call.
    let tests = 0;
    const accepts = Reflect.get(PairTest.prototype, 'accepts') as (...given: unknown[]) => boolean;
    PairTest.prototype.accepts = function (...given) {
      tests++;
      return accepts.apply(this, given);
    };
    onTestFinished(() => void (PairTest.prototype.accepts = accepts));
    for (let tick = 0; tick < 150; tick++) {
      for (const shape of shapes) {
        const angle = random.between(0, 2 * Math.PI);
        shape[0] += STEP * Math.cos(angle);
        shape[2] += STEP * Math.sin(angle);
      }
      for (const tracker of trackers) {
        tests = 0;
        for (const [i, body] of tracker.bodies.entries()) body.setSphere(sphereOf(shapes[i]));
        tracker.octree.update();
        if (tick === 0) continue;
        tracker.begins += tracker.contacts.began.length / 2;
        tracker.tests += tests;
      }
    }
    const [one, damped] = trackers;
    expect(one.begins).toBeGreaterThan(500);
    expect(damped.begins / one.begins).toBeLessThan(0.5);
    expect(damped.tests / one.tests).toBeLessThan(1.1);
  });

  it('keeps no pair that has parted: candidates do not grow in number while bodies jump', () => {
    const random = createRandom(6);
    const place = (): Shape => [random.between(0, 100), random.between(0, 100), 0, 0];
    const { octree, bodies } = octreeOf(Array.from({ length: 100 }, place));
    const read = vi.spyOn(ContactTracker.prototype, 'readChanges');
    trackContacts(octree, { within: 10, hysteresis: 0.5 });
    const counts: number[] = [];
    for (let tick = 0; tick < 200; tick++) {
      for (const body of bodies) body.setSphere(sphereOf(place()));
      octree.update();
      const [tracker] = read.mock.contexts as ContactTracker[];
      counts.push(tracker.pairs.recordCount);
    }
    read.mockRestore();
    expect(counts[199]).toBeLessThan(1.5 * counts[50]);
  });
});

describe('few bodies that move in a crowd', () => {
  it.each([0, 1.25])('have the pairs of collectPairs within %d, although most moves need no test', (within) => {
    const random = createRandom(9);
    const place = (): Shape => [
      random.between(0, 16),
      random.between(0, 16),
      random.between(0, 16),
      random.between(0.2, 0.8),
    ];
    const shapes = Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? place() : boundsOf(place())));
    const { octree, bodies } = octreeOf(shapes);
    const contacts = trackContacts(octree, { within });
    const found = new IndexList();
    const seen = new Set<string>();
    for (let tick = 0; tick < 150; tick++) {
      for (const i of [2, 3, 71, 150]) {
        const step = [0, 1, 2].map((axis) => 0.08 * Math.sin(tick / 20 + i + axis));
        shapes[i] = shapes[i].map((value, k) => (k === 3 && i % 2 === 0 ? value : value + step[k % 3]));
        if (i % 2 === 0) bodies[i].setSphere(sphereOf(shapes[i]));
        else bodies[i].setBox(boxOf(shapes[i]));
      }
      octree.update();
      collectPairs(octree, found, { within });
      const expected = pairsOf(found).sort();
      expect([...pairsOf(contacts.began), ...pairsOf(contacts.stayed)].sort()).toEqual(expected);
      for (const pair of expected) seen.add(pair);
    }
    expect(seen.size).toBeGreaterThan(found.length / 2);
  });
});

describe('a few bodies that move in turn', () => {
  it.each([0, 0.3])(
    'have the pairs of collectPairs within %d, while they creep, leave, come back and the world moves',
    (within) => {
      const random = createRandom(13);
      const octree = new Octree<number>();
      const contacts = trackContacts(octree, { within });
      const found = new IndexList();
      const movers = Array.from({ length: 14 }, (_, k) => {
        const place = [0, 1, 2].map(() => random.between(0, 4));
        return octree.insert(
          k % 4 === 3 ? sphereOf([...place, 0.4]) : boxOf(cube(place[0], place[1], place[2], 0.4)),
          k,
          { isStatic: k % 4 === 0 },
        );
      });
      // At rest and far away: as their pairs are many, the pairs of the moving bodies are looked up.
      for (let k = 0; k < 30; k++) octree.insert(boxOf(cube(-40, -40, -40)), 100 + k);
      const places = movers.map((body) =>
        body.kind === 'sphere' ? body.getSphere().center : body.getBox().getCenter(new Vector3()),
      );
      const steps = movers.map(() => [0, 1, 2].map(() => random.between(-0.02, 0.02)));
      let changes = 0;
      for (let tick = 0; tick < 3000; tick++) {
        const turn = Math.floor(tick / 40);
        for (const k of [turn % 14, (turn * 5 + 1) % 14, random.below(14)]) {
          const place = places[k];
          for (let axis = 0; axis < 3; axis++) {
            const offset = place.getComponent(axis) + steps[k][axis];
            if (offset < 0 || offset > 4) steps[k][axis] = -steps[k][axis];
            place.setComponent(axis, offset);
          }
          movers[k].setCenter((tick + 97 * k) % 400 < 40 ? place.clone().addScalar(12) : place);
        }
        if (tick % 50 === 49) {
          const vector = new Vector3(tick % 100 === 49 ? 1 : -1, 0, 0);
          translate(octree, vector);
          for (const place of places) place.add(vector);
        }
        octree.update();
        collectPairs(octree, found, { within });
        expect(pairsBelow(14, contacts.began, contacts.stayed)).toEqual(pairsBelow(14, found));
        changes += contacts.began.length + contacts.ended.length;
      }
      expect(changes).toBeGreaterThan(500);
    },
  );
});

describe('a body that has lost all its neighbours and moved on', () => {
  it('is found where it is now by a body that comes near later', () => {
    const octree = new Octree<number>({ region: { min: { x: -64, y: -64, z: -64 }, edge: 128 } });
    const contacts = trackContacts(octree);
    const near = octree.insert(boxOf(cube(5, 0, 0)), 0);
    const mover = octree.insert(boxOf(cube(0, 0, 0)), 1);
    const late = octree.insert(boxOf(cube(14, 0, 0)), 2);
    insertCrowd(octree);
    const place = (body: Body<number>, x: number): void => {
      body.setBox(boxOf(cube(x, 0, 0)));
      octree.update();
    };
    octree.update();
    place(mover, 0.125);
    near.remove();
    octree.update();
    place(mover, 0.25);
    place(mover, 10);
    for (const x of [14.25, 14, 13.75, 12]) place(late, x);
    expect(contacts.count).toBe(66);
    place(late, 10.5);
    expect(pairsOf(contacts.began)).toEqual(['1+2']);
  });

  it('is found by a body that was inserted later and creeps near', () => {
    const octree = new Octree<number>({ region: { min: { x: -64, y: -64, z: -64 }, edge: 128 } });
    const contacts = trackContacts(octree);
    const near = Array.from({ length: 6 }, (_, k) => octree.insert(boxOf(cube(1.5, 0.25 * k - 0.625, 0)), k));
    const mover = octree.insert(boxOf(cube(0, 0, 0)), 6);
    insertCrowd(octree);
    octree.update();
    const place = (body: Body<number>, x: number, y: number): void => {
      body.setBox(boxOf(cube(x, y, 0)));
      octree.update();
    };
    place(mover, 0.125, 0);
    for (const body of near) body.remove();
    octree.update();
    for (const x of [0.25, 10]) place(mover, x, 0);
    const late = octree.insert(boxOf(cube(10, 2.5, 0)), 7);
    octree.update();
    for (const y of [2.375, 2.25, 2.125, 2, 1.75, 1.5, 1.25]) place(late, 10, y);
    expect(contacts.count).toBe(66);
    place(late, 10, 0.875);
    expect(contacts.count).toBe(67);
  });
});

describe('two bodies that both move', () => {
  it('are tested in time, although one of them has been far from all others', () => {
    const octree = new Octree<number>({ region: { min: { x: -64, y: -64, z: -64 }, edge: 128 } });
    const contacts = trackContacts(octree);
    const mover = octree.insert(boxOf(cube(0, 0, 0)), 0);
    octree.insert(boxOf(cube(9, 0, 0)), 1);
    insertCrowd(octree);
    octree.update();
    for (const x of [0.125, 0.25]) {
      mover.setBox(boxOf(cube(x, 0, 0)));
      octree.update();
    }
    octree.insert(boxOf(cube(3.5, 0, 0)), 2);
    octree.update();
    mover.setBox(boxOf(cube(2.75, 0, 0)));
    octree.update();
    expect(pairsOf(contacts.began)).toEqual(['0+14']);
  });

  it('are tested in time, although one of them came near while many bodies moved', () => {
    const octree = new Octree<number>({ region: { min: { x: -64, y: -64, z: -64 }, edge: 128 } });
    const contacts = trackContacts(octree);
    const mover = octree.insert(boxOf(cube(-0.5, 0, 0)), 0);
    const other = octree.insert(boxOf(cube(1.3, 0, 0)), 1);
    insertCrowd(octree);
    octree.update();
    for (const x of [-0.375, -0.25, -0.125]) {
      mover.setBox(boxOf(cube(x, 0, 0)));
      octree.update();
    }
    other.setBox(boxOf(cube(1.1, 0, 0)));
    for (const body of octree) if (body.data >= 100) body.setBox(boxOf(cube(-40, -40, -40.01)));
    octree.update();
    mover.setBox(boxOf(cube(0.115, 0, 0)));
    octree.update();
    expect(pairsOf(contacts.began)).toEqual(['0+1']);
  });
});
