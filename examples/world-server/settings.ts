// What a world is started with, and what its rooms report to the recorder.

import type { WorldSize } from './world.ts';

export interface Settings {
  readonly size: WorldSize;
  readonly entities: number;
  readonly players: number;
  readonly walls: number;
  /** Milliseconds from tick to tick. */
  readonly tickMs: number;
  readonly seed: number;
  /** Of ghosts, in metres. */
  readonly margin: number;
  /** Milliseconds after which a silent neighbour counts as dead. */
  readonly silence: number;
}

/** What the recorder is told of a tick. */
export interface Report {
  readonly tick: number;
  readonly region: number;
  readonly entities: Uint8Array;
  /** Milliseconds of the CPU that the tick took. */
  readonly cpu: number;
  /** Entities that were handed over. */
  readonly handedOver: number;
  /** Of these, with a client. */
  readonly withClient: number;
}
