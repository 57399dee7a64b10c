/** The scenes that every renderer draws, by the name of their topic. */

import { animationScenes } from './animation.ts';
import { callbackScenes } from './callbacks.ts';
import { cameraScenes } from './cameras.ts';
import { helperScenes } from './helpers.ts';
import { instanceScenes } from './instances.ts';
import { lightScenes } from './lights.ts';
import { materialScenes } from './materials.ts';
import { objectScenes } from './objects.ts';

export const sharedTopics = {
  helpers: helperScenes,
  objects: objectScenes,
  instances: instanceScenes,
  animation: animationScenes,
  materials: materialScenes,
  lights: lightScenes,
  cameras: cameraScenes,
  callbacks: callbackScenes,
};
