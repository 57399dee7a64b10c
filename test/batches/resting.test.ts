// Watched members: batches draw those that stand still. One that moves, or changes otherwise, is drawn as in a plain
// Group in the same update.

import {
  BoxGeometry,
  Color,
  Group,
  Mesh,
  MeshLambertMaterial,
  Raycaster,
  Scene,
  SphereGeometry,
  Texture,
  Vector3,
  type BufferGeometry,
  type Object3D,
} from 'three';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { UPDATES_PER_BUILD } from '../../src/batches/batch-members.ts';
import { KEPT_UPDATES, MAX_REST_UPDATES, REST_UPDATES } from '../../src/batches/draw-states.ts';
import { validate } from '../../src/debug-three/index.ts';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import { setBatchLimits } from '../support/batch-limits.ts';
import {
  everything,
  drawn,
  drawnAlone,
  expectSame,
  lambert,
  plainCopy,
  randomBoxes,
  runUpdates,
} from '../support/batched-meshes.ts';
import { missingTriangles, trianglesOfObject } from '../support/drawn-triangles.ts';
import { projectPass } from '../support/pass-lists.ts';
import { createRandom, type Random } from '../support/random.ts';
import { sampleOf } from '../support/sampled.ts';

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));

function watched(count: number, seed = 1): { meshes: Mesh[]; group: OctreeGroup; batches: StaticBatches } {
  const meshes = randomBoxes(seed, count);
  const group = new OctreeGroup().add(...meshes);
  new Scene().add(group);
  return { meshes, group, batches: new StaticBatches(group) };
}

describe('watched meshes', () => {
  it('are drawn from batches: by finish at once, otherwise once they have stood still', async () => {
    const { group, batches } = watched(40);
    await runUpdates(group, REST_UPDATES - 1);
    expect(batches.report()).toMatchObject({ batched: 0, waiting: 40 });
    expect(drawnAlone(group)).toBe(40);
    await runUpdates(group, UPDATES_PER_BUILD + 20);
    expect(batches.report()).toMatchObject({ batched: 40, waiting: 0, out: 0, chunks: 1 });
    expect(drawn(group).length).toBe(1);
    expectSame(group);
    const second = watched(40);
    expect(second.batches.finish().report()).toMatchObject({ batched: 40, chunks: 1 });
    expectSame(second.group);
  });

  it.each<[string, (mesh: Mesh) => void]>([
    ['moves', ({ position }) => void (position.x += 7)],
    ['turns within its bounds', ({ rotation }) => void (rotation.y += 1)],
    ['is mirrored', ({ scale }) => void (scale.x *= -1)],
    ['gets other vertices', ({ geometry }) => void geometry.scale(2, 2, 2)],
    ['gets other normals', ({ geometry: { attributes } }) => void (attributes.normal.setX(0, 9).needsUpdate = true)],
    ['gets another geometry', (mesh) => void (mesh.geometry = new BoxGeometry(3, 3, 3))],
    ['gets another material', (mesh) => void (mesh.material = new MeshLambertMaterial({ color: 'red' }))],
    ['gets a draw range', ({ geometry }) => geometry.setDrawRange(0, 6)],
    ['gets a callback', (mesh) => void (mesh.onBeforeRender = () => undefined)],
    ['is hidden', (mesh) => void (mesh.visible = false)],
    ['casts a shadow', (mesh) => void (mesh.castShadow = true)],
  ])('one that %s is drawn so in the same update', async (_, change) => {
    // More geometries than batches compare in each update.
    const { meshes, group, batches } = watched(400);
    for (const mesh of meshes) mesh.geometry = new SphereGeometry(1, 4, 3);
    batches.finish();
    await runUpdates(group, 1);
    for (const k of [0, 150, 399]) {
      change(meshes[k]);
      expectSame(group);
    }
    await runUpdates(group, 1);
    expectSame(group);
  });

  it('leave for as long as they move, and come back after 30 updates', async () => {
    const { meshes, group, batches } = watched(40);
    batches.finish();
    for (let step = 0; step < 50; step++) {
      meshes[3].position.x += 0.1;
      await runUpdates(group, 1);
      expect(batches.report()).toMatchObject({ batched: 39, out: 1, moving: 1, chunks: 1 });
    }
    expectSame(group);
    await runUpdates(group, REST_UPDATES - 3);
    expect(batches.report()).toMatchObject({ batched: 39, out: 1 });
    await runUpdates(group, 2);
    expect(batches.report()).toMatchObject({ batched: 40, out: 0, moving: 0, chunks: 1 });
    expectSame(group);
  });

  it('rest longer and longer if they move again soon, and give up their slots if they go on', async () => {
    const { meshes, group, batches } = watched(40);
    batches.finish();
    const move = async (): Promise<number> => {
      meshes[3].position.x += 0.1;
      let updates = 0;
      do await runUpdates(group, 1);
      while (batches.report().batched < 40 && ++updates < 999);
      return updates;
    };
    const rests: number[] = [];
    for (let k = 0; k < 6; k++) rests.push(await move());
    expect(rests).toEqual([1, 2, 4, 8, 8, 8].map((times) => times * REST_UPDATES - 1));
    await runUpdates(group, MAX_REST_UPDATES);
    expect(await move()).toBe(REST_UPDATES - 1);
    for (let k = 0; k < KEPT_UPDATES + 40; k++) {
      for (const mesh of meshes.slice(0, 30)) mesh.position.x += 0.1;
      await runUpdates(group, 1);
    }
    expect(batches.report()).toMatchObject({ batched: 10, out: 30, moving: 30, chunks: 1, vertices: 240 });
    expectSame(group);
  });

  it('are not built while they move, and together if they come to rest one after the other', async () => {
    const { meshes, group, batches } = watched(40);
    const build = vi.spyOn(batches.members.keys, 'keepOrder');
    // Too few of their kind: they wait.
    const [first, second] = randomBoxes(2, 2, new MeshLambertMaterial({ map: new Texture() }));
    group.add(first, second);
    batches.finish();
    build.mockClear();
    for (let k = 0; k < 96; k++) {
      for (const mesh of [...meshes, first, second]) mesh.position.x += 0.1;
      group.add(...randomBoxes(k, 1));
      await runUpdates(group, 1);
    }
    expect(build.mock.calls.length).toBeLessThanOrEqual(96 / UPDATES_PER_BUILD + 1);
    const { batched, moving } = batches.report();
    expect([batched > 20, moving]).toEqual([true, 42]);
    expectSame(group);
  });
});

