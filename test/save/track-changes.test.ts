import { Mesh, MeshBasicMaterial, BoxGeometry, type Object3D } from 'three';
import { describe, expect, it } from 'vitest';
import { idOf, indexOfId, Octree, translate, type Body } from '../../src/index.ts';
import { trackChanges, type BodyChanges, type ChangeJournal } from '../../src/save/index.ts';
import { OctreeGroup } from '../../src/three.ts';
import { MemoryFault, withFault } from '../support/allocation-faults.ts';
import { createRandom, type Random } from '../support/random.ts';
import { errorOf, GAP } from '../support/rejects.ts';
import { uniform } from '../support/scenes.ts';
import { boxOf, point, shapeOf } from '../support/shapes.ts';

/** What one version wrote, by id. */
interface Written {
  readonly bounds: Set<number>;
  readonly categories: Set<number>;
  /** The living bodies after it: their boxes and masks. */
  readonly bodies: ReadonlyMap<number, string>;
}

const sorted = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);

/** An octree that writes at random, and remembers all bodies of all versions. */
class Model {
  readonly octree = new Octree<number>({ leafCapacity: 4 });
  readonly journal: ChangeJournal;
  readonly versions: Written[] = [];
  readonly random: Random;
  private readonly bodies: Body<number>[] = [];
  /** No version before it is known: the first one after the last `clear`. */
  first = 0;
  private bounds = new Set<number>();
  private categories = new Set<number>();

  constructor(seed: number, maxRemoved: number) {
    this.random = createRandom(seed);
    for (let k = 0; k < 30; k++) this.insert();
    this.octree.update();
    for (let k = 0; k < 5; k++) this.insert();
    this.journal = trackChanges(this.octree, { maxRemoved });
    this.bounds.clear();
    this.note();
  }

  private insert(): void {
    const [shape] = uniform(1, this.random.below(2 ** 30));
    const body = this.octree.insert(shapeOf(shape), 0, { isStatic: this.random.next() < 0.2 });
    this.bodies.push(body);
    this.bounds.add(idOf(this.octree, body.index));
  }

  private note(): void {
    const { bounds, categories, octree } = this;
    const bodies = new Map(
      [...octree].map((body) => [idOf(octree, body.index), JSON.stringify([body.getBox(), body.mask])]),
    );
    this.versions.push({ bounds, categories, bodies });
    this.bounds = new Set();
    this.categories = new Set();
  }

  write(): void {
    const { bodies, octree, random } = this;
    const at = random.below(bodies.length);
    const body = bodies[at];
    const id = body === undefined ? 0 : idOf(octree, body.index);
    const choice = body === undefined ? 0 : random.below(7);
    if (choice === 0) this.insert();
    else if (choice === 1) {
      body.remove();
      bodies.splice(at, 1);
      this.bounds.delete(id);
      this.categories.delete(id);
    } else if (choice === 2) {
      body.setMask(random.below(2 ** 16));
      this.categories.add(id);
    } else {
      const far = choice === 3 ? 200 : 0.5;
      body.setCenter(point([0, 1, 2].map(() => random.between(-far, far))));
      this.bounds.add(id);
    }
  }

  clear(): void {
    this.octree.clear();
    this.bodies.length = 0;
    this.bounds.clear();
    this.categories.clear();
    this.first = this.versions.length;
  }

  update(): void {
    this.octree.update();
    if (this.journal.version === this.versions.length) this.note();
    expect(this.journal.version).toBe(this.versions.length - 1);
  }

  /** Compares the answer since a version with all bodies of both times, and with what was written between them. */
  check(since: number): void {
    const { journal, versions } = this;
    const changes = journal.changesSince(since);
    if (since < this.first) expect(changes).toBe(null);
    const then = versions[since].bodies;
    const now = versions.at(-1)!.bodies;
    const removed = [...then.keys()].filter((id) => !now.has(id));
    if (changes === null) return;
    const written = (kind: 'bounds' | 'categories'): number[] => {
      const all = new Set(versions.slice(since + 1).flatMap((one) => [...one[kind]]));
      return sorted([...all].filter((id) => then.has(id) && now.has(id)));
    };
    expect({
      ...changes,
      added: sorted(changes.added),
      moved: sorted(changes.moved),
      changed: sorted(changes.changed),
      removed: sorted(changes.removed),
    }).toEqual({
      version: versions.length - 1,
      added: sorted([...now.keys()].filter((id) => !then.has(id))),
      moved: written('bounds'),
      changed: written('categories'),
      removed: sorted(removed),
    } satisfies BodyChanges);
    const told = new Set([...changes.moved, ...changes.changed]);
    for (const [id, state] of then) if (now.has(id) && now.get(id) !== state) expect(told.has(id)).toBe(true);
  }
}

