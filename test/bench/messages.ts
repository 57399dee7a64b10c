/** Messages between the main process and a rival's process. Each command gets exactly one reply. */

import type { Verdict } from './scenarios/scenario.ts';

export type Command =
  /** Builds, warms up and checks a session of the scenario. */
  | { readonly kind: 'open'; readonly scenario: string }
  /** Measures one round of the open session. */
  | { readonly kind: 'round' }
  /** Checks the results a second time, after all rounds, and ends the session. */
  | { readonly kind: 'close' };

export type Reply =
  /** Sent once, after the scene is loaded. */
  | { readonly kind: 'ready'; readonly bodies: number }
  /** The rival does not take part in the scenario. */
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'opened' }
  /** Result of a scenario that counts instead of timing: there are no rounds. */
  | { readonly kind: 'counted'; readonly value: number }
  /** Milliseconds per operation (a query or a tick). */
  | { readonly kind: 'measured'; readonly ms: number }
  /** `verdict` is null if the scenario has nothing to compare. */
  | { readonly kind: 'closed'; readonly verdict: Verdict | null };