/** Turns all meshes in each of some updates. */
const moveAll = async (group: OctreeGroup, meshes: readonly Mesh[], updates: number): Promise<void> => {
  for (let k = 0; k < updates; k++) {
    for (const mesh of meshes) mesh.rotation.y += 0.1;
    await runUpdates(group, 1);
  }
};

describe('while most members move, each pass draws all of them without batches', () => {
  it('and says so; then those that rest are batched again, where they are', async () => {
    const { meshes, group, batches } = watched(100);
    for (const mesh of meshes) mesh.geometry = new SphereGeometry(1, 4, 3);
    batches.finish();
    const { bodies, followRule } = group.groupChildren;
    await moveAll(group, meshes, 50);
    expect([followRule.isFollowing, bodies.areBoundsOld]).toEqual([false, true]);
    expect(batches.reason).toContain('most members move');
    expect(batches.ranges).toEqual([]);
    expectSame(group);
    // A query renews the bounds; the batches have not been told of all that has changed.
    lambert.color.set('green');
    meshes[5].rotation.y += 1;
    group.raycastFirst(new Raycaster(new Vector3(0, 0, 99), new Vector3(0, 0, -1)));
    expect(bodies.areBoundsOld).toBe(false);
    expectSame(group);
    await runUpdates(group, 40);
    expect(followRule.isFollowing).toBe(true);
    expectSame(group);
    await runUpdates(group, 40);
    expect(batches.report().batched).toBe(100);
    expect([batches.reason, drawn(group).length]).toEqual(['', 1]);
    expectSame(group);
    lambert.color.set('white');
  });

  it('and those that moved meanwhile leave their batch, however they are compared', async () => {
    const movers = randomBoxes(1, 120);
    const sphere = new SphereGeometry(1, 4, 3);
    // They turn within their bounds.
    const others = Array.from({ length: 12 }, (_, k) => {
      const mesh = new Mesh(sphere, new MeshLambertMaterial({ color: 9999 * k }));
      mesh.position.set(3 * k, 60, 0);
      return mesh;
    });
    const group = new OctreeGroup().add(...movers, ...others);
    for (const mesh of others.slice(6)) group.setStatic(mesh);
    const batches = new StaticBatches(group).finish();
    expect(batches.report().batched).toBe(132);
    const { followRule } = group.groupChildren;
    await moveAll(group, movers, 5);
    expect(followRule.isFollowing).toBe(false);
    for (const mesh of others.slice(0, 6)) mesh.rotation.y += 1;
    others[8].material.color.set('red');
    await moveAll(group, movers, 3);
    group.raycastFirst(new Raycaster(new Vector3(0, 0, 99), new Vector3(0, 0, -1)));
    // A pass before the next update.
    const copies = plainCopy(group);
    copies.updateMatrixWorld();
    const [found, expected] = [group, copies].map((each) =>
      projectPass(each, everything).flatMap(({ object }) => trianglesOfObject(object as Mesh)),
    );
    expect(missingTriangles(found, expected)).toEqual([]);
    await runUpdates(group, 1);
    for (let k = 0; k < 40 && !followRule.isFollowing; k++) await runUpdates(group, 1);
    expect(followRule.isFollowing).toBe(true);
    expectSame(group);
    await runUpdates(group, 2);
    expectSame(group);
  });

  it('but not if batches draw many of the others', async () => {
    const { meshes, group, batches } = watched(200);
    batches.finish();
    for (const [moved, isFollowing] of [
      [150, true],
      [190, false],
    ] as const) {
      await moveAll(group, meshes.slice(0, moved), 50);
      expect(group.groupChildren.followRule.isFollowing).toBe(isFollowing);
      expectSame(group);
    }
    batches.finish();
    expect(group.groupChildren.followRule.isFollowing).toBe(true);
    await runUpdates(group, 40);
    expect(batches.report().batched).toBe(200);
    expectSame(group);
  });
});

