// Members that move, drawn from posed chunks. Each step must draw the triangles of a plain Group.

import {
  BoxGeometry,
  Group,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  Raycaster,
  Scene,
  SphereGeometry,
  Vector3,
  type Object3D,
} from 'three';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UPDATES_PER_BUILD } from '../../src/batches/batch-members.ts';
import { REST_UPDATES } from '../../src/batches/draw-states.ts';
import { MIN_POSED } from '../../src/batches/movers.ts';
import { MAX_BONES } from '../../src/batches/posed-chunk.ts';
import { clock } from '../../src/math/clock.ts';
import { validate } from '../../src/debug-three/index.ts';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import { poseSoon, setBatchLimits } from '../support/batch-limits.ts';
import { drawn, drawnAlone, everything, expectSame, randomBoxes, runUpdates } from '../support/batched-meshes.ts';
import { missingTriangles, trianglesOfObject } from '../support/drawn-triangles.ts';
import { projectPass } from '../support/pass-lists.ts';
import { createRandom } from '../support/random.ts';
import { seedsOf } from '../support/history-profile.ts';
import { IS_LONG } from '../support/sampled.ts';

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  // It stands still: builds are not cut into slices.
  vi.spyOn(clock, 'now').mockReturnValue(0);
});
afterEach(() => void vi.restoreAllMocks());

/** More updates than it takes until posed chunks draw what moves. */
const UNTIL_POSED = 3 * UPDATES_PER_BUILD;

interface Town {
  readonly meshes: Mesh[];
  readonly group: OctreeGroup;
  readonly batches: StaticBatches;
  /** Moves some meshes in each of some updates. */
  readonly move: (moved: readonly Mesh[], updates?: number) => Promise<void>;
}

function town(count: number, seed = 1): Town {
  const random = createRandom(seed);
  const meshes = randomBoxes(seed, count);
  for (const mesh of meshes) mesh.material = new MeshLambertMaterial({ color: random.below(2 ** 24) });
  const group = new OctreeGroup().add(...meshes);
  new Scene().add(group);
  const batches = new StaticBatches(group, { posesMovers: true });
  const move = async (moved: readonly Mesh[], updates = UNTIL_POSED): Promise<void> => {
    for (let k = 0; k < updates; k++) {
      for (const mesh of moved) {
        mesh.position.x += 0.1 * random.between(-1, 1);
        mesh.rotation.y += 0.1;
      }
      await runUpdates(group, 1);
    }
  };
  return { meshes, group, batches, move };
}

