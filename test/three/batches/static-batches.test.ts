// Static children that are drawn from batches: each pass draws the triangles of a plain group, while the batches are
// built and after each change, and all other code finds the original objects.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  Float32BufferAttribute,
  Group,
  Mesh,
  MeshLambertMaterial,
  Raycaster,
  Scene,
  SphereGeometry,
  Vector3,
  type Camera,
  type Material,
  type Object3D,
} from 'three';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { OctreeGroup, StaticBatches } from '../../../src/three/index.ts';
import { batch, everything, lambert, plainCopy, randomBoxes, runUpdates } from '../../support/batched-meshes.ts';
import { missingTriangles, trianglesOf } from '../../support/drawn-triangles.ts';
import { frustumOf, projectPass, stripeCamera } from '../../support/pass-lists.ts';

/** More updates than a moved mesh rests before it is written into its batch again. */
const RESTING_UPDATES = 31;

afterEach(() => void vi.restoreAllMocks());

/** Lets each look at the clock take some milliseconds. A slice of 4 ms then has 4 / stepMs steps. */
function slowClock(stepMs: number): { readonly looks: number } {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += stepMs));
  return {
    get looks() {
      return clock.mock.calls.length;
    },
  };
}

/** Expects the triangles of a plain group. */
function expectSame(group: OctreeGroup, camera: Camera = everything): void {
  const [found, expected] = [group, plainCopy(group)].map((each) => trianglesOf(each, camera));
  expect(expected.length).toBeGreaterThan(0);
  expect(missingTriangles(found, expected)).toEqual([]);
  expect(found.length).toBe(expected.length);
}

/** The objects that a pass draws. */
function drawn(group: OctreeGroup, camera: Camera = everything): Object3D[] {
  group.updateMatrixWorld();
  return projectPass(group, camera).map(({ object }) => object);
}

/** Number of meshes that a pass draws on their own. */
const drawnAlone = (group: OctreeGroup): number => drawn(group).filter(({ parent }) => parent !== null).length;

