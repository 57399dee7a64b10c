// The buffers of merged geometries, which renderers need no longer: which are freed, and when.

import {
  BoxGeometry,
  Group,
  InterleavedBuffer,
  InterleavedBufferAttribute,
  Mesh,
  MeshLambertMaterial,
  Scene,
  type BufferGeometry,
} from 'three';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ReplacedGeometries } from '../../src/batches/replaced-geometries.ts';
import type { Member } from '../../src/three/group/member.ts';
import { batch, randomBoxes, RESTING_UPDATES, runUpdates } from '../support/batched-meshes.ts';
import { createRandom } from '../support/random.ts';

afterEach(() => void vi.restoreAllMocks());

/** Boxes, of which each second one has the positions of the one before it, in a search that is about all. */
function pairs(): {
  scene: Scene;
  replaced: ReplacedGeometries;
  geometries: BufferGeometry[];
  freed: Set<BufferGeometry>;
} {
  const meshes = randomBoxes(48, 60);
  const geometries = meshes.map(({ geometry }) => geometry);
  const freed = new Set<BufferGeometry>();
  const replaced = new ReplacedGeometries();
  for (const [k, geometry] of geometries.entries()) {
    if (k % 2 === 1) geometry.setAttribute('position', geometries[k - 1].attributes.position);
    geometry.addEventListener('dispose', ({ target }) => void freed.add(target));
  }
  // Not in their order.
  for (const parity of [0, 1]) for (let k = parity; k < 60; k += 2) replaced.add(geometries[k]);
  return { scene: new Scene().add(...meshes), replaced, geometries, freed };
}

const buffersOf = ({ index, attributes }: BufferGeometry): object[] => [index!, ...Object.values(attributes)];

