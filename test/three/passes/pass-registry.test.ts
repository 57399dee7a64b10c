// Which passes share views, how long views live, and how large their buffers are. Each constant of the file is held
// here.

import { PerspectiveCamera, type Camera } from 'three';
import { expect, it } from 'vitest';
import { capacityFor, PassRegistry } from '../../../src/three/passes/pass-registry.ts';

const camera = {} as PerspectiveCamera;

/** A registry, and how many views live. */
function create(): { registry: PassRegistry<{ frame: number; dispose(): void }>; living: () => number } {
  let living = 0;
  const registry = new PassRegistry(() => {
    living++;
    return { frame: 0, dispose: () => void living-- };
  });
  return { registry, living: () => living };
}

it('makes room for 64 instances, then for powers of two', () => {
  expect([1, 64, 65, 128, 129, 1000].map(capacityFor)).toEqual([64, 64, 128, 128, 256, 1024]);
});

it('gives each camera views of its own, and the faces of a light theirs by their order', () => {
  const { registry, living } = create();
  const [a, b] = [{}, {}] as Camera[];
  const frustum = {} as never;
  const ofLight = (): object[] => [registry.ofShadow(frustum), registry.ofShadow(frustum)];
  registry.restartShadows();
  const first = [registry.ofCamera(a), registry.ofCamera(b), registry.ofNoFrustum(), ...ofLight()];
  registry.restartShadows();
  expect([registry.ofCamera(a), registry.ofCamera(b), registry.ofNoFrustum(), ...ofLight()]).toEqual(first);
  expect(new Set(first).size).toBe(5);
  registry.dispose();
  expect(living()).toBe(0);
});

it('disposes of the views of a camera that has not rendered for 120 to 240 frames', () => {
  const { registry, living } = create();
  registry.ofCamera({} as Camera);
  let frames = 0;
  for (; frames === 0 || living() > 1; frames++) registry.ofCamera(camera);
  expect(frames).toBe(241);
});

it('counts a frame for each new camera beyond 64, so that the views of endless new cameras are disposed of', () => {
  const { registry, living } = create();
  let most = 0;
  for (let k = 0; k < 2000; k++) {
    registry.ofCamera({} as Camera);
    most = Math.max(most, living());
  }
  expect(most).toBe(303);
});