/** A scene of watched and static meshes, some below groups, and changes of all kinds. */
class WatchedHistory {
  readonly scene = new Scene();
  readonly group = new OctreeGroup();
  readonly batches: StaticBatches;
  random: Random;
  readonly log: string[] = [];
  private readonly geometries: BufferGeometry[];
  private readonly materials: MeshLambertMaterial[];
  private readonly parents: Object3D[] = [];

  constructor(seed: number) {
    this.random = createRandom(seed);
    this.geometries = [
      new BoxGeometry(),
      new BoxGeometry(1, 2, 1),
      new SphereGeometry(1, 4, 3),
      new BoxGeometry(2, 1, 1),
    ];
    this.materials = ['red', 'green', 'blue'].map((color) => new MeshLambertMaterial({ color }));
    this.scene.add(this.group);
    for (let k = 0; k < 4; k++) {
      const [root, inner] = [new Group(), new Group()];
      this.group.addTree(root.add(inner), { isStatic: k === 3 });
      this.parents.push(root, inner);
    }
    for (let k = 0; k < 80; k++) this.add();
    this.batches = new StaticBatches(this.group, { mergesMaterials: seed % 2 === 0 });
    setBatchLimits(this.batches, { minMembers: 3, minInstances: seed % 3 === 0 ? 5 : Infinity });
    this.batches.finish();
  }

  private get meshes(): Mesh[] {
    const meshes: Mesh[] = [];
    this.group.traverse((object) => object instanceof Mesh && meshes.push(object as Mesh));
    return meshes;
  }

  private add(): void {
    const mesh = new Mesh(this.random.pick(this.geometries), this.random.pick(this.materials));
    this.place(mesh);
    this.random.pick([this.group, ...this.parents]).add(mesh);
  }

  private place(object: Object3D): void {
    const { random } = this;
    object.position.set(random.between(-40, 40), random.between(-40, 40), random.between(-40, 40));
    if (random.below(3) === 0) object.rotation.set(random.next(), random.next(), random.next());
    if (random.below(4) === 0) object.scale.set(random.pick([1, -1, 2]), 1, 1);
  }

