// The standing check with WebGPURenderer: its WebGPU backend, if the browser has an adapter, otherwise its WebGL
// backend.

import { hasWebGPU } from '../support/webgpu-pictures.ts';
import { animationScenes } from './scenes/animation.ts';
import { callbackScenes } from './scenes/callbacks.ts';
import { cameraScenes } from './scenes/cameras.ts';
import { checkScenes } from './scenes/check.ts';
import { helperScenes } from './scenes/helpers.ts';
import { instanceScenes } from './scenes/instances.ts';
import { lightScenes } from './scenes/lights.ts';
import { materialScenes } from './scenes/materials.ts';
import { objectScenes } from './scenes/objects.ts';
import { randomScene } from './scenes/random-scene.ts';
import { createWebGPUScreen } from './scenes/webgpu-screen.ts';
import { webgpuScenes } from './scenes/webgpu-only.ts';

/** Any seeds will do: each gives another scene. */
const SEEDS = [2, 5, 9];

checkScenes(
  'WebGPURenderer',
  () => createWebGPUScreen(!hasWebGPU),
  {
    helpers: helperScenes,
    objects: objectScenes,
    instances: instanceScenes,
    animation: animationScenes,
    materials: materialScenes,
    lights: lightScenes,
    cameras: cameraScenes,
    callbacks: callbackScenes,
    'random scenes': SEEDS.map((seed) => randomScene(seed)),
    'node materials and passes': webgpuScenes,
  },
  1,
);
