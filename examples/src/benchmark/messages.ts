// The messages between the page and the worker of a rival: the messages of the Node benchmark, a begin command, and a
// failure reply.

import type { Command, Reply } from '../../../test/bench/messages.ts';
import type { RivalName } from './names.ts';

export interface Choice {
  readonly bodies: number;
  readonly scene: 'uniform' | 'clustered';
  /** Measured rounds of each rival in each scenario. */
  readonly rounds: number;
  /** Minimum time of calls in the warm-up of a scenario, in milliseconds. */
  readonly warmUpMs: number;
}

/** The first command, answered with `ready`. */
export interface BeginCommand extends Choice {
  readonly kind: 'begin';
  readonly rival: RivalName;
}

export interface FailureReply {
  readonly kind: 'failed';
  readonly message: string;
}

export type PageCommand = BeginCommand | Command;
export type WorkerReply = FailureReply | Reply;
