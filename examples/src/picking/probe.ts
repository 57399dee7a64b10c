// The state of the page for its tests and the console, in the global `pickingProbe`.

import type { PerspectiveCamera } from 'three';

export class PickingProbe {
  /** Frames drawn since the page opened; frames are drawn only after a change. */
  frames = 0;
  /** True while a change is not drawn yet. */
  isStale = true;
  isBuilding = true;
  /** Longest time in milliseconds that the last build blocked the page. */
  longestSlice = 0;
  total = 0;
  /** Draw calls of the last frame, all views. */
  drawCalls = 0;
  /** Name of the item under the mouse, or null. */
  hovered: string | null = null;
  /** The last pick; null without a pick, or if it hit nothing. */
  picked: { readonly name: string; readonly distance: number; readonly point: readonly number[] } | null = null;
  /** Boxes drawn along its ray. */
  boxes = 0;
  /** Whether three's Raycaster found the same hits; null before its result. */
  areEqual: boolean | null = null;
  /** Names of the selected items. */
  selected: readonly string[] = [];
  /** Matrices of the camera, so that a test can cast the same rays. */
  camera: { readonly matrix: readonly number[]; readonly projection: readonly number[] } = {
    matrix: [],
    projection: [],
  };
}

declare global {
  var pickingProbe: PickingProbe | undefined;
}

export const cameraOf = ({ matrixWorld, projectionMatrix }: PerspectiveCamera): PickingProbe['camera'] => ({
  matrix: matrixWorld.toArray(),
  projection: projectionMatrix.toArray(),
});
