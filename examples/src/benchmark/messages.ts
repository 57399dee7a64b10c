// What the page says to the worker of a rival, and what comes back: the orders of the benchmark, and a beginning.

import type { Command, Reply } from '../../../test/bench/messages.ts';
import type { RivalName } from './names.ts';

export interface Choice {
  readonly bodies: number;
  readonly scene: 'uniform' | 'clustered';
}

/** The first order, answered with `ready`. */
export interface Begin extends Choice {
  readonly kind: 'begin';
  readonly rival: RivalName;
}

export interface Failure {
  readonly kind: 'failed';
  readonly message: string;
}

export type PageOrder = Begin | Command;
export type WorkerReport = Failure | Reply;