describe('meshes that move', () => {
  it('may be removed between any two steps of a build', async () => {
    vi.mocked(clock.now).mockRestore();
    for (let updates = UPDATES_PER_BUILD; updates < UNTIL_POSED; updates += IS_LONG ? 1 : 2) {
      const { meshes, group, move } = town(64);
      let time = 0;
      const now = vi.spyOn(clock, 'now').mockImplementation(() => (time += 10));
      await move(meshes, updates);
      group.remove(...meshes);
      await runUpdates(group, UPDATES_PER_BUILD);
      expect(validate(group)).toEqual([]);
      now.mockRestore();
    }
  });

  it('are drawn in one call, and from a merged batch once they rest', async () => {
    const { meshes, group, batches, move } = town(120);
    batches.finish();
    await move(meshes);
    expect(batches.report()).toMatchObject({ batched: 120, posed: 120, moving: 0, out: 0, chunks: 1 });
    expect(drawn(group).length).toBe(1);
    expectSame(group);
    await move(meshes.slice(0, 20), 20);
    expectSame(group);
    expect(batches.report()).toMatchObject({ batched: 120, posed: 120, chunks: 1 });
    await runUpdates(group, REST_UPDATES + 2 * UPDATES_PER_BUILD);
    expect(batches.report()).toMatchObject({ batched: 120, posed: 0, out: 0 });
    expectSame(group);
    expect(validate(group)).toEqual([]);
  });

  it(`are drawn alone below ${MIN_POSED}, and without the option`, async () => {
    const { meshes, group, batches, move } = town(MIN_POSED - 1);
    await move(meshes);
    expect(batches.report()).toMatchObject({ batched: 0, posed: 0 });
    expect(drawnAlone(group)).toBe(MIN_POSED - 1);
    const more = randomBoxes(3, 1);
    group.add(...more);
    await move([...meshes, ...more]);
    expect(batches.report().posed).toBe(MIN_POSED);
  });

  it('are drawn alone with more than 4,096 vertices', async () => {
    const { meshes, group, batches, move } = town(60);
    // (63 + 1) times (63 + 1) vertices, and one row more.
    for (const [k, mesh] of meshes.slice(0, 2).entries()) mesh.geometry = new SphereGeometry(1, 63, 63 + k);
    await move(meshes);
    expect(batches.report()).toMatchObject({ batched: 59, posed: 59, moving: 1 });
    expect(drawnAlone(group)).toBe(1);
    expectSame(group);
  });

  it('fill several chunks, in the order of the octree', async () => {
    const { meshes, group, batches, move } = town(MAX_BONES + 200);
    if (!IS_LONG) poseSoon(batches, MIN_POSED);
    await move(meshes, IS_LONG ? undefined : 12);
    expect(batches.report()).toMatchObject({ posed: MAX_BONES + 200, chunks: 2 });
    expect(drawn(group).length).toBe(2);
    expectSame(group);
  });

  it('with the same geometry are drawn as instances', async () => {
    const { meshes, group, batches, move } = town(80);
    setBatchLimits(batches, { minInstances: 40 });
    const sphere = new SphereGeometry(1, 6, 4);
    for (const mesh of meshes.slice(0, 50)) mesh.geometry = sphere;
    await move(meshes);
    expect(batches.report()).toMatchObject({ posed: 80, instanced: 50, chunks: 2 });
    expectSame(group);
    await move(meshes, 5);
    expectSame(group);
  });

  it.each<[string, (mesh: Mesh) => void, number]>([
    ['is hidden', (mesh) => void (mesh.visible = false), 1],
    ['is sheared', ({ scale }) => void (scale.y *= 3), 1],
    ['is mirrored', ({ scale }) => void (scale.x *= -1), 1],
    ['is flattened', ({ scale }) => void (scale.z = 0), 1],
    ['grows evenly', ({ scale }) => void scale.multiplyScalar(1.5), 0],
    ['goes far away', ({ position }) => void (position.x = 1e6), 1],
    ['gets other vertices', ({ geometry }) => void geometry.scale(2, 2, 2), 1],
    ['gets another geometry', (mesh) => void (mesh.geometry = new BoxGeometry(3, 3, 3)), 1],
    ['gets another material', (mesh) => void (mesh.material = new MeshLambertMaterial({ color: 'red' })), 1],
    ['gets another colour', (mesh) => void (mesh.material as MeshLambertMaterial).color.set('red'), 0],
    ['gets a callback', (mesh) => void (mesh.onBeforeRender = () => undefined), 1],
    ['casts a shadow', (mesh) => void (mesh.castShadow = true), 1],
    ['is removed', (mesh) => void mesh.removeFromParent(), 1],
  ])('one that %s is drawn so in the same update', async (_, change, left) => {
    const { meshes, group, batches, move } = town(100);
    await move(meshes);
    expect(batches.report().posed).toBe(100);
    for (const k of [0, 50, 99]) {
      change(meshes[k]);
      expectSame(group);
    }
    expect(batches.report().posed).toBe(100 - 3 * left);
    await move(meshes, 3);
    expectSame(group);
    expect(validate(group)).toEqual([]);
  });

  const AXES = [0, 1, 2].flatMap((a) => [[a, (a + 1) % 3] as const, [(a + 1) % 3, a] as const]);
  // All edges keep their lengths: only the angle between two of them tells.
  it.each([true, false].flatMap((isShared) => AXES.map((axes) => [isShared, ...axes] as const)))(
    'one of which an edge leans towards another is drawn alone: shared geometry %s, edges %i and %i',
    async (isShared, edge, other) => {
      const { meshes, group, batches } = town(80);
      // Without turning, so that the matrix is that which was written.
      const shift = async (moved: readonly Mesh[]): Promise<void> => {
        for (let k = 0; k < UNTIL_POSED; k++) {
          for (const { position } of moved) position.x += 0.1;
          await runUpdates(group, 1);
        }
      };
      const sphere = new SphereGeometry(1, 6, 4);
      for (const mesh of meshes) {
        if (isShared) mesh.geometry = sphere;
        mesh.scale.set(1, 1, 1);
      }
      setBatchLimits(batches, { minInstances: isShared ? 40 : Infinity });
      await shift(meshes);
      expect(batches.report()).toMatchObject({ posed: 80, instanced: isShared ? 80 : 0 });
      const [mesh] = meshes;
      mesh.matrixAutoUpdate = false;
      const leaning = new Matrix4();
      leaning.elements[5 * edge] = 0.8;
      leaning.elements[4 * edge + other] = 0.6;
      // A merged mesh is compared with what it was, instances are compared with what they repeat.
      if (isShared) mesh.matrix.multiply(leaning);
      else mesh.matrix.setPosition(0, 0, 0).premultiply(leaning).setPosition(mesh.position);
      mesh.matrixWorldNeedsUpdate = true;
      expectSame(group);
      expect(batches.report().posed).toBe(79);
      await shift(meshes.slice(1));
      expectSame(group);
      expect(validate(group)).toEqual([]);
    },
  );

  it('that are sheared in each update are built a few times only', async () => {
    const { meshes, group, batches, move } = town(60);
    await move(meshes);
    const build = vi.spyOn(batches.members.keys, 'keepOrder');
    for (let k = 0; k < UNTIL_POSED; k++) {
      for (const mesh of meshes) mesh.scale.y *= 1.01;
      await move(meshes, 1);
    }
    expect(batches.report()).toMatchObject({ posed: 0, moving: 60 });
    expect(build.mock.calls.length).toBeLessThan(2);
    expectSame(group);
  });

  it('are drawn where a query has found them since the update', async () => {
    const { meshes, group, move } = town(60);
    await move(meshes);
    meshes[7].position.y += 9;
    group.reportMove(meshes[7]);
    group.raycastFirst(new Raycaster(new Vector3(), new Vector3(0, 0, 1)));
    const found = projectPass(group, everything).flatMap(({ object }) => trianglesOfObject(object as Mesh));
    expect(missingTriangles(found, trianglesOfObject(meshes[7]))).toEqual([]);
  });

  it('leave nothing behind', async () => {
    const { meshes, group, batches, move } = town(60);
    await move(meshes);
    const [chunk] = batches.members.chunks;
    const dispose = vi.spyOn(chunk!, 'dispose');
    for (const mesh of meshes) mesh.removeFromParent();
    await runUpdates(group, 2);
    expect(dispose).toHaveBeenCalledOnce();
    expect(batches.report()).toMatchObject({ posed: 0, chunks: 0, bytes: 0 });
  });
});

