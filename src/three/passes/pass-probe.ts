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

  /** Returns and forgets the camera of the pass; null in a shadow map of WebGLRenderer. Each pass must call this, or the next gets its camera. */
  takeCamera(): Camera | null {
    const { passCamera } = this;
    this.passCamera = null;
    return passCamera;
  }
}
