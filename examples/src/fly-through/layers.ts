// Layers for objects that not all cameras draw.

export const LAYERS = {
  /** Drawn by the flyer's camera only. */
  flyer: 1,
  /** Drawn by the observer's camera and by the overview. */
  observer: 2,
  /** Drawn by the overview of the whole world only. */
  overview: 3,
} as const;
