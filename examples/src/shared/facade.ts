// The windows of all houses: one texture of white plaster with panes in it, which the colour of a wall tints.

import { DataTexture, LinearFilter, LinearMipmapLinearFilter, RepeatWrapping, RGBAFormat, SRGBColorSpace } from 'three';
import { hash } from './noise.ts';

/** Windows along each side of the texture, and texels along each side of a window with its share of the wall. */
const WINDOWS = 8;
const TEXELS = 32;
const SIZE = WINDOWS * TEXELS;
/** Texels of a window within its share: the frame is one texel thick. `right` and `high` are exclusive. */
const FRAME = { left: 9, right: 23, low: 7, high: 26 };
/** Width of the share of the wall that belongs to a window, in metres. */
const BAY = 2.3;
const SALT = 17;

/** Texture coordinate of a texel of plaster, along both sides. */
export const PLASTER = 0.5 / SIZE;

/** Texture coordinates of the corners of a wall: the lower ones first, counter-clockwise. */
export function windowsAt(length: number, storeys: number, chance: number): number[] {
  const bays = Math.max(1, Math.round(length / BAY));
  const left = Math.floor(chance * WINDOWS) / WINDOWS;
  const low = Math.floor(((chance * 97) % 1) * WINDOWS) / WINDOWS;
  const [right, high] = [left + bays / WINDOWS, low + storeys / WINDOWS];
  return [left, low, right, low, right, high, left, high];
}

export function createFacadeTexture(): DataTexture {
  const texels = new Uint8Array(SIZE * SIZE * 4).fill(255);
  for (let row = 0; row < WINDOWS; row++)
    for (let column = 0; column < WINDOWS; column++) paintWindow(texels, column, row);
  const texture = new DataTexture(texels, SIZE, SIZE, RGBAFormat);
  texture.colorSpace = SRGBColorSpace;
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.anisotropy = 8;
  texture.needsUpdate = true;
  return texture;
}

/** A window of two wings with a sill, and shutters beside it, or none. */
function paintWindow(texels: Uint8Array, column: number, row: number): void {
  const chance = hash(column, row, SALT);
  const isShuttered = hash(column, row, SALT + 1) < 0.45;
  const isOpen = hash(column, row, SALT + 2) < 0.12;
  const glass = 46 + 44 * chance;
  const paint = (left: number, right: number, low: number, high: number, colour: readonly number[]): void => {
    for (let y = low; y < high; y++)
      for (let x = left; x < right; x++) texels.set(colour, ((row * TEXELS + y) * SIZE + column * TEXELS + x) * 4);
  };
  const { left, right, low, high } = FRAME;
  if (isShuttered) {
    paint(left - 5, left - 1, low, high, [118, 138, 120]);
    paint(right + 1, right + 5, low, high, [118, 138, 120]);
  }
  paint(left - 1, right + 1, low - 2, low, [196, 188, 178]);
  paint(left - 1, right + 1, low - 3, low - 2, [150, 142, 136]);
  paint(left, right, low, high, [250, 246, 238]);
  const middle = (left + right) >> 1;
  // The upper part of a pane is darker: the reveal casts a shadow.
  for (const [from, to] of [
    [left + 1, middle],
    [middle + 1, right - 1],
  ]) {
    paint(from, to, low + 1, high - 7, isOpen ? [28, 26, 30] : [glass * 0.8, glass * 0.98, glass * 1.2]);
    paint(from, to, high - 6, high - 1, [glass * 0.55, glass * 0.66, glass * 0.84]);
  }
}
