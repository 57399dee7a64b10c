// The palette of the pages, for shaders and lines. page.css has the same values for HTML.

import { Color } from 'three';

export const palette = {
  /** Background of the page, and of space. */
  ink: new Color('#070a10'),
  /** The evening sky at the horizon. */
  dusk: new Color('#1b2637'),
  accent: new Color('#ffb454'),
  contained: new Color('#3fd6b8'),
  intersecting: new Color('#7aa7ff'),
  outside: new Color('#55627a'),
};

/** Colours of bodies in linear RGB, from small (0) to large (1). */
const ramp = [
  { size: 0, light: [0.155, 0.062, 0.03] },
  { size: 0.45, light: [0.86, 0.33, 0.055] },
  { size: 0.75, light: [1, 0.66, 0.25] },
  { size: 1, light: [1, 0.95, 0.85] },
] as const;

/** Interpolates the colour of a body from its size. Sizes outside 0 to 1 are clamped. */
export function bodyLight(anySize: number, target: Color): Color {
  const size = Math.min(1, Math.max(0, anySize));
  const above = Math.max(
    1,
    ramp.findIndex((step) => step.size >= size),
  );
  const [from, to] = [ramp[above - 1], ramp[above]];
  const share = (size - from.size) / (to.size - from.size);
  const [red, green, blue] = from.light.map((low, component) => low + (to.light[component] - low) * share);
  return target.setRGB(red, green, blue);
}

const [low, middle, high, top] = ramp.map(
  ({ light }) => `vec3(${light.map((component) => component.toFixed(3)).join(', ')})`,
);

/** The same interpolation in GLSL. */
export const bodyRampGlsl = /* glsl */ `
vec3 bodyRamp(float size) {
  vec3 low = ${low}, middle = ${middle}, high = ${high}, top = ${top};
  if (size < 0.45) return mix(low, middle, size / 0.45);
  return size < 0.75 ? mix(middle, high, (size - 0.45) / 0.3) : mix(high, top, (size - 0.75) / 0.25);
}`;
