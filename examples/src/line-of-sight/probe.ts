// Publishes the figures of the page to its tests and to the console, as the global `sightProbe`.

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

export interface SightProbe {
  /** Frames drawn since the page opened. */
  frames: number;
  /** Number of updates of the figures; four per second. */
  reports: number;
  /** Undefined before the first report. */
  figures: SightFigures | undefined;
}

declare global {
  var sightProbe: SightProbe | undefined;
}

export function openProbe(): SightProbe {
  const probe: SightProbe = { frames: 0, reports: 0, figures: undefined };
  globalThis.sightProbe = probe;
  return probe;
}
