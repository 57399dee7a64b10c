import { describe, expect, it, vi } from 'vitest';
import type { Body, Contacts } from '../../../src/index.ts';
import { collectPairs, IndexList, intersectPairs, Octree, trackContacts, onIntersection } from '../../../src/index.ts';
import { ContactTracker } from '../../../src/features/contacts/contact-tracker.ts';
import { collected, octreeOf } from '../../support/octrees.ts';
import { createRandom } from '../../support/random.ts';
import { expectRejection } from '../../support/rejects.ts';
import { uniform } from '../../support/scenes.ts';
import { boxOf, cube, sphereOf } from '../../support/shapes.ts';
import { validate } from '../../../src/debug/index.ts';
import { pairsOf } from '../../support/lists.ts';

/** The three lists, as text. */
function listsOf({ began, stayed, ended }: Contacts<number>): string {
  return `began ${pairsOf(began).join(' ')}, stayed ${pairsOf(stayed).join(' ')}, ended ${pairsOf(ended).join(' ')}`;
}

describe('trackContacts', () => {
  it('reports pairs that begin, stay and end, two indices a pair, the smaller one first', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(10, 0, 0), cube(20, 0, 0)]);
    const contacts = trackContacts(octree);
    expect(listsOf(contacts)).toBe('began , stayed , ended ');
    octree.update();
    expect(listsOf(contacts)).toBe('began , stayed , ended ');
    bodies[2].setBox(boxOf(cube(1, 0, 0)));
    octree.update();
    expect(listsOf(contacts)).toBe('began 0+2, stayed , ended ');
    octree.update();
    expect(listsOf(contacts)).toBe('began , stayed 0+2, ended ');
    bodies[2].setBox(boxOf(cube(9, 0, 0)));
    octree.update();
    expect(listsOf(contacts)).toBe('began 1+2, stayed , ended 0+2');
    expect(contacts.count).toBe(1);
  });

  it.each([1, 2, 3])('goes on after updates without memory, with bodies that touch many: seed %i', (seed) => {
    const random = createRandom(seed);
    const { octree, bodies } = octreeOf(Array.from({ length: 40 }, () => cube(random.below(9), random.below(4), 0)));
    const contacts = trackContacts(octree);
    const list = new IndexList();
    let before: string[] = [];
    for (let step = 0; step < 40; step++) {
      for (let k = random.below(20); k > 0; k--)
        random.pick(bodies).setBox(boxOf(cube(random.below(9), random.below(4), 0)));
      if (random.next() < 0.4) {
        const read = vi.spyOn(ContactTracker.prototype, 'readChanges').mockImplementationOnce(() => {
          throw new RangeError('Array buffer allocation failed');
        });
        expect(() => octree.update()).toThrow('Array buffer allocation failed');
        read.mockRestore();
      }
      octree.update();
      list.length = 0;
      collectPairs(octree, list);
      const now = pairsOf(list);
      expect(new Set(pairsOf(contacts.began))).toEqual(new Set(now.filter((pair) => !before.includes(pair))));
      expect(new Set(pairsOf(contacts.stayed))).toEqual(new Set(now.filter((pair) => before.includes(pair))));
      expect(new Set(pairsOf(contacts.ended))).toEqual(new Set(before.filter((pair) => !now.includes(pair))));
      expect(contacts.count).toBe(now.length);
      before = now;
    }
  });

  it('reports in the first update all pairs as begun, ordered by the smaller index, then the other', () => {
    const { octree } = octreeOf([cube(0, 0, 0), cube(3, 0, 0), cube(0.5, 0, 0), cube(1, 0, 0), cube(2.5, 0, 0)]);
    octree.update();
    const contacts = trackContacts(octree);
    octree.update();
    expect(listsOf(contacts)).toBe('began 0+2 0+3 1+4 2+3, stayed , ended ');
  });

  it('counts touching, and nothing one ulp apart', () => {
    const { octree, bodies } = octreeOf([
      [0, 0, 0, 1, 1, 1],
      [1, 1, 1, 2, 2, 2],
    ]);
    const contacts = trackContacts(octree);
    octree.update();
    expect(contacts.count).toBe(1);
    bodies[1].setBox(boxOf([1 + 2 ** -52, 1, 1, 2, 2, 2]));
    octree.update();
    expect(listsOf(contacts)).toBe('began , stayed , ended 0+1');
    bodies[1].setBox(boxOf([1, 1, 1, 2, 2, 2]));
    octree.update();
    expect(listsOf(contacts)).toBe('began 0+1, stayed , ended ');
  });

  it('fills lists that were taken before the update, also when they grow and after octree.clear', () => {
    const { octree, bodies } = octreeOf(Array.from({ length: 40 }, (_, k) => cube(k < 2 ? k : 10 * k, 0, 0)));
    const contacts = trackContacts(octree);
    const { began, stayed, ended } = contacts;
    const lists = (): number[] => [began, stayed, ended].map(({ length }) => length / 2);
    octree.update();
    octree.update();
    expect([lists(), pairsOf(stayed)]).toEqual([[0, 1, 0], ['0+1']]);
    for (const body of bodies) body.setBox(boxOf(cube(0, 0, 0)));
    octree.update();
    expect(lists()).toEqual([779, 1, 0]);
    octree.update();
    expect([lists(), stayed.array.subarray(0, 4)]).toEqual([[0, 780, 0], Uint32Array.of(0, 1, 0, 2)]);
    expect([contacts.began, contacts.stayed, contacts.ended]).toEqual([began, stayed, ended]);
    octree.clear();
    expect(lists()).toEqual([0, 0, 0]);
  });

  it('keeps a stable order: the last pair takes the place of one that ends, new pairs are appended', () => {
    const { octree, bodies } = octreeOf([
      cube(0, 0, 0),
      cube(1, 0, 0),
      cube(10, 0, 0),
      cube(11, 0, 0),
      cube(20, 0, 0),
      cube(21, 0, 0),
    ]);
    const contacts = trackContacts(octree);
    octree.update();
    octree.update();
    expect(pairsOf(contacts.stayed)).toEqual(['0+1', '2+3', '4+5']);
    bodies[0].setBox(boxOf(cube(9, 0, 0)));
    octree.update();
    expect(listsOf(contacts)).toBe('began 0+2, stayed 4+5 2+3, ended 0+1');
    octree.update();
    expect(pairsOf(contacts.stayed)).toEqual(['4+5', '2+3', '0+2']);
  });

  it('leaves out pairs of two static bodies, and bodies without categories', () => {
    const octree = new Octree<number>();
    for (const options of [{ isStatic: true }, { isStatic: true }, {}, { mask: 0 }])
      octree.insert(boxOf(cube(0, 0, 0)), 0, options);
    const contacts = trackContacts(octree);
    octree.update();
    expect(pairsOf(contacts.began)).toEqual(['0+2', '1+2']);
  });

  it('sees a static body that is moved, a box that becomes a sphere, and a body that grows', () => {
    const octree = new Octree<number>();
    const wall = octree.insert(boxOf(cube(0, 0, 0, 1)), 0, { isStatic: true });
    const shape = octree.insert(boxOf(cube(2.9, 2.9, 0, 2)), 1);
    const contacts = trackContacts(octree);
    octree.update();
    expect(contacts.count).toBe(1);
    shape.setSphere(sphereOf([2.9, 2.9, 0, 2]));
    octree.update();
    expect(pairsOf(contacts.ended)).toEqual(['0+1']);
    wall.setBox(boxOf(cube(0.5, 0.5, 0, 1)));
    octree.update();
    expect(pairsOf(contacts.began)).toEqual(['0+1']);
    wall.setBox(boxOf(cube(0, 0, 0, 1)));
    octree.update();
    shape.setSphere(sphereOf([2.9, 2.9, 0, 4]));
    octree.update();
    expect(pairsOf(contacts.began)).toEqual(['0+1']);
  });

  it('restricts pairs to bodies that both pass mask and filter', () => {
    const octree = new Octree<number>();
    for (const [i, mask] of [1, 3, 2, 1].entries()) octree.insert(boxOf(cube(0, 0, 0)), i, { mask });
    const masked = trackContacts(octree, { mask: 1 });
    const filtered = trackContacts(octree, { filter: ({ data }) => data !== 1 });
    octree.update();
    expect(pairsOf(masked.began)).toEqual(['0+1', '0+3', '1+3']);
    expect(pairsOf(filtered.began)).toEqual(['0+2', '0+3', '2+3']);
    expect(pairsOf(masked.began)).toEqual(
      collected((list) => collectPairs(octree, list, { mask: 1 }))
        .reduce<string[]>((names, _, k, all) => (k % 2 === 0 ? [...names, `${all[k]}+${all[k + 1]}`] : names), [])
        .sort(),
    );
  });

  it('tracks pairs within a distance, closed, for boxes and spheres', () => {
    const { octree, bodies } = octreeOf([
      [0, 0, 0, 1, 1, 1],
      [4, 0, 0, 5, 1, 1],
      [-5, 0.5, 0.5, 2],
    ]);
    const contacts = trackContacts(octree, { within: 3 });
    octree.update();
    expect(listsOf(contacts)).toBe('began 0+1 0+2, stayed , ended ');
    bodies[1].setBox(boxOf([4 + 2 ** -50, 0, 0, 5, 1, 1]));
    bodies[2].setSphere(sphereOf([-5 - 2 ** -50, 0.5, 0.5, 2]));
    octree.update();
    expect(listsOf(contacts)).toBe('began , stayed , ended 0+1 0+2');
    bodies[1].setBox(boxOf([3, 3, 0, 4, 4, 1]));
    octree.update();
    expect(listsOf(contacts)).toBe('began 0+1, stayed , ended ');
    bodies[1].setBox(boxOf([3.5, 3.5, 0, 4, 4, 1]));
    octree.update();
    expect(listsOf(contacts)).toBe('began , stayed , ended 0+1');
  });

  it('with hysteresis ends a pair beyond a larger distance than that within which it begins, both closed', () => {
    // Radii 1 and 2, 3 apart at 6, 4.5 apart at 7.5.
    const { octree, bodies } = octreeOf([
      [0, 0, 0, 1],
      [20, 0, 0, 2],
    ]);
    const contacts = trackContacts(octree, { within: 3, hysteresis: 0.5 });
    const events: string[] = [];
    for (const x of [7.5, 6.01, 6, 7, 7.5, 7.51, 7.5, 6.01, 6, 20, 6.5]) {
      bodies[1].setSphere(sphereOf([x, 0, 0, 2]));
      octree.update();
      if (contacts.began.length > 0) events.push(`began at ${x}`);
      if (contacts.ended.length > 0) events.push(`ended at ${x}`);
    }
    expect(events).toEqual(['began at 6', 'ended at 7.51', 'began at 6', 'ended at 20']);
  });

  it('with hysteresis lets a pair that the filter has refused pass when it comes again, not in between', () => {
    const { octree, bodies } = octreeOf([
      [0, 0, 0, 0],
      [20, 0, 0, 0],
    ]);
    let refuses = true;
    const contacts = trackContacts(octree, { within: 10, hysteresis: 0.2, filter: () => !refuses });
    const counts: number[] = [];
    for (const x of [9, 11, 9, 13, 11, 10]) {
      bodies[1].setSphere(sphereOf([x, 0, 0, 0]));
      octree.update();
      refuses = false;
      counts.push(contacts.count);
    }
    expect(counts).toEqual([0, 0, 0, 0, 0, 1]);
  });

  it('with hysteresis keeps pairs in between after an update without memory, as a tracker that had enough', () => {
    const random = createRandom(4);
    const place = (): number[] => [random.between(0, 12), random.between(0, 12), 0, 0.25];
    const { octree, bodies } = octreeOf(Array.from({ length: 60 }, place));
    const options = { within: 1, hysteresis: 0.5 };
    const contacts = trackContacts(octree, options);
    // A second octree with the same bodies, whose updates never fail.
    const { octree: other, bodies: others } = octreeOf(
      bodies.map((body) => {
        const { center } = body.getSphere();
        return [center.x, center.y, center.z, 0.25];
      }),
    );
    const expected = trackContacts(other, options);
    const found = new IndexList();
    let kept = 0;
    for (let step = 0; step < 60; step++) {
      for (let k = 0; k < 60; k++) {
        const { center } = bodies[k].getSphere();
        const sphere = sphereOf([center.x + random.between(-0.3, 0.3), center.y + random.between(-0.3, 0.3), 0, 0.25]);
        for (const body of [bodies[k], others[k]]) body.setSphere(sphere);
      }
      if (step % 3 === 1) {
        const read = vi.spyOn(ContactTracker.prototype, 'readChanges').mockImplementationOnce(() => {
          throw new RangeError('Array buffer allocation failed');
        });
        expect(() => octree.update()).toThrow('Array buffer allocation failed');
        read.mockRestore();
      }
      octree.update();
      other.update();
      for (const name of ['began', 'stayed', 'ended'] as const)
        expect(new Set(pairsOf(contacts[name]))).toEqual(new Set(pairsOf(expected[name])));
      collectPairs(octree, found, { within: 1 });
      kept += contacts.count - found.length / 2;
    }
    expect(kept).toBeGreaterThan(200);
  });

  it('tracks pairs between two groups, the smaller index first', () => {
    const octree = new Octree<number>();
    const [CRATE, PLAYER] = [1, 2];
    const bodies = [CRATE, PLAYER, PLAYER, CRATE, PLAYER | CRATE].map((mask, k) =>
      octree.insert(boxOf(cube(0, 0, 0)), k, { mask }),
    );
    const contacts = trackContacts(octree, { mask: PLAYER, otherMask: CRATE });
    octree.update();
    expect(listsOf(contacts)).toBe('began 0+1 0+2 0+4 1+3 1+4 2+3 2+4 3+4, stayed , ended ');
    bodies[0].setMask(PLAYER);
    octree.update();
    expect(pairsOf(contacts.began)).toEqual(['0+3']);
    expect(pairsOf(contacts.ended)).toEqual(['0+1', '0+2']);
  });

  it('finds bodies that are inserted, also in large numbers, and into an empty octree', () => {
    const octree = new Octree<number>();
    const contacts = trackContacts(octree);
    octree.update();
    octree.insertMany(new Float64Array([...cube(0, 0, 0), ...cube(1, 0, 0)]), { kind: 'box' });
    octree.update();
    expect(listsOf(contacts)).toBe('began 0+1, stayed , ended ');
    octree.insertMany(
      new Float64Array(
        uniform(500, 1).flatMap((shape) =>
          shape.length === 6 ? [...shape] : cube(shape[0], shape[1], shape[2], shape[3]),
        ),
      ),
      { kind: 'box' },
    );
    octree.update();
    expect(contacts.count).toBe(intersectPairs(octree).length);
  });
});

