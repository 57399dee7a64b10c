// The standing check: scenes in the manner of three's examples look the same in a Group and in the containers.
// WebGLRenderer.

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
import { randomScene } from './scenes/random-scene.ts';
import { webglScenes } from './scenes/webgl-only.ts';

/** Any seeds will do: each gives another scene. */
const SEEDS = [1, 4, 7];

checkScenes(
  'WebGLRenderer',
  createWebGLScreen,
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
    'shaders and passes': webglScenes,
  },
  0,
);
