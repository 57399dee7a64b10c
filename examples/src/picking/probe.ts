// Publishes the state of the page to its tests and to the console, as the global `pickingProbe`.

import type { PerspectiveCamera } from 'three';

export interface PickingProbe {
  /** Frames drawn since the page opened; frames are drawn only after a change. */
  frames: number;
  /** True while a change is not drawn yet. */
  isStale: boolean;
  isBuilding: boolean;
  /** Longest time in milliseconds that the last build blocked the page. */
  longestSlice: number;
  total: number;
  /** Draw calls of the last frame, all views. */
  drawCalls: number;
  /** Name of the item under the mouse, or null. */
  hovered: string | null;
  /** The last pick; null without a pick, or if it hit nothing. */
  picked: { readonly name: string; readonly distance: number; readonly point: readonly number[] } | null;
  /** Boxes drawn along its ray. */
  boxes: number;
  /** Whether three's Raycaster found the same hits; null before its result. */
  areEqual: boolean | null;
  /** Names of the selected items. */
  selected: readonly string[];
  /** Matrices of the camera, so that a test can cast the same rays. */
  camera: { readonly matrix: readonly number[]; readonly projection: readonly number[] };
}

declare global {
  var pickingProbe: PickingProbe | undefined;
}

export function openProbe(): PickingProbe {
  const probe: PickingProbe = {
    frames: 0, isStale: true, isBuilding: true, longestSlice: 0, total: 0, drawCalls: 0, hovered: null, picked: null, boxes: 0, areEqual: null, selected: [],
    camera: { matrix: [], projection: [] },
  };
  globalThis.pickingProbe = probe;
  return probe;
}

export const cameraOf = ({ matrixWorld, projectionMatrix }: PerspectiveCamera): PickingProbe['camera'] =>
  ({ matrix: matrixWorld.toArray(), projection: projectionMatrix.toArray() });
