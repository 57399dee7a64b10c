// The states of members that have batches: each change of a state in random histories is one of the table, and after
// each step the slots, the places and the lists agree with the states.

import { BoxGeometry, Mesh, MeshLambertMaterial, Scene } from 'three';
import { poseSoon, setBatchLimits } from '../support/batch-limits.ts';
import { describe, expect, it } from 'vitest';
import type { DrawState, DrawStates } from '../../src/batches/draw-states.ts';
import { validate } from '../../src/debug-three/index.ts';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import type { Member } from '../../src/three/group/member.ts';
import { drawn, runUpdates } from '../support/batched-meshes.ts';
import { instanceFrom } from '../support/batched-town.ts';
import { createRandom } from '../support/random.ts';

/** By state: which states may follow it. */
const FOLLOWING: Readonly<Record<DrawState, readonly DrawState[]>> = {
  alone: ['waiting', 'resting'],
  waiting: ['alone', 'placed', 'resting', 'posed', 'refused'],
  placed: ['alone', 'waiting', 'rebuilding', 'resting', 'refused'],
  rebuilding: ['alone', 'waiting', 'placed', 'resting', 'posed', 'refused'],
  resting: ['alone', 'waiting', 'placed', 'posed', 'refused'],
  posed: ['alone', 'waiting', 'rebuilding', 'resting', 'refused'],
  refused: ['alone', 'waiting', 'resting'],
};

/** Notes each change of a state. */
class StateLog {
  readonly seen = new Set<string>();
  private readonly known = new Map<Member, DrawState>();
  private readonly states: DrawStates;
  private depth = 0;

  constructor(states: DrawStates) {
    this.states = states;
    for (const name of ['setAlone', 'setWaiting', 'setPlaced', 'setPosed', 'setResting', 'setRefused'] as const) {
      const original = states[name].bind(states) as (...args: unknown[]) => void;
      states[name] = (...args: unknown[]) => {
        this.depth++;
        original(...args);
        // The methods call one another: the outermost one has the result.
        if (--this.depth === 0) this.note(args[0] as Member);
      };
    }
  }

  note(member: Member): void {
    const before = this.known.get(member) ?? 'alone';
    const state = this.states.of(member);
    this.known.set(member, state);
    if (before !== state) this.seen.add(`${before} > ${state}`);
  }
}

describe.each([1, 2])('random histories, seed %i', (seed) => {
  it.each([Infinity, 4])('change states by the table only, with instances from %s meshes', async (minInstances) => {
    const random = createRandom(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)];
    const group = new OctreeGroup({ hasStaticChildren: minInstances === Infinity });
    new Scene().add(group);
    const materials = [new MeshLambertMaterial(), new MeshLambertMaterial({ color: 'red' })];
    const glass = new MeshLambertMaterial({ transparent: true });
    const geometries = Array.from({ length: 6 }, (_, k) => new BoxGeometry(1, 1, 1 + k));
    const batches = new StaticBatches(group, { mergesMaterials: seed === 2, posesMovers: true });
    poseSoon(batches, 2);
    instanceFrom(batches, minInstances);
    setBatchLimits(batches, { minMembers: 3 });
    const { members } = batches;
    const { groupChildren } = group;
    const log = new StateLog(members.states);
    const place = (mesh: Mesh): Mesh => {
      mesh.position.set(40 * random.next(), pick([0, 0, 5 * random.next()]), 40 * random.next());
      return mesh;
    };
    const add = (): void => void group.add(place(new Mesh(pick(geometries), pick(materials))));
    const steps: (() => void)[] = [
      add,
      add,
      () => group.remove(pick(group.children)),
      () => group.reportMove(place(pick(group.children) as Mesh)),
      () => void (pick(group.children).visible = random.next() < 0.6),
      () => void ((pick(group.children) as Mesh).material = pick([...materials, ...materials, glass])),
      () => void ((pick(group.children) as Mesh).geometry = pick(geometries)),
      () => void (pick(materials).wireframe = random.next() < 0.2),
      () => void (pick(group.children).renderOrder = Number(random.next() < 0.2)),
      () => void batches.leaveOut(pick(group.children), random.next() < 0.4),
      () => void batches.finish(),
    ];
    for (let k = 0; k < 60; k++) add();
    for (let step = 0; step < 120; step++) {
      pick(steps)();
      if (step % 3 === 0) for (const mesh of group.children.slice(0, 10)) group.reportMove(mesh);
      if (step % 2 === 0) drawn(group);
      await runUpdates(group, pick([0, 1, 2, 40]));
      for (const member of groupChildren.allMembers) log.note(member);
      expect(validate(group)).toEqual([]);
    }
    const allowed = Object.entries(FOLLOWING).flatMap(([from, all]) => all.map((to) => `${from} > ${to}`));
    expect([...log.seen].filter((change) => !allowed.includes(change))).toEqual([]);
    expect(log.seen.size).toBeGreaterThan(8);
    expect(log.seen.has('resting > posed')).toBe(minInstances < Infinity);
    batches.dispose();
    for (const member of groupChildren.allMembers) expect(members.states.of(member)).toBe('alone');
  });
});
