// The palette of the pages, for shaders and lines; page.css has the same values for the type around them.

import { Color } from 'three';

export const palette = {
  /** The ground of the page, and space. */
  ink: new Color('#070a10'),
  /** The evening sky over the horizon. */
  dusk: new Color('#1b2637'),
  accent: new Color('#ffb454'),
  inside: new Color('#3fd6b8'),
  crossing: new Color('#7aa7ff'),
  outside: new Color('#55627a'),
};

/** The light of bodies, from small to large: GLSL, takes 0 to 1. */
export const bodyRampGlsl = /* glsl */ `
vec3 bodyRamp(float size) {
  vec3 low = vec3(0.155, 0.062, 0.03), middle = vec3(0.86, 0.33, 0.055), high = vec3(1.0, 0.66, 0.25), top = vec3(1.0, 0.95, 0.85);
  return size < 0.45 ? mix(low, middle, size / 0.45) : size < 0.75 ? mix(middle, high, (size - 0.45) / 0.3) : mix(high, top, (size - 0.75) / 0.25);
}`;
