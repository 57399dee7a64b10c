import {
  BoxGeometry,
  Group,
  type InstancedMesh,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
  ObjectLoader,
  PerspectiveCamera,
  PointLight,
  Scene,
  ShaderMaterial,
  Sprite,
  SpriteMaterial,
} from 'three';
import { describe, expect, it } from 'vitest';
import { BodySet } from '../../src/save/body-set.ts';
import { ObjectStyles, OctreeGroup, pick, pickWithin, StaticBatches, ViewChanges } from '../../src/three.ts';
import { drawn, everything, expectSame, lambert, randomBoxes, runUpdates } from '../support/batched-meshes.ts';
import { createRandom } from '../support/random.ts';
import { FakeRenderer } from '../support/change-towns.ts';
import { errorOf } from '../support/rejects.ts';
import { IS_LONG } from '../support/sampled.ts';

const grey = new MeshLambertMaterial({ name: 'grey' });
const red = new MeshBasicMaterial({ name: 'red' });
const element = { getBoundingClientRect: () => ({ left: 0, top: 0, width: 100, height: 100 }) };

/** How many meshes a pass draws, on their own or as instances. */
const meshesDrawn = (group: OctreeGroup): number =>
  drawn(group).reduce(
    (sum, object) => sum + ((object as InstancedMesh).isInstancedMesh ? (object as InstancedMesh).count : 1),
    0,
  );

/** A grid of equal boxes, drawn by instanced batches. */
function grid(count: number): { group: OctreeGroup; meshes: Mesh[] } {
  const geometry = new BoxGeometry();
  const meshes = Array.from({ length: count }, (_, k) => {
    const mesh = new Mesh(geometry, lambert);
    mesh.position.set((k % 200) * 2 - 200, 0, Math.floor(k / 200) * 2 - 200);
    return mesh;
  });
  const group = new OctreeGroup({ hasStaticChildren: true }).add(...meshes);
  new StaticBatches(group).finish();
  return { group, meshes };
}

const ACTS =
  'isolate,isolate,isolate null,ghost,ghost,ghost null,paint,paint,unpaint,remove,add,part,below a mesh,tree,move,unculled,static'.split(
    ',',
  );

/** As Vue makes it of an object. */
const reactive = <T extends object>(object: T): T => Object.assign(Object.create(object) as T, { __v_raw: object });

const looksOf = (objects: readonly Object3D[]): unknown[] =>
  objects.map((object) => [object.visible, ((object as Mesh).material as Material).name]);

const has = (bodies: BodySet, index = -1): boolean => index >= 0 && bodies.has(index);

interface World {
  readonly group: OctreeGroup;
  readonly meshes: readonly Mesh[];
  readonly trees: readonly Group[];
}

/** Meshes as children, in trees, below others and below sprites; some hidden, some with a material of their own. */
function createWorld(seed: number, count: number): World {
  const meshes = randomBoxes(seed, count);
  for (const [k, mesh] of meshes.entries()) {
    mesh.visible = k % 11 > 0;
    if (k % 7 === 0) mesh.material = new MeshBasicMaterial({ name: `own ${k}` });
  }
  const trees = Array.from({ length: 3 }, () => new Group());
  for (const [k, tree] of trees.entries()) tree.add(...meshes.slice(8 * k, 8 * k + 8), new PointLight());
  meshes[30].add(meshes[31]);
  const group = new OctreeGroup({ hasStaticChildren: true }).add(...meshes.slice(32, -12), meshes[30]);
  for (const tree of trees) group.addTree(tree);
  // They keep their own material, and the meshes below them do not.
  const labels = meshes.slice(-12, -4).map((mesh) => new Sprite(new SpriteMaterial({ name: 'label' })).add(mesh));
  group.add(...labels);
  meshes.push(...(labels as Object3D[] as Mesh[]));
  return { group, meshes, trees };
}

/** What `ObjectStyles` does, by a loop over all objects in each call. */
class FullComparison {
  private readonly world: World;
  private readonly own: Map<Mesh, { visible: boolean; material: Material | Material[] }>;
  private hidden = new Set<Object3D>();
  private ghosts = new Map<Object3D, Material>();
  private readonly painted = new Map<Object3D, Material>();

  constructor(world: World) {
    this.world = world;
    this.own = new Map(world.meshes.map((mesh) => [mesh, { visible: mesh.visible, material: mesh.material }]));
  }

  /** The meshes of the group that are culled by themselves. */
  units(): Mesh[] {
    const { group, trees, meshes } = this.world;
    return meshes.filter(
      ({ parent }) => parent === group || (trees.includes(parent as Group) && parent!.parent === group),
    );
  }

