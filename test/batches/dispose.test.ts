// What `dispose` of StaticBatches frees, and what frees buffers before it.

import type { BufferGeometry, Mesh } from 'three';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { StaticBatches } from '../../src/three.ts';
import { batch, drawn, drawnAlone, expectSame, randomBoxes, runUpdates } from '../support/batched-meshes.ts';

afterEach(() => void vi.restoreAllMocks());

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
        let now = 0;
        vi.spyOn(performance, 'now').mockImplementation(() => (now += 0.5));
        for (let k = 0; k < 30; k++) {
          await Promise.resolve();
          note();
        }
        expect(batches.isBuilding).toBe(true);
      }
      batches.dispose();
      expect(batches.isBuilding).toBe(false);
      expect(freed).toEqual(made);
      expect(drawnAlone(group)).toBe(200);
      expectSame(group);
      const unmerged = new Map([['dispose was called', 200]]);
      expect(batches.finish().report()).toMatchObject({
        batched: 0,
        waiting: 0,
        out: 0,
        chunks: 0,
        bytes: 0,
        unmerged,
      });
      expect(batches.reason).toBe('dispose was called');
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
    // A slice has few steps while other processes run.
    await runUpdates(group, 100);
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
