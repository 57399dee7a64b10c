// The standing check with WebGPURenderer: its WebGPU backend, if the browser has an adapter, otherwise its WebGL
// backend.

import { hasWebGPU } from '../support/webgpu-pictures.ts';
import { checkScenes } from './scenes/check.ts';
import { randomScene } from './scenes/random-scene.ts';
import { sharedTopics } from './scenes/topics.ts';
import { createWebGPUScreen } from './scenes/webgpu-screen.ts';
import { webgpuScenes } from './scenes/webgpu-only.ts';

/** Any seeds will do: each gives another scene. */
const SEEDS = [2, 5, 9];

checkScenes(
  'WebGPURenderer',
  () => createWebGPUScreen(!hasWebGPU),
  {
    ...sharedTopics,
    'random scenes': SEEDS.map((seed) => randomScene(seed)),
    'node materials and passes': webgpuScenes,
  },
  1,
);
