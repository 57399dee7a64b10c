/**
 * Changes of static members that are not reported, told late or in the middle of a build: no batch draws an old state.
 */

import { BoxGeometry, Group, MeshLambertMaterial, PointLight, Scene, Vector3, type Object3D } from 'three';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import { MergedChunk } from '../../src/batches/merged-chunk.ts';
import { clock } from '../../src/math/clock.ts';
import { Detector } from '../../src/three/detector/detector.ts';
import type { Member } from '../../src/three/group/member.ts';
import { colorFrom, drawnFrom, membersOf, mesh, row, run, staticGroup } from '../support/batch-places.ts';

/** Middle of the bounds of a member. */
function boundsAt(group: OctreeGroup, object: Object3D): number {
  return Math.round(group.groupChildren.memberOf(object)!.body!.getBox().getCenter(new Vector3()).x);
}

/** Where a mesh is drawn in the end: by its batch, or else by the renderer. */
const placeOf = (batches: StaticBatches, group: OctreeGroup, object: Object3D): number =>
  drawnFrom(batches, group, object, 'position')?.[0] ?? object.matrixWorld.elements[12];

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => undefined));
afterEach(() => void vi.restoreAllMocks());

it('a static mesh that was moved without a report is not drawn at its old place once the group has moved', async () => {
  const { scene, group } = staticGroup();
  const meshes = row(40);
  group.add(...meshes);
  const batches = new StaticBatches(group).finish();
  meshes[3].position.x = 500;
  group.position.x = 1;
  await run(scene, 300);
  expect([meshes[3].matrixWorld.elements[12], placeOf(batches, group, meshes[3])]).toEqual([501, 501]);
});

it('... once an object was added to its tree', async () => {
  const { scene, group } = staticGroup();
  const root = new Group();
  const meshes = row(40);
  group.addTree(root.add(...meshes));
  const batches = new StaticBatches(group).finish();
  meshes[3].position.x = 500;
  root.add(mesh());
  await run(scene, 300);
  expect([meshes[3].matrixWorld.elements[12], placeOf(batches, group, meshes[3])]).toEqual([500, 500]);
});

it.each([true, false])('an edit of a tree leaves all other meshes in their batches; static: %s', async (isStatic) => {
  const scene = new Scene();
  const [root, inner] = [new Group(), new Group()];
  const meshes = row(40);
  const group = new OctreeGroup().addTree(root.add(inner.add(...meshes), ...row(40)), { isStatic });
  scene.add(group);
  await run(scene, 3);
  const batches = new StaticBatches(group).finish();
  const edits = [
    () => meshes[3].removeFromParent(),
    () => root.add(new Group()),
    () => inner.add(mesh(200)),
    () => root.add(meshes[4]),
  ];
  const found: unknown[] = [];
  for (const edit of edits) {
    edit();
    await run(scene, 1);
    const { batched, moving, out } = batches.report();
    found.push([batched, moving, out]);
  }
  // Meshes that are added, also to another parent, wait.
  expect(found).toEqual([
    [79, 0, 0],
    [79, 0, 0],
    [79, 0, 0],
    [78, 0, 0],
  ]);
});

it('static meshes below a watched object that moves are drawn where it takes them', async () => {
  const scene = new Scene();
  const group = new OctreeGroup();
  scene.add(group);
  const [ship, cargo] = [new Group(), new Group()];
  const meshes = row(40);
  group.addTree(ship.add(cargo.add(...meshes)));
  await run(scene, 1);
  group.setStatic(cargo, true);
  const batches = new StaticBatches(group).finish();
  expect(drawnFrom(batches, group, meshes[3], 'position')![0]).toBe(9);
  ship.position.x = 100;
  await run(scene, 1);
  expect([meshes[3].matrixWorld.elements[12], placeOf(batches, group, meshes[3])]).toEqual([109, 109]);
});

it('a static mesh with another child in place of the old one gets new bounds', async () => {
  const { scene, group } = staticGroup();
  const [parent, old] = [mesh(), mesh()];
  group.add(parent.add(old));
  await run(scene, 3);
  parent.remove(old).add(mesh(10));
  await run(scene, 257);
  expect(boundsAt(group, parent)).toBe(5);
});