  /** Changes an object, and reports that if it is static. */
  change(): void {
    const { random, group, parents } = this;
    const mesh = random.pick(this.meshes);
    const parent = random.pick(parents);
    const changes: Record<string, () => void> = {
      moves: () => this.place(mesh),
      turns: () => void (mesh.rotation.y += 1),
      parentMoves: () => this.place(parent),
      parentHides: () => void (parent.visible = !parent.visible),
      hides: () => void (mesh.visible = !mesh.visible),
      shadow: () => void (mesh.castShadow = !mesh.castShadow),
      order: () => void (mesh.renderOrder = random.below(2)),
      layers: () => mesh.layers.toggle(2),
      material: () => void (mesh.material = random.pick(this.materials)),
      color: () => void random.pick(this.materials).color.copy(new Color(random.below(2 ** 24))),
      transparent: () => {
        const material = random.pick(this.materials);
        material.transparent = random.below(3) === 0;
        material.needsUpdate = true;
      },
      geometry: () => void (mesh.geometry = random.pick(this.geometries)),
      vertices: () => void random.pick(this.geometries).scale(1, random.between(0.9, 1.1), 1),
      callback: () => void (mesh.onBeforeRender = () => undefined),
      noCallback: () => void Reflect.deleteProperty(mesh, 'onBeforeRender'),
      freezes: () => void (mesh.matrixAutoUpdate = !mesh.matrixAutoUpdate),
      writesMatrix: () => {
        if (!mesh.matrixAutoUpdate) mesh.matrix.setPosition(random.between(-40, 40), 0, 0);
      },
      freezesWorld: () => {
        mesh.matrixWorldAutoUpdate = !mesh.matrixWorldAutoUpdate;
        if (!mesh.matrixWorldAutoUpdate) mesh.matrixWorld.setPosition(random.between(-40, 40), 0, 0);
      },
      freezesParent: () => void (parent.matrixAutoUpdate = !parent.matrixAutoUpdate),
      writesParent: () => {
        if (!parent.matrixAutoUpdate) parent.matrix.setPosition(random.between(-9, 9), 0, 0);
      },
      pivot: () => void (mesh.pivot = random.below(2) === 0 ? new Vector3(1, 0, 0) : null),
      child: () => void mesh.add(new Mesh(random.pick(this.geometries), random.pick(this.materials))),
      childMoves: () => mesh.children.forEach((each) => this.place(each)),
      childless: () => void mesh.clear(),
      trialMove: () => {
        mesh.position.x += 5;
        mesh.updateMatrixWorld(true);
        mesh.position.x -= 5;
      },
      removed: () => void mesh.removeFromParent(),
      added: () => this.add(),
      reparented: () => void random.pick([group, ...parents]).add(mesh),
      attached: () => void random.pick([group, ...parents]).attach(mesh),
      groupMoves: () => void group.position.set(random.next(), random.next(), 0),
      groupTurns: () => void (group.rotation.y += 0.5),
      groupStretches: () => void group.scale.set(1, random.pick([1, 2]), 1),
      static: () => void group.setStatic(mesh.parent === group ? mesh : parent, random.below(3) === 0),
      queries: () => void group.raycastFirst(new Raycaster(new Vector3(0, 0, 99), new Vector3(0, 0, -1))),
      leftOut: () => void this.batches.leaveOut(mesh, random.below(2) === 0),
      allMove: () => this.meshes.forEach((each) => (each.position.x += 0.5)),
      finish: () => void this.batches.finish(),
    };
    const name = random.pick(Object.keys(changes));
    this.log.push(`${name} ${mesh.id} ${parent.id}`);
    changes[name]();
    // Users have to report changes of static ones.
    for (const child of group.children) if (group.isStatic(child)) group.reportMove(child);
    for (const each of parents) if (group.isStatic(each)) group.reportMove(each);
  }
}

// In the sample some with instances, and some that merge materials.
const SEEDS = sampleOf(40, 17, 2);

it.each(SEEDS)('changes of all kinds are drawn as in a plain Group, in the same update: history %i', async (seed) => {
  const history = new WatchedHistory(seed);
  const { group, random, batches } = history;
  let most = 0;
  for (let step = 0; step < 60; step++) {
    for (let count = random.below(4); count >= 0; count--) history.change();
    expectSame(group, everything, history.log);
    if (step % 4 === 0) await runUpdates(group, random.pick([1, 2, 40, 70]));
    if (step % 16 === 0)
      for (let k = 0; k < 6; k++) {
        // Longer than a group follows its members.
        for (const child of group.children) if (!group.isStatic(child)) child.position.y += 0.1;
        expectSame(group, everything, history.log);
        await runUpdates(group, 1);
      }
    expectSame(group, everything, history.log);
    expect(validate(group), history.log.join('; ')).toEqual([]);
    most = Math.max(most, batches.report().batched);
  }
  expect(most).toBeGreaterThan(15);
});
