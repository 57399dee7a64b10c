// Paints bodies into a glow map.

import type { GlowMap } from './body-set.ts';

export const createGlow = (width: number, height: number): GlowMap => ({
  width,
  height,
  texels: new Uint8Array(width * height),
});

/** Adds a soft dot of three by three texels around (u, v), each 0 to 1; u wraps around. */
export function addGlow({ width, height, texels }: GlowMap, u: number, v: number, strength: number): void {
  const column = Math.floor(u * width);
  const row = Math.floor(v * height);
  for (let dy = -1; dy <= 1; dy++) {
    const y = row + dy;
    if (y < 0 || y >= height) continue;
    for (let dx = -1; dx <= 1; dx++) {
      const texel = y * width + ((column + dx + width) % width);
      const share = dx === 0 && dy === 0 ? 1 : dx === 0 || dy === 0 ? 0.5 : 0.25;
      texels[texel] = Math.min(255, texels[texel] + strength * share);
    }
  }
}