describe('building', () => {
  it.each([0.1, 1, 3.9])(
    'draws each mesh once in every frame, in slices of few steps: a step takes %s ms',
    async (stepMs) => {
      const { group, batches } = batch(randomBoxes(1, 60));
      slowClock(stepMs);
      const alone: number[] = [];
      for (let frame = 0; frame < 2000 && (frame === 0 || batches.isBuilding); frame++) {
        await Promise.resolve();
        expectSame(group);
        alone.push(drawnAlone(group));
      }
      expect(alone[0]).toBe(60);
      expect(alone.at(-1)).toBe(0);
      expect(batches.report()).toMatchObject({ batched: 60, waiting: 0, chunks: 1 });
      // 60 meshes take more than 60 steps.
      expect(alone.length).toBeGreaterThan(60 / (4 / stepMs + 1));
    },
  );

  it('looks at the clock at least every 64 members', () => {
    const { group } = batch(randomBoxes(2, 1000));
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    group.updateMatrixWorld();
    // Keys, order, list, vertices, places.
    expect(now.mock.calls.length).toBeGreaterThan(4 * Math.floor(1000 / 64) + 1000);
  });

  it('stops at the end of its slice', async () => {
    const { group, batches } = batch(randomBoxes(3, 1000));
    const clock = slowClock(1);
    let frames = 0;
    for (; frames === 0 || batches.isBuilding; frames++) {
      const before = clock.looks;
      await runUpdates(group, 1);
      expect(clock.looks - before).toBeLessThan(8);
    }
    expect(frames).toBeGreaterThan(200);
  });

  it('writes nothing in a second update of the same task, because a pass may still draw', async () => {
    const { group, batches } = batch(randomBoxes(4, 600));
    const clock = slowClock(1);
    await runUpdates(group, 1);
    for (let k = 0; k < 5; k++) {
      const before = clock.looks;
      group.updateMatrixWorld();
      expect(clock.looks - before).toBeGreaterThanOrEqual(k === 0 ? 1 : 0);
      if (k > 0) expect(clock.looks).toBe(before);
    }
    batches.finish();
    expect(batches.report().batched).toBe(600);
  });

  it('takes meshes that are changed, moved, hidden and removed while it goes on as they are', async () => {
    const meshes = randomBoxes(5, 400);
    const { group, batches } = batch(meshes);
    slowClock(0.3);
    const red = new MeshLambertMaterial({ name: 'red' });
    for (let frame = 0; frame < 60; frame++) {
      const mesh = meshes[(7 * frame) % meshes.length];
      if (frame % 5 === 0) mesh.position.x += 3;
      if (frame % 5 === 1) mesh.visible = false;
      if (frame % 5 === 2) mesh.removeFromParent();
      if (frame % 5 === 3) mesh.material = red;
      if (frame % 5 === 4) mesh.geometry = new SphereGeometry(1, 5, 4);
      if (frame % 5 === 0 || frame % 5 === 4) group.reportMove(mesh);
      await Promise.resolve();
      expectSame(group);
    }
    batches.finish();
    await runUpdates(group, RESTING_UPDATES);
    expectSame(batches.finish() && group);
    const { batched, out, waiting } = batches.report();
    expect(batched + out + waiting).toBe(400 - 12);
    expect(batched).toBeGreaterThan(350);
    expect(waiting).toBeLessThan(16);
  });

  it('takes meshes that have waited as they are, though a change meanwhile was not reported', async () => {
    const meshes = randomBoxes(10, 40);
    const { group, batches } = batch(meshes.slice(0, 15));
    expect(batches.finish().report()).toMatchObject({ batched: 0, waiting: 15 });
    const [red, bare, high] = meshes;
    red.material = new MeshLambertMaterial({ name: 'red' });
    bare.geometry.deleteAttribute('normal');
    high.renderOrder = 3;
    group.add(...meshes.slice(15));
    expect(batches.finish().report()).toMatchObject({ batched: 37, waiting: 3 });
    expectSame(group);
  });

  it('gives hidden meshes their place, in which they are drawn once they are shown', async () => {
    const meshes = randomBoxes(9, 40);
    for (const mesh of meshes.slice(0, 30)) mesh.visible = false;
    const { group, batches } = batch(meshes);
    expect(batches.finish().report()).toMatchObject({ batched: 10, out: 30, waiting: 0, chunks: 1 });
    expectSame(group);
    for (const mesh of meshes) mesh.visible = true;
    expectSame(group);
    // 4 ms each.
    await runUpdates(group, 20);
    expect(batches.report()).toMatchObject({ batched: 40, out: 0, chunks: 1 });
    expectSame(group);
    expect(drawnAlone(group)).toBe(0);
  });

  it('merges added meshes with those of a batch that is not larger', () => {
    const { group, batches } = batch(randomBoxes(6, 100));
    expect(batches.finish().report().chunks).toBe(1);
    group.add(...randomBoxes(7, 16));
    expect(batches.finish().report()).toMatchObject({ batched: 116, chunks: 2 });
    group.add(...randomBoxes(8, 100));
    expect(batches.finish().report()).toMatchObject({ batched: 216, chunks: 1 });
    expectSame(group);
  });
});

/** A box of 2,400 vertices. */
const heavyBoxes = (seed: number, count: number): Mesh[] =>
  randomBoxes(seed, count).map((mesh) => Object.assign(mesh, { geometry: new BoxGeometry(1, 1, 1, 19, 19, 19) }));
const sizesOf = (group: OctreeGroup): number[] => {
  const sizes = drawn(group).map((mesh) => (mesh as Mesh).geometry.attributes.position.count);
  return sizes.sort((a, b) => a - b);
};

