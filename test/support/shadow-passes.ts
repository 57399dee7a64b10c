/** Passes of a town without a renderer: what a renderer does before it draws shadow maps. */

import { PCFShadowMap, PointLight, type Light, type PerspectiveCamera, type ShadowMapType } from 'three';
import { expect } from 'vitest';
import { ShadowUpdates } from '../../src/three.ts';
import { camera, createTown, type Town } from './shadow-towns.ts';
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

/** A town whose maps are drawn, with the lights whose maps are due in each pass. */
export function rest(): Pass & { readonly town: Town } {
  const town = createTown(1);
  const passes = createPass(town);
  // The floor casts no shadow.
  for (let k = 0; k < 3; k++) passes.pass();
  expect(passes.pass()).toEqual([]);
  return { town, ...passes };
}
