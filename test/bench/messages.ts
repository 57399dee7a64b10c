/** What the process that leads says to the process of a rival, and what comes back. */

import type { Verdict } from './scenarios/scenario.ts';

export type Order =
  | { readonly kind: 'open'; readonly scenario: string }
  | { readonly kind: 'round' }
  /** Checks the answers once more, after all rounds. */
  | { readonly kind: 'close' };

export type Report =
  /** Waiting for orders. */
  | { readonly kind: 'ready'; readonly bodies: number }
  /** Takes no part in the scenario. */
  | { readonly kind: 'lacks' }
  | { readonly kind: 'opened' }
  | { readonly kind: 'counted'; readonly value: number }
  | { readonly kind: 'played'; readonly ms: number }
  | { readonly kind: 'closed'; readonly verdict: Verdict | null };