describe('chunks', () => {
  it('have 131,072 vertices at most, so that each is uploaded in a few milliseconds; full ones are not built again', () => {
    const { group, batches } = batch(heavyBoxes(16, 120));
    batches.finish();
    // 54 boxes of 2,400 vertices each.
    expect(sizesOf(group)).toEqual([12, 54, 54].map((count) => 2400 * count));
    const before = new Set(drawn(group));
    group.add(...heavyBoxes(17, 20));
    batches.finish();
    expect(sizesOf(group)).toEqual([32, 54, 54].map((count) => 2400 * count));
    expect(drawn(group).filter((mesh) => before.has(mesh))).toHaveLength(2);
    group.add(...heavyBoxes(18, 60));
    batches.finish();
    expect(drawn(group).filter((mesh) => before.has(mesh))).toHaveLength(2);
    // The chunk of 32 boxes is more than half full.
    expect(batches.report()).toMatchObject({ batched: 200, waiting: 0, chunks: 5 });
  });

  it('have more in large scenes: a sixteenth of the vertices', () => {
    const { group, batches } = batch(heavyBoxes(19, 1000));
    batches.finish();
    const sizes = sizesOf(group);
    expect(sizes.length).toBe(17);
    expect(sizes.at(-1)).toBe(2400 * Math.floor(1000 / 16));
  });
});

describe('a pass', () => {
  it('draws the ranges that it sees, and hardly more', () => {
    const { group, batches } = batch(randomBoxes(11, 2000));
    batches.finish();
    const alone = group.clone();
    const all = trianglesOf(group, everything);
    for (let x = -50; x < 50; x += 10) {
      const camera = stripeCamera(x, 5);
      const needed = trianglesOf(alone, camera);
      const found = trianglesOf(group, camera);
      expect(missingTriangles(found, needed)).toEqual([]);
      expect(missingTriangles(all, found)).toEqual([]);
      // Bridged gaps: a tenth, or 6,000 indices.
      expect(found.length).toBeLessThanOrEqual(needed.length + Math.max(0.1 * needed.length, 2000));
      expect(found.length).toBeLessThan(0.5 * all.length);
    }
  });

  it('draws changed vertices, other attributes and meshes with callbacks as they are, though they are not reported', async () => {
    const meshes = randomBoxes(13, 200);
    const { group, batches } = batch(meshes);
    batches.finish();
    const [moved, replaced, called] = meshes;
    moved.geometry.attributes.position.setX(0, 3).needsUpdate = true;
    replaced.geometry.setAttribute('position', replaced.geometry.attributes.position.clone().setY(1, 4));
    called.onBeforeRender = () => undefined;
    await runUpdates(group, 20);
    expect(batches.report()).toMatchObject({ batched: 199, out: 0 });
    expect(batches.report().unmerged.get('draw callbacks')).toBe(1);
    for (const mesh of [moved, replaced]) group.reportMove(mesh);
    expectSame(group);
    batches.finish();
    expectSame(group);
  });

  it('finds a hidden mesh, whatever number of meshes the passes before have seen', async () => {
    const meshes = randomBoxes(12, 100);
    const { group, batches } = batch(meshes);
    batches.finish();
    for (let k = 0; k < 40; k++) {
      meshes[k].visible = false;
      const shown = trianglesOf(group, k % 2 === 0 ? everything : stripeCamera(0, 1 + k));
      const [own] = trianglesOf(new Group().add(meshes[k].clone()), everything);
      expect(own).toBeUndefined();
      expect(shown.length).toBeLessThanOrEqual(12 * (99 - k));
      expectSame(group);
      if (k % 3 === 0) await Promise.resolve();
    }
  });

  it('bridges the places of hidden meshes once they are erased', async () => {
    const meshes = randomBoxes(15, 60);
    const { group, batches } = batch(meshes);
    batches.finish();
    const rangesOf = (): number => drawn(group).reduce((sum, mesh) => sum + (mesh as Mesh).geometry.groups.length, 0);
    meshes.forEach((mesh, k) => (mesh.visible = k % 2 === 0));
    // The first pass after the change finds the hidden meshes, and may not cover them.
    expectSame(group);
    expect(rangesOf()).toBeGreaterThan(5);
    await runUpdates(group, 1);
    expect(rangesOf()).toBe(1);
    expectSame(group);
  });

  it('draws the ranges from near to far', () => {
    const meshes = randomBoxes(13, 3000);
    const { group, batches } = batch(meshes);
    batches.finish();
    const camera = stripeCamera(-3, 6);
    camera.position.set(0, 0, 60);
    camera.updateMatrixWorld();
    const [chunk] = drawn(group, camera) as Mesh[];
    const { groups, index, attributes } = chunk.geometry;
    expect(groups.length).toBeGreaterThan(3);
    const distances = groups.map(({ start }) =>
      new Vector3()
        .fromBufferAttribute(attributes.position, index!.getX(start))
        .applyMatrix4(chunk.matrixWorld)
        .distanceTo(camera.position),
    );
    expect(distances).toEqual([...distances].sort((a, b) => a - b));
  });

  it('leaves all meshes to the renderer while an override material needs more than was baked', () => {
    const { group, batches } = batch(randomBoxes(14, 100));
    const scene = new Scene().add(group);
    batches.finish();
    expect(drawnAlone(group)).toBe(0);
    scene.overrideMaterial = new MeshLambertMaterial({ vertexColors: true });
    expect(drawnAlone(group)).toBe(100);
    // Its order counts.
    scene.overrideMaterial = new MeshLambertMaterial({ transparent: true });
    expect(drawnAlone(group)).toBe(100);
    scene.overrideMaterial = new MeshLambertMaterial();
    expect(drawnAlone(group)).toBe(0);
    scene.overrideMaterial = null;
    expectSame(group);
  });
});

