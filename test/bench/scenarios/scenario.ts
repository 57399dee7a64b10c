/** What is measured. A scenario opens a session for one rival, or null if the rival cannot do it. */

import type { QueryRunner } from '../queries.ts';
import type { Rival } from '../rivals/rival.ts';
import type { Scene } from '../scenes/scene.ts';

export interface Stage {
  readonly scene: Scene;
  readonly questions: QueryRunner;
  readonly make: () => Rival;
  readonly makeJudge: () => Rival;
  /** The rival with the scene built in, which nothing changes, and the judge likewise. Made when first asked for. */
  readonly still: Rival;
  readonly judge: Rival;
}

export interface Verdict {
  readonly wrong: number;
  readonly asked: number;
}

export interface Session {
  /** A call answers so many questions or does so many ticks; times are told for one. */
  readonly per: number;
  /** A round has at least so many calls. */
  readonly least: number;
  /** Before each call, outside the time. */
  prepare?(): void;
  call(): void;
  /** Compares with brute force; null when there is nothing to compare. */
  check(): Verdict | null;
  close?(): void;
}

export interface TimedScenario {
  readonly name: string;
  readonly unit: 'ms';
  /** Whether a session of its own is played before the one that counts: where sessions change as they go on, warming up must not take long. */
  readonly isRehearsed?: boolean;
  open(stage: Stage): Session | null;
}

export interface CountedScenario {
  readonly name: string;
  readonly unit: 'bytes';
  count(stage: Stage): number | null;
}

export type Scenario = TimedScenario | CountedScenario;
