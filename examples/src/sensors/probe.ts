// The figures of the page for its tests and the console, in the global `sensorsProbe`.

import type { PageProbe } from '../shared/page-probe.ts';

export interface SensorsFigures {
  readonly steps: number;
  readonly people: number;
  readonly zones: number;
  /** Since the start: how many times people entered a zone, left one, or changed the band. */
  readonly entered: number;
  readonly left: number;
  readonly changed: number;
  /** People in each band; the last one is beyond all distances. */
  readonly inBand: readonly number[];
  readonly player: readonly [x: number, z: number];
  /** Whether sensors and queries have seen the same changes. */
  readonly doAgree: boolean | null;
}

declare global {
  var sensorsProbe: PageProbe<SensorsFigures> | undefined;
}