describe('materials that are no longer used', () => {
  it.each([false, true])(
    'are compared by no update, and disposed of if they are copies: mergesColors is %s',
    async (mergesColors) => {
      const meshes = randomBoxes(71, 64);
      const group = new OctreeGroup({ hasStaticChildren: true });
      group.add(...meshes);
      const batches = new StaticBatches(group, { mergesColors });
      let reads = 0;
      const create = (k: number): MeshLambertMaterial => {
        const material = new MeshLambertMaterial({ reflectivity: 1 / (1 + k) });
        Object.defineProperty(material, 'version', { get: () => (reads++, 0) });
        return material;
      };
      const compared: number[] = [];
      const copies = new Set<Material>();
      let disposed = 0;
      for (let round = 0; round < 200; round++) {
        const materials = [create(2 * round), create(2 * round + 1)];
        for (const [k, mesh] of meshes.entries()) {
          mesh.material = materials[k % 2];
          group.reportMove(mesh);
        }
        batches.finish();
        await runUpdates(group, RESTING_UPDATES);
        batches.finish();
        for (const { material } of drawn(group) as Mesh<BufferGeometry, Material[]>[]) {
          if (copies.has(material[0])) continue;
          copies.add(material[0]);
          material[0].addEventListener('dispose', () => void disposed++);
        }
        reads = 0;
        await runUpdates(group, 1);
        compared.push(reads);
      }
      expect(batches.report()).toMatchObject({ batched: 64, chunks: 2 });
      expect(copies.size).toBe(400);
      // 400 materials in all. A sweep begins at 64 keys and materials, and leaves 2 of each.
      expect(Math.max(...compared)).toBeLessThan(40);
      expect(Math.max(...compared)).toBeGreaterThan(15);
      expect(disposed > 350).toBe(mergesColors);
      expect(drawnAlone(group)).toBe(0);
    },
  );
});

