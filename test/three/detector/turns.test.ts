// Whatever compares some members in each update, in turn: members that are watched or reported need not wait for their
// turn, and it takes at most 256 updates to come to each of the others.

import { Box3, BoxGeometry, BufferGeometry, Mesh, MeshLambertMaterial, PlaneGeometry } from 'three';
import { describe, expect, it, vi } from 'vitest';
import { OctreeGroup, StaticBatches } from '../../../src/three.ts';
import { validate } from '../../../src/debug-three/index.ts';
import { VERTICES } from '../../../src/three/detector/change-bits.ts';
import { Detector } from '../../../src/three/detector/detector.ts';
import { kinds } from '../../support/change-kinds.ts';
import { KNOWN_LATENESS_IN_TURNS } from '../../support/known-lateness.ts';
import { LargeWorld } from '../../support/lateness-in-large-groups.ts';
import { IS_LONG } from '../../support/sampled.ts';

const SQUARE = new PlaneGeometry();
const MATERIAL = new MeshLambertMaterial();

/** What features read of each member by itself. */
const OF_MEMBERS = [
  'visible',
  'layers',
  'castShadow',
  'renderOrder',
  'count',
  'static',
  'occlusionTest',
  'frustumCulled',
  'intersectsFrustum of its own',
  'onBeforeRender',
  'onAfterShadow',
  'customDepthMaterial',
  'an element of an array of materials',
  'another geometry',
  'another material',
  'vertices written',
  'draw range',
  'a child',
];

/** More than any feature compares in an update. */
const CHILDREN = IS_LONG ? 5000 : 2500;

it.each(['watched', 'reported'] as const)(
  'among thousands of children, all changes of one are found at once: %s',
  async (mode) => {
    const world = new LargeWorld(mode, CHILDREN);
    const found = new Set<string>();
    for (const name of OF_MEMBERS) {
      const late = (await world.lateFor(kinds[name])).map((feature) => `${mode}, ${feature}: late`);
      const known = late.filter((lateness) => KNOWN_LATENESS_IN_TURNS[lateness]?.includes(name));
      expect([name, ...late]).toEqual([name, ...known]);
      for (const lateness of known) found.add(lateness);
    }
    // By luck, the turn of a mesh may come at once, but not with all kinds.
    expect(Array.from(found).sort()).toEqual(
      Object.keys(KNOWN_LATENESS_IN_TURNS)
        .filter((lateness) => lateness.startsWith(mode))
        .sort(),
    );
  },
);

it('among 20,000 static children, a change that was not reported is found after 256 updates', async () => {
  const updates = await new LargeWorld('not reported', 20_000).updatesUntilFound(kinds.onBeforeShadow, 0, 256);
  const late = Array.from(updates.keys()).filter((feature) => updates.get(feature)! > 256);
  expect(late.map((feature) => `not reported, ${feature}: after 256 updates`).sort()).toEqual(
    Object.keys(KNOWN_LATENESS_IN_TURNS)
      .filter((each) => each.startsWith('not reported'))
      .sort(),
  );
});

it('among 2,000 static children, all that were moved and not reported have been found after 256 updates', () => {
  const group = new OctreeGroup({ hasStaticChildren: true });
  group.add(...Array.from({ length: 2000 }, () => new Mesh(SQUARE, MATERIAL)));
  group.updateMatrixWorld();
  for (const mesh of group.children) mesh.position.x = 5;
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  for (let update = 0; update < 256; update++) group.updateMatrixWorld();
  expect(group.children.filter(({ matrixWorld }) => matrixWorld.elements[12] !== 5).length).toBe(0);
  expect(warn).toHaveBeenCalledOnce();
  warn.mockRestore();
});

