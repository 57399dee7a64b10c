// What a frame costs the processor: many meshes that stand still, about 1 % of them in the view and 1 % in the light.

import { BoxGeometry, DirectionalLight, Mesh, MeshBasicMaterial, PerspectiveCamera } from 'three';
import { expect, it } from 'vitest';
import type { OctreeGroup } from '../../src/three/index.ts';
import { useRenderer } from '../support/three-pictures.ts';
import { createTwins, type Twin, type Twins } from '../support/three-scenes.ts';

const REACH = 500;
const FRAMES = 3;
/** Meshes of all rounds together: frames of few meshes are short, and compilers take a hundred of them to do their work. */
const MESHES = 500_000;
const renderer = useRenderer();
renderer.setSize(64, 64, false);
const pixel = new Uint8Array(4);
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

/** Milliseconds of `renderer.render`, the best of some frames: the others were disturbed. */
function timeOf({ scene }: Twin): number {
  const gl = renderer.getContext();
  let best = Infinity;
  for (let frame = 0; frame < FRAMES; frame++) {
    const start = performance.now();
    renderer.render(scene, camera);
    best = Math.min(best, performance.now() - start);
    // Waits for the drawing, which is no part of this; `finish` does not.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  }
  return best;
}

/** How many times faster the octree's frames are, from frames that alternate. */
function ratioOf(twins: Twins, count: number, what: string): number {
  twins.each(({ scene }) => renderer.render(scene, camera));
  renderer.info.reset();
  renderer.render(twins.octree.scene, camera);
  const { calls } = renderer.info.render;
  let plain = Infinity;
  let octree = Infinity;
  for (let round = 0; round < MESHES / count; round++) {
    plain = Math.min(plain, timeOf(twins.plain));
    octree = Math.min(octree, timeOf(twins.octree));
  }
  console.log(`${count} ${what}, ${calls} draws: plain ${plain.toFixed(2)} ms, octree ${octree.toFixed(2)} ms, ${(plain / octree).toFixed(1)} times faster`);
  return plain / octree;
}

// The ratios asserted leave room for a busy machine.
it.each([10_000, 100_000])('renders %i meshes at a fraction of the time of a plain Group, with a shadow too', (count) => {
  const twins = createMeshes(count);
  const group = twins.octree.group as OctreeGroup;
  expect(ratioOf(twins, count, 'tracked meshes')).toBeGreaterThan(1.5);
  for (const child of group.children) group.untrack(child);
  expect(ratioOf(twins, count, 'untracked meshes')).toBeGreaterThan(4);
  twins.each(addSun);
  expect(ratioOf(twins, count, 'untracked meshes with a directional shadow')).toBeGreaterThan(4);
}, 60_000);