describe('thousands of chunks', () => {
  /** A key for each render order. */
  const KEYS = 2100;
  const PER_KEY = 16;

  it('are drawn, and their meshes move, hide and leave, each in its own chunk', async () => {
    const geometry = new BoxGeometry();
    const meshes = Array.from({ length: KEYS * PER_KEY }, (_, k) => {
      const mesh = new Mesh(geometry, lambert);
      mesh.position.set(2 * (k % PER_KEY), 0, 0);
      mesh.renderOrder = Math.floor(k / PER_KEY);
      return mesh;
    });
    const { group, batches } = batch(meshes);
    expect(batches.finish().report()).toMatchObject({ batched: meshes.length, chunks: KEYS });
    expect(drawnAlone(group)).toBe(0);
    // In the first chunks, and in the last.
    const changed = [3, PER_KEY + 3, meshes.length - PER_KEY - 3, meshes.length - 3].map((k) => meshes[k]);
    const [hidden, moved, removed, recolored] = changed;
    hidden.visible = false;
    moved.position.y = 7;
    removed.removeFromParent();
    recolored.material = new MeshLambertMaterial({ name: 'red' });
    for (const mesh of [hidden, moved, recolored]) group.reportMove(mesh);
    await runUpdates(group, 1);
    const near = stripeCamera(-1, 40);
    near.top = 99;
    expect(batches.report()).toMatchObject({ batched: meshes.length - 4, out: 3 });
    expect(drawn(group, near).filter(({ parent }) => parent !== null)).toEqual([moved, recolored]);
    await runUpdates(group, RESTING_UPDATES);
    hidden.visible = true;
    await runUpdates(group, 2);
    expect(batches.report()).toMatchObject({ batched: meshes.length - 2, out: 0, waiting: 1 });
    batches.dispose();
    expect(drawnAlone(group)).toBe(meshes.length - 1);
  });
});

describe('tiny meshes far from one another', () => {
  it('are drawn one by one, with a reason, and those among them that are near one another from batches', () => {
    const tiny = new BoxGeometry(1e-3, 1e-3, 1e-3);
    const scattered = Array.from({ length: 3000 }, (_, k) => {
      const mesh = new Mesh(tiny.clone(), lambert);
      mesh.position.set(60 * (k % 15) - 450, 60 * (Math.floor(k / 15) % 15) - 450, 60 * Math.floor(k / 225) - 420);
      return mesh;
    });
    const cluster = Array.from({ length: 20 }, (_, k) => {
      const mesh = new Mesh(tiny.clone(), lambert);
      mesh.position.set(30 + 0.01 * k, 30, 30);
      return mesh;
    });
    const { group, batches } = batch([...scattered, ...cluster]);
    const { batched, chunks, waiting, unmerged } = batches.finish().report();
    expect({ batched, chunks, waiting }).toEqual({ batched: 20, chunks: 1, waiting: 0 });
    expect([...unmerged]).toEqual([['tiny, and fewer than 16 of its kind near it', 3000]]);
    expect(drawnAlone(group)).toBe(3000);
    // They do not keep the builder busy, and are tried again together with as many others.
    expect(batches.isBuilding).toBe(false);
    const others = scattered.slice(0, 16).map((mesh) => mesh.clone());
    for (const mesh of others) mesh.position.x += 0.02;
    group.add(...others);
    expect(batches.finish().report()).toMatchObject({ batched: 20, chunks: 1 });
    const near = scattered.flatMap((mesh) =>
      Array.from({ length: 15 }, (_, k) => {
        const copy = mesh.clone();
        copy.position.x += 0.01 + 0.001 * k;
        return copy;
      }),
    );
    for (const mesh of near) mesh.geometry = tiny.clone();
    group.add(...near.slice(0, 15 * 220));
    expect(batches.finish().report().batched).toBe(20 + 220 * 16 + 16);
    // Others are no longer scattered once they are moved.
    for (const [k, mesh] of scattered.slice(1000, 1020).entries()) {
      mesh.position.set(30 + 0.01 * k, 30.01, 30);
      group.reportMove(mesh);
    }
    expect(batches.finish().report().batched).toBe(20 + 220 * 16 + 16 + 20);
  });

  it('do not cut the chunks of larger meshes among which they stand', () => {
    const houses = randomBoxes(61, 400);
    for (const [k, house] of houses.entries()) house.position.set(20 * (k % 20), 0, 20 * Math.floor(k / 20));
    const screws = houses.map((house) => {
      const screw = new Mesh(new BoxGeometry(1e-3, 1e-3, 1e-3), lambert);
      screw.position.copy(house.position).y = 3;
      return screw;
    });
    const { batches } = batch(houses.flatMap((house, k) => [house, screws[k]]));
    const { batched, chunks, unmerged } = batches.finish().report();
    expect([batched, chunks, ...unmerged.values()]).toEqual([400, 1, 400]);
  });
});

