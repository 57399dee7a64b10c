// Publishes the figures of a page to its tests and to the console, as the global `demoProbe`.

export interface DemoProbe {
  /** Frames drawn since the page opened. */
  frames: number;
  /** Number of updates of the figures below; four per second. */
  reports: number;
  /** True from the start of a build to its end. */
  isBuilding: boolean;
  /** Longest time in milliseconds that the last build blocked the page. */
  longestSlice: number;
  /** Bodies of the last cull: visible + culled = total. */
  visible: number;
  culled: number;
  total: number;
  tested: number;
  nodesVisited: number;
  nodesContained: number;
  nodes: number;
  drawCalls: number;
  triangles: number;
  /** Whether the octree and brute force gave the same bodies in the last comparison; null while nothing is compared. */
  doAgree: boolean | null;
  /** Boxes drawn in the observer's view. */
  cells: number;
  /** Boxes drawn in the view of the whole world. */
  wholeCells: number;
  /** Position of the flying camera. */
  camera: readonly [x: number, y: number, z: number];
}

declare global {
  var demoProbe: DemoProbe | undefined;
}

export function openProbe(): DemoProbe {
  const probe: DemoProbe = {
    frames: 0, reports: 0, isBuilding: false, longestSlice: 0, visible: 0, culled: 0, total: 0, tested: 0, nodesVisited: 0, nodesContained: 0, nodes: 0,
    drawCalls: 0, triangles: 0, doAgree: null, cells: 0, wholeCells: 0, camera: [0, 0, 0],
  };
  globalThis.demoProbe = probe;
  return probe;
}
