// What batches hold of their members: removed ones not for long, and none that cannot be merged any longer.

import { BoxGeometry, InstancedMesh, Mesh, MeshLambertMaterial, SphereGeometry } from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeGroup, StaticBatches } from '../../../src/three/index.ts';
import { batch, drawn, expectSame, randomBoxes, runUpdates } from '../../support/batched-meshes.ts';
import { instanceFrom } from '../../support/batched-town.ts';
import { collectGarbage } from '../../support/garbage.ts';

const cube = new BoxGeometry();

describe('what was removed', () => {
  it.each([
    ['merged', false, false],
    ['merged, with materials of its own', false, true],
    ['instanced', true, false],
    ['instanced, with a material of its own', true, true],
  ])('is held no longer than a second: %s', async (_, isInstanced, hasOwnMaterial) => {
    const group = new OctreeGroup({ hasStaticChildren: true });
    const batches = new StaticBatches(group);
    instanceFrom(batches, isInstanced ? 8 : Infinity);
    const held: WeakRef<object>[] = [];
    // In a function of its own: nothing of it stays on the stack.
    const fill = (): void => {
      const own = new MeshLambertMaterial({ name: 'own' });
      for (const [k, mesh] of randomBoxes(47, 100).entries()) {
        const leaves = k < 40;
        if (leaves && hasOwnMaterial) mesh.material = own;
        // One geometry for all, or another for those that stay.
        if (isInstanced) mesh.geometry = leaves && hasOwnMaterial ? sphere : cube;
        mesh.name = leaves ? 'leaves' : 'stays';
        group.add(mesh);
        if (!leaves) continue;
        held.push(new WeakRef(mesh));
        if (!isInstanced) held.push(new WeakRef(mesh.geometry));
      }
      if (hasOwnMaterial) held.push(new WeakRef(own));
    };
    const sphere = new SphereGeometry(1, 5, 4);
    fill();
    expect(batches.finish().report()).toMatchObject({ batched: 100, instanced: isInstanced ? 100 : 0 });
    expectSame(group);
    group.remove(...group.children.filter(({ name }) => name === 'leaves'));
    await runUpdates(group, 60);
    // `ranges` are those of the last pass.
    drawn(group);
    await collectGarbage();
    expect(held.filter((each) => each.deref() !== undefined).length).toBe(0);
    expect(batches.report().batched).toBe(60);
    expectSame(group);
  });
});

describe('a change after which a mesh cannot be merged', () => {
  const late: [reason: string, change: (mesh: Mesh) => void][] = [
    ['a draw range', ({ geometry }) => geometry.setDrawRange(0, 6)],
    ['a draw range', ({ geometry }) => geometry.setDrawRange(6, Infinity)],
    ['morph targets', ({ geometry }) => void (geometry.morphAttributes.position = [geometry.attributes.position])],
    ['morph targets', ({ geometry }) => void (geometry.morphAttributes.normal = [geometry.attributes.normal])],
    ['an indirect draw', ({ geometry }) => void Object.assign(geometry, { indirect: {} })],
    ['not in memory', ({ geometry }) => void Object.assign(geometry.index!, { isStorageBufferAttribute: true })],
    ['not a plain mesh', (mesh) => void Object.assign(mesh, { count: 3 })],
    ['an occlusion test', (mesh) => void Object.assign(mesh, { occlusionTest: true })],
    ['draw callbacks', (mesh) => void (mesh.onBeforeRender = () => undefined)],
    ['draw callbacks', (mesh) => void (mesh.onAfterShadow = () => undefined)],
    ['for shadows', (mesh) => void (mesh.customDepthMaterial = new MeshLambertMaterial())],
    ['for shadows', (mesh) => void (mesh.customDistanceMaterial = new MeshLambertMaterial())],
    ['placed by other code', (mesh) => void (mesh.matrixWorldAutoUpdate = false)],
    ['placed by other code', (mesh) => void (mesh.updateMatrixWorld = () => undefined)],
  ];
  it.each(late.flatMap(([reason, change]) => [false, true].map((isInstanced) => ({ reason, change, isInstanced }))))(
    'is found without a report: $reason, $change, instanced: $isInstanced',
    async ({ reason, change, isInstanced }) => {
      const meshes = randomBoxes(48, 40);
      if (isInstanced) for (const mesh of meshes) mesh.geometry = meshes[0].geometry;
      const { group, batches } = batch(meshes);
      instanceFrom(batches, isInstanced ? 8 : Infinity);
      expect(batches.finish().report()).toMatchObject({ batched: 40, instanced: isInstanced ? 40 : 0 });
      change(meshes[5]);
      // No pass draws repeated geometry that a renderer could not draw.
      if (isInstanced && meshes[5].geometry.morphAttributes.position !== undefined)
        expect(drawn(group).some((object) => object instanceof InstancedMesh)).toBe(false);
      await runUpdates(group, 2);
      expectSame(group);
      const { batched, unmerged } = batches.finish().report();
      expect(Array.from(unmerged.keys())).toEqual([expect.stringContaining(reason)]);
      expect(batched + unmerged.get(Array.from(unmerged.keys())[0])!).toBeGreaterThanOrEqual(40);
    },
  );
});
