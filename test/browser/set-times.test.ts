// Time of a call that hides or shows 50,000 of 100,000 meshes and of the update after it, in which batches follow.
// It is compared with one pass of three over the matrices of as many meshes in a plain Group.

import { BoxGeometry, Group, Mesh, MeshLambertMaterial, Scene } from 'three';
import { expect, it } from 'vitest';
import { BodySet } from '../../src/save/index.ts';
import { ObjectStyles, OctreeGroup, StaticBatches } from '../../src/three.ts';
import { byMajority } from '../support/by-majority.ts';
import { sampleFrom } from '../support/sampled.ts';
import { meanOfFastest } from '../support/timed-renderer.ts';

const MESHES = 100_000;
/** Calls of which the faster half counts. The contestants alternate. */
const ROUNDS = 10;
const WARM_UP = 4;
/** Updates until all that was merged is drawn from batches again. */
const SETTLING = 40;

/** Boxes of some sizes. */
function meshesOf(sizes: number): Mesh[] {
  const material = new MeshLambertMaterial();
  const geometries = Array.from({ length: sizes }, (_, k) => new BoxGeometry(1, 1 + k / sizes, 1));
  return Array.from({ length: MESHES }, (_, k) => {
    const mesh = new Mesh(geometries[k % sizes], material);
    mesh.position.set((k % 316) * 2 - 316, 0, Math.floor(k / 316) * 2 - 316);
    return mesh;
  });
}

function timeOf(action: () => void): number {
  const start = performance.now();
  action();
  return performance.now() - start;
}

// Measured 0.6 to 1.7 on a busy machine, of which 1.7 once: 9 to 15 ms of CPU. It took 36 ms when each member was
// visited and left its slot.
it.each(sampleFrom([1, 200], 2, 1))(
  'hides and shows 50,000 of 100,000 meshes of %i geometries in less than twice the time that three takes for matrices',
  byMajority((sizes) => {
    const plain = new Scene().add(new Group().add(...meshesOf(sizes)));
    const meshes = meshesOf(sizes);
    const group = new OctreeGroup({ hasStaticChildren: true }).add(...meshes);
    new Scene().add(group);
    const batches = new StaticBatches(group).finish();
    const styles = new ObjectStyles(group);
    const set = new BodySet(meshes.filter((_, k) => k % 2 === 0).map((mesh) => group.bodyOf(mesh)!.index));
    const times: Record<'hide' | 'show' | 'plain', number[]> = { hide: [], show: [], plain: [] };
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const change = (shown: BodySet | null): number =>
        timeOf(() => {
          styles.isolate(shown);
          group.updateMatrixWorld();
        });
      const settle = (): void => {
        for (let k = 0; k < SETTLING; k++) group.updateMatrixWorld();
      };
      const hide = change(set);
      settle();
      const show = change(null);
      settle();
      const reference = timeOf(() => plain.updateMatrixWorld());
      if (round < 0) continue;
      times.hide.push(hide);
      times.show.push(show);
      times.plain.push(reference);
    }
    expect(batches.report().out).toBe(0);
    const [hide, show, reference] = [times.hide, times.show, times.plain].map((one) => meanOfFastest(one, ROUNDS / 2));
    expect(hide / reference).toBeLessThan(2);
    expect(show / reference).toBeLessThan(2);
  }),
);
