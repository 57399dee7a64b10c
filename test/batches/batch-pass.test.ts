// Changes that are not reported: passes have the detector compare the meshes that they take from batches.

import { BoxGeometry, MeshLambertMaterial, type BufferAttribute } from 'three';
import { describe, expect, it } from 'vitest';
import {
  batch,
  drawn,
  drawnAlone,
  expectSame,
  randomBoxes,
  RESTING_UPDATES,
  runUpdates,
} from '../support/batched-meshes.ts';
import { stripeCamera } from '../support/pass-lists.ts';

describe('a search for changes', () => {
  it('finds changed vertices that are not reported, behind 3,000 meshes that are not merged', async () => {
    const cube = new BoxGeometry();
    const glass = new MeshLambertMaterial({ transparent: true });
    const meshes = [
      ...randomBoxes(13, 3000, glass).map((mesh) => Object.assign(mesh, { geometry: cube })),
      ...randomBoxes(14, 200),
    ];
    const { group, batches } = batch(meshes);
    batches.finish();
    expect(batches.report().batched).toBe(200);
    for (const mesh of [meshes[3000], meshes[3199]]) {
      (mesh.geometry.attributes.position as BufferAttribute).setX(0, 3).needsUpdate = true;
      await runUpdates(group, 2);
      expect(batches.report()).toMatchObject({ batched: 199, out: 1 });
      expectSame(group);
      await runUpdates(group, RESTING_UPDATES);
      expect(batches.report().batched).toBe(200);
      expectSame(group);
    }
  });

  it.each(['visible', 'castShadow', 'receiveShadow'] as const)(
    'draws meshes whose %s is 1, not true',
    async (field) => {
      const meshes = randomBoxes(15, 60);
      for (const mesh of meshes) Object.assign(mesh, { [field]: 1 });
      const { group, batches } = batch(meshes);
      batches.finish();
      expectSame(group);
      expect(drawnAlone(group)).toBe(0);
      Object.assign(meshes[7], { [field]: false });
      await Promise.resolve();
      expect(drawnAlone(group)).toBe(field === 'visible' ? 0 : 1);
      expectSame(group);
    },
  );

  it('finds hidden meshes of 5,000 in view in the next passes, also if passes in between see few meshes', async () => {
    const meshes = randomBoxes(5, 5000);
    const { group, batches } = batch(meshes);
    batches.finish();
    for (let k = 0; k < 20; k++) {
      meshes[k].visible = false;
      // Found by the second frame at the latest, and taken out by the next update.
      for (let frame = 0; frame < 3; frame++) {
        drawn(group, stripeCamera(0, 1));
        await Promise.resolve();
        drawn(group);
      }
      expect(batches.report().batched).toBe(4999 - k);
    }
  });
});
