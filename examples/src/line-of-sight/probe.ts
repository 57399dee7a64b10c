// The figures of the page for its tests and the console, in the global `sightProbe`.

import type { PageProbe } from '../shared/page-probe.ts';

export interface SightFigures {
  readonly steps: number;
  /** Rays of the last tick, and those of the fans among them. */
  readonly rays: number;
  readonly fanRays: number;
  readonly people: number;
  readonly seen: number;
  /** Whether the batch and single calls had equal hits. */
  readonly doAgree: boolean | null;
}

declare global {
  var sightProbe: PageProbe<SightFigures> | undefined;
}
