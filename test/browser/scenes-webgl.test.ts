// The standing check: scenes in the manner of three's examples look the same in a Group and in the containers.
// WebGLRenderer.

import { createWebGLScreen } from './scenes/webgl-screen.ts';
import { checkScenes } from './scenes/check.ts';
import { randomScene } from './scenes/random-scene.ts';
import { sharedTopics } from './scenes/topics.ts';
import { webglScenes } from './scenes/webgl-only.ts';

/** Any seeds will do: each gives another scene. */
const SEEDS = [1, 4, 7];

checkScenes(
  'WebGLRenderer',
  createWebGLScreen,
  {
    ...sharedTopics,
    'random scenes': SEEDS.map((seed) => randomScene(seed)),
    'shaders and passes': webglScenes,
  },
  0,
);
