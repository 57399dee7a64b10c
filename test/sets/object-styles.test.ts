import {
  BoxGeometry,
  Group,
  type InstancedMesh,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
  PerspectiveCamera,
  PointLight,
} from 'three';
import { describe, expect, it } from 'vitest';
import { ObjectStyles, OctreeGroup, pickWithin, StaticBatches } from '../../src/three.ts';
import { batch, drawn, expectSame, lambert, randomBoxes, runUpdates } from '../support/batched-meshes.ts';
import { createRandom } from '../support/random.ts';
import { errorOf } from '../support/rejects.ts';

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

describe('ObjectStyles', () => {
  it.each([true, false])(
    'draws and picks what a loop that sets visible and material does; static: %s',
    async (isStatic) => {
      const random = createRandom(3);
      const meshes = randomBoxes(4, 60);
      const { group, batches } = batch(meshes);
      if (!isStatic) for (const mesh of meshes.slice(0, 30)) group.setStatic(mesh, false);
      // Hidden by the user, and with a material of its own.
      meshes[0].visible = false;
      const other = new MeshBasicMaterial({ name: 'other' });
      meshes[1].material = other;
      batches.finish();
      const styles = new ObjectStyles(group);
      const camera = new PerspectiveCamera(90, 1, 0.1, 1000);
      camera.position.z = 120;
      camera.updateMatrixWorld();
      let shown: Set<Mesh> | null = null;
      let solid: Set<Mesh> | null = null;
      const painted = new Map<Mesh, MeshBasicMaterial>();
      for (let step = 0; step < 16; step++) {
        const some = new Set(meshes.filter(() => random.next() < 0.4));
        const choice = random.below(7);
        if (choice < 2) styles.isolate((shown = some));
        else if (choice === 2) styles.isolate((shown = null));
        else if (choice === 3) styles.ghost(...([(solid = some), grey] as const));
        else if (choice === 4) styles.ghost((solid = null));
        else {
          styles.paint(some, choice === 5 ? red : null);
          for (const mesh of some)
            if (choice === 5) painted.set(mesh, red);
            else painted.delete(mesh);
        }
        await runUpdates(group, random.below(3));
        for (const mesh of meshes) {
          const own = mesh === meshes[1] ? other : lambert;
          expect(mesh.visible).toBe(mesh !== meshes[0] && (shown?.has(mesh) ?? true));
          expect(mesh.material).toBe(painted.get(mesh) ?? ((solid?.has(mesh) ?? true) ? own : grey));
        }
        expectSame(group);
        const picked = pickWithin({ clientX: 0, clientY: 0 }, { clientX: 100, clientY: 100 }, camera, element, group);
        expect(new Set(picked.map(({ object }) => object))).toEqual(new Set(meshes.filter(({ visible }) => visible)));
      }
      styles.dispose();
      expect(meshes.filter(({ visible }) => !visible)).toEqual([meshes[0]]);
      expect(meshes.filter(({ material }) => material !== lambert)).toEqual([meshes[1]]);
      await runUpdates(group, 1);
      expectSame(group);
    },
  );

  it('shows a set of thousands in the next frame, large or small, where batches draw', async () => {
    const { group, meshes } = grid(6000);
    const styles = new ObjectStyles(group);
    expect(meshesDrawn(group)).toBe(6000);
    const half = meshes.filter((_, k) => k % 2 === 0);
    for (const set of [half, meshes.slice(0, 5990), meshes.slice(5), half.slice(0, 3), meshes]) {
      styles.isolate(set);
      expect(meshesDrawn(group)).toBe(set.length);
      await runUpdates(group, 2);
      expect(meshesDrawn(group)).toBe(set.length);
    }
  });

  it('takes trees, parts of trees, and objects that are culled with the one above', () => {
    const parts = Array.from({ length: 4 }, () => new Mesh(new BoxGeometry(), lambert));
    const tree = new Group().add(new Group().add(parts[0], parts[1]), new PointLight());
    parts[2].add(parts[3]);
    const single = new Mesh(new BoxGeometry(), lambert);
    const group = new OctreeGroup().addTree(tree).add(parts[2], single);
    const styles = new ObjectStyles(group);
    const visible = (): boolean[] => [...parts, single].map((mesh) => mesh.visible);
    styles.isolate([tree.children[0]]);
    expect(visible()).toEqual([true, true, false, true, false]);
    expect(tree.children[1].visible).toBe(true);
    styles.isolate([parts[3], parts[1]]);
    expect(visible()).toEqual([false, true, true, true, false]);
    styles.paint([parts[3]], red);
    expect([...parts, single].map(({ material }) => material)).toEqual([lambert, lambert, red, red, lambert]);
    styles.ghost([], grey).dispose();
    expect(new Set([...parts, single].map((mesh) => mesh.material))).toEqual(new Set([lambert]));
    expect(visible()).toEqual([true, true, true, true, true]);
  });

  it('gives back what left the group meanwhile', () => {
    const mesh = new Mesh(new BoxGeometry(), lambert);
    const group = new OctreeGroup().add(mesh, new Mesh(new BoxGeometry(), lambert));
    const styles = new ObjectStyles(group).isolate([]).ghost([], grey);
    group.remove(mesh);
    styles.dispose();
    expect([mesh.visible, mesh.material]).toEqual([true, lambert]);
  });

  it.each<[string, (styles: ObjectStyles, mesh: Object3D) => unknown, RegExp]>([
    ['no group', () => new ObjectStyles(new Group() as never), /ObjectStyles: group must be an OctreeGroup/],
    [
      'an object of another group',
      (styles) => styles.isolate([new Mesh()]),
      /isolate: objects must be below the group/,
    ],
    ['no objects', (styles) => styles.isolate([1] as never), /isolate: objects must hold objects/],
    ['one object', (styles, mesh) => styles.isolate(mesh as never), /isolate: objects must be objects in an array/],
    ['nothing', (styles) => styles.paint(undefined as never, red), /paint: objects must be objects in an array/],
    ['no material', (styles, mesh) => styles.ghost([mesh], undefined), /ghost: material must be a Material/],
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
