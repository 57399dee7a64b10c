// CPU time of a frame with many meshes that stand still: OctreeGroup compared with a plain Group. About 1 % of them are
// in view, and 1 % in the light.

import { BoxGeometry, DirectionalLight, Mesh, MeshBasicMaterial, PerspectiveCamera } from 'three';
import { expect, it } from 'vitest';
import type { OctreeGroup } from '../../src/three.ts';
import { createTwins, type Twin, type Twins } from '../support/three-scenes.ts';
import { useTimedRenderer } from '../support/timed-renderer.ts';
import { byMajority } from '../support/by-majority.ts';

const REACH = 500;
const FRAMES = 3;
/**
 * Total number of meshes over all rounds. Frames with fewer meshes get more rounds, because compilers need about a
 * hundred frames to warm up.
 */
const MESHES = 500_000;
/** Number of meshes after which a ratio that exceeds its bound by `CLEAR` ends the measurement. */
const MIN_MESHES = 150_000;
const CLEAR = 1.5;
const { renderer, waitForDrawing } = useTimedRenderer();
const camera = new PerspectiveCamera(50, 1, 0.1, 320);

function createMeshes(count: number): Twins {
  const geometry = new BoxGeometry();
  const material = new MeshBasicMaterial();
  return createTwins(1, (group, random) => {
    for (let k = 0; k < count; k++) {
      const mesh = new Mesh(geometry, material);
      mesh.position.set(random.between(-REACH, REACH), random.between(-REACH, REACH), random.between(-REACH, REACH));
      mesh.castShadow = true;
      group.add(mesh);
    }
  });
}

function addSun({ scene }: Twin): void {
  const light = new DirectionalLight();
  light.castShadow = true;
  Object.assign(light.shadow.camera, { left: -90, right: 90, top: 90, bottom: -90, far: 300 });
  scene.add(light);
}

/** Milliseconds of `renderer.render`: the fastest of some frames, because other processes disturb the rest. */
function timeOf({ scene }: Twin): number {
  let best = Infinity;
  for (let frame = 0; frame < FRAMES; frame++) {
    const start = performance.now();
    renderer.render(scene, camera);
    best = Math.min(best, performance.now() - start);
    waitForDrawing();
  }
  return best;
}

/** Expects that the frames of the octree are faster by more than a factor. The two scenes alternate. */
function expectFaster(twins: Twins, count: number, what: string, factor: number): void {
  twins.each(({ scene }) => renderer.render(scene, camera));
  renderer.info.reset();
  renderer.render(twins.octree.scene, camera);
  const { calls } = renderer.info.render;
  let plain = Infinity;
  let octree = Infinity;
  for (let round = 0; round < MESHES / count; round++) {
    plain = Math.min(plain, timeOf(twins.plain));
    octree = Math.min(octree, timeOf(twins.octree));
    if (round * count >= MIN_MESHES && plain / octree > CLEAR * factor) break;
  }
  console.log(
    `${count} ${what}, ${calls} draws: plain ${plain.toFixed(2)} ms, octree ${octree.toFixed(2)} ms, ${(plain / octree).toFixed(1)} times faster`,
  );
  expect(plain / octree).toBeGreaterThan(factor);
}

// Measured ratios are greater; the rest is allowance for busy machines.
it.each([10_000, 100_000])(
  'renders %i meshes that stand still faster than a plain Group: 1.5 times if they are watched, 4 times if they are static, with and without a shadow',
  byMajority((count) => {
    const twins = createMeshes(count);
    const group = twins.octree.group as OctreeGroup;
    expectFaster(twins, count, 'watched meshes', 1.5);
    for (const child of group.children) group.setStatic(child);
    expectFaster(twins, count, 'static meshes', 4);
    twins.each(addSun);
    expectFaster(twins, count, 'static meshes with a directional shadow', 4);
  }),
);