  isolate(shown: readonly Mesh[] | null): void {
    this.hidden = new Set(this.units().filter((unit) => shown !== null && !shown.includes(unit)));
  }

  ghost(solid: readonly Mesh[] | null, material: Material | null): void {
    this.ghosts = new Map();
    for (const unit of this.units()) if (solid?.includes(unit) === false) this.ghosts.set(unit, material!);
  }

  paint(units: readonly Mesh[], material: Material | null): void {
    for (const unit of units)
      if (material === null) this.painted.delete(unit);
      else this.painted.set(unit, material);
  }

  /** A tree has left its place. */
  left(root: Object3D): void {
    for (const styled of [this.hidden, this.ghosts, this.painted]) root.traverse((object) => styled.delete(object));
  }

  expect(log: readonly string[]): void {
    const materials = new Map<Object3D, Material>();
    for (const unit of this.units()) {
      const material = this.painted.get(unit) ?? this.ghosts.get(unit);
      if (material !== undefined) unit.traverse((each) => !(each instanceof Sprite) && materials.set(each, material));
    }
    for (const [mesh, { visible, material }] of this.own) {
      expect(mesh.visible, `visible: ${log.join(', ')}`).toBe(visible && !this.hidden.has(mesh));
      expect(mesh.material, `material: ${log.join(', ')}`).toBe(materials.get(mesh) ?? material);
    }
  }
}

