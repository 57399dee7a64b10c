// Publishes the figures of the page to its tests and to the console, as the global `contactsProbe`.

export interface ContactsFigures {
  readonly steps: number;
  readonly bodies: number;
  /** Bodies that moved in the last step. */
  readonly moving: number;
  /** Pairs that touch now, and those that began and ended since the start. */
  readonly touching: number;
  readonly began: number;
  readonly ended: number;
  readonly replaced: number;
  /** Whether the tracked pairs and all pairs from scratch were the same. */
  readonly doAgree: boolean | null;
}

export interface ContactsProbe {
  /** Frames drawn since the page opened. */
  frames: number;
  /** Number of updates of the figures; four per second. */
  reports: number;
  /** Undefined before the first report. */
  figures: ContactsFigures | undefined;
}

declare global {
  var contactsProbe: ContactsProbe | undefined;
}

export function openProbe(): ContactsProbe {
  const probe: ContactsProbe = { frames: 0, reports: 0, figures: undefined };
  globalThis.contactsProbe = probe;
  return probe;
}
