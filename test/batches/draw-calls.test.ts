// Numbers of draw calls after many meshes of a batch have changed: filters and section views.

import type { Material, Mesh } from 'three';
import { expect, it } from 'vitest';
import { batch, drawn, everything, expectSame, randomBoxes } from '../support/batched-meshes.ts';
import { createRandom, type Random } from '../support/random.ts';

const newProgram = (material: Material): void => void (material.needsUpdate = true);

it.each<[string, number, number, (mesh: Mesh, random: Random) => void]>([
  ['half of them hidden', 2, 1, (mesh, random) => void (mesh.visible = random.below(2) === 0)],
  ['a tenth shown', 2, 1, (mesh, random) => void (mesh.visible = random.below(10) === 0)],
  ['30 % removed', 0, 1, (mesh, random) => void (random.below(10) < 3 && mesh.removeFromParent())],
  ['30 % moved to other layers', 2, 1, (mesh, random) => void (random.below(10) < 3 && mesh.layers.set(3))],
  ['a new program', 0, 0, ({ material }, random) => void (random.below(99) === 0 && newProgram(material as Material))],
])('draws %s in few calls, in no frame in more than a plain group', async (_, frames, more, change) => {
  const meshes = randomBoxes(18, 2000);
  const { group, batches } = batch(meshes);
  batches.finish();
  const random = createRandom(7);
  for (const mesh of meshes) change(mesh, random);
  const shown = group.children.filter(({ visible, layers }) => visible && layers.test(everything.layers)).length;
  const calls: number[] = [];
  for (let frame = 0; frame <= frames + more; frame++) {
    await Promise.resolve();
    calls.push(
      drawn(group).reduce(
        (sum, object) =>
          sum + (object.parent !== null ? Number(object.visible) : (object as Mesh).geometry.groups.length),
        0,
      ),
    );
  }
  expect(Math.max(...calls)).toBeLessThanOrEqual(shown);
  expect(calls.at(-1)).toBeLessThan(2);
  expectSame(group);
});
