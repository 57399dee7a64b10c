// The figures of the page for its tests and the console, in the global `yourSceneProbe`.

import type { Measurement } from './measure.ts';

export class YourSceneProbe {
  /** Frames drawn since the page opened. */
  frames = 0;
  /** Frames in which this scene was drawn. */
  drawnFrames = 0;
  /** Frames that had shown the scene when its measurement began. */
  framesBeforeMeasurement = 0;
  /** True while a scene is loaded or measured. */
  isBusy = false;
  /** Longest slice of the last load in milliseconds. */
  longestSlice = 0;
  /** Name of the scene that is shown; empty before the first. */
  name = '';
  objects = 0;
  meshes = 0;
  triangles = 0;
  bodies = 0;
  unculled = 0;
  isAnimated = false;
  /** Boxes of the octree that are drawn. */
  boxes = 0;
  /** Null until the scene has been measured. */
  measurement: Measurement | null = null;
  report = '';
  /** The last message about a bad file; empty if there is none. */
  problem = '';
}

declare global {
  var yourSceneProbe: YourSceneProbe | undefined;
}
