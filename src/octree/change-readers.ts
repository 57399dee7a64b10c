/**
 * Change readers: contacts, sensors and other features that follow the changes of the bodies from update to update.
 * They connect themselves here. While there is a reader, the change log keeps its lists, and the index of a removed
 * body is held until its removal was reported.
 */

import type { FrustumPlanes } from '../math/frustum-planes.ts';
import type { Workspace } from './queries/workspace.ts';
import type { ChangeLog } from '../tree/storage/change-log.ts';

/** The numbers of a volume. */
export interface OwnedVolume {
  /** They begin with its points. */
  readonly values: Float64Array;
  /** Number of its points. */
  readonly points: number;
  readonly planes?: FrustumPlanes;
}

export interface ChangeReader {
  /** Starts again with the store that the octree has now, without reports about the store before. Must not throw. */
  restart(): void;
  /** The volumes that belong to the reader: `translate` changes their numbers. Leave it out if there are none. */
  readonly volumes?: readonly OwnedVolume[];
  /**
   * The bodies and these volumes were translated. Nothing is reported for it, unless rounding changes which shapes
   * touch. Leave it out if there are no volumes.
   */
  volumesMoved?(): void;
  /**
   * Finds what has changed. Once per update, after all writes have been applied. Reports nothing, and runs no user code
   * but that of volumes; appends what it throws to `errors`. It may throw itself where memory is missing; then it must
   * search everything anew in the next update, because this update's changes are not listed any more.
   */
  readChanges(workspace: Workspace, errors: unknown[]): void;
  /**
   * Fills the public lists and runs the callbacks, after `readChanges` of every reader. Appends what callbacks throw
   * to `errors`.
   */
  report(errors: unknown[]): void;
}

export class ChangeReaders {
  private readonly owner: { readonly store: { readonly changes: ChangeLog } };
  /**
   * In the order in which they were added. A new array after each change, because an update may iterate the old one.
   */
  list: readonly ChangeReader[] = [];

  constructor(owner: ChangeReaders['owner']) {
    this.owner = owner;
  }

  /**
   * Adds a reader. The next update is its first; a reader that is added during an update takes part from the following
   * one on.
   */
  add(reader: ChangeReader): void {
    this.start(reader);
    this.list = [...this.list, reader];
  }

  remove(reader: ChangeReader): void {
    this.owner.store.changes.removeReader();
    this.list = this.list.filter((other) => other !== reader);
  }

  /** Moves all readers to a new store. */
  restart(): void {
    for (const reader of this.list) this.start(reader);
  }

  private start(reader: ChangeReader): void {
    reader.restart();
    this.owner.store.changes.addReader();
  }
}

/** Calls a function, and adds what it throws to the errors: what comes after it still runs. */
export function attempt(errors: unknown[], run: () => void): void {
  try {
    run();
  } catch (error) {
    errors.push(error);
  }
}
