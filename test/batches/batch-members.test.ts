// What batches hold of their members: removed ones not for long, and none that cannot be merged any longer or that is
// left out.

import {
  BoxGeometry,
  Group,
  InstancedMesh,
  Mesh,
  MeshLambertMaterial,
  MeshPhysicalMaterial,
  Scene,
  SphereGeometry,
} from 'three';
import { color, fog, positionLocal } from 'three/tsl';
import { describe, expect, it, vi } from 'vitest';
import { clock } from '../../src/math/clock.ts';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import {
  batch,
  drawn,
  drawnAlone,
  expectSame,
  lambert,
  randomBoxes,
  RESTING_UPDATES,
  runUpdates,
} from '../support/batched-meshes.ts';
import { setBatchLimits } from '../support/batch-limits.ts';
import { instanceFrom } from '../support/batched-town.ts';
import { countHeld } from '../support/garbage.ts';
import { sampleFrom } from '../support/sampled.ts';

const cube = new BoxGeometry();

it('a mesh that gets another key while it is hidden completes the few that wait with that key', async () => {
  const meshes = randomBoxes(3, 10);
  const [hidden, ...others] = meshes;
  const casters = others.splice(0, 2);
  const late = others.splice(0, 4);
  const { group, batches } = batch([hidden, ...others]);
  setBatchLimits(batches, { minMembers: 3 });
  batches.finish();
  expect(batches.report()).toMatchObject({ batched: 4, waiting: 0 });
  hidden.visible = false;
  hidden.castShadow = true;
  group.reportMove(hidden);
  for (const mesh of casters) mesh.castShadow = true;
  group.add(...casters);
  await runUpdates(group, 60);
  expect(batches.report()).toMatchObject({ waiting: 2 });
  // The chunk of few is built again with them.
  group.add(...late);
  await runUpdates(group, 60);
  expect(batches.report()).toMatchObject({ waiting: 0 });
  hidden.visible = true;
  group.reportMove(hidden);
  await runUpdates(group, 60);
  expect(batches.report()).toMatchObject({ batched: 10, out: 0 });
  expectSame(group);
});

it.each([
  ['merged', Infinity],
  ['instanced', 8],
])('a report counts the vertices and bytes of what is drawn: %s', async (kind, minInstances) => {
  const { group, batches } = batch(Array.from({ length: 90 }, (_, k) => new Mesh(cube, lambert).translateX(3 * k)));
  instanceFrom(batches, minInstances);
  await runUpdates(group, 3);
  batches.finish();
  const chunks = drawn(group).filter(({ parent }) => parent === null) as Mesh[];
  const { bytes, vertices, batched } = batches.report();
  const held = chunks.reduce(
    (sum, { geometry: { attributes, index } }) =>
      Object.values(attributes).reduce((all, { array }) => all + array.byteLength, sum + index!.array.byteLength),
    0,
  );
  expect(batched).toBe(90);
  if (kind === 'merged') expect([bytes, vertices]).toEqual([held, 90 * cube.attributes.position.count]);
  else expect(bytes).toBeGreaterThanOrEqual(90 * 64);
});

describe('what was removed', () => {
  it.each([
    ['merged', false, false],
    ['merged, with materials of its own', false, true],
    ['instanced', true, false],
    ['instanced, with a material of its own', true, true],
  ])('is held no longer than a second: %s', async (_, isInstanced, hasOwnMaterial) => {
    const group = new OctreeGroup({ hasStaticChildren: true });
    const batches = new StaticBatches(group);
    instanceFrom(batches, isInstanced ? 8 : Infinity);
    const held: WeakRef<object>[] = [];
    // In a function of its own: nothing of it stays on the stack.
    const fill = (): void => {
      const own = new MeshLambertMaterial({ color: 'blue' });
      for (const [k, mesh] of randomBoxes(47, 100).entries()) {
        const leaves = k < 40;
        if (leaves && hasOwnMaterial) mesh.material = own;
        // One geometry for all, or another for those that stay.
        if (isInstanced) mesh.geometry = leaves && hasOwnMaterial ? sphere : cube;
        mesh.name = leaves ? 'leaves' : 'stays';
        group.add(mesh);
        if (!leaves) continue;
        held.push(new WeakRef(mesh));
        if (!isInstanced) held.push(new WeakRef(mesh.geometry));
      }
      if (hasOwnMaterial) held.push(new WeakRef(own));
    };
    const sphere = new SphereGeometry(1, 5, 4);
    fill();
    expect(batches.finish().report()).toMatchObject({ batched: 100, instanced: isInstanced ? 100 : 0 });
    expectSame(group);
    group.remove(...group.children.filter(({ name }) => name === 'leaves'));
    await runUpdates(group, 60);
    // `ranges` are those of the last pass.
    drawn(group);
    expect(await countHeld(held)).toBe(0);
    expect(batches.report().batched).toBe(60);
    expectSame(group);
  });
});

