// Passes that hide although they look like those that hide nothing: see the table in occlusion-culling.test.ts.

import { Matrix4, Plane } from 'three';
import { mrt, normalView, output } from 'three/tsl';
import { describe, expect, it } from 'vitest';
import { occluded } from '../../support/occluded-scene.ts';
import { projectPass } from '../../support/pass-lists.ts';

const HIDDEN = ['wall'];

describe('passes', () => {
  it('hide while a camera is turned upside down, or mirrors twice', () => {
    const { camera, drawn } = occluded();
    const projection = camera.projectionMatrix.clone();
    camera.projectionMatrix.premultiply(new Matrix4().makeScale(-1, -1, 1));
    expect(drawn()).toEqual(HIDDEN);
    camera.projectionMatrix.copy(projection).premultiply(new Matrix4().makeScale(-1, 1, 1));
    camera.scale.x = -1;
    camera.updateMatrixWorld = () => undefined;
    camera.matrixWorldInverse.premultiply(new Matrix4().makeScale(-1, 1, 1));
    expect(drawn()).toEqual(HIDDEN);
  });

  it('hide with outputs that all objects have, a depth buffer, and without transparent objects', () => {
    const { camera, drawn } = occluded();
    for (const renderer of [
      { getMRT: () => mrt({ output, normal: normalView }) },
      { getMRT: () => null, getRenderObjectFunction: () => null },
      { getRenderTarget: () => ({ depthBuffer: true }), getContextAttributes: () => ({ depth: false }) },
      { getRenderTarget: () => null, getContextAttributes: () => ({ depth: true }), transparent: false },
      { contextNode: { getFlowContextData: () => ({ getAO: () => null }) } },
    ])
      expect(drawn(camera, renderer)).toEqual(HIDDEN);
  });

  it('hide by the settings of their own renderer, also if several follow one update of the matrices', () => {
    const { scene, camera } = occluded();
    scene.matrixWorldAutoUpdate = false;
    scene.updateMatrixWorld();
    const seen: string[][] = [];
    for (const clippingPlanes of [[], [new Plane()], []]) {
      Reflect.apply(Reflect.get(scene, 'onBeforeRender'), scene, [{ clippingPlanes }, scene]);
      seen.push(projectPass(scene, camera).map(({ object }) => object.name));
    }
    expect(seen).toEqual([HIDDEN, ['wall', 'small'], HIDDEN]);
    scene.matrixWorldAutoUpdate = true;
    scene.updateMatrixWorld();
    Reflect.apply(Reflect.get(scene, 'onBeforeRender'), scene, [{}, scene]);
    expect(Object.hasOwn(scene, 'onBeforeRender')).toBe(false);
  });
});
