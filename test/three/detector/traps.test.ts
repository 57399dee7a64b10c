// What a search for changes is easily wrong at: user code that changes the scene, throws or disposes of a feature while
// an update runs, changes between an update and a pass, containers that share what changes, and several changes at
// once.

import {
  DoubleSide,
  AlwaysDepth,
  BoxGeometry,
  LOD,
  Mesh,
  MeshLambertMaterial,
  Object3D,
  Sprite,
  SpriteMaterial,
  type Group,
} from 'three';
import { describe, expect, it, vi } from 'vitest';
import { OctreeGroup, StaticBatches } from '../../../src/three.ts';
import { CASTS, PLACE } from '../../../src/three/detector/change-bits.ts';
import { Detector } from '../../../src/three/detector/detector.ts';
import { batch, drawn, everything, expectSame, randomBoxes, runUpdates } from '../../support/batched-meshes.ts';
import { kinds } from '../../support/change-kinds.ts';
import { AT_ONCE, caster, type Kind } from '../../support/kind-of-change.ts';
import {
  AT_MESH,
  FeatureWorld,
  freshTruthOf,
  latenessOf,
  MODES,
  truthOf,
  wrongIn,
  type Mode,
} from '../../support/lateness.ts';
import { projectPass, stripeCamera } from '../../support/pass-lists.ts';
import { createRandom } from '../../support/random.ts';

const moved: Kind = { ...kinds.position, change: ({ mesh }) => void (mesh.position.x += 0.3) };

/** A world at rest. */
function worldOf(mode: Mode, kind: Kind): FeatureWorld {
  const world = new FeatureWorld(mode, kind);
  for (let k = 0; k < 3; k++) {
    world.begin();
    world.draw();
  }
  return world;
}

const KINDS_OF_FIELDS = {
  visible: kinds.visible,
  layers: kinds.layers,
  castShadow: kinds.castShadow,
  geometry: kinds['another geometry'],
  material: kinds['another material'],
};

/** Expects that all features of the current frame are as after a change. */
function expectRight(world: FeatureWorld, kind: Kind): void {
  const truth = truthOf(kind);
  expect(wrongIn(world, truth, freshTruthOf(world.mode, kind, truth))).toEqual([]);
}

/** Has the next update of the first child, which comes before that of the mesh, call user code. */
const callIn = ({ group }: FeatureWorld, code: () => void): void => {
  const [first] = group.children;
  first.updateMatrixWorld = () => {
    Reflect.deleteProperty(first, 'updateMatrixWorld');
    code();
  };
  if (group.isStatic(first)) group.reportMove(first);
};

describe('while an update runs, user code', () => {
  it.each(MODES.slice(0, 2))('may throw: the next frame finds all changes, %s', (mode) => {
    const world = worldOf(mode, moved);
    world.change();
    callIn(world, () => {
      throw new Error('user code');
    });
    expect(() => world.begin()).toThrow('user code');
    expect(world.begin()).toEqual({ views: true, shadows: true });
    expectRight(world, moved);
    expect(world.begin()).toEqual({ views: false, shadows: false });
  });

  // The walk that finds moves reads an object, and stores what it saw; then the search reads it again, and tells of it.
  it.each(['visible', 'layers', 'castShadow', 'geometry', 'material'])(
    'may throw in any read of %s: the next frame finds what has changed',
    (field) => {
      const kind = KINDS_OF_FIELDS[field as keyof typeof KINDS_OF_FIELDS];
      let reads = 0;
      for (let throwsAt = 1; throwsAt <= reads + 1; throwsAt++) {
        const world = worldOf('watched', kind);
        world.change();
        const { mesh } = world;
        const value: unknown = Reflect.get(mesh, field);
        let [isThrown, isTold] = [false, false];
        let first = { views: false, shadows: false };
        reads = 0;
        Object.defineProperty(mesh, field, {
          configurable: true,
          get: () => {
            if (++reads !== throwsAt) return value;
            isThrown = true;
            throw new Error('user code');
          },
        });
        try {
          isTold = world.views.changedIn(world.camera);
          first = world.begin();
        } catch (error) {
          expect(isThrown, String(error)).toBe(true);
        }
        if (!isThrown) break;
        Object.defineProperty(mesh, field, { configurable: true, writable: true, enumerable: true, value });
        const { views, shadows } = world.begin();
        // A move that cannot be read is tried again by the same update, without an error.
        expect([throwsAt, isTold || first.views || views, first.shadows || shadows]).toEqual([throwsAt, true, true]);
        expectRight(world, kind);
      }
      expect(reads).toBeGreaterThan(1);
    },
  );

  it.each(MODES.slice(0, 2))('may dispose of a feature: the others find all changes, %s', (mode) => {
    for (const name of ['views', 'occlusion', 'batches'] as const) {
      const world = worldOf(mode, moved);
      if (world[name] === null) continue;
      world.change();
      callIn(world, () => world[name]!.dispose());
      const told = world.begin();
      expect([name, told.shadows, told.views || name === 'views']).toEqual([name, true, true]);
      expectRight(world, moved);
    }
  });

  it('may remove a mesh, add others and reorder the children', () => {
    for (const mode of MODES.slice(0, 2)) {
      const world = worldOf(mode, moved);
      const { group, mesh } = world;
      world.change();
      callIn(world, () => {
        const sibling = group.children.find(({ name }) => name === 'sibling 3')!;
        group.remove(mesh, sibling);
        group.add(sibling, mesh);
      });
      expect(world.begin()).toEqual({ views: true, shadows: true });
      world.begin();
      expectRight(world, moved);
    }
  });
});