describe('trackChanges', () => {
  it.each([1, 2, 3, 4])('equals a comparison of all bodies, since every version, in history %d', (seed) => {
    const model = new Model(seed, 10_000);
    for (let step = 0; step < 120; step++) {
      for (let k = model.random.below(6); k > 0; k--) model.write();
      if (model.random.next() < 0.3) model.octree.intersectPoint(point([0, 0, 0]));
      model.update();
      for (let k = 0; k < 4; k++) {
        const since = model.random.below(model.versions.length);
        expect(model.journal.changesSince(since)).not.toBe(null);
        model.check(since);
      }
    }
    expect(model.versions.length).toBeGreaterThan(80);
    model.check(0);
  });

  it.each([false, true])(
    'forgets removals beyond maxRemoved, and each answer is right; cleared at times: %j',
    (clears) => {
      const model = new Model(5, 6);
      let tooOld = 0;
      for (let step = 0; step < 150; step++) {
        if (clears && step % 20 === 10) model.clear();
        for (let k = 0; k < 4; k++) model.write();
        model.update();
        model.check(model.versions.length - 1);
        const since = Math.max(0, model.versions.length - 1 - model.random.below(20));
        const removed = [...model.versions[since].bodies.keys()].filter((id) => !model.versions.at(-1)!.bodies.has(id));
        if (model.journal.changesSince(since) === null) tooOld++;
        else expect(removed.length).toBeLessThanOrEqual(6);
        model.check(since);
      }
      expect(tooOld).toBeGreaterThan(20);
      expect(model.journal.changesSince(0)).toBe(null);
    },
  );

  it('remembers 65,536 removals by default', () => {
    const octree = new Octree<number>();
    const indices = octree.insertMany(new Float32Array(4 * (2 ** 16 + 1)), { kind: 'sphere' });
    const journal = trackChanges(octree);
    octree.removeMany(indices.subarray(1));
    octree.update();
    expect(journal.changesSince(0)?.removed.length).toBe(2 ** 16);
    octree.removeMany(indices.subarray(0, 1));
    octree.update();
    expect(journal.changesSince(0)).toBe(null);
    expect(journal.changesSince(1)?.removed).toEqual([idOf(octree, indices[0])]);
  });

  it('knows no version before clear', () => {
    const octree = new Octree<number>();
    octree.insert(boxOf([0, 0, 0, 1, 1, 1]), 0);
    const journal = trackChanges(octree);
    octree.clear();
    expect(journal.changesSince(0)).toBe(null);
    const { index } = octree.insert(boxOf([0, 0, 0, 1, 1, 1]), 0);
    octree.update();
    expect([journal.version, journal.changesSince(0)]).toEqual([1, null]);
    const id = idOf(octree, index);
    octree.moveMany([index], new Float64Array([5, 5, 5]));
    octree.update();
    expect(journal.changesSince(1)).toEqual({ version: 2, added: [], moved: [id], changed: [], removed: [] });
  });

  it('knows no version before clear after a removal either, also of the last one that it remembers', () => {
    for (const maxRemoved of [1, 2]) {
      const octree = new Octree<number>();
      const journal = trackChanges(octree, { maxRemoved });
      octree.clear();
      octree.insert(boxOf([0, 0, 0, 1, 1, 1]), 0);
      octree.update();
      const { version } = journal;
      octree.removeMany([0]);
      octree.update();
      expect([maxRemoved, journal.changesSince(0)]).toEqual([maxRemoved, null]);
      expect(journal.changesSince(version)?.removed).toHaveLength(1);
    }
  });

  it('has no room among the removals for what was inserted since the last version, also where a query has found it', () => {
    const octree = new Octree<number>();
    const indices = octree.insertMany(new Float64Array(8), { kind: 'sphere' });
    const journal = trackChanges(octree, { maxRemoved: 1 });
    const id = idOf(octree, indices[0]);
    octree.removeMany(indices.subarray(0, 1));
    octree.update();
    const body = octree.insert(boxOf([0, 0, 0, 1, 1, 1]), 0);
    expect(octree.intersectPoint(point([1, 1, 1]))).toHaveLength(1);
    body.remove();
    octree.update();
    expect(journal.changesSince(0)?.removed).toEqual([id]);
  });

  it('makes no version of an update without changes', () => {
    const octree = new Octree<number>();
    const journal = trackChanges(octree);
    octree.insert(boxOf([0, 0, 0, 1, 1, 1]), 0).remove();
    for (let k = 0; k < 3; k++) octree.update();
    octree.insert(boxOf([0, 0, 0, 1, 1, 1]), 0);
    octree.update();
    octree.update();
    expect(journal.changesSince(journal.version)).toMatchObject({ added: [], removed: [] });
    expect(journal.changesSince(0)).toMatchObject({ added: [idOf(octree, 0)], removed: [] });
    const { version } = journal;
    octree.update();
    expect(journal.version).toBe(version);
  });

  it('tells of a translation only the bodies that it has rounded', () => {
    const octree = new Octree<number>();
    const [coarse, fine] = [0.5, 0.1].map((x) => octree.insert(boxOf([x, 0, 0, x + 1, 1, 1]), 0));
    const journal = trackChanges(octree);
    translate(octree, point([1024, 0, 0]));
    octree.update();
    translate(octree, point([-1024, 0, 0]));
    octree.update();
    expect(coarse.getBox().min.x).toBe(0.5);
    expect(fine.getBox().min.x).not.toBe(0.1);
    expect(journal.changesSince(0)?.moved).toEqual([idOf(octree, fine.index)]);
  });

  it('begins anew where an update had no memory for it', () => {
    let unknown = 0;
    for (let failing = 1, isDone = false; !isDone; failing++) {
      const octree = new Octree<number>();
      octree.insert(boxOf([0, 0, 0, 1, 1, 1]), 0);
      octree.update();
      const journal = trackChanges(octree);
      const indices = octree.insertMany(new Float64Array(6 * 50), { kind: 'box' });
      const { allocations, error } = withFault(failing, () => octree.update());
      expect(error === undefined || error instanceof MemoryFault).toBe(true);
      isDone = allocations < failing;
      octree.update();
      octree.moveMany(indices.subarray(0, 1), new Float64Array([3, 3, 3]));
      const { version } = journal;
      const since = journal.changesSince(0);
      if (since !== null) expect(since.added.length).toBe(50);
      else unknown++;
      octree.update();
      expect(journal.changesSince(version)).toMatchObject({ added: [], moved: [idOf(octree, indices[0])] });
    }
    expect(unknown).toBeGreaterThan(0);
  });

  it('follows the children of a group', () => {
    const group = new OctreeGroup();
    const geometry = new BoxGeometry();
    const meshes = Array.from({ length: 60 }, () => new Mesh(geometry, new MeshBasicMaterial()));
    group.add(...meshes);
    group.updateMatrixWorld();
    const journal = trackChanges(group.octree);
    const { version } = journal;
    const gone = idOf(group.octree as never, group.bodyOf(meshes[5])!.index);
    meshes[3].position.x = 7;
    group.remove(meshes[5]);
    const added = new Mesh(geometry, new MeshBasicMaterial());
    group.add(added);
    group.updateMatrixWorld();
    const { octree } = group;
    const objectsOf = (ids: number[]): Object3D[] => ids.map((id) => octree.dataAt(indexOfId(octree as never, id)));
    const changes = journal.changesSince(version)!;
    expect(objectsOf(changes.added)).toEqual([added]);
    expect(objectsOf(changes.moved)).toEqual([meshes[3]]);
    expect(changes.removed).toEqual([gone]);
  });

  it('tells that all children of a moved group have moved, in the update after its octree was read', () => {
    const group = new OctreeGroup().add(new Mesh(new BoxGeometry(), new MeshBasicMaterial()));
    group.updateMatrixWorld();
    const journal = trackChanges(group.octree);
    for (const x of [3, 6]) {
      const { version } = journal;
      group.position.x = x;
      group.updateMatrixWorld();
      expect(group.octree.getBoxAt(0).min.x).toBeCloseTo(x - 0.5, 5);
      group.updateMatrixWorld();
      expect(journal.changesSince(version)?.moved).toHaveLength(1);
    }
  });

  it('costs nothing once it is stopped', () => {
    const octree = new Octree<number>();
    const journal = trackChanges(octree);
    expect(octree.internals.store.changes.isKept).toBe(true);
    const other = trackChanges(octree);
    journal.stop();
    journal.stop();
    expect([journal.isStopped, octree.internals.store.changes.isKept]).toEqual([true, true]);
    other.stop();
    expect(octree.internals.store.changes.isKept).toBe(false);
    expect(String(errorOf(() => journal.changesSince(0)))).toMatch(/the journal is stopped/);
  });

  it.each<[string, () => unknown, RegExp]>([
    ['no octree', () => trackChanges({} as never), /trackChanges: octree must be an Octree/],
    ['an unknown option', () => trackChanges(new Octree(), { max: 1 } as never), /unknown option max/],
    [
      'a text as maxRemoved',
      () => trackChanges(new Octree(), { maxRemoved: '5' as never }),
      /maxRemoved must be a num/,
    ],
    ['maxRemoved 0', () => trackChanges(new Octree(), { maxRemoved: 0 }), /maxRemoved must be an integer from 1/],
    ['maxRemoved NaN', () => trackChanges(new Octree(), { maxRemoved: NaN }), /maxRemoved must be an integer from 1/],
    ['a later version', () => trackChanges(new Octree()).changesSince(1), /version must be an integer from 0 to 0/],
    [
      'half a version',
      () => trackChanges(new Octree()).changesSince(0.5),
      /ChangeJournal.changesSince: version must be/,
    ],
    ['no version', () => trackChanges(new Octree()).changesSince(undefined as never), /version must be a number/],
  ])('refuses %s', (_, call, sentence) => {
    expect(String(errorOf(call))).toMatch(sentence);
    expect(String(errorOf(call))).not.toMatch(GAP);
  });
});