describe('far from the origin, mirrored and stretched', () => {
  it.each<[string, (group: OctreeGroup) => void]>([
    ['a mirrored group', (group) => void group.scale.set(-1, 1, 1)],
    ['a stretched group', (group) => void group.scale.set(1, 3, 0.5)],
    ['a turned group', (group) => void group.rotation.set(1, 2, 3)],
  ])('%s draws the triangles of a plain group', async (_, change) => {
    const { group, batches } = batch(randomBoxes(21, 100));
    change(group);
    expectSame(batches.finish() && group);
    // And when it changes later.
    group.scale.x *= -1;
    group.position.y = 5;
    await Promise.resolve();
    expectSame(group);
  });

  it.each([1e7, -3e9])('vertices around %s are as precise as those of the meshes', (far) => {
    const meshes = randomBoxes(22, 100);
    for (const mesh of meshes) mesh.position.addScalar(far);
    const { group, batches } = batch(meshes);
    batches.finish();
    const near = everything.clone();
    near.position.setScalar(far);
    near.updateMatrixWorld();
    const [chunk, ...rest] = drawn(group, near) as Mesh[];
    expect(rest).toEqual([]);
    const { position } = chunk.geometry.attributes;
    const found = Array.from({ length: position.count }, (_, k) => new Vector3().fromBufferAttribute(position, k));
    // Differences to the place of the batch are exact.
    const origin = new Vector3().setFromMatrixPosition(chunk.matrixWorld);
    for (const { matrixWorld, geometry } of meshes) {
      const local = matrixWorld.clone().setPosition(new Vector3().setFromMatrixPosition(matrixWorld).sub(origin));
      const vertex = new Vector3().fromBufferAttribute(geometry.attributes.position, 0).applyMatrix4(local);
      expect(Math.min(...found.map((each) => each.distanceTo(vertex)))).toBeLessThan(1e-5);
    }
  });
});

describe('all other code finds the original meshes', () => {
  it('rays, traverse, toJSON, clone, copy, getObjectByName', () => {
    const { group, batches } = batch(randomBoxes(31, 100));
    const plain = plainCopy(group);
    const scene = new Scene().add(group);
    scene.updateMatrixWorld();
    plain.updateMatrixWorld();
    const before = JSON.stringify(group.toJSON());
    batches.finish();
    drawn(group);
    const raycaster = new Raycaster(new Vector3(-99, 0, 0), new Vector3(1, 0, 0));
    let hits = 0;
    for (let k = 0; k < 400; k++) {
      raycaster.ray.origin.set(-99, 5 * (k % 20) - 50, 5 * Math.floor(k / 20) - 50);
      const [found, expected] = [group, plain].map((each) =>
        raycaster.intersectObject(each).map(({ object, distance, faceIndex }) => [object.name, distance, faceIndex]),
      );
      expect(found).toEqual(expected);
      hits += found.length;
    }
    expect(hits).toBeGreaterThan(10);
    const visited: Object3D[] = [];
    group.traverse((object) => void visited.push(object));
    expect(visited).toEqual([group, ...group.children]);
    expect(group.children.length).toBe(100);
    expect(JSON.stringify(group.toJSON())).toBe(before);
    expect(group.getObjectByName('box 7')).toBe(group.children[7]);
    expect(group.octree.size).toBe(100);
    const clone = group.clone();
    expect(clone.children.length).toBe(100);
    expect(drawnAlone(clone)).toBe(100);
    expectSame(group);
  });
});

