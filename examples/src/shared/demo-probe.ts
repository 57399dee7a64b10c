// The figures of the fly-through and of the drop-in page, for their tests and the console, in the global `demoProbe`.

export class DemoProbe {
  /** Frames drawn since the page opened. */
  frames = 0;
  /** Number of updates of the figures below; four per second. */
  reports = 0;
  /** True from the start of a build to its end. */
  isBuilding = false;
  /** Longest time in milliseconds that the last build blocked the page. */
  longestSlice = 0;
  /** Bodies of the last cull: visible + culled = total. */
  visible = 0;
  culled = 0;
  total = 0;
  tested = 0;
  nodesVisited = 0;
  nodesContained = 0;
  nodes = 0;
  drawCalls = 0;
  triangles = 0;
  /** Whether the octree and brute force gave the same bodies in the last comparison; null while nothing is compared. */
  doAgree: boolean | null = null;
  /** Boxes drawn in the observer's view. */
  cells = 0;
  /** Boxes drawn in the view of the whole world. */
  wholeCells = 0;
  /** Position of the flying camera. */
  camera: readonly [x: number, y: number, z: number] = [0, 0, 0];
}

declare global {
  var demoProbe: DemoProbe | undefined;
}
