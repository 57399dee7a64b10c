// Members, materials and geometries that change between two slices of a build.

import { BoxGeometry, Mesh, MeshLambertMaterial, Scene } from 'three';
import { afterEach, expect, it, vi } from 'vitest';
import { clock } from '../../src/math/clock.ts';
import type { OctreeGroup, StaticBatches } from '../../src/three.ts';
import { batch, expectSame, randomBoxes, RESTING_UPDATES, runUpdates } from '../support/batched-meshes.ts';

afterEach(() => void vi.restoreAllMocks());

/** Has each look at the clock take some time: at 10 ms, each update takes one step. */
function slowClock(ms: number): void {
  let time = 0;
  vi.spyOn(clock, 'now').mockImplementation(() => (time += ms));
}

/** A group whose batches are not built yet: a step in each update. */
function stepwise(meshes: readonly Mesh[]): { group: OctreeGroup; batches: StaticBatches } {
  const made = batch(meshes);
  new Scene().add(made.group);
  slowClock(10);
  return made;
}

/** Lambert materials, by their ids in this order. */
function colors(count: number): MeshLambertMaterial[] {
  return Array.from({ length: count }, (_, k) => new MeshLambertMaterial({ color: 0x111111 * (k + 1) }));
}

it('a member that changes after a build has written it, and rests before the build ends, is drawn as it is', async () => {
  for (let updates = 40; updates < 200; updates += 12) {
    const meshes = randomBoxes(1, 120);
    const { group, batches } = batch(meshes);
    new Scene().add(group);
    batches.finish();
    slowClock(10);
    group.remove(...meshes.slice(50));
    await runUpdates(group, updates);
    for (const mesh of meshes.slice(0, 25)) {
      mesh.geometry = new BoxGeometry(2, 2, 0.5);
      group.reportMove(mesh);
    }
    // They rest while the build goes on.
    await runUpdates(group, 45);
    expectSame(group);
    await runUpdates(group, 100);
    expectSame(group);
    vi.restoreAllMocks();
  }
});

it('a material whose order begins to show in a build parts two others from that update on', async () => {
  for (let updates = 0; updates < 6; updates++) {
    const [near, ordered, far] = colors(3);
    const meshes = randomBoxes(2, 60);
    for (const [k, mesh] of meshes.entries()) mesh.material = k === 0 ? ordered : k % 2 === 0 ? near : far;
    const { group, batches } = stepwise(meshes);
    await runUpdates(group, updates);
    ordered.depthWrite = false;
    for (let k = 0; k < 130; k++) {
      await runUpdates(group, 1);
      const { materials, drawnMaterials } = batches.report();
      expect(drawnMaterials, `changed after ${updates} updates, in update ${k}`).toBe(materials);
    }
    expect(batches.report().batched).toBe(59);
    vi.restoreAllMocks();
  }
});

it('a material that a build takes out of a palette leaves its texel to none before its meshes have left', async () => {
  for (const ms of [0.1, 0.2, 0.4]) {
    const [first, late, ordered, last] = colors(4);
    ordered.depthWrite = false;
    const { group, batches } = batch([...randomBoxes(3, 20, first), ...randomBoxes(4, 20, last)]);
    new Scene().add(group);
    batches.finish();
    expect(batches.report()).toMatchObject({ batched: 40, drawnMaterials: 1 });
    slowClock(ms);
    group.add(...randomBoxes(5, 1, ordered), ...randomBoxes(6, 10, late));
    // Each updates the group, and draws at once.
    for (let k = 0; k < 60; k++) {
      expectSame(group, undefined, [`update ${k}`]);
      await Promise.resolve();
    }
    expect(batches.report()).toMatchObject({ batched: 50, drawnMaterials: 2 });
    vi.restoreAllMocks();
  }
});

it('a chunk that is half empty before all of its members are placed is built again', async () => {
  for (let updates = 80; updates < 110; updates += 2) {
    const meshes = randomBoxes(7, 80);
    const { group, batches } = stepwise(meshes);
    await runUpdates(group, updates);
    group.remove(...meshes.slice(0, 60));
    await runUpdates(group, 150);
    expectSame(group);
    for (const chunk of batches.members.chunks)
      expect(chunk?.isOld ?? false, `removed after ${updates} updates`).toBe(false);
    vi.restoreAllMocks();
  }
});

it('a geometry keeps its buffers for a mesh with one of them that joins while a search for such meshes goes on', async () => {
  for (let updates = 0; updates < 10; updates += 2) {
    const meshes = randomBoxes(8, 100);
    const { group, batches } = batch(meshes);
    new Scene().add(group);
    batches.finish();
    await runUpdates(group, 100);
    // Searched for again.
    group.reportMove(meshes[0].translateX(1));
    slowClock(10);
    await runUpdates(group, RESTING_UPDATES - 2 + updates);
    const glass = new Mesh(new BoxGeometry(), new MeshLambertMaterial({ transparent: true }));
    glass.geometry.setAttribute('position', meshes[0].geometry.attributes.position);
    let freed = 0;
    group.add(glass).updateMatrixWorld();
    meshes[0].geometry.addEventListener('dispose', () => void freed++);
    await runUpdates(group, 150);
    expect(batches.report().batched).toBe(100);
    expect(freed, `added after ${updates} updates`).toBe(0);
    vi.restoreAllMocks();
  }
});

it('a report that is read before an update has seen a material keeps nothing of it', async () => {
  // No build is cut into slices.
  slowClock(0);
  const [first, other, late] = colors(3);
  const meshes = randomBoxes(9, 40);
  for (const [k, mesh] of meshes.entries()) mesh.material = k % 2 === 0 ? first : other;
  const { group, batches } = batch(meshes);
  batches.finish();
  expect(batches.report()).toMatchObject({ batched: 40, drawnMaterials: 1 });
  const added = randomBoxes(10, 10);
  group.hasStaticChildren = false;
  group.add(...added);
  await runUpdates(group, 1);
  for (const mesh of added) mesh.material = late;
  batches.report();
  late.color.set('red');
  await runUpdates(group, 2 * RESTING_UPDATES);
  expectSame(group);
  expect(batches.report()).toMatchObject({ batched: 50, drawnMaterials: 1 });
});
