// The standing check with WebGPURenderer: its WebGPU backend, if the browser has an adapter, otherwise its WebGL backend.

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
import { createWebGPUScreen } from './scenes/webgpu-screen.ts';
import { webgpuScenes } from './scenes/webgpu-only.ts';

checkScenes('WebGPURenderer', () => createWebGPUScreen(!hasWebGPU), {
  helpers: helperScenes, objects: objectScenes, instances: instanceScenes, animation: animationScenes, materials: materialScenes, lights: lightScenes,
  cameras: cameraScenes, callbacks: callbackScenes, 'node materials and passes': webgpuScenes,
});