describe('a pair of which a body was removed', () => {
  it('ends, and contacts.bodyAt returns the dead handle with its data', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(1, 0, 0)]);
    const contacts = trackContacts(octree);
    octree.update();
    bodies[0].remove();
    octree.update();
    expect(listsOf(contacts)).toBe('began , stayed , ended 0+1');
    const [dead, other] = [contacts.bodyAt(0), contacts.bodyAt(1)];
    expect([dead === bodies[0], dead.index, dead.data, other.index]).toEqual([true, -1, 0, 1]);
  });

  it('keeps its index from other bodies until the next update begins, also if a query has applied the removal', () => {
    for (const hasQuery of [false, true]) {
      const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(1, 0, 0)]);
      const contacts = trackContacts(octree);
      octree.update();
      bodies[0].remove();
      if (hasQuery) octree.intersectPoint({ x: 0, y: 0, z: 0 });
      expect(octree.insert(boxOf(cube(0, 0, 0)), 2).index).toBe(2);
      octree.update();
      expect(listsOf(contacts)).toBe('began 1+2, stayed , ended 0+1');
      expect(octree.insert(boxOf(cube(50, 0, 0)), 3).index).toBe(3);
      expect(contacts.bodyAt(0).data).toBe(0);
      octree.update();
      expect(() => contacts.bodyAt(0)).toThrow(/^Contacts\.bodyAt: index/);
      expect(octree.insert(boxOf(cube(60, 0, 0)), 4).index).toBe(0);
      expect(contacts.bodyAt(0).data).toBe(4);
      expect(validate(octree)).toEqual([]);
    }
  });

  it('does not appear if it began and ended between two updates', () => {
    const { octree } = octreeOf([cube(0, 0, 0)]);
    const contacts = trackContacts(octree);
    octree.update();
    const brief = octree.insert(boxOf(cube(0, 0, 0)), 1);
    intersectPairs(octree);
    brief.remove();
    octree.update();
    expect(listsOf(contacts)).toBe('began , stayed , ended ');
  });

  it('frees indices at once when nothing is tracked', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(1, 0, 0)]);
    const contacts = trackContacts(octree);
    octree.update();
    contacts.stop();
    bodies[0].remove();
    octree.update();
    expect(octree.insert(boxOf(cube(0, 0, 0)), 2).index).toBe(0);
  });
});

