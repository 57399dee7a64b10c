// The colours of views, and of the sets of views that see a building. views.css has the same colours for the legend.

import { Color } from 'three';
import { palette } from '../shared/colours.ts';

/** By view: the camera, the cascades from the nearest, the minimap. */
export const viewColours = [
  palette.accent,
  ...['#ff6f91', '#b583ff', '#5aa2ff', '#3fd6b8', '#8a97ad'].map((colour) => new Color(colour)),
];

const CAMERA = 1;
const MINIMAP = 1 << (viewColours.length - 1);
const NONE = new Color('#1d2840');
const WHITE = new Color('#ffffff');
/** Share of white for each cascade beyond the first. */
const LIGHTER = 0.22;
/** Share of the cascades in the colour of a building that the camera sees too. */
const TINT = 0.22;

/** By set of views, bit k for view k. */
export const setColours = Array.from({ length: 1 << viewColours.length }, (_, set) => colourOf(set));

function colourOf(set: number): Color {
  const cascades = viewColours.filter((_, view) => view > 0 && 1 << view !== MINIMAP && set & (1 << view));
  const colour = new Color(0, 0, 0);
  for (const one of cascades) colour.add(one);
  colour.multiplyScalar(1 / Math.max(1, cascades.length));
  if (set & CAMERA) return cascades.length === 0 ? palette.accent.clone() : colour.lerp(palette.accent, 1 - TINT);
  if (cascades.length > 0) return colour.lerp(WHITE, LIGHTER * (cascades.length - 1));
  return set & MINIMAP ? new Color('#56637c') : NONE;
}
