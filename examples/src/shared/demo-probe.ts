// What a page tells tests and the curious: `demoProbe` in the console.

export interface DemoProbe {
  /** Frames drawn since the page opened. */
  frames: number;
  /** How often the figures below were told: four times a second. */
  reports: number;
  /** True from the start of a build to its end. */
  isBuilding: boolean;
  /** Longest time in milliseconds that the last build kept the page from doing anything else. */
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
  /** Whether the octree and brute force gave the same bodies when last compared. */
  doAgree: boolean | null;
  /** Boxes of the octree that the observer sees. */
  cells: number;
  /** Boxes of the octree that the picture of the whole world shows. */
  wholeCells: number;
  /** Where the flying camera is. */
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