describe('a change after which a mesh cannot be merged', () => {
  const late: [reason: string, change: (mesh: Mesh) => void][] = [
    ['a draw range', ({ geometry }) => geometry.setDrawRange(0, 6)],
    ['a draw range', ({ geometry }) => geometry.setDrawRange(6, Infinity)],
    ['morph targets', ({ geometry }) => void (geometry.morphAttributes.position = [geometry.attributes.position])],
    ['morph targets', ({ geometry }) => void (geometry.morphAttributes.normal = [geometry.attributes.normal])],
    ['an indirect draw', ({ geometry }) => void Object.assign(geometry, { indirect: {} })],
    [
      'not in memory',
      ({ geometry }) =>
        void geometry.setIndex(Object.assign(geometry.index!.clone(), { isStorageBufferAttribute: true })),
    ],
    ['not a plain mesh', (mesh) => void Object.assign(mesh, { count: 3 })],
    ['an occlusion test', (mesh) => void Object.assign(mesh, { occlusionTest: true })],
    ['draw callbacks', (mesh) => void (mesh.onBeforeRender = () => undefined)],
    ['draw callbacks', (mesh) => void (mesh.onAfterShadow = () => undefined)],
    ['for shadows', (mesh) => void (mesh.customDepthMaterial = new MeshLambertMaterial())],
    ['for shadows', (mesh) => void (mesh.customDistanceMaterial = new MeshLambertMaterial())],
    ['placed by other code', (mesh) => void (mesh.matrixWorldAutoUpdate = false)],
    ['placed by other code', (mesh) => void (mesh.updateMatrixWorld = () => undefined)],
  ];
  const rows = late.flatMap(([reason, change]) =>
    [false, true].map((isInstanced) => ({ reason, change, isInstanced })),
  );
  it.each(sampleFrom(rows, 3))(
    'is found without a report: $reason, $change, instanced: $isInstanced',
    async ({ reason, change, isInstanced }) => {
      const meshes = randomBoxes(48, 40);
      if (isInstanced) for (const mesh of meshes) mesh.geometry = meshes[0].geometry;
      const { group, batches } = batch(meshes);
      instanceFrom(batches, isInstanced ? 8 : Infinity);
      expect(batches.finish().report()).toMatchObject({ batched: 40, instanced: isInstanced ? 40 : 0 });
      change(meshes[5]);
      // No pass draws repeated geometry that a renderer could not draw.
      if (isInstanced && meshes[5].geometry.morphAttributes.position !== undefined)
        expect(drawn(group).some((object) => object instanceof InstancedMesh)).toBe(false);
      await runUpdates(group, 2);
      expectSame(group);
      await runUpdates(group, RESTING_UPDATES);
      const { batched, unmerged } = batches.finish().report();
      expect(Array.from(unmerged.keys())).toEqual([expect.stringContaining(reason)]);
      expect(batched + unmerged.get(Array.from(unmerged.keys())[0])!).toBeGreaterThanOrEqual(40);
    },
  );
});

it('frees a batch that was built again, though some of its meshes are hidden', async () => {
  const meshes = randomBoxes(71, 80);
  const { group, batches } = batch(meshes);
  expect(batches.finish().report().chunks).toBe(1);
  for (const mesh of meshes.slice(0, 18)) mesh.visible = false;
  await runUpdates(group, 1);
  expectSame(group);
  group.remove(...meshes.slice(18, 60));
  await runUpdates(group, 5);
  expect(batches.finish().report()).toMatchObject({ batched: 20, out: 18, chunks: 1, vertices: 38 * 24 });
  for (const mesh of meshes.slice(0, 18)) mesh.visible = true;
  expectSame(group);
  expect(batches.finish().report()).toMatchObject({ batched: 38, out: 0 });
});

