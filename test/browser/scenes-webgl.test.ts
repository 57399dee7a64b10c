// The standing check: scenes in the manner of three's examples look the same in a Group and in the containers. WebGLRenderer.

import { createWebGLScreen } from './scenes/webgl-screen.ts';
import { checkScenes } from './scenes/check.ts';
import { animationScenes } from './scenes/animation.ts';
import { callbackScenes } from './scenes/callbacks.ts';
import { cameraScenes } from './scenes/cameras.ts';
import { helperScenes } from './scenes/helpers.ts';
import { instanceScenes } from './scenes/instances.ts';
import { lightScenes } from './scenes/lights.ts';
import { materialScenes } from './scenes/materials.ts';
import { objectScenes } from './scenes/objects.ts';
import { webglScenes } from './scenes/webgl-only.ts';

checkScenes('WebGLRenderer', createWebGLScreen, {
  helpers: helperScenes, objects: objectScenes, instances: instanceScenes, animation: animationScenes, materials: materialScenes, lights: lightScenes,
  cameras: cameraScenes, callbacks: callbackScenes, 'shaders and passes': webglScenes,
});
