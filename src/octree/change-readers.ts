/**
 * Change readers: contacts, sensors and other features that follow the changes of the bodies from update to update.
 * They connect themselves here. While there is a reader, the change log keeps its lists, and the index of a removed
 * body is held until its removal was reported.
 */

import type { FrustumPlanes } from '../math/frustum-planes.ts';
import type { Workspace } from './queries/workspace.ts';
import type { BodyStore } from './bodies/body-store.ts';
import type { QueryRunner } from './queries/query-runner.ts';

/** The numbers of a volume. */
export interface OwnedVolume {
  /** They begin with its points. */
  readonly values: Float64Array;
  /** Number of its points. */
  readonly points: number;
  readonly planes?: FrustumPlanes;
}

export interface ChangeReader {
  /** Starts again with another store, without reports about the store before. */
  restart(store: BodyStore, runner: QueryRunner): void;
  /** The volumes that belong to the reader: `translate` changes their numbers. Leave it out if there are none. */
  readonly volumes?: readonly OwnedVolume[];
  /**
   * The bodies and these volumes were translated. Nothing is reported for it, unless rounding changes which shapes
   * touch. Leave it out if there are no volumes.
   */
  volumesMoved?(): void;
  /**
   * Finds what has changed. Once per update, after all writes have been applied. Reports nothing, runs no user code.
   */
  readChanges(workspace: Workspace): void;
  /**
   * Fills the public lists and runs the callbacks, after `readChanges` of every reader. Appends what callbacks throw
   * to `errors`.
   */
  report(errors: unknown[]): void;
}

export class ChangeReaders {
  declare private store: BodyStore;
  declare private runner: QueryRunner;
  private readers: readonly ChangeReader[] = [];

  /**
   * Adds a reader. The next update is its first; a reader that is added during an update takes part from the following
   * one on.
   */
  add(reader: ChangeReader): void {
    reader.restart(this.store, this.runner);
    this.store.changes.addReader();
    // A new array: an update may iterate the old one.
    this.readers = [...this.readers, reader];
  }

  remove(reader: ChangeReader): void {
    this.store.changes.removeReader();
    this.readers = this.readers.filter((other) => other !== reader);
  }

  /** The readers at this moment. */
  list(): readonly ChangeReader[] {
    return this.readers;
  }

  /** Moves all readers to a new store. Called before anything else. */
  restart(store: BodyStore, runner: QueryRunner): void {
    this.store = store;
    this.runner = runner;
    for (const reader of this.readers) {
      reader.restart(store, runner);
      store.changes.addReader();
    }
  }
}
