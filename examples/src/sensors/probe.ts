// Publishes the figures of the page to its tests and to the console, as the global `sensorsProbe`.

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

export interface SensorsProbe {
  /** Frames drawn since the page opened. */
  frames: number;
  /** Number of updates of the figures; four per second. */
  reports: number;
  /** Undefined before the first report. */
  figures: SensorsFigures | undefined;
}

declare global {
  var sensorsProbe: SensorsProbe | undefined;
}

export function openProbe(): SensorsProbe {
  const probe: SensorsProbe = { frames: 0, reports: 0, figures: undefined };
  globalThis.sensorsProbe = probe;
  return probe;
}
