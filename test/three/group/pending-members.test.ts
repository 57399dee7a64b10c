// The list of members whose bounds the next update computes, against a Set: members come and go while they are visited.

import { expect, it } from 'vitest';
import type { Member } from '../../../src/three/group/member.ts';
import { PendingMembers } from '../../../src/three/group/pending-members.ts';
import { createRandom } from '../../support/random.ts';

it.each([1, 2, 3, 4])('equals a Set, also while its members are visited: seed %i', (seed) => {
  const random = createRandom(seed);
  const members = Array.from({ length: 300 }, () => ({ pendingAt: -1 })) as Member[];
  const pending = new PendingMembers();
  const model = new Set<Member>();
  const change = (): void => {
    const member = random.pick(members);
    if (random.next() < 0.5) {
      pending.add(member);
      model.add(member);
    } else {
      pending.delete(member);
      model.delete(member);
    }
  };
  const expectSame = (): void => {
    expect(pending.size).toBe(model.size);
    expect(Array.from(pending)).toEqual(Array.from(model));
    expect(members.filter((member) => pending.has(member) !== model.has(member))).toEqual([]);
  };
  const visit = (depth: number): void => {
    const visited: Member[] = [];
    const expected: Member[] = [];
    // A Set, too, visits what is added meanwhile, and leaves out what is removed before its turn.
    const order = model.values();
    pending.visit((member) => {
      visited.push(member);
      expected.push(order.next().value!);
      if (random.next() < 0.3) for (let k = 0; k < 4; k++) change();
      if (random.next() < 0.6) {
        pending.delete(member);
        model.delete(member);
      }
      if (depth === 0 && random.next() < 0.02) visit(1);
    });
    expect(order.next().done).toBe(true);
    expect(visited).toEqual(expected);
  };
  for (let step = 0; step < 40; step++) {
    for (let k = random.below(300); k > 0; k--) change();
    expectSame();
    if (random.next() < 0.5) visit(0);
    expectSame();
  }
});

it('takes no more places than a few times its members', () => {
  const pending = new PendingMembers();
  const members = Array.from({ length: 10_000 }, () => ({ pendingAt: -1 })) as Member[];
  for (const member of members) {
    pending.add(member);
    pending.delete(member);
  }
  expect(members.some(({ pendingAt }) => pendingAt !== -1)).toBe(false);
  pending.add(members[0]);
  expect(members[0].pendingAt).toBeLessThan(100);
  // Also after a visitor has thrown.
  expect(() =>
    pending.visit(() => {
      throw new Error('of the visitor');
    }),
  ).toThrow('of the visitor');
  for (const member of members) {
    pending.add(member);
    pending.delete(member);
  }
  pending.add(members[0]);
  expect(members[0].pendingAt).toBeLessThan(100);
});