describe('the filter of contacts', () => {
  it('is called for both bodies when a pair begins, and not again while it overlaps, whatever it returned', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(1, 0, 0), cube(20, 0, 0)]);
    const calls: number[] = [];
    let accepts = false;
    const contacts = trackContacts(octree, {
      filter: ({ data }) => {
        calls.push(data);
        return accepts || data === 0;
      },
    });
    octree.update();
    accepts = true;
    octree.update();
    bodies[1].setBox(boxOf(cube(1.25, 0, 0)));
    octree.update();
    expect([calls, contacts.count]).toEqual([[0, 1], 0]);
    bodies[1].setBox(boxOf(cube(9, 0, 0)));
    octree.update();
    expect(pairsOf(contacts.ended)).toEqual([]);
    bodies[1].setBox(boxOf(cube(1, 0, 0)));
    octree.update();
    expect([calls, pairsOf(contacts.began)]).toEqual([[0, 1, 0, 1], ['0+1']]);
  });

  it('may query, write, track and stop; its writes belong to the next update', () => {
    const { octree, bodies } = octreeOf([cube(0, 0, 0), cube(1, 0, 0), cube(30, 0, 0)]);
    let inner: Contacts<number> | null = null;
    let isFirst = true;
    const contacts = trackContacts(octree, {
      filter: () => {
        if (!isFirst) return true;
        isFirst = false;
        expect(() => octree.update()).toThrow(/^Octree\.update: /);
        expect(() => octree.clear()).toThrow(/^Octree\.clear: /);
        bodies[0].remove();
        bodies[1].setBox(boxOf(cube(30, 0, 0)));
        inner = trackContacts(octree);
        expect(intersectPairs(octree)).toHaveLength(1);
        return true;
      },
    });
    octree.update();
    expect(listsOf(contacts)).toBe('began 0+1, stayed , ended ');
    expect(inner!.count).toBe(0);
    octree.update();
    expect(listsOf(contacts)).toBe('began 1+2, stayed , ended 0+1');
    expect(listsOf(inner!)).toBe('began 1+2, stayed , ended ');
    expect(validate(octree)).toEqual([]);
  });

  it('that throws leaves out the pair, the rest goes on, and the first error is thrown after the tick', () => {
    const { octree } = octreeOf([cube(0, 0, 0), cube(0.5, 0, 0), cube(1, 0, 0)]);
    const contacts = trackContacts(octree, {
      filter: ({ data }) => {
        if (data === 0) throw new Error('zero');
        return true;
      },
    });
    const other = trackContacts(octree);
    expect(() => octree.update()).toThrow('zero');
    expect(pairsOf(contacts.began)).toEqual(['1+2']);
    expect(other.count).toBe(3);
    octree.update();
    expect(pairsOf(contacts.stayed)).toEqual(['1+2']);
  });

  it('must not return a promise', () => {
    const { octree } = octreeOf([cube(0, 0, 0), cube(0.5, 0, 0)]);
    trackContacts(octree, { filter: (async () => true) as never });
    expect(() => octree.update()).toThrow(/^trackContacts: options\.filter .*promise/);
  });
});

