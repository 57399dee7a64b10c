// Members that change between two slices of a build.

import { BoxGeometry, Scene } from 'three';
import { afterEach, it, vi } from 'vitest';
import { clock } from '../../src/math/clock.ts';
import { batch, expectSame, randomBoxes, runUpdates } from '../support/batched-meshes.ts';

afterEach(() => void vi.restoreAllMocks());

it('a member that changes after a build has written it, and rests before the build ends, is drawn as it is', async () => {
  for (let updates = 40; updates < 200; updates += 12) {
    const meshes = randomBoxes(1, 120);
    const { group, batches } = batch(meshes);
    new Scene().add(group);
    batches.finish();
    let time = 0;
    const now = vi.spyOn(clock, 'now').mockImplementation(() => (time += 10));
    group.remove(...meshes.slice(50));
    await runUpdates(group, updates);
    for (const mesh of meshes.slice(0, 25)) {
      mesh.geometry = new BoxGeometry(2, 2, 0.5);
      group.reportMove(mesh);
    }
    // They rest while the build goes on.
    await runUpdates(group, 45);
    expectSame(group);
    await runUpdates(group, 100);
    expectSame(group);
    now.mockRestore();
  }
});
