// What a frame costs the processor: 10,000 meshes that stand still, about 1 % of them on the screen.

import { BoxGeometry, DirectionalLight, Mesh, MeshBasicMaterial, PerspectiveCamera } from 'three';
import { expect, it } from 'vitest';
import { useRenderer } from '../support/three-pictures.ts';
import { createTwins, type Twin } from '../support/three-scenes.ts';

const COUNT = 10_000;
const FRAMES = 15;
const renderer = useRenderer();
renderer.setSize(64, 64, false);

/** Milliseconds of `renderer.render`, the best of the frames: the others were disturbed. */
function timeOf({ scene }: Twin, camera: PerspectiveCamera): number {
  let best = Infinity;
  for (let frame = 0; frame < FRAMES; frame++) {
    const start = performance.now();
    renderer.render(scene, camera);
    best = Math.min(best, performance.now() - start);
    // Waits for the drawing, which is no part of this.
    renderer.getContext().finish();
  }
  return best;
}

it.each([
  ['tracked', false, false],
  ['untracked', true, false],
  ['untracked, with a directional shadow', true, true],
])('renders %s meshes at a fraction of the time of a plain Group', (name, isStatic, hasShadow) => {
  const geometry = new BoxGeometry();
  const material = new MeshBasicMaterial();
  const twins = createTwins(1, (group, random) => {
    for (let k = 0; k < COUNT; k++) {
      const mesh = new Mesh(geometry, material);
      mesh.position.set(random.between(-500, 500), random.between(-500, 500), random.between(-500, 500));
      mesh.static = isStatic;
      mesh.castShadow = hasShadow;
      group.add(mesh);
    }
  });
  const camera = new PerspectiveCamera(50, 1, 0.1, 320);
  if (hasShadow) {
    twins.each(({ scene }) => {
      const light = new DirectionalLight();
      light.castShadow = true;
      Object.assign(light.shadow.camera, { left: -100, right: 100, top: 100, bottom: -100, far: 300 });
      scene.add(light);
    });
  }
  renderer.info.reset();
  renderer.render(twins.octree.scene, camera);
  const { calls } = renderer.info.render;
  const plain = timeOf(twins.plain, camera);
  const octree = timeOf(twins.octree, camera);
  console.log(`${COUNT} meshes, ${calls} draws, ${name}: plain ${plain.toFixed(2)} ms, octree ${octree.toFixed(2)} ms, ${(plain / octree).toFixed(1)} times faster`);
  expect(calls).toBeGreaterThan(50);
  expect(plain / octree).toBeGreaterThan(3);
});
