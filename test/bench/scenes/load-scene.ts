/** The scenes by name. */

import { citiesScene } from './cities-scene.ts';
import { dataScene } from './data-scene.ts';
import { clusteredScene, uniformScene } from './random-scenes.ts';
import type { Scene } from './scene.ts';

export const sceneNames = ['uniform', 'clustered', 'real'] as const;
export type SceneName = (typeof sceneNames)[number];

export interface SceneChoice {
  readonly scene: SceneName;
  /** Path without extension. If set, `scene` is ignored. */
  readonly data?: string | undefined;
  /** Upper limit: a scene from data may have fewer bodies. */
  readonly bodies: number;
}

export function loadScene({ scene, data, bodies }: SceneChoice): Scene {
  if (data !== undefined) return dataScene(data, bodies);
  if (scene === 'real') return citiesScene(bodies);
  return scene === 'clustered' ? clusteredScene(bodies) : uniformScene(bodies);
}
