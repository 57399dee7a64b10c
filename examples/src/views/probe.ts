// Publishes the figures of the page to its tests and to the console, as the global `viewsProbe`.

export interface ViewsFigures {
  /** Number of buildings that each view sees, by its name. */
  readonly seen: Readonly<Record<string, number>>;
  /** Their sum, as `collectViews` returns it. */
  readonly found: number;
  /** Buildings that no view sees. */
  readonly unseen: number;
  readonly buildings: number;
  /** Where the camera is, in metres from the centre of the city. */
  readonly x: number;
  readonly z: number;
  /** Whether the octree and the loop found the same buildings. */
  readonly doAgree: boolean | null;
}

export interface ViewsProbe {
  /** Frames drawn since the page opened. */
  frames: number;
  /** Number of updates of the figures; four per second. */
  reports: number;
  /** Undefined before the first report. */
  figures: ViewsFigures | undefined;
}

declare global {
  var viewsProbe: ViewsProbe | undefined;
}

export function openProbe(): ViewsProbe {
  const probe: ViewsProbe = { frames: 0, reports: 0, figures: undefined };
  globalThis.viewsProbe = probe;
  return probe;
}
