// CPU time of a frame with many meshes: OctreeGroup compared with a plain Group. Of those that stand still about 1 %
// are in view, and 1 % in the light; of those that move, a fifth.

import { BoxGeometry, DirectionalLight, Mesh, MeshBasicMaterial, PerspectiveCamera } from 'three';
import { expect, it } from 'vitest';
import type { OctreeGroup } from '../../src/three.ts';
import { createTwins, type Twin, type Twins } from '../support/three-scenes.ts';
import { meanOfFastest, useTimedRenderer } from '../support/timed-renderer.ts';
import { byMajority } from '../support/by-majority.ts';
import { sampleFrom } from '../support/sampled.ts';

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

/**
 * Milliseconds of `run` for each twin: the mean of the faster half of some frames, in each of which all meshes move.
 */
function timesOfMotion(twins: Twins, count: number, run: (twin: Twin) => unknown): Record<'plain' | 'octree', number> {
  const times: Record<'plain' | 'octree', number[]> = { plain: [], octree: [] };
  const frames = 300_000 / count;
  for (let frame = -30; frame < frames; frame++) {
    for (const name of ['plain', 'octree'] as const) {
      const { group } = twins[name];
      const step = frame % 20 < 10 ? 0.1 : -0.1;
      for (const [k, mesh] of group.children.entries()) {
        mesh.position.x += step * (k % 7);
        mesh.rotation.y += 0.01;
      }
      const start = performance.now();
      run(twins[name]);
      if (frame >= 0) times[name].push(performance.now() - start);
      waitForDrawing();
    }
  }
  return {
    plain: meanOfFastest(times.plain, frames / 2),
    octree: meanOfFastest(times.octree, frames / 2),
  };
}

// Measured: 1.1 to 1.2 with 2,000, 0.97 to 1.05 with 10,000. With new bounds for all, as a query asks for: 0.40 us
// each, 0.65 in a page that has run the other tests of times, which have many classes of objects.
it.each(sampleFrom([2_000, 10_000], 2))(
  'renders %i meshes that all move about as fast as a plain Group',
  byMajority((count) => {
    const wide = new PerspectiveCamera(75, 1, 0.1, 650);
    wide.updateMatrixWorld();
    const frame = timesOfMotion(createMeshes(count), count, ({ scene }) => renderer.render(scene, wide));
    const twins = createMeshes(count);
    // Geometries get their spheres when they are first drawn.
    twins.each(({ scene }) => renderer.render(scene, wide));
    const update = timesOfMotion(twins, count, ({ scene, group }) => {
      scene.updateMatrixWorld();
      return (group as Partial<OctreeGroup>).octree;
    });
    console.log(
      `${count} meshes that move: plain ${frame.plain.toFixed(2)} ms, octree ${(frame.octree / frame.plain).toFixed(2)} of it; an update with the octree ${((update.octree / count) * 1000).toFixed(2)} us each, ${(update.octree / update.plain).toFixed(1)} times three's`,
    );
    expect(frame.octree / frame.plain).toBeLessThan(1.25);
    expect(update.octree / update.plain).toBeLessThan(10);
  }),
);
