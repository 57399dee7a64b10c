// What the page tells tests and the curious: `pickingProbe` in the console.

import type { PerspectiveCamera } from 'three';

export interface PickingProbe {
  /** Frames drawn since the page opened; nothing is drawn while nothing changes. */
  frames: number;
  /** True while the picture is not what it should be yet. */
  isStale: boolean;
  isBuilding: boolean;
  /** Longest time in milliseconds that the last build kept the page from doing anything else. */
  longestSlice: number;
  total: number;
  /** Draw calls of the last frame, all views. */
  drawCalls: number;
  /** Name of what is under the mouse; null if there is nothing. */
  hovered: string | null;
  /** The last pick. */
  picked: { readonly name: string; readonly distance: number; readonly point: readonly number[] } | null;
  /** Boxes drawn on the way of its ray. */
  boxes: number;
  /** Whether three's Raycaster gave the same hits; null before it has answered. */
  areEqual: boolean | null;
  /** Names of what is selected. */
  selected: readonly string[];
  /** The camera: what a test needs to cast the same rays. */
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
