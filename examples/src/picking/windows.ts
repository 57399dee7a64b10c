// The windows of the town at night: one texture with many lit or dark windows; each wall shows a part of it.

import { DataTexture, LinearFilter, LinearMipmapLinearFilter, RepeatWrapping, RGBAFormat, SRGBColorSpace } from 'three';
import { hash } from '../shared/noise.ts';

/** Windows along each side of the texture, and texels along each side of a window, its wall included. */
const WINDOWS = 64;
const TEXELS = 8;
const SIZE = WINDOWS * TEXELS;
/** The pane within these texels: `right` and `high` are exclusive. */
const PANE = { left: 2, right: 6, low: 2, high: 6 };
const SHARE_LIT = 0.34;
const SALT = 71;

/** Number of windows of a wall; the seed selects the part of the texture. */
export interface WindowGrid {
  readonly columns: number;
  readonly rows: number;
  readonly seed: number;
}

/** Texture coordinates of an unlit texel. */
export const DARK = [0.5 / SIZE, 0.5 / SIZE] as const;

/** Texture coordinates of the part that a wall shows. */
export function windowsAt({
  columns,
  rows,
  seed,
}: WindowGrid): readonly [left: number, bottom: number, right: number, top: number] {
  const left = Math.floor(hash(seed, 1, SALT) * WINDOWS) / WINDOWS;
  const bottom = Math.floor(hash(seed, 2, SALT) * WINDOWS) / WINDOWS;
  return [left, bottom, left + columns / WINDOWS, bottom + rows / WINDOWS];
}

export function createWindowTexture(): DataTexture {
  const texels = new Uint8Array(SIZE * SIZE * 4);
  for (let row = 0; row < WINDOWS; row++) {
    for (let column = 0; column < WINDOWS; column++) paintWindow(texels, column, row);
  }
  const texture = new DataTexture(texels, SIZE, SIZE, RGBAFormat);
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = RepeatWrapping;
  texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = 4;
  texture.needsUpdate = true;
  return texture;
}

function paintWindow(texels: Uint8Array, column: number, row: number): void {
  // A third of the windows are bright; the others reflect a little street light.
  const isLit = hash(column, row, SALT + 1) < SHARE_LIT;
  const brightness = isLit ? 0.45 + 0.55 * hash(column, row, SALT + 2) : 0.12;
  const isCold = hash(column, row, SALT + 3) < 0.12;
  const [red, green, blue] = isCold ? [200, 222, 255] : isLit ? [255, 196, 120] : [150, 170, 215];
  for (let y = PANE.low; y < PANE.high; y++) {
    for (let x = PANE.left; x < PANE.right; x++) {
      texels.set(
        [red * brightness, green * brightness, blue * brightness, 255],
        ((row * TEXELS + y) * SIZE + column * TEXELS + x) * 4,
      );
    }
  }
}
