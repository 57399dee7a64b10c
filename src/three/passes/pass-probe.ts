/** Learns the camera of a pass: renderers update each LOD that they come by, except for the shadow maps of WebGLRenderer. */

import { LOD, type Camera } from 'three';
import { AllLayers } from './pass-hook.ts';

export class PassProbe extends LOD {
  private readonly onPass: (camera: Camera) => void;

  constructor(onPass: (camera: Camera) => void) {
    super();
    this.onPass = onPass;
    this.layers = new AllLayers();
  }

  override update(camera: Camera): void {
    this.onPass(camera);
  }
}