describe('contacts.stop', () => {
  it('empties the lists for good; a second call does nothing', () => {
    const { octree } = octreeOf([cube(0, 0, 0), cube(0.5, 0, 0)]);
    const contacts = trackContacts(octree);
    const other = trackContacts(octree);
    octree.update();
    contacts.stop();
    contacts.stop();
    octree.update();
    expect([contacts.isStopped, contacts.count, listsOf(contacts)]).toEqual([true, 0, 'began , stayed , ended ']);
    expect(listsOf(other)).toBe('began , stayed 0+1, ended ');
  });

  it('may be called in the own filter, by another one, and in onIntersection', () => {
    const octree = new Octree<number>();
    const all: Contacts<number>[] = [];
    let calls = 0;
    for (let i = 0; i < 4; i++) onIntersection(octree, octree.insert(boxOf(cube(0, 0, 0)), i), () => all[2].stop());
    const stopTwo = (): boolean => {
      calls++;
      all[0].stop();
      all[1].stop();
      return true;
    };
    all.push(
      trackContacts(octree, { filter: stopTwo }),
      trackContacts(octree),
      trackContacts(octree),
      trackContacts(octree),
    );
    octree.update();
    expect([calls, ...all.map(({ count }) => count)]).toEqual([2, 0, 0, 0, 6]);
    octree.update();
    expect([calls, ...all.map(({ stayed }) => stayed.length)]).toEqual([2, 0, 0, 0, 12]);
  });
});

