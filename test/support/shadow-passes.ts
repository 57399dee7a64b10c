/** Passes of a town without a renderer: what a renderer does before it draws shadow maps. */

import { PCFShadowMap, PointLight, type Light, type PerspectiveCamera, type ShadowMapType } from 'three';
import { ShadowUpdates } from '../../src/three.ts';
import { camera, type Town } from './shadow-towns.ts';
import { chooseAllLevels } from './shown-in-maps.ts';

export interface Pass {
  readonly shadows: ShadowUpdates;
  /** Draws a frame. Returns the lights whose maps were due. */
  readonly pass: (view?: PerspectiveCamera) => readonly Light[];
}

/** The renderer of `createPass`: the settings that are read. */
export const settings = { shadowMap: { type: PCFShadowMap as ShadowMapType, enabled: true, autoUpdate: true } };

export function createPass(town: Town): Pass {
  const shadows = new ShadowUpdates(town.scene, settings, [town.group]);
  return {
    shadows,
    pass: (view = camera) => {
      const { scene } = town;
      scene.updateMatrixWorld();
      view.updateMatrixWorld();
      Reflect.apply(Reflect.get(scene, 'onBeforeRender'), scene, [settings, scene]);
      chooseAllLevels(scene, view);
      for (const light of town.lights) {
        const { shadow } = light;
        if (!settings.shadowMap.autoUpdate || (!shadow.needsUpdate && !shadow.autoUpdate)) continue;
        // The faces of a point light are not read.
        if (!(light instanceof PointLight)) shadow.updateMatrices(light);
        shadow.needsUpdate = false;
      }
      return shadows.due;
    },
  };
}
