// The figures of the page for its tests and the console.

import type { DemoProbe } from '../shared/demo-probe.ts';

/** The global `demoProbe` of this page, with the costs of both groups. */
export interface DropInProbe extends DemoProbe {
  plainTime: number;
  octreeTime: number;
  plainDrawCalls: number;
  octreeDrawCalls: number;
  /** Pixels of the last comparison; -1 before the first. */
  pixels: number;
  /** Different pixels of the last comparison; -1 before the first. */
  differentPixels: number;
}