describe('dispose()', () => {
  it.each(['after the build', 'in the middle of it'])(
    '%s frees each geometry and gives the meshes back',
    async (when) => {
      const { group, batches } = batch(randomBoxes(41, 200));
      const freed = new Set<BufferGeometry>();
      const made = new Set<BufferGeometry>();
      const note = (): void => {
        for (const object of drawn(group) as Mesh[]) {
          if (object.parent !== null) continue;
          made.add(object.geometry);
          object.geometry.addEventListener('dispose', ({ target }) => void freed.add(target));
        }
      };
      if (when === 'after the build') {
        batches.finish();
        note();
      } else {
        slowClock(0.5);
        for (let k = 0; k < 30; k++) {
          await Promise.resolve();
          note();
        }
        expect(batches.isBuilding).toBe(true);
      }
      batches.dispose();
      expect(freed).toEqual(made);
      expect(drawnAlone(group)).toBe(200);
      expectSame(group);
      expect(batches.report()).toMatchObject({ batched: 0, out: 0, chunks: 0, bytes: 0, vertices: 0 });
      // Another one may follow.
      vi.restoreAllMocks();
      expect(new StaticBatches(group).finish().report()).toMatchObject({ batched: 200 });
      expectSame(group);
      expect(drawnAlone(group)).toBe(0);
    },
  );

  it('frees a batch that has lost all its meshes, and one of which more than half are gone', async () => {
    const { group, batches } = batch(randomBoxes(42, 100));
    batches.finish();
    const [chunk] = drawn(group) as Mesh[];
    const freed = vi.fn();
    chunk.geometry.addEventListener('dispose', freed);
    group.remove(...group.children.slice(0, 51));
    await runUpdates(group, 3);
    expect(freed).toHaveBeenCalledOnce();
    expect(batches.finish().report()).toMatchObject({ batched: 49, chunks: 1, vertices: 49 * 24 });
    group.clear();
    await runUpdates(group, 2);
    expect(batches.report()).toMatchObject({ batched: 0, chunks: 0, bytes: 0 });
  });

  it('disposes of the geometries of batched meshes', () => {
    const meshes = randomBoxes(43, 20);
    const freed = vi.fn();
    for (const { geometry } of meshes) geometry.addEventListener('dispose', freed);
    batch(meshes).batches.finish();
    expect(freed).toHaveBeenCalledTimes(20);
  });
});

/** All meshes that a report counts. */
function accountedFor(batches: StaticBatches): number {
  const { batched, waiting, out, unmerged } = batches.report();
  return batched + waiting + out + [...unmerged.values()].reduce((a, b) => a + b, 0);
}

const triangle = (numbers: readonly number[]): BufferGeometry =>
  new BufferGeometry().setAttribute('position', new Float32BufferAttribute(numbers, 3));

