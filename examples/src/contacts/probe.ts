// The figures of the page for its tests and the console, in the global `contactsProbe`.

import type { PageProbe } from '../shared/page-probe.ts';

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

declare global {
  var contactsProbe: PageProbe<ContactsFigures> | undefined;
}
