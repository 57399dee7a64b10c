// Changes that are not reported: passes and updates compare meshes with what was written for them, by body.

import { BoxGeometry, MeshLambertMaterial, type BufferAttribute } from 'three';
import { describe, expect, it } from 'vitest';
import { batch, drawnAlone, expectSame, randomBoxes, runUpdates } from '../../support/batched-meshes.ts';

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
      // An update looks at 1,024 bodies, and compares 128 of those that are merged.
      await runUpdates(group, 12);
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
});