describe('between the update and the pass', () => {
  it('a mesh that was added is drawn, counts as changed, and may end all hiding', () => {
    const world = worldOf('watched', moved);
    const { group, scene, occlusion, light, shadows } = world;
    const added = new Mesh(new BoxGeometry(), new MeshLambertMaterial({ depthFunc: AlwaysDepth }));
    added.castShadow = true;
    // As user code that runs in `scene.onBeforeRender`.
    scene.updateMatrixWorld();
    group.add(added);
    added.position.set(0, 2, 0);
    added.updateMatrixWorld();
    light.shadow.needsUpdate = false;
    (scene.children.at(-1) as unknown as { update(camera: object): void }).update(world.camera);
    expect(shadows.due).toEqual([light]);
    world.draw();
    expect(occlusion.reason).toContain('a material that writes farther depths');
    expect(world.views.changedIn(world.camera)).toBe(true);
  });

  it.each(MODES.slice(0, 2))('a mesh that moves away hides nothing any longer: %s', (mode) => {
    const away: Kind = { ...moved, change: ({ mesh }) => void (mesh.position.y = 3) };
    const world = worldOf(mode, away);
    world.begin();
    world.change();
    world.mesh.updateMatrixWorld();
    expect(world.shownBehind(AT_MESH, truthOf(away)).names).toContain('small');
  });
});

it('changes of what two groups share reach both, wherever in a frame they are updated', () => {
  const material = new MeshLambertMaterial();
  const geometry = new BoxGeometry();
  const groups = [0, 1].map(() => new OctreeGroup());
  for (const group of groups) group.add(new Mesh(geometry, material));
  const beside = stripeCamera(0.6, 0.2);
  const isDrawn = (group: Group): boolean => drawn(group as OctreeGroup, beside).length > 0;
  for (const group of groups) expect(isDrawn(group)).toBe(false);
  groups[0].updateMatrixWorld();
  material.onBeforeCompile = () => undefined;
  groups[1].updateMatrixWorld();
  for (const group of groups) expect(isDrawn(group)).toBe(true);
  groups[1].updateMatrixWorld();
  Reflect.deleteProperty(material, 'onBeforeCompile');
  groups[0].updateMatrixWorld();
  for (const group of groups) expect(isDrawn(group)).toBe(false);
  geometry.attributes.position.setX(0, 0.8);
  geometry.attributes.position.needsUpdate = true;
  geometry.computeBoundingSphere();
  for (const group of groups) expect(isDrawn(group)).toBe(true);
});

it.each(MODES.slice(0, 2))('what changes in a hidden group is right once it is shown: %s', (mode) => {
  for (const name of ['position', 'another geometry', 'material.transparent', 'layers', 'removed']) {
    const kind = kinds[name];
    const world = worldOf(mode, kind);
    world.group.visible = false;
    for (let k = 0; k < 2; k++) {
      world.begin();
      world.draw();
    }
    world.change();
    world.begin();
    world.draw();
    world.group.visible = true;
    expect([name, world.begin()]).toEqual([name, { views: true, shadows: true }]);
    expectRight(world, kind);
  }
});

it.each(MODES)('what has replaced a material is looked at from then on: %s', (mode) => {
  for (const name of ['another material', 'an element of an array of materials']) {
    const world = worldOf(mode, kinds[name]);
    world.change();
    for (let k = 0; k < 4; k++) world.begin();
    expect([name, world.begin()]).toEqual([name, { views: false, shadows: false }]);
    const { material } = world.mesh as Mesh;
    (Array.isArray(material) ? material[0] : material).side = DoubleSide;
    expect([name, world.begin()]).toEqual([name, { views: true, shadows: true }]);
  }
});

it('more than a thousand moves at once count as a change once', () => {
  const world = worldOf('watched', moved);
  const others = Array.from({ length: 1500 }, (_, k) =>
    new Mesh(new BoxGeometry(), world.material).translateX(900 + k),
  );
  world.group.add(...others);
  for (let k = 0; k < 3; k++) world.begin();
  expect(world.begin()).toEqual({ views: false, shadows: false });
  for (const other of others) other.position.y += 1;
  world.change();
  expect(world.begin()).toEqual({ views: true, shadows: true });
  expectRight(world, moved);
  world.begin();
  expect(world.begin()).toEqual({ views: false, shadows: false });
});

