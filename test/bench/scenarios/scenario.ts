/**
 * What the benchmark measures. A scenario opens a session for one rival, or returns null if the rival lacks the
 * operation.
 */

import type { QuerySet } from '../queries.ts';
import type { Rival } from '../rivals/rival.ts';
import type { Scene } from '../scenes/scene.ts';

/** One rival, the reference (brute force), and the scene with its queries. */
export interface ScenarioContext {
  readonly scene: Scene;
  readonly queries: QuerySet;
  readonly make: () => Rival;
  readonly makeReference: () => Rival;
  /**
   * The rival and the reference with the bodies of the scene, which never change. Built at the first access, then
   * shared by all scenarios.
   */
  readonly staticRival: Rival;
  readonly staticReference: Rival;
}

export interface Verdict {
  /** Results that differ from brute force. */
  readonly wrong: number;
  /** Results that were compared. */
  readonly checked: number;
}

export interface Session {
  /** Queries or ticks in one call. Times are reported per operation. */
  readonly operationsPerCall: number;
  /** Calls in one round, at least. */
  readonly minCalls: number;
  /** Runs before each call, outside the measured time. */
  prepare?(): void;
  call(): void;
  /** Compares results with brute force; null if there is nothing to compare. */
  check(): Verdict | null;
  close?(): void;
}

export interface TimedScenario {
  readonly name: string;
  readonly unit: 'ms';
  /**
   * Whether a separate session compiles the code first. Needed where the state of a session changes with every call:
   * there the warm-up inside the measured session must be short.
   */
  readonly needsWarmUpSession?: boolean;
  open(context: ScenarioContext): Session | null;
}

export interface CountedScenario {
  readonly name: string;
  readonly unit: 'bytes';
  /** Bytes per body. */
  count(context: ScenarioContext): number | null;
}

export type Scenario = TimedScenario | CountedScenario;
