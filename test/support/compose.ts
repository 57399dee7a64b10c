/** Draws a scene through the passes of three's EffectComposer. Needs a browser. */

import { MeshBasicMaterial, Vector2, type Camera, type Object3D, type WebGLRenderer } from 'three';
import { EffectComposer } from 'three/addons/postprocessing/EffectComposer.js';
import { OutlinePass } from 'three/addons/postprocessing/OutlinePass.js';
import { FullScreenQuad } from 'three/addons/postprocessing/Pass.js';
import { RenderPass } from 'three/addons/postprocessing/RenderPass.js';
import type { Twin } from './three-scenes.ts';

const EDGE = 128;

/** Draws the result of an EffectComposer into the render target of the renderer. */
export function compose(
  renderer: WebGLRenderer,
  { scene }: Twin,
  camera: Camera,
  prepare: (composer: EffectComposer) => void = () => undefined,
): void {
  const target = renderer.getRenderTarget();
  const composer = new EffectComposer(renderer);
  composer.setSize(EDGE, EDGE);
  composer.renderToScreen = false;
  composer.addPass(new RenderPass(scene, camera));
  prepare(composer);
  composer.render(0.02);
  renderer.setRenderTarget(target);
  const quad = new FullScreenQuad(new MeshBasicMaterial({ map: composer.readBuffer.texture }));
  quad.render(renderer);
  quad.dispose();
  composer.dispose();
}

/** As `compose`, with an OutlinePass around some objects. */
export function composeOutline(renderer: WebGLRenderer, twin: Twin, camera: Camera, selected: Object3D[]): void {
  compose(renderer, twin, camera, (composer) => {
    const pass = new OutlinePass(new Vector2(EDGE, EDGE), twin.scene, camera, selected);
    pass.edgeStrength = 8;
    composer.addPass(pass);
  });
}
