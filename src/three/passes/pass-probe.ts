/** Receives the camera of a pass (step 3 in pass-hook.ts): renderers update every LOD that they visit, except for the shadow maps of WebGLRenderer. */

import { LOD, type Camera } from 'three';
import { AllLayers } from './pass-hook.ts';

export class PassProbe extends LOD {
  private passCamera: Camera | null = null;

  constructor() {
    super();
    this.layers = new AllLayers();
  }

  override update(camera: Camera): void {
    this.passCamera = camera;
  }

  /** The camera of the pass whose hook is called next; null in a shadow map of WebGLRenderer. Each pass must take it, so that the next one finds null. */
  takeCamera(): Camera | null {
    const { passCamera } = this;
    this.passCamera = null;
    return passCamera;
  }
}
