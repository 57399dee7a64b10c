// The depth buffer of the last frame as a picture: near is bright, and what hides nothing is dark.

import {
  DataTexture,
  Mesh,
  MeshBasicMaterial,
  NearestFilter,
  type Object3D,
  OrthographicCamera,
  PlaneGeometry,
  RGBAFormat,
  Scene,
  SRGBColorSpace,
} from 'three';
import { type OcclusionCulling, readOcclusionDepth } from '../../../src/three.ts';
import { palette } from '../shared/colours.ts';
import { Interval } from '../shared/interval.ts';
import type { Stage } from '../shared/stage.ts';

/** Milliseconds between two pictures. */
const EVERY_MS = 80;
/** Metres that are white, and that are nearly black. */
const NEAR = 4;
const FAR = 300;
/** Colour of the nearest and of the farthest cells, and of those that hide nothing. */
const BRIGHT = [255, 226, 178] as const;
const DARK = [44, 66, 108] as const;
const EMPTY = [9, 12, 19] as const;

export class DepthPicture {
  private readonly scene = new Scene();
  private readonly camera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
  private readonly quad = new Mesh(new PlaneGeometry(2, 2), new MeshBasicMaterial({ fog: false, toneMapped: false }));
  private readonly interval = new Interval(EVERY_MS);
  private texture = createTexture(1, 1);
  /** Share of the cells that hide something. */
  covered = 0;

  constructor() {
    this.quad.material.map = this.texture;
    this.scene.add(this.quad);
  }

  get samples(): readonly Object3D[] {
    return [this.quad];
  }

  draw(stage: Stage, occlusion: OcclusionCulling | null, now: number): void {
    const view = stage.views[2];
    if (!view.isShown) return;
    if (this.interval.isDue(now)) this.read(occlusion);
    const { width, height } = this.texture.image as { width: number; height: number };
    // The picture keeps its proportions.
    const aspect = width / height / view.aspect;
    this.quad.scale.set(Math.min(1, aspect), Math.min(1, 1 / aspect), 1);
    this.quad.visible = width > 1;
    stage.draw(view, this.scene, this.camera, palette.ink);
  }

  private read(occlusion: OcclusionCulling | null): void {
    const depth = occlusion === null ? null : readOcclusionDepth(occlusion);
    const [width, height] = depth === null || depth.width === 0 ? [1, 1] : [depth.width, depth.height];
    const { image } = this.texture;
    if (image.width !== width || image.height !== height) {
      this.texture.dispose();
      this.texture = this.quad.material.map = createTexture(width, height);
    }
    const texels = this.texture.image.data as Uint8Array;
    let covered = 0;
    for (let k = 0; k < width * height; k++) {
      const cell = depth?.cells[k] ?? 0;
      if (cell > 0) covered++;
      // From 1 at NEAR to 0 at FAR, by the logarithm.
      const share = Math.min(1, Math.max(0, Math.log(FAR * cell) / Math.log(FAR / NEAR)));
      for (let channel = 0; channel < 3; channel++)
        texels[4 * k + channel] = cell > 0 ? DARK[channel] + (BRIGHT[channel] - DARK[channel]) * share : EMPTY[channel];
    }
    this.covered = covered / (width * height);
    this.texture.needsUpdate = true;
  }
}

function createTexture(width: number, height: number): DataTexture {
  const texture = new DataTexture(new Uint8Array(width * height * 4).fill(255), width, height, RGBAFormat);
  texture.magFilter = texture.minFilter = NearestFilter;
  texture.colorSpace = SRGBColorSpace;
  texture.needsUpdate = true;
  return texture;
}