describe('leaveOut', () => {
  it.each([false, true])('has a mesh drawn alone until it is called again, instanced: %s', async (isInstanced) => {
    const meshes = randomBoxes(49, 40);
    if (isInstanced) for (const mesh of meshes) mesh.geometry = cube;
    const { group, batches } = batch(meshes);
    instanceFrom(batches, isInstanced ? 8 : Infinity);
    const isAlone = (mesh: Mesh): boolean => drawn(group).includes(mesh);
    batches.finish();
    batches.leaveOut(meshes[3]);
    for (const count of [0, 1, RESTING_UPDATES, 100]) {
      await runUpdates(group, count);
      expect(isAlone(meshes[3])).toBe(true);
      expect(batches.finish().report()).toMatchObject({ batched: 39, out: 1, waiting: 0, chunks: 1 });
    }
    expectSame(group);
    batches.leaveOut(meshes[3], false);
    await runUpdates(group, RESTING_UPDATES + 1);
    expect(isAlone(meshes[3])).toBe(false);
    expect(batches.report()).toMatchObject({ batched: 40, out: 0, chunks: 1 });
    expectSame(group);
  });

  it('before the build, and for all meshes below an object', async () => {
    const street = new Group().add(...randomBoxes(50, 10));
    const { group, batches } = batch(randomBoxes(51, 30));
    group.addTree(street, { isStatic: true });
    batches.leaveOut(street);
    expect(batches.finish().report()).toMatchObject({ batched: 30, out: 10, chunks: 1 });
    await runUpdates(group, 100);
    expect(drawn(group).filter((object) => object.parent === street).length).toBe(10);
    batches.leaveOut(street.children[0], false);
    await runUpdates(group, RESTING_UPDATES + 1);
    expect(batches.report()).toMatchObject({ batched: 31, out: 9 });
    batches.leaveOut(street, false);
    await runUpdates(group, RESTING_UPDATES + 1);
    expect(batches.report()).toMatchObject({ batched: 40, out: 0 });
    expectSame(group);
  });

  it('refuses what is not below the group, before anything is changed', () => {
    const { group, batches } = batch(randomBoxes(52, 20));
    const message = 'StaticBatches.leaveOut: object must be below the group, but is ';
    for (const wrong of [null, undefined, 3, {}, new Mesh(), group, new Group().add(new Mesh()).children[0]])
      expect(() => batches.leaveOut(wrong as never)).toThrow(message);
    expect(() => batches.leaveOut(group.children[0], 1 as never)).toThrow(
      'StaticBatches.leaveOut: isOut must be true or false, but is 1',
    );
    expect(batches.finish().report()).toMatchObject({ batched: 20, out: 0 });
  });
});

describe('report', () => {
  it.each<[string, (scene: Scene) => void]>([
    ['scene.overrideMaterial', (scene) => void (scene.overrideMaterial = new MeshLambertMaterial({ wireframe: true }))],
    ['scene.overrideMaterial', (scene) => void (scene.overrideMaterial = new MeshPhysicalMaterial({ anisotropy: 1 }))],
    ['scene.fogNode', (scene) => void Object.assign(scene, { fogNode: fog(color(0xff0000), positionLocal.y) })],
  ])('names what has the scene drawn without batches: %s', (reason, change) => {
    const { group, batches } = batch(randomBoxes(53, 20));
    const scene = new Scene().add(group);
    expect(batches.finish().report().batched).toBe(20);
    change(scene);
    expect(drawn(group).length).toBe(20);
    expectSame(group);
    const { batched, unmerged } = batches.report();
    expect([batched, ...unmerged]).toEqual([0, [expect.stringContaining(reason), 20]]);
    Object.assign(scene, { overrideMaterial: null, fogNode: null });
    expect(batches.report().batched).toBe(20);
    expect(drawn(group).length).toBe(1);
  });
});