describe('bad input', () => {
  it.each<[string, () => BufferGeometry]>([
    ['no positions', () => new BufferGeometry()],
    ['no vertices', () => triangle([])],
    ['NaN', () => triangle([0, 0, 0, NaN, 0, 0, 0, 1, 0])],
    ['two vertices', () => triangle([0, 0, 0, 1, 0, 0])],
    ['indices beyond its vertices', () => new BoxGeometry().setIndex([0, 1, 99])],
    ['an index of no numbers', () => new BoxGeometry().setIndex([])],
    ['a draw range', () => new BoxGeometry().setDrawRange(3, 6) as never],
    ['other positions later', () => new BoxGeometry()],
  ])('a geometry with %s is drawn as in a plain group, and does not disturb the others', async (kind, create) => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const meshes = randomBoxes(51, 40);
    for (let k = 0; k < 40; k += 2) {
      const geometry = create() ?? new BoxGeometry();
      if (kind === 'a draw range') geometry.setDrawRange(3, 6);
      meshes[k].geometry = geometry;
    }
    const { group, batches } = batch(meshes);
    expectSame(batches.finish() && group);
    expect(batches.report().batched).toBeGreaterThanOrEqual(20);
    expect(accountedFor(batches)).toBe(40);
    if (kind !== 'other positions later') return;
    for (let k = 0; k < 40; k += 2) {
      const { geometry } = meshes[k];
      if (k % 4 === 0) geometry.setAttribute('position', new BoxGeometry(3, 1, 1).attributes.position);
      else (geometry.attributes.position as BufferAttribute).setX(0, 5).needsUpdate = true;
      if (k % 8 === 0) geometry.setIndex(new BufferAttribute(Uint16Array.of(0, 1, 2, 0, 3, 1), 1));
      if (k % 8 === 2) geometry.dispose();
      group.reportMove(meshes[k]);
    }
    await Promise.resolve();
    expectSame(group);
    await runUpdates(group, RESTING_UPDATES);
    expectSame(batches.finish() && group);
  });

  it('a mesh whose arrays were emptied is given back to the renderer once it is reported', async () => {
    const meshes = randomBoxes(52, 40);
    const { group, batches } = batch(meshes);
    batches.finish();
    for (const { geometry } of meshes.slice(0, 10))
      (geometry.attributes.normal as BufferAttribute).array = new Float32Array(0);
    expect(drawnAlone(group)).toBe(0);
    for (const mesh of meshes.slice(0, 10)) group.reportMove(mesh);
    await runUpdates(group, RESTING_UPDATES);
    expect(batches.finish().report()).toMatchObject({ batched: 30, out: 0 });
    expect(drawnAlone(group)).toBe(10);
  });

  it('reports a mesh with an index beyond its vertices, at a build and when it comes back, until it is changed', async () => {
    const meshes = randomBoxes(56, 40);
    const broken = [0, 1, 99];
    for (const { geometry } of meshes.slice(0, 3)) geometry.setIndex(broken);
    const { group, batches } = batch(meshes);
    const reasons = (): unknown[] => [batches.report().batched, ...batches.report().unmerged];
    batches.finish();
    expect(reasons()).toEqual([37, ['an index beyond its vertices', 3]]);
    const { index } = meshes[3].geometry;
    index!.setX(0, 99);
    group.reportMove(meshes[3]);
    await runUpdates(group, RESTING_UPDATES);
    expect(reasons()).toEqual([36, ['an index beyond its vertices', 4]]);
    index!.setX(0, 0);
    group.reportMove(meshes[3]);
    group.add(...randomBoxes(57, 20));
    batches.finish();
    expect(reasons()).toEqual([57, ['an index beyond its vertices', 3]]);
    expect(accountedFor(batches)).toBe(60);
    expectSame(group);
  });

  it('refuses what is no OctreeGroup, wrong options, and a group that has batches already', () => {
    expect(() => new StaticBatches(new Group() as never)).toThrow(
      'StaticBatches: group must be an OctreeGroup, but is ',
    );
    const { group, batches } = batch([]);
    for (const options of [null, 5, [], { mergeColors: true }, { mergesColors: 1 }])
      expect(() => new StaticBatches(new OctreeGroup(), options as never)).toThrow(TypeError);
    expect(() => new StaticBatches(group)).toThrow(
      'StaticBatches: group has a StaticBatches already; dispose it first.',
    );
    batches.dispose();
    expect(() => new StaticBatches(group)).not.toThrow();
  });

  it('a group without an inverse draws nothing, and everything once it has one again', async () => {
    const { group, batches } = batch(randomBoxes(53, 40));
    group.scale.set(0, 1, 1);
    batches.finish();
    await runUpdates(group, 2);
    group.scale.set(1, 1, 1);
    expectSame(batches.finish() && group);
    group.scale.set(1, 0, 1);
    await runUpdates(group, 2);
    group.children[3].removeFromParent();
    group.children[5].position.x = 3;
    group.reportMove(group.children[5]);
    await runUpdates(group, 2);
    group.scale.set(1, 1, 1);
    await runUpdates(group, 2);
    expectSame(group);
  });

  it('callbacks of a report or of a pass may hide, remove and add meshes', async () => {
    const { group, batches } = batch(randomBoxes(54, 60));
    batches.finish();
    projectPass(group, everything, frustumOf(everything));
    group.children[0].visible = false;
    group.children[1].removeFromParent();
    group.add(...randomBoxes(55, 3));
    expectSame(group);
    await runUpdates(group, 2);
    expectSame(group);
  });
});
