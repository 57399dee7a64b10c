// The figures of the page for its tests and the console, in the global `viewsProbe`.

import type { PageProbe } from '../shared/page-probe.ts';

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

declare global {
  var viewsProbe: PageProbe<ViewsFigures> | undefined;
}