describe('a history of movers', () => {
  it.each(seedsOf(IS_LONG ? 8 : 3))('draws as a plain Group: seed %i', async (seed) => {
    const random = createRandom(seed);
    let time = 0;
    // Builds are cut into slices of different lengths; of each fourth history into none.
    vi.spyOn(clock, 'now').mockImplementation(() => (time += seed % 4 > 0 ? random.between(0, 3 / (seed % 4)) : 0));
    const { meshes, group, batches } = town(90, seed);
    const extra = [new MeshLambertMaterial({ color: 'red' }), new MeshLambertMaterial({ transparent: true })];
    const shared = new BoxGeometry(2, 1, 1);
    const parent = new Group();
    group.addTree(parent);
    setBatchLimits(batches, { minInstances: seed % 3 > 0 ? 6 : Infinity });
    poseSoon(batches, seed % 2 === 0 ? 8 : 1);
    for (const mesh of meshes.slice(0, 20)) mesh.geometry = shared;
    if (seed % 3 === 0) for (const mesh of meshes.slice(60)) group.setStatic(mesh);
    let moving = meshes.filter(() => random.next() < 0.6);
    let posed = 0;
    const log: string[] = [];
    const changes: ((mesh: Mesh) => void)[] = [
      ({ position }) => void (position.y += 3),
      ({ scale }) => void scale.set(random.pick([1, -1, 2]), random.pick([1, 3]), 1),
      ({ scale }) => void scale.multiplyScalar(1.1),
      (mesh) => void (mesh.visible = !mesh.visible),
      (mesh) => void (mesh.material = random.pick(extra)),
      (mesh) => void (mesh.geometry = random.next() < 0.5 ? shared : new BoxGeometry(random.between(1, 3), 1, 1)),
      (mesh) => mesh.layers.toggle(1),
      (mesh) => void (mesh.castShadow = !mesh.castShadow),
      (mesh) => void (mesh.renderOrder = random.below(2)),
      (mesh) => void (mesh.material as MeshLambertMaterial).color.setHex(random.below(2 ** 24)),
      (mesh) => void (mesh.material as MeshLambertMaterial).emissive.setHex(random.below(2 ** 24)),
      (mesh) => void batches.leaveOut(mesh, random.next() < 0.5),
      (mesh) => void (mesh.parent === parent ? group : parent).add(mesh),
      (mesh) => void (random.next() < 0.3 && mesh.removeFromParent()),
      (mesh) => void (mesh.parent === null && group.add(mesh)),
      () => void parent.position.set(random.below(3), 0, 0),
      () => void (parent.visible = random.next() < 0.7),
      () => void group.position.set(random.below(3), 0, 0),
      () => void (group.rotation.y = random.next()),
      () => group.groupChildren.updatePending(() => undefined),
      () => void (moving = meshes.filter(() => random.next() < 0.6)),
      () => void (random.next() < 0.2 && batches.finish()),
    ];
    const belongs = (object: Object3D): boolean => object.parent === group || object.parent === parent;
    for (let step = 0; step < 400; step++) {
      if (random.next() < 0.4) {
        const mesh = random.pick(meshes);
        const kind = random.below(changes.length);
        log.push(`${step}: ${mesh.name} ${kind}`);
        if (kind !== 11 || belongs(mesh)) changes[kind](mesh);
      }
      for (const mesh of moving) {
        mesh.position.x += random.between(-1, 1);
        mesh.rotation.z += 0.2;
        if (belongs(mesh) && group.isStatic(mesh)) group.reportMove(mesh);
      }
      if (random.next() < 0.2) group.groupChildren.updatePending(() => undefined);
      await runUpdates(group, 1);
      if (step % 4 > 0) continue;
      expectSame(group, undefined, log);
      expect(validate(group), log.join('; ')).toEqual([]);
      posed += batches.report().posed;
    }
    expect(posed).toBeGreaterThan(500);
  });
});