describe('the geometries of merged meshes are freed', () => {
  /** Shares one buffer of a geometry with a new one. */
  const sharings: [string, (from: BufferGeometry, to: BufferGeometry) => void][] = [
    ['positions', (from, to) => to.setAttribute('position', from.attributes.position)],
    ['normals', (from, to) => to.setAttribute('normal', from.attributes.normal)],
    ['an index', (from, to) => to.setIndex(from.index)],
    [
      'an interleaved buffer',
      (from, to) => {
        const buffer = new InterleavedBuffer(Float32Array.from(from.attributes.position.array), 3);
        for (const each of [from, to]) each.setAttribute('position', new InterleavedBufferAttribute(buffer, 3, 0));
      },
    ],
  ];
  it.each(sharings)('but not those that share %s with what is drawn alone', async (_, share) => {
    const meshes = randomBoxes(44, 23);
    const [kept, outside, moving] = meshes.map(({ geometry }) => geometry);
    const merged = meshes.slice(0, 20);
    const glass = new MeshLambertMaterial({ transparent: true });
    share(kept, (meshes[20].geometry = new BoxGeometry()));
    share(outside, (meshes[21].geometry = new BoxGeometry()));
    // Both are merged: none is drawn alone.
    share(meshes[3].geometry, meshes[4].geometry);
    meshes[20].material = meshes[21].material = meshes[22].material = glass;
    const freed = new Set<BufferGeometry>();
    for (const { geometry } of meshes) geometry.addEventListener('dispose', ({ target }) => void freed.add(target));
    const { group, batches } = batch([...merged, meshes[20]]);
    new Scene().add(group, new Group().add(meshes[21]));
    expect(batches.finish().report().batched).toBe(20);
    expect(freed).toEqual(new Set(merged.slice(2).map(({ geometry }) => geometry)));
    // Drawn alone, it needs its buffers; once it is back, they are freed again, after a pause.
    freed.clear();
    group.reportMove(meshes[2].translateX(1));
    await runUpdates(group, RESTING_UPDATES + 1);
    expect(batches.report().batched).toBe(20);
    await runUpdates(group, 200);
    expect(freed).toEqual(new Set([moving]));
  });

  it('but one whose listener throws, and the others later', () => {
    const meshes = randomBoxes(45, 20);
    const freed = new Set<BufferGeometry>();
    meshes[3].geometry.addEventListener('dispose', () => {
      throw new Error('of the listener');
    });
    for (const { geometry } of meshes) geometry.addEventListener('dispose', ({ target }) => void freed.add(target));
    const { batches } = batch(meshes);
    expect(() => batches.finish()).toThrow('of the listener');
    batches.finish();
    expect(freed).toEqual(new Set(meshes.filter((_, k) => k !== 3).map(({ geometry }) => geometry)));
  });

  it('but not those that share positions with a mesh that leaves its batch while the search goes on', () => {
    const meshes = randomBoxes(47, 100);
    const [out, merged, other] = meshes.map(({ geometry }) => geometry);
    merged.setAttribute('position', out.attributes.position);
    const freed: BufferGeometry[] = [];
    for (const geometry of [out, merged, other])
      geometry.addEventListener('dispose', ({ target }) => void freed.push(target));
    const scene = new Scene().add(...meshes);
    const replaced = new ReplacedGeometries();
    for (const geometry of [out, merged, other]) replaced.add(geometry);
    // Three steps of sixteen objects: not all.
    for (let k = 0; k < 3; k++) replaced.update(scene, 0);
    expect(freed).toEqual([]);
    replaced.delete(out);
    replaced.update(scene, Infinity);
    expect(freed).toEqual([other]);
  });

  it('in the same step as those that share a buffer with them', () => {
    for (let left = 0; left < 20; left++) {
      const { scene, replaced, geometries, freed } = pairs();
      for (let k = 0; k < left; k++) replaced.update(scene, 0);
      replaced.delete(geometries[3]);
      if (!freed.has(geometries[3])) replaced.update(scene, Infinity);
      const others = geometries.filter(
        (_, k) => k % 2 === 1 && freed.has(geometries[k]) !== freed.has(geometries[k - 1]),
      );
      expect(others, `after ${left} steps`).toEqual([]);
    }
  });

  it('but not those that share a buffer with one that shares another with what is drawn alone', () => {
    const { scene, replaced, geometries, freed } = pairs();
    const alone = new Mesh(new BoxGeometry());
    alone.geometry.setAttribute('normal', geometries[9].attributes.normal);
    scene.add(alone);
    replaced.update(scene, Infinity);
    expect(geometries.filter((geometry) => !freed.has(geometry))).toEqual(geometries.slice(8, 10));
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'but not those that are connected by shared buffers with what is drawn alone: %i',
    (seed) => {
      const random = createRandom(seed);
      const meshes = randomBoxes(49, 60);
      const geometries = meshes.map(({ geometry }) => geometry);
      // Each may share its positions, normals and index with different ones.
      for (const geometry of geometries)
        for (const [, share] of sharings.slice(0, 3)) if (random.next() < 0.3) share(random.pick(geometries), geometry);
      const alone = [new BoxGeometry(), new BoxGeometry()];
      for (const geometry of alone) random.pick(sharings.slice(0, 3))[1](random.pick(geometries), geometry);
      const kept = new Set<BufferGeometry>(alone);
      for (let before = 0; before < kept.size;) {
        before = kept.size;
        const buffers = new Set([...kept].flatMap(buffersOf));
        for (const geometry of geometries)
          if (buffersOf(geometry).some((each) => buffers.has(each))) kept.add(geometry);
      }
      const freed = new Set<BufferGeometry>();
      const replaced = new ReplacedGeometries();
      for (const geometry of geometries) {
        geometry.addEventListener('dispose', ({ target }) => void freed.add(target));
        replaced.add(geometry);
      }
      const scene = new Scene().add(...meshes);
      // One is there from the beginning, the other comes after a step, in which not all geometries were asked.
      scene.add(new Mesh(alone[0]));
      replaced.update(scene, 0);
      const late = new Mesh(alone[1]);
      scene.add(late);
      replaced.keepThoseOf({ object: late, compound: null } as unknown as Member);
      replaced.update(scene, Infinity);
      expect(freed).toEqual(new Set(geometries.filter((geometry) => !kept.has(geometry))));
      expect(freed.size).toBeGreaterThan(0);
      expect(kept.size).toBeGreaterThan(3);
    },
  );

  it('by a search in steps of 16 objects at most', () => {
    const { group, batches } = batch(randomBoxes(45, 20));
    const others = randomBoxes(46, 500);
    new Scene().add(group, new Group().add(...others));
    let visited = 0;
    for (const other of others)
      Object.defineProperty(other, 'geometry', { get: () => (visited++, undefined), configurable: true });
    let most = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      most = Math.max(most, visited);
      visited = 0;
      return 0;
    });
    batches.finish();
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(16);
  });
});