it('a feature takes 1,024 members over in each update, and no change is lost meanwhile', () => {
  const group = new OctreeGroup();
  const isStatic = (mesh: Mesh): boolean => group.children.indexOf(mesh) % 10 > 0;
  const material = new MeshLambertMaterial();
  const meshes = Array.from({ length: 5000 }, (_, k) => {
    const mesh = new Mesh(new BoxGeometry(), material);
    mesh.position.set(3 * (k % 100), 0, 3 * Math.floor(k / 100));
    return mesh;
  });
  group.add(...meshes);
  // Some are static.
  for (const mesh of meshes) group.setStatic(mesh, isStatic(mesh));
  group.updateMatrixWorld();
  /** Of each slice: a watched mesh, and a static one. */
  const changed = [0, 1, 1030, 1031, 4200, 4201].map((k) => meshes[k]);
  const expectSize = (size: number): void => {
    for (const mesh of changed)
      expect(group.bodyOf(mesh)!.getBox(new Box3()).min.x).toBeCloseTo(mesh.position.x - size / 2, 3);
  };
  for (const mesh of changed) mesh.geometry.scale(2, 2, 2);
  const batches = new StaticBatches(group);
  const { states } = batches.members;
  // Watched ones rest first.
  const waiting = (): number => states.waiting.size + states.resting.size;
  expect(waiting()).toBe(1024);
  for (const count of [2048, 3072, 4096, 5000]) {
    group.updateMatrixWorld();
    expect(waiting()).toBe(count);
  }
  // The former detector finds it at the end, the new one has never seen it.
  expectSize(2);
  for (const mesh of changed) {
    mesh.geometry.scale(2, 2, 2);
    group.reportMove(mesh);
  }
  group.updateMatrixWorld();
  expectSize(4);
  batches.finish();
  expect(batches.report()).toMatchObject({ waiting: 0, batched: 5000 });
});

it('a member is taken over once, also if a feature throws', () => {
  const { group, meshes } = groupOf(2000, () => new Mesh(SQUARE, MATERIAL));
  let isThrowing = true;
  const detector = Detector.subscribe(group.groupChildren.bodies, {
    wants: VERTICES,
    added: ({ object }) => {
      if (object === meshes[1500] && isThrowing) throw new Error('of the feature');
    },
  });
  expect(() => group.updateMatrixWorld()).toThrow('of the feature');
  expect(validate(group)).toEqual([]);
  isThrowing = false;
  group.updateMatrixWorld();
  expect(detector.hasAll).toBe(true);
  expect(detector.geometries.get(SQUARE)).toBeDefined();
  // No user is left.
  group.clear();
  expect(detector.geometries.get(SQUARE)).toBeUndefined();
});

/** Watched meshes, each with a geometry and a material of its own where `make` returns new ones. */
function groupOf(count: number, make: () => Mesh): { group: OctreeGroup; meshes: Mesh[] } {
  const group = new OctreeGroup();
  const meshes = Array.from({ length: count }, make);
  group.add(...meshes);
  group.updateMatrixWorld();
  return { group, meshes };
}

describe('an update compares', () => {
  it('2,048 geometries of a detector', () => {
    const { group, meshes } = groupOf(4096, () => new Mesh(new BufferGeometry().copy(SQUARE), MATERIAL));
    let told = 0;
    const { bodies } = group.groupChildren;
    Detector.subscribe(bodies, { wants: VERTICES, changing: () => void told++ });
    for (let k = 0; k < 3; k++) group.updateMatrixWorld();
    for (const mesh of meshes) mesh.geometry.attributes.position.needsUpdate = true;
    group.updateMatrixWorld();
    expect(told).toBeCloseTo(2048, -1);
  });

  it('512 materials of a group without features', () => {
    const { group, meshes } = groupOf(1024, () => new Mesh(SQUARE, new MeshLambertMaterial()));
    const before = group.bodyOf(meshes[0])!.kind;
    for (const { material } of meshes) (material as MeshLambertMaterial).onBeforeCompile = () => undefined;
    group.updateMatrixWorld();
    expect(meshes.filter((mesh) => group.bodyOf(mesh)!.kind !== before).length).toBeCloseTo(512, -1);
  });

  it('the callbacks of 2,048 objects of a group without features', () => {
    const { group, meshes } = groupOf(4096, () => new Mesh(SQUARE, MATERIAL));
    const before = group.bodyOf(meshes[0])!.kind;
    for (const mesh of meshes) mesh.onBeforeRender = () => undefined;
    group.updateMatrixWorld();
    expect(meshes.filter((mesh) => group.bodyOf(mesh)!.kind !== before).length).toBe(2048);
  });

  it('what has no bounds after 1, 2, 4 ... 64 updates, and then after 64 each', () => {
    const empty = new Mesh(new BufferGeometry(), MATERIAL);
    const { group } = groupOf(60, () => new Mesh(SQUARE, MATERIAL));
    group.add(empty);
    for (let k = 0; k < 130; k++) group.updateMatrixWorld();
    empty.geometry.copy(SQUARE);
    let updates = 0;
    for (; group.bodyOf(empty) === null; updates++) group.updateMatrixWorld();
    expect(130 + updates).toBe(192);
  });
});