describe('octree.clear', () => {
  it('empties contacts without a report; they go on with the bodies that come', () => {
    const { octree } = octreeOf([cube(0, 0, 0), cube(0.5, 0, 0)]);
    const contacts = trackContacts(octree);
    octree.update();
    octree.clear();
    expect([contacts.count, listsOf(contacts)]).toEqual([0, 'began , stayed , ended ']);
    octree.update();
    for (let i = 0; i < 3; i++) octree.insert(boxOf(cube(i * 0.5, 0, 0)), i);
    octree.update();
    expect(listsOf(contacts)).toBe('began 0+1 0+2 1+2, stayed , ended ');
    octree.clear();
    contacts.stop();
    octree.update();
    expect(validate(octree)).toEqual([]);
  });
});

describe('invalid options', () => {
  it('throw and change nothing', () => {
    const { octree } = octreeOf([cube(0, 0, 0), cube(0.5, 0, 0)]);
    expectRejection(octree, () => trackContacts(octree, { mask: 1.5 }), RangeError, /options\.mask .*1\.5/);
    expectRejection(octree, () => trackContacts(octree, { within: -1 }), RangeError, /options\.within .*-1/);
    for (const hysteresis of [-0.1, 1, NaN])
      expectRejection(
        octree,
        () => trackContacts(octree, { within: 1, hysteresis }),
        RangeError,
        /^trackContacts: options\.hysteresis must/,
      );
    expectRejection(
      octree,
      () => trackContacts(octree, { hysteresis: '0.1' as never }),
      TypeError,
      /options\.hysteresis/,
    );
    expectRejection(octree, () => trackContacts(octree, { otherMask: 0.5 }), RangeError, /options\.otherMask .*0\.5/);
    expectRejection(octree, () => trackContacts(octree, { filter: 5 as never }), TypeError, /options\.filter .*5/);
    expectRejection(octree, () => trackContacts(octree, [] as never), TypeError, /options/);
    const contacts = trackContacts(octree);
    octree.update();
    for (const index of [-1, 2, 0.5, NaN]) expect(() => contacts.bodyAt(index)).toThrow(RangeError);
    expect(() => contacts.bodyAt('0' as never)).toThrow(TypeError);
    expect((contacts.bodyAt(0) as Body<number>).data).toBe(0);
  });
});