describe('ObjectStyles', () => {
  it.each([
    ['with batches', 1],
    ['without', 2],
  ])('draws and picks what a full comparison after each call does, in a history, %s', async (_, seed) => {
    const random = createRandom(seed);
    const world = createWorld(seed, 60);
    const { group, meshes, trees } = world;
    const batches = seed === 1 ? new StaticBatches(group) : null;
    batches?.finish();
    const styles = new ObjectStyles(group);
    const full = new FullComparison(world);
    const camera = new PerspectiveCamera(90, 1, 0.1, 1000);
    // Sees all, also what stands below others far away.
    camera.position.z = 400;
    camera.updateMatrixWorld();
    const log: string[] = [];
    for (let step = 0; step < (IS_LONG ? 480 : 80); step++) {
      const act = ACTS[random.below(ACTS.length)];
      log.push(act);
      const mesh = meshes[random.below(meshes.length)];
      const tree = trees[random.below(trees.length)];
      // Objects, some of them in trees; or the bodies of a query.
      const units = full.units();
      const some = units.filter(() => random.next() < 0.4);
      const isTree = random.next() < 0.2;
      if (isTree) some.push(...units.filter((unit) => unit.parent === tree));
      const bodies = new BodySet();
      for (const unit of some) {
        const body = random.next() < 0.5 ? group.bodyOf(unit) : null;
        if (body !== null) bodies.add(body.index);
      }
      const asBodies = random.next() < 0.5;
      const set = asBodies ? bodies : isTree && trees.includes(tree) && tree.parent === group ? [...some, tree] : some;
      const meant = asBodies ? units.filter((unit) => has(bodies, group.bodyOf(unit)?.index)) : some;
      const material = random.next() < 0.5 ? red : grey;
      if (act.startsWith('isolate')) {
        const isAll = act === 'isolate null';
        styles.isolate(isAll ? null : set);
        full.isolate(isAll ? null : meant);
      } else if (act.startsWith('ghost')) {
        const isAll = act === 'ghost null';
        styles.ghost(isAll ? null : set, material);
        full.ghost(isAll ? null : meant, material);
      } else if (act.endsWith('paint')) {
        styles.paint(set, act === 'paint' ? material : null);
        full.paint(meant, act === 'paint' ? material : null);
      } else if (act === 'remove' || act === 'add' || act === 'part') {
        const above = mesh.parent;
        if (act === 'remove') mesh.removeFromParent();
        else (act === 'add' ? group : tree).add(mesh);
        full.left(mesh);
        // The next update finds that a mesh has lost the one below it.
        if (units.includes(above as Mesh)) {
          group.reportMove(above!);
          await runUpdates(group, 1);
        }
      } else if (act === 'below a mesh') {
        const above = units[random.below(units.length)];
        if (above !== mesh && mesh.children.length === 0 && group.getObjectById(mesh.id) === undefined) {
          above.add(mesh);
          group.reportMove(above);
          await runUpdates(group, 1);
        }
      } else if (act === 'tree') {
        if (tree.parent === null) group.addTree(tree, { isStatic: true });
        else full.left(tree.removeFromParent());
      } else if (units.includes(mesh)) {
        if (act === 'move') mesh.position.x += random.next() - 0.5;
        else if (act === 'unculled') mesh.frustumCulled = !mesh.frustumCulled;
        else group.setStatic(mesh, !group.isStatic(mesh));
        group.reportMove(mesh);
      }
      full.expect(log);
      if (random.next() < 0.5) await runUpdates(group, 1);
      if (step % 12 > 0) continue;
      await runUpdates(group, 1);
      expectSame(group);
      const picked = pickWithin({ clientX: 0, clientY: 0 }, { clientX: 100, clientY: 100 }, camera, element, group);
      const visible: Object3D[] = [];
      group.traverseVisible((object) => (object as Mesh).material && visible.push(object));
      expect(new Set(picked.map(({ object }) => object))).toEqual(new Set(visible));
    }
    styles.dispose();
    full.isolate(null);
    full.ghost(null, null);
    full.paint(full.units(), null);
    full.expect(log);
    await runUpdates(group, 1);
    expectSame(group);
  });

  it('shows a set of thousands in the next frame, large or small, where batches draw', async () => {
    const { group, meshes } = grid(3000);
    const styles = new ObjectStyles(group);
    expect(meshesDrawn(group)).toBe(3000);
    const half = meshes.filter((_, k) => k % 2 === 0);
    for (const set of [half, meshes.slice(0, 2990), meshes.slice(5), half.slice(0, 3), meshes]) {
      styles.isolate(set);
      expect(meshesDrawn(group)).toBe(set.length);
      await runUpdates(group, 2);
      expect(meshesDrawn(group)).toBe(set.length);
    }
  });

  it('takes trees, parts of trees, and objects that are culled with the one above', () => {
    const parts = Array.from({ length: 4 }, () => new Mesh(new BoxGeometry(), lambert));
    const tree = new Group().add(new Group().add(parts[0], parts[1]), new PointLight());
    const lamp = new PointLight();
    parts[2].add(parts[3], lamp);
    const single = new Mesh(new BoxGeometry(), lambert);
    const group = new OctreeGroup().addTree(tree).add(parts[2], single);
    const styles = new ObjectStyles(group);
    const visible = (): boolean[] => [...parts, single].map((mesh) => mesh.visible);
    styles.isolate([tree.children[0]]);
    expect(visible()).toEqual([true, true, false, true, false]);
    expect(tree.children[1].visible).toBe(true);
    // Hidden with the mesh above it.
    expect([lamp.visible, lamp.parent!.visible]).toEqual([true, false]);
    styles.isolate([parts[3], parts[1]]);
    expect(visible()).toEqual([false, true, true, true, false]);
    styles.paint([parts[3]], red);
    expect([...parts, single].map(({ material }) => material)).toEqual([lambert, lambert, red, red, lambert]);
    styles.ghost([], grey).dispose();
    expect(new Set([...parts, single].map((mesh) => mesh.material))).toEqual(new Set([lambert]));
    expect(visible()).toEqual([true, true, true, true, true]);
  });

  it('reads only the objects that change, and follows the group only while a set is in force', () => {
    const { group, meshes } = grid(200);
    const reads: number[] = [];
    for (const [k, mesh] of meshes.entries()) {
      let isVisible = true;
      Object.defineProperty(mesh, 'visible', {
        get: () => (reads.push(k), isVisible),
        set: (value: boolean) => {
          isVisible = value;
        },
      });
    }
    const { bodies } = group.groupChildren;
    const before = bodies.followers.size;
    const bodyOf = (k: number): number => group.bodyOf(meshes[k])!.index;
    const set = new BodySet(Array.from({ length: 100 }, (_, k) => bodyOf(k)));
    const styles = new ObjectStyles(group);
    const readIn = (call: () => unknown): number[] => {
      reads.length = 0;
      call();
      return reads.splice(0).sort((a, b) => a - b);
    };
    expect(readIn(() => styles.isolate(set)).length).toBe(100);
    set.delete(bodyOf(7));
    set.add(bodyOf(150));
    expect(readIn(() => styles.isolate(set))).toEqual([7]);
    expect(readIn(() => styles.isolate(set))).toEqual([]);
    expect(readIn(() => styles.isolate([...set].map((index) => meshes.find((_, k) => bodyOf(k) === index)!)))).toEqual(
      [],
    );
    expect(readIn(() => styles.paint([meshes[3]], red))).toEqual([]);
    expect(bodies.followers.size).toBe(before + 1);
    styles.dispose();
    expect(bodies.followers.size).toBe(before);
    expect(meshes.every(({ visible, material }) => visible && material === lambert)).toBe(true);
  });

  it('reports static objects, so that the next update finds bounds of their new material', () => {
    const meshes = randomBoxes(5, 200);
    const group = new OctreeGroup({ hasStaticChildren: true }).add(...meshes);
    const styles = new ObjectStyles(group);
    const kinds = (): (string | undefined)[] => meshes.slice(149, 151).map((mesh) => group.bodyOf(mesh)?.kind);
    expect(kinds()).toEqual(['box', 'box']);
    styles.paint([meshes[150]], new ShaderMaterial());
    // A group whose members move need not follow them.
    expect(group.groupChildren.bodies.areReadByPassesOnly).toBe(true);
    group.updateMatrixWorld();
    expect(kinds()).toEqual(['box', 'sphere']);
    styles.ghost([], new ShaderMaterial());
    group.updateMatrixWorld();
    expect(kinds()).toEqual(['sphere', 'sphere']);
    styles.dispose();
    group.updateMatrixWorld();
    expect(kinds()).toEqual(['box', 'box']);
  });

  it('shows views and shadow maps in the next update that a static object has changed', () => {
    const meshes = randomBoxes(6, 900);
    const group = new OctreeGroup({ hasStaticChildren: true }).add(...meshes);
    const scene = new Scene().add(group);
    const views = new ViewChanges(scene, new FakeRenderer(), [group]);
    const styles = new ObjectStyles(group);
    const changed = (): boolean => {
      scene.updateMatrixWorld();
      return views.changedIn(everything);
    };
    while (changed());
    const calls = [
      () => styles.isolate(meshes.slice(1)),
      () => styles.isolate(null),
      () => styles.paint([meshes[899]], red),
      () => styles.ghost(meshes.slice(0, 899), grey),
      () => styles.dispose(),
    ];
    expect(calls.map((call) => [(call(), changed()), changed()])).toEqual(calls.map((_, k) => [k !== 3, false]));
  });

  it('gives a material of meshes to no sprite, whose shape three computes from its own', () => {
    const label = new Sprite(new SpriteMaterial());
    label.scale.set(4, 4, 1);
    const mesh = new Mesh(new BoxGeometry(), lambert);
    mesh.add(new Sprite(label.material));
    mesh.position.x = 50;
    const group = new OctreeGroup().add(label, mesh);
    const camera = new PerspectiveCamera();
    camera.position.z = 10;
    camera.updateMatrixWorld();
    const picked = (): unknown => pick({ clientX: 50, clientY: 50 }, camera, element, group)?.object;
    const styles = new ObjectStyles(group).ghost([], grey);
    group.updateMatrixWorld(true);
    expect([picked(), label.material.type, mesh.material]).toEqual([label, 'SpriteMaterial', grey]);
    expect((mesh.children[0] as Sprite).material).toBe(label.material);
    const spots = new SpriteMaterial();
    styles.paint([label], spots).ghost(null);
    expect([label.material, mesh.material]).toEqual([spots, lambert]);
  });

  it('paints what is added below a painted object, with a body or without, and no more once that is taken back', () => {
    for (const isCulled of [true, false]) {
      const parent = new Group().add(new Mesh(new BoxGeometry(), lambert));
      const [first, second] = [0, 1].map(() => new Mesh(new BoxGeometry(), lambert));
      for (const object of [parent, parent.children[0]]) object.frustumCulled = isCulled;
      const group = new OctreeGroup().add(parent);
      group.updateMatrixWorld();
      expect(group.bodyOf(parent) !== null).toBe(isCulled);
      const styles = new ObjectStyles(group).paint([parent], red);
      const add = (mesh: Mesh): Material | Material[] => {
        parent.add(mesh);
        group.reportMove(parent);
        group.updateMatrixWorld();
        return mesh.material;
      };
      expect(add(first)).toBe(red);
      parent.clear();
      group.reportMove(parent);
      group.updateMatrixWorld();
      expect(first.material).toBe(lambert);
      // Nothing of it has a material now.
      styles.paint([parent], null);
      expect([add(first), add(second)]).toEqual([lambert, lambert]);
    }
  });

  it('gives back what left the group meanwhile', () => {
    const mesh = new Mesh(new BoxGeometry(), lambert);
    const group = new OctreeGroup().add(mesh, new Mesh(new BoxGeometry(), lambert));
    const styles = new ObjectStyles(group).isolate([]).ghost([], grey);
    group.remove(mesh);
    styles.dispose();
    expect([mesh.visible, mesh.material]).toEqual([true, lambert]);
  });

  it('follows the group for hidden objects alone', () => {
    const meshes = [0, 1, 2].map(() => new Mesh(new BoxGeometry(), lambert));
    const group = new OctreeGroup().add(...meshes);
    const styles = new ObjectStyles(group).isolate([meshes[0]]);
    group.remove(meshes[1]);
    expect(meshes.map(({ visible }) => visible)).toEqual([true, true, false]);
    // It gets the body of the one that has left.
    const added = new Mesh(new BoxGeometry(), lambert);
    group.add(added).updateMatrixWorld(true);
    expect(added.visible).toBe(true);
    styles.isolate([meshes[0]]);
    expect(added.visible).toBe(false);
  });

  it.each(['isolate', 'ghost', 'paint'] as const)('%s leaves out the bodies of a set that were removed', (call) => {
    const meshes = [0, 1, 2].map(() => new Mesh(new BoxGeometry(), lambert));
    const group = new OctreeGroup().add(...meshes);
    group.updateMatrixWorld(true);
    const bodies = new BodySet().add(0).add(1).add(2);
    group.remove(meshes[1]);
    group.updateMatrixWorld(true);
    const styles = new ObjectStyles(group);
    if (call === 'isolate') styles.isolate(bodies);
    else styles[call](bodies, red);
    const expected = call === 'paint' ? red : lambert;
    expect(meshes.map(({ visible, material }) => [visible, material])).toEqual([
      [true, expected],
      [true, lambert],
      [true, expected],
    ]);
  });

  it('is saved and cloned as shown, and as before once all is taken back', () => {
    const meshes = [0, 1, 2].map(() => new Mesh(new BoxGeometry(), lambert));
    const group = new OctreeGroup().add(...meshes);
    const styles = new ObjectStyles(group);
    const saved = (): unknown[] => looksOf(new ObjectLoader().parse(group.toJSON()).children);
    const before = saved();
    const shown = [
      [true, 'red'],
      [true, 'grey'],
      [false, 'grey'],
    ];
    styles.isolate(meshes.slice(0, 2)).ghost([meshes[0]], grey).paint([meshes[0]], red);
    expect(saved()).toEqual(shown);
    expect(looksOf(group.clone().children)).toEqual(shown);
    styles.isolate(null).ghost(null).paint(meshes, null);
    expect([saved(), looksOf(group.clone().children)]).toEqual([before, before]);
    styles.isolate([meshes[1]]).ghost([], grey).paint([meshes[1]], red);
    styles.dispose();
    expect(saved()).toEqual(before);
  });

  it.each<[string, (styles: ObjectStyles, mesh: Object3D) => unknown, RegExp]>([
    [
      'no group',
      () => new ObjectStyles(new Group() as never),
      /ObjectStyles: group must be an OctreeGroup, but is .*; pass new OctreeGroup\(\).addTree\(root\)\.$/,
    ],
    ['a proxy of a group', () => new ObjectStyles(reactive(new OctreeGroup())), /ObjectStyles: group .*proxy/i],
    ['a proxy', (styles, mesh) => styles.isolate([reactive(mesh)]), /ObjectStyles.isolate: an object .*proxy/i],
    [
      'an object of another group',
      (styles) => styles.isolate([new Mesh()]),
      /isolate: objects must be below the group, but is .*; add it to the group first\.$/,
    ],
    ['another one for ghosts', (styles) => styles.ghost([new Mesh()], red), /ghost: objects must be below the group/],
    [
      'hits',
      (styles, object) => styles.isolate([{ object }] as never),
      /hold objects of three, .*pass object of a hit\.$/,
    ],
    ['one object', (styles, mesh) => styles.isolate(mesh as never), /must be objects in an array.*pass \[object\]\.$/],
    ['nothing', (styles) => styles.paint(undefined as never, red), /paint: objects must be objects in an array/],
    [
      'no material',
      (styles, mesh) => styles.ghost([mesh], undefined),
      /ghost: material must be a Material, .*; pass one of three\.$/,
    ],
    ['a colour', (styles, mesh) => styles.paint([mesh], 'red' as never), /paint: material must be a Material/],
  ])('refuses %s, and changes nothing', (_, call, sentence) => {
    const meshes = [0, 1].map(() => new Mesh(new BoxGeometry(), lambert));
    const styles = new ObjectStyles(new OctreeGroup().add(...meshes));
    const error = errorOf(() => call(styles, meshes[0]));
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toMatch(sentence);
    expect(meshes.map(({ visible, material }) => [visible, material])).toEqual([
      [true, lambert],
      [true, lambert],
    ]);
  });
});
