// Publishes the figures of the page to its tests and to the console, as the global `yourSceneProbe`.

import type { Measurement } from './measure.ts';

export interface YourSceneProbe {
  /** Frames drawn since the page opened. */
  frames: number;
  /** True while a scene is loaded or measured. */
  isBusy: boolean;
  /** Longest slice of the last load in milliseconds. */
  longestSlice: number;
  /** Name of the scene that is shown; empty before the first. */
  name: string;
  objects: number;
  meshes: number;
  triangles: number;
  bodies: number;
  unculled: number;
  isAnimated: boolean;
  /** Boxes of the octree that are drawn. */
  boxes: number;
  /** Null until the scene has been measured. */
  measurement: Measurement | null;
  report: string;
  /** The last message about a bad file; empty if there is none. */
  problem: string;
}

declare global {
  var yourSceneProbe: YourSceneProbe | undefined;
}

export function openProbe(): YourSceneProbe {
  const probe: YourSceneProbe = {
    frames: 0, isBusy: false, longestSlice: 0, name: '', objects: 0, meshes: 0, triangles: 0, bodies: 0, unculled: 0, isAnimated: false, boxes: 0, measurement: null, report: '', problem: '',
  };
  globalThis.yourSceneProbe = probe;
  return probe;
}