describe('two changes of one mesh in one frame', () => {
  /** Kinds that need nothing before and leave the mesh where it is. */
  const names = Object.keys(kinds).filter(
    (name) => kinds[name].make === undefined && kinds[name].views === AT_ONCE && name !== 'removed',
  );
  const random = createRandom(39);
  const pairs = Array.from({ length: 24 }, () => [random.pick(names), random.pick(names)] as const);

  it.each(pairs)('%s, %s', async (first, second) => {
    const both = [kinds[first], kinds[second]];
    // Of moves that were not reported.
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const faults = await latenessOf({
      change: (world) => both.forEach(({ change }) => change(world)),
      views: AT_ONCE,
      shadows: both.some(({ shadows }) => shadows === AT_ONCE) ? AT_ONCE : both[0].shadows,
      // Of one that was not reported each may be found in its own turn.
      unreported: AT_ONCE,
      isUnknown: both.some(({ isUnknown }) => isUnknown),
    });
    warn.mockRestore();
    expect(faults.filter((fault) => !/^not reported|rest|without/.test(fault))).toEqual([]);
  });
});

describe('bounds', () => {
  it('follow the centre of a sprite', () => {
    for (const isStatic of [false, true]) {
      const sprite = new Sprite(new SpriteMaterial());
      const group = new OctreeGroup({ hasStaticChildren: isStatic }).add(sprite);
      const beside = stripeCamera(1.5, 0.2);
      expect(drawn(group, beside)).toEqual([]);
      sprite.center.set(-1.4, 0.5);
      if (isStatic) group.reportMove(sprite);
      expect(drawn(group, beside)).toEqual([sprite]);
    }
  });

  it('shrink again if a boundingSphere is set to null', () => {
    const mesh = new Mesh(new BoxGeometry(), new MeshLambertMaterial());
    const group = new OctreeGroup().add(mesh);
    const beside = stripeCamera(1, 0.2);
    expect(drawn(group, beside)).toEqual([]);
    mesh.geometry.computeBoundingSphere();
    mesh.geometry.boundingSphere!.radius = 3;
    expect(drawn(group, beside)).toEqual([mesh]);
    const box = { min: { x: 1, y: 0, z: 0 }, max: { x: 2, y: 1, z: 1 } };
    expect(group.octree.intersectBox(box).length).toBe(1);
    mesh.geometry.boundingSphere = null;
    group.updateMatrixWorld();
    expect(group.octree.intersectBox(box).length).toBe(0);
  });
});

it('the level of detail that a camera chooses is found where only shadow maps are asked for', () => {
  const lod = new LOD().addLevel(caster(), 0).addLevel(caster(), 50);
  const world = worldOf('watched', {
    change: ({ camera }) => void (camera.position.y = 90),
    make: ({ group }) => void group.add(lod),
    views: AT_ONCE,
    shadows: AT_ONCE,
    unreported: AT_ONCE,
  });
  world.camera.far = 200;
  for (let k = 0; k < 3; k++) world.begin();
  expect(world.begin().shadows).toBe(false);
  world.change();
  expect(world.begin().shadows).toBe(true);
  expect(world.begin().shadows).toBe(false);
});

describe('materials that are drawn as one', () => {
  it.each<[string, object]>([
    ['fog', { fog: false }],
    ['reflectivity', { reflectivity: 0.5 }],
    ['flatShading', { flatShading: true }],
  ])('part if one changes: %s', async (_, fields) => {
    const materials = Array.from({ length: 40 }, (_each, k) => new MeshLambertMaterial({ color: k }));
    const meshes = randomBoxes(7, 40).map((mesh, k) => Object.assign(mesh, { material: materials[k] }));
    const group = new OctreeGroup({ hasStaticChildren: true }).add(...meshes);
    const batches = new StaticBatches(group).finish();
    expect(batches.report()).toMatchObject({ batched: 40, chunks: 1 });
    Object.assign(materials[5], fields);
    await runUpdates(group, 1);
    expect(drawn(group)).toContain(meshes[5]);
    expect(drawn(group)).not.toContain(meshes[6]);
  });
});

it('a mesh that is reported without a change is drawn as before', async () => {
  const { group, batches } = batch(randomBoxes(8, 30));
  batches.finish();
  for (const child of group.children) group.reportMove(child);
  // Until the update it may have moved.
  expect(projectPass(group, everything).map(({ object }) => object)).toEqual(group.children);
  expectSame(group);
  expect(batches.report().batched).toBe(30);
  expect(drawn(group).filter(({ parent }) => parent !== null)).toEqual([]);
});

it('a reported tree keeps the word of its parts until they are collected again', () => {
  const tree = new Object3D().add(caster());
  const group = new OctreeGroup({ hasStaticChildren: true }).add(tree);
  const words: number[] = [];
  const { bodies } = group.groupChildren;
  group.updateMatrixWorld();
  const detector = Detector.subscribe(bodies, {
    wants: PLACE,
    changing: ({ body }) => void words.push(detector.wordAt(body!.index) & CASTS),
  });
  tree.renderOrder = 1;
  tree.position.x = 5;
  group.reportMove(tree).updateMatrixWorld();
  expect(words).toEqual([CASTS]);
});
