// The figures of the page for its tests and the console.

import { DemoProbe } from '../shared/demo-probe.ts';

/** The global `demoProbe` of this page, with the costs of both groups. */
export class DropInProbe extends DemoProbe {
  plainTime = Number.NaN;
  octreeTime = Number.NaN;
  plainDrawCalls = 0;
  octreeDrawCalls = 0;
  /** Pixels of the last comparison; -1 before the first. */
  pixels = -1;
  /** Different pixels of the last comparison; -1 before the first. */
  differentPixels = -1;
}
