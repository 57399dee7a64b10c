// Static children that are drawn from batches: each pass draws the triangles of a plain group, while the batches are
// built and after each change, and all other code finds the original objects.

import {
  BoxGeometry,
  Euler,
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
import { afterEach, describe, expect, it, vi } from 'vitest';
import { OctreeGroup, StaticBatches } from '../../src/three.ts';
import {
  batch,
  drawn,
  drawnAlone,
  everything,
  expectSame,
  plainCopy,
  randomBoxes,
  RESTING_UPDATES,
  runUpdates,
} from '../support/batched-meshes.ts';
import { countTriangles, missingTriangles, trianglesOf } from '../support/drawn-triangles.ts';
import { stripeCamera } from '../support/pass-lists.ts';

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

const cube = new BoxGeometry();
const repeat = (mesh: Mesh): Mesh => Object.assign(mesh, { geometry: cube });

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

  it('reads at most 16 meshes between two looks at the clock, also where a chunk begins and where it is placed', () => {
    const meshes = [...randomBoxes(2, 1000), ...randomBoxes(3, 1000).map(repeat)];
    const { group, batches } = batch(meshes);
    const read = new Set<Mesh>();
    for (const mesh of meshes) {
      const { geometry } = mesh;
      Object.defineProperty(mesh, 'geometry', { get: () => (read.add(mesh), geometry) });
    }
    let looks = 0;
    let most = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      // Before the first look the group computes the bounds of all meshes.
      if (looks++ > 0) most = Math.max(most, read.size);
      read.clear();
      return 0;
    });
    group.updateMatrixWorld();
    expect(batches.report()).toMatchObject({ batched: 2000, instanced: 1000 });
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(16);
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

  it.each([3, 5, 7])(
    'leaves out a mesh whose positions are deleted after the first pass over it: every %i.',
    (step) => {
      const meshes = randomBoxes(8, 600);
      const { batches } = batch(meshes);
      // A step of the build between any two deletions, with the meshes in another order than they are built in.
      let next = 0;
      vi.spyOn(performance, 'now').mockImplementation(() => {
        if (next < 600) meshes[next].geometry.deleteAttribute('position');
        next += step;
        return 0;
      });
      batches.finish();
      vi.restoreAllMocks();
      const { batched, unmerged } = batches.finish().report();
      expect(batched).toBeGreaterThan(300);
      // The group finds some without bounds, before a build does.
      const {
        'no vertices': empty = 0,
        'without bounds, or not culled': boundless = 0,
        ...others
      } = Object.fromEntries(unmerged);
      expect(others).toEqual({});
      expect(batched + empty + boundless).toBe(600);
    },
  );

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
    const red = new MeshLambertMaterial({ color: 'red' });
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
    const { group, batches } = batch(meshes.slice(0, 3));
    expect(batches.finish().report()).toMatchObject({ batched: 0, waiting: 3 });
    const [red, bare, high] = meshes;
    red.material = new MeshLambertMaterial({ color: 'red' });
    bare.geometry.deleteAttribute('normal');
    high.renderOrder = 3;
    group.add(...meshes.slice(3));
    expect(batches.finish().report()).toMatchObject({ batched: 38, waiting: 2 });
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
    // The group finds changed vertices, which count as reported.
    await runUpdates(group, RESTING_UPDATES + 2);
    expect(batches.report()).toMatchObject({ batched: 199, out: 0 });
    expect(batches.report().unmerged.get('draw callbacks')).toBe(1);
    for (const mesh of [moved, replaced]) group.reportMove(mesh);
    expectSame(group);
    batches.finish();
    expectSame(group);
  });

  it('takes out the meshes of a reported group only, and not the rest of the tree', () => {
    const blocks = Array.from({ length: 20 }, (_, k) => new Group().add(...randomBoxes(40 + k, 10)));
    const material = new MeshLambertMaterial();
    const root = new Group().add(...blocks);
    root.traverse((object) => object instanceof Mesh && Object.assign(object, { material }));
    const group = new OctreeGroup().addTree(root, { isStatic: true });
    const batches = new StaticBatches(group);
    group.updateMatrixWorld();
    batches.finish();
    expect(batches.report()).toMatchObject({ batched: 200, out: 0 });
    blocks[3].position.y += 30;
    group.reportMove(blocks[3]);
    expectSame(group);
    expect(batches.report()).toMatchObject({ batched: 190, out: 10 });
    root.position.x += 5;
    group.reportMove(root);
    expectSame(group);
    expect(batches.report()).toMatchObject({ batched: 0, out: 200 });
  });

  it('finds a replaced index and replaced normals', async () => {
    const meshes = randomBoxes(17, 100);
    const { group, batches } = batch(meshes);
    batches.finish();
    const { geometry } = meshes[3];
    geometry.setIndex(Array.from(geometry.index!.array).fill(0, 0, 3));
    await runUpdates(group, 3);
    expectSame(group);
    trianglesOf(group, everything);
    const baked = batches.ranges[0].geometry.attributes.normal.array;
    const before = baked.slice();
    const other = meshes[5].geometry;
    other.setAttribute('normal', other.attributes.normal.clone());
    other.attributes.normal.array.fill(0.5);
    await runUpdates(group, RESTING_UPDATES + 2);
    // Three numbers of each of its 24 vertices, but for those that had this direction before.
    expect(baked.filter((number, k) => number !== before[k]).length).toBeGreaterThan(48);
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

  it('draws a mesh on its own that has left its place between those of others', async () => {
    const { group, batches } = batch(randomBoxes(5, 60));
    batches.finish();
    for (const child of group.children) {
      child.position.x += 0.1;
      group.reportMove(child);
      await runUpdates(group, 1);
      expectSame(group);
      expect(drawnAlone(group)).toBeGreaterThan(0);
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

  it('the sides of flattened meshes are those of three, also under a turned matrix', async () => {
    const { group, batches } = batch(randomBoxes(23, 100));
    const { children } = group;
    const turn = new Matrix4().makeRotationFromEuler(new Euler(1, 2, 3));
    for (const [k, child] of children.slice(0, 30).entries()) {
      child.matrixAutoUpdate = false;
      child.matrix.makeScale(1, 1, 0).multiply(turn);
      if (k % 2 === 0) child.matrix.premultiply(turn);
      child.matrix.setPosition(child.position);
    }
    group.scale.x = -1;
    expectSame(batches.finish() && group);
    expect(batches.report()).toMatchObject({ batched: 70, unmerged: new Map([['a scale of 0', 30]]) });
    for (const child of children) child.matrixAutoUpdate = true;
    for (const child of children) group.reportMove(child);
    expectSame(batches.finish() && group);
    await runUpdates(group, RESTING_UPDATES);
    expect(batches.finish().report().batched).toBe(100);
    expectSame(group);
  });

  it('a group that is flattened for a while is drawn as three draws it', async () => {
    const { group, batches } = batch(randomBoxes(24, 100));
    batches.finish();
    for (const rotation of [0, 1]) {
      group.rotation.y = rotation;
      group.scale.z = 0;
      await Promise.resolve();
      expectSame(group);
      expect(batches.reason).toBe('the group has a scale of 0');
      group.scale.z = 1;
      await Promise.resolve();
      expectSame(group);
      expect([batches.reason, drawnAlone(group)]).toEqual(['', 0]);
    }
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

describe('changed layers that are not reported', () => {
  // A pass compares 4,096 meshes.
  it.each([
    [4096, 1],
    [5000, 2],
  ])('of %i meshes in view are found by the next passes: %i', async (count, passes) => {
    const meshes = randomBoxes(5, count);
    const { group, batches } = batch(meshes);
    batches.finish();
    expect(batches.report().batched).toBe(count);
    for (const mesh of [meshes[0], meshes[count >> 1], meshes[count - 1]]) {
      mesh.layers.set(2);
      for (let pass = 1; pass < passes; pass++) await showNext(group);
      await Promise.resolve();
      expect(countTriangles(group, everything)).toBe(12 * (count - 1));
      mesh.layers.set(0);
      await showNext(group);
    }
  });
});

async function showNext(group: OctreeGroup): Promise<void> {
  await Promise.resolve();
  drawn(group);
}
