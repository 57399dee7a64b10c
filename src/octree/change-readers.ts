/**
 * What follows the changes of the bodies from update to update: contacts and sensors. While there is one, the change log keeps its
 * lists, and the index of a removed body is held until it was reported.
 */

import type { Workspace } from './queries/workspace.ts';
import type { BodyStore } from './bodies/body-store.ts';
import type { MathTypes } from './input/math-types.ts';
import type { QueryRunner } from './queries/query-runner.ts';

/** What readers need of a store and of a runner, whatever the types of data and results are. */
export type ReadStore = Pick<BodyStore<unknown, MathTypes>, 'tree' | 'changes' | 'bodyAt' | 'reportedBodyAt'>;
export type ReadRunner = Pick<QueryRunner<unknown, MathTypes>, 'passes' | 'begin' | 'end'>;

export interface ChangeReader<T, M extends MathTypes> {
  /** Starts again with another store, without reports about the store before. */
  restart(store: BodyStore<T, M>, runner: QueryRunner<T, M>): void;
  /** The bodies were translated by a vector: the reader translates its volumes. Nothing is reported for it, unless rounding changes which shapes touch. */
  translate(vector: Float64Array): void;
  /** Once per update, after all writes have been applied. Runs no user code. */
  update(workspace: Workspace): void;
  /** Fills the public lists and runs the callbacks, after every reader was updated. Appends what callbacks throw to `errors`. */
  report(errors: unknown[]): void;
}

export class ChangeReaders<T, M extends MathTypes> {
  private store: BodyStore<T, M>;
  private runner: QueryRunner<T, M>;
  private readers: readonly ChangeReader<T, M>[] = [];

  constructor(store: BodyStore<T, M>, runner: QueryRunner<T, M>) {
    this.store = store;
    this.runner = runner;
  }

  /** Adds a reader. The next update is its first; a reader that is added during an update takes part from the following one on. */
  add(reader: ChangeReader<T, M>): void {
    reader.restart(this.store, this.runner);
    this.store.changes.addReader();
    // A new array: an update may iterate the old one.
    this.readers = [...this.readers, reader];
  }

  remove(reader: ChangeReader<T, M>): void {
    this.store.changes.removeReader();
    this.readers = this.readers.filter((other) => other !== reader);
  }

  /** The readers at this moment. */
  list(): readonly ChangeReader<T, M>[] {
    return this.readers;
  }

  /** Tells all readers that the world was translated. */
  translate(vector: Float64Array): void {
    for (const reader of this.readers) reader.translate(vector);
  }

  /** Moves all readers to a new store. */
  restart(store: BodyStore<T, M>, runner: QueryRunner<T, M>): void {
    this.store = store;
    this.runner = runner;
    for (const reader of this.readers) {
      reader.restart(store, runner);
      store.changes.addReader();
    }
  }
}
