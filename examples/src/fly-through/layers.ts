// Layers for objects that not all cameras draw.

/** Only the flyer's camera, the cameras from outside, or the overview of the whole world draws them. The overview also draws the observer's layer. */
export const LAYERS = { flyer: 1, observer: 2, overview: 3 } as const;