it('... also if the old one has become a child of another static mesh', async () => {
  const { scene, group } = staticGroup();
  const [parent, old, other] = [mesh(), mesh(), mesh()];
  group.add(parent.add(old), other);
  await run(scene, 3);
  other.add(old);
  parent.add(mesh(10));
  await run(scene, 600);
  expect(boundsAt(group, parent)).toBe(5);
});

it('... also as a part of a tree', async () => {
  const { scene, group } = staticGroup();
  const [parent, old] = [mesh(), mesh()];
  group.addTree(new Group().add(parent.add(old), mesh()));
  await run(scene, 3);
  parent.remove(old).add(mesh(10));
  await run(scene, 257);
  expect(boundsAt(group, parent)).toBe(5);
});

it.each(['child', 'child with children', 'part of a tree'])(
  'a static %s whose frozen matrix was written is found in turn, as a plain Group draws it',
  async (kind) => {
    const { scene, group } = staticGroup();
    const frozen = mesh();
    frozen.matrixAutoUpdate = false;
    if (kind === 'child with children') frozen.add(mesh());
    if (kind === 'part of a tree') {
      const root = new Group();
      root.matrixAutoUpdate = false;
      group.addTree(root.add(frozen));
    } else group.add(frozen);
    const plain = frozen.clone();
    scene.add(new Group().add(plain));
    await run(scene, 3);
    for (const each of [frozen, plain]) each.matrix.setPosition(7, 0, 0);
    await run(scene, 257);
    expect(plain.matrixWorld.elements[12]).toBe(7);
    expect([frozen.matrixWorld.elements[12], boundsAt(group, frozen)]).toEqual([7, 7]);
  },
);

it.each(['child', 'part of a tree', 'child of a mesh'])(
  'a static %s whose matrices are frozen, and whose world matrix was written, is found in turn',
  async (kind) => {
    const { scene, group } = staticGroup();
    const frozen = mesh();
    frozen.matrixAutoUpdate = frozen.matrixWorldAutoUpdate = false;
    const parent = mesh();
    if (kind === 'child') group.add(frozen);
    else if (kind === 'part of a tree') group.addTree(new Group().add(frozen));
    else group.add(parent.add(frozen));
    await run(scene, 3);
    frozen.matrixWorld.setPosition(8, 0, 0);
    await run(scene, 257);
    expect(boundsAt(group, kind === 'child of a mesh' ? parent : frozen)).toBe(kind === 'child of a mesh' ? 4 : 8);
  },
);

it('callbacks that a static mesh got before a feature came are found', async () => {
  const { scene, group } = staticGroup();
  const meshes = row(600);
  group.add(...meshes);
  await run(scene, 3);
  // Not the next in turn.
  meshes[500].onBeforeRender = () => undefined;
  expect(new StaticBatches(group).isBuilding).toBe(true);
  await run(scene, 300);
  expect(group.groupChildren.memberOf(meshes[500])!.boundsSource!.sources[0].hasCallbacks).toBe(true);
});

it('a mesh whose shadow setting changes after it was written, and before its batch is placed, is not drawn by it', async () => {
  const { scene, group } = staticGroup();
  const meshes = row(40);
  group.add(...meshes);
  const batches = new StaticBatches(group);
  const members = membersOf(batches);
  // One step in each update.
  let time = 0;
  vi.spyOn(clock, 'now').mockImplementation(() => (time += 10));
  const written = vi.spyOn(MergedChunk.prototype, 'write');
  const placed = vi.spyOn(members, 'place');
  while (written.mock.calls.length < 38) await run(scene, 1);
  expect(placed).not.toHaveBeenCalled();
  meshes[0].castShadow = true;
  await run(scene, 400);
  const address = members.states.placedAt(group.groupChildren.memberOf(meshes[0])!);
  expect(address < 0 || members.slots.chunkAt(address).key.castShadow).toBe(true);
});

