/** Changes of the light, the scene, the camera and the renderer, by kind: as change-kinds.ts, of what no mesh is. */

import { Color, Fog, MeshLambertMaterial, Vector2, VSMShadowMap, type Vector4 } from 'three';
import { AT_ONCE, NEVER, ofAll, ofView, picture, type Kind, type When } from './kind-of-change.ts';

const lightFields: Record<string, [name: string, value: unknown, shadows: When]> = {
  bias: ['bias', 0.1, NEVER],
  normalBias: ['normalBias', 0.1, NEVER],
  'intensity of the shadow': ['intensity', 0.5, NEVER],
  radius: ['radius', 3, NEVER],
  blurSamples: ['blurSamples', 3, NEVER],
  mapType: ['mapType', 1016, AT_ONCE],
  focus: ['focus', 0.5, AT_ONCE],
  aspect: ['aspect', 0.5, AT_ONCE],
};

/** Changes of the light, the scene, the camera and the renderer. */
export const sceneKinds: Record<string, Kind> = {
  'light moved': ofAll(({ light }) => void (light.position.x += 1)),
  'target moved': ofAll(({ light }) => void (light.target.position.x += 1)),
  'light brighter': ofView(({ light }) => void (light.intensity = 3)),
  'colour of the light': ofView(({ light }) => void light.color.setHex(0x123456)),
  'light casts none': { ...ofView(({ light }) => void (light.castShadow = false)) },
  'up of the shadow camera': ofAll(({ light }) => void light.shadow.camera.up.set(1, 0, 0)),
  'size of a map': ofAll(({ light }) => void light.shadow.mapSize.setScalar(64)),
  'layers of the shadow camera': ofAll(({ light }) => light.shadow.camera.layers.enable(1)),
  'reach of the shadow camera': ofAll(({ light }) => {
    light.shadow.camera.left = -3;
    light.shadow.camera.updateProjectionMatrix();
  }),
  ...Object.fromEntries(
    Object.entries(lightFields).map(([name, [field, value, shadows]]) => [
      `shadow.${name}`,
      { ...ofAll(({ light }) => void Object.assign(light.shadow, { [field]: value })), shadows },
    ]),
  ),
  'radius of a VSM map': ofAll(({ light }) => void (light.shadow.radius = 3), { type: VSMShadowMap }),
  'samples of a VSM map': ofAll(({ light }) => void (light.shadow.blurSamples = 3), { type: VSMShadowMap }),
  background: ofView(({ scene }) => void (scene.background = new Color(0x112233))),
  fog: ofView(({ scene }) => void (scene.fog = new Fog(0))),
  'density of the fog': ofView(({ scene }) => void ((scene.fog as Fog).far = 7), {
    make: ({ scene }) => void (scene.fog = new Fog(0)),
  }),
  'environment of a PMREMGenerator': ofView(
    ({ scene }) =>
      void (scene.environment = Object.assign(picture(), { isRenderTargetTexture: true, isPMREMTexture: true })),
  ),
  'environment before r187': ofView(
    ({ scene }) =>
      void (scene.environment = Object.assign(picture(), { isRenderTargetTexture: true, mapping: 306 as never })),
  ),
  'environment of a CubeCamera': ofView(
    ({ scene }) => void (scene.environment = Object.assign(picture(), { isRenderTargetTexture: true })),
    { isUnknown: true },
  ),
  overrideMaterial: ofView(({ scene }) => void (scene.overrideMaterial = new MeshLambertMaterial())),
  'camera moved': ofView(({ camera }) => void (camera.position.x += 0.1)),
  'layers of the camera': ofAll(({ camera }) => camera.layers.enable(2)),
  'projection of the camera': ofView(({ camera }) => {
    camera.fov = 33;
    camera.updateProjectionMatrix();
  }),
  ...Object.fromEntries(
    Object.entries({
      toneMapping: 4,
      toneMappingExposure: 2,
      outputColorSpace: 'x',
      sortObjects: false,
      transmissionResolutionScale: 0.5,
      autoClear: false,
      autoClearColor: false,
      autoClearDepth: false,
      autoClearStencil: false,
      opaque: false,
      transparent: false,
      drawingPipeline: {},
      getScissorTest: () => true,
      getMRT: () => picture,
      getRenderObjectFunction: () => picture,
      getViewport: (target: Vector4) => target.set(0, 0, 5, 5),
      getScissor: (target: Vector4) => target.set(0, 0, 5, 5),
      size: new Vector2(9, 9),
      clearColor: new Color(0x123456),
    }).map(([name, value]) => [
      `renderer.${name}`,
      ofView(({ renderer }) => void Object.assign(renderer, { [name]: value })),
    ]),
  ),
  'nothing at all': { ...ofView(() => {}), views: NEVER },
};