it('a reported mesh that has moved rests for 30 updates; of those that come back, an update takes 512', async () => {
  const meshes = randomBoxes(61, 1100);
  const { group, batches } = batch(meshes);
  batches.finish();
  for (const mesh of meshes) {
    mesh.position.x += 1;
    group.reportMove(mesh);
  }
  // No slice ends by the time.
  vi.spyOn(clock, 'now').mockReturnValue(0);
  const batched: number[] = [];
  for (let update = 0; update < 36; update++) {
    await runUpdates(group, 1);
    batched.push(1100 - batches.members.states.resting.size);
  }
  vi.restoreAllMocks();
  const first = batched.indexOf(512);
  expect(first + 1).toBe(30);
  expect(batched.slice(first - 1, first + 3)).toEqual([0, 512, 1024, 1100]);
});

it('all meshes that get other layers have a batch again in one update, if there is time', async () => {
  const meshes = randomBoxes(62, 1100);
  const { group, batches } = batch(meshes);
  batches.finish();
  for (const mesh of meshes) {
    mesh.layers.enable(1);
    group.reportMove(mesh);
  }
  vi.spyOn(clock, 'now').mockReturnValue(0);
  await runUpdates(group, 1);
  vi.restoreAllMocks();
  expect(batches.report()).toMatchObject({ batched: 1100, out: 0 });
  expectSame(group);
});

describe.each(['instanced', 'merged'])('a set of 1,000 of 2,000 %s meshes', (kind) => {
  // In turn: no update has time left, so the indices of few meshes are written in each.
  it.each(sampleFrom(['at once', 'in turn'], 2, Number(kind === 'merged')))('is hidden, and shown %s', async (when) => {
    const meshes = randomBoxes(63, 2000);
    if (kind === 'instanced') for (const mesh of meshes) mesh.geometry = cube;
    const { group, batches } = batch(meshes);
    instanceFrom(batches, kind === 'instanced' ? 8 : Infinity);
    batches.finish();
    const { states, slots } = batches.members;
    const show = async (isShown: boolean): Promise<void> => {
      for (let k = 0; k < meshes.length; k += 2) {
        meshes[k].visible = isShown;
        group.reportMove(meshes[k]);
      }
      await runUpdates(group, 1);
    };
    let time = 0;
    vi.spyOn(clock, 'now').mockImplementation(() => (when === 'at once' ? 0 : time++));
    const calls = drawn(group).length;
    await show(false);
    // They keep their slots, and no update looks at them.
    expect([states.resting.size, slots.placedCount]).toEqual([0, 1000]);
    expect(batches.report()).toMatchObject({ batched: 1000, out: 1000 });
    expectSame(group);
    await show(true);
    expect(states.resting.size).toBe(0);
    const alone = drawnAlone(group);
    if (kind === 'instanced' || when === 'at once') expect([alone, drawn(group).length]).toEqual([0, calls]);
    else expect(alone).toBeGreaterThan(500);
    expectSame(group);
    for (let k = 0; k < 200 && batches.report().out > 0; k++) await runUpdates(group, 1);
    expect([drawnAlone(group), drawn(group).length]).toEqual([0, calls]);
    vi.restoreAllMocks();
    expectSame(group);
  });
});

it('looks at meshes again whose material changes while a build is at the list of those that wait', async () => {
  const sentences: string[] = [];
  for (let wait = 1; wait <= 12; wait++) {
    // Never drawn as one with the other material.
    const material = new MeshLambertMaterial({ flatShading: true });
    const meshes = Array.from({ length: 40 }, (_, k) => new Mesh(cube, material).translateX(3 * k));
    for (const [k, mesh] of meshes.entries()) mesh.renderOrder = k;
    const { group, batches } = batch(meshes);
    await runUpdates(group, 3);
    batches.finish();
    // Each waits with its key, because no other one has its order. Then an update goes on by one step only.
    expect(batches.members.states.waiting.size).toBe(40);
    let time = 0;
    vi.spyOn(clock, 'now').mockImplementation(() => (time += 100));
    group.add(new Mesh(cube, lambert));
    await runUpdates(group, wait);
    sentences.push(batches.isBuilding ? 'building' : 'built');
    material.transparent = true;
    await runUpdates(group, 80);
    vi.restoreAllMocks();
    expect([wait, batches.isBuilding, batches.members.states.waiting.size]).toEqual([wait, false, 1]);
  }
  expect(sentences).toContain('building');
});