it.each(['shown', 'hidden'])('a mesh that gets another colour when it is %s has it in its batch', async (when) => {
  const { scene, group } = staticGroup();
  const meshes = Array.from({ length: 600 }, (_, k) => mesh(3 * k, new MeshLambertMaterial({ color: 'blue' })));
  group.add(...meshes);
  const batches = new StaticBatches(group, { mergesMaterials: true }).finish();
  // The turn of static members may come to some of them first.
  const some = meshes.slice(200, 500);
  const paint = (): void => some.forEach(({ material }) => (material as MeshLambertMaterial).color.set('red'));
  for (const each of some) each.visible = false;
  if (when === 'hidden') paint();
  await run(scene, 60);
  if (when === 'shown') paint();
  for (const each of some) each.visible = true;
  await run(scene, 60);
  batches.finish();
  const colors = some.map((each) => colorFrom(batches, group, each)?.join() ?? 'alone');
  expect(new Set(colors).has('0,0,1')).toBe(false);
});

it('among 20,000 static parts, each is told after 256 updates that its parent is hidden', async () => {
  const { scene, group } = staticGroup();
  const meshes = row(20_000);
  const parent = new Group();
  group.addTree(new Group().add(parent.add(...meshes)));
  const told = new Set<Member>();
  Detector.subscribe(group.groupChildren.bodies, { wants: ~0, changing: (member) => told.add(member) });
  await run(scene, 2);
  meshes[19_999].geometry = new BoxGeometry(2);
  group.reportMove(meshes[19_999]);
  await run(scene, 1);
  told.clear();
  parent.visible = false;
  await run(scene, 256);
  expect(told.size).toBe(20_000);
});

it.each([
  ['light', () => new PointLight()],
  ['mesh that is never culled', () => Object.assign(mesh(), { frustumCulled: false })],
])('a static %s that was moved without a report is found in turn', async (_, create) => {
  const { scene, group } = staticGroup();
  const object = create();
  group.add(object, mesh());
  await run(scene, 3);
  object.position.x = 5;
  await run(scene, 300);
  expect(object.matrixWorld.elements[12]).toBe(5);
});

it.each(['reported', 'found in turn'])(
  'a mesh that is %s as hidden for one update is drawn in the next',
  async (how) => {
    const { scene, group } = staticGroup();
    const meshes = row(1000);
    group.add(...meshes);
    const batches = new StaticBatches(group).finish();
    meshes[500].visible = false;
    if (how === 'reported') group.reportMove(meshes[500]);
    for (let update = 0; update < 256 && batches.report().out === 0; update++) await run(scene, 1);
    expect(batches.report().out).toBe(1);
    // As effects do that hide objects for one render.
    meshes[500].visible = true;
    await run(scene, 1);
    expect(batches.report()).toMatchObject({ batched: 1000, out: 0 });
  },
);

it('a mesh that comes back does not keep a batch that was built again', async () => {
  const { scene, group } = staticGroup();
  const meshes = row(100);
  group.add(...meshes);
  const batches = new StaticBatches(group).finish();
  meshes[0].visible = false;
  await run(scene, 3);
  group.remove(...meshes.slice(1, 60));
  await run(scene, 40);
  meshes[0].visible = true;
  await run(scene, 300);
  batches.finish();
  const { chunks, vertices } = batches.report();
  expect(chunks).toBe(1);
  expect(vertices).toBeLessThanOrEqual(41 * 24);
});

it('members may be removed while a build looks at what waits', async () => {
  let time = 0;
  vi.spyOn(clock, 'now').mockImplementation(() => (time += 10));
  for (let updates = 1; updates < 10; updates++) {
    const { scene, group } = staticGroup();
    group.add(...row(100));
    const batches = new StaticBatches(group);
    await run(scene, updates);
    group.clear();
    await run(scene, 60);
    const { waiting } = membersOf(batches).states;
    expect([updates, waiting.size]).toEqual([updates, 0]);
  }
});

it('members that change while a build looks at what waits are looked at by the next one', async () => {
  let time = 0;
  vi.spyOn(clock, 'now').mockImplementation(() => (time += 10));
  for (let updates = 1; updates < 12; updates++) {
    const { scene, group } = staticGroup();
    const meshes = row(100);
    group.add(...meshes);
    const batches = new StaticBatches(group);
    await run(scene, updates);
    for (const each of meshes) group.reportMove(each);
    await run(scene, 600);
    expect([updates, batches.report().waiting]).toEqual([updates, 0]);
  }
});
