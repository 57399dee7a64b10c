/**
 * The journal of an octree: which bodies were inserted, moved, given other categories or removed since a version. It
 * reads the change log that contacts and sensors read, and keeps for each body the versions of its last changes; only
 * of removed bodies it keeps a list, the last ones.
 */

import type { BodyIds } from '../features/ids/body-ids.ts';
import { idsIn } from '../features/ids/ids.ts';
import { grownCapacity, resizeTogether } from '../math/typed-arrays.ts';
import { isIntegerBetween, requireNumber } from '../octree/input/input-checks.ts';
import { requireOptions } from '../octree/input/known-options.ts';
import { internalsOf, type HasInternals, type OctreeInternals } from '../octree/internals.ts';
import { HAS_NEW_BOUNDS, HAS_NEW_CATEGORIES } from '../tree/storage/change-log.ts';

/** The options of `trackChanges`. */
export interface ChangeOptions {
  /** How many removed bodies are remembered, the last ones. Integer from 1 to 2^24. Default 65,536; 16 bytes each. */
  readonly maxRemoved?: number;
}

/** What `changesSince` returns. Ids are those of `idOf`; `indexOfId` gives the body, -1 for a removed one. */
export interface BodyChanges {
  /** The version that the octree has now: the next question begins here. */
  readonly version: number;
  /** Inserted since, and still there. By ascending index, as the next two lists. */
  readonly added: number[];
  /**
   * Given other bounds since, or taken out and inserted anew by a container. Of `translate` only bodies whose
   * coordinates it has rounded: translate a copy as well.
   */
  readonly moved: number[];
  /** Given other categories since. A body may be in `moved`, too. */
  readonly changed: number[];
  /** Removed since; those that were also inserted since are left out. In the order of their removal. */
  readonly removed: number[];
}

/** Removed bodies that are remembered by default. Test: track-changes.test. */
const MAX_REMOVED = 2 ** 16;
/** Numbers per body. */
const STRIDES = { added: 1, moved: 1, changed: 1 };

/**
 * Keeps a journal of an octree from now on: which bodies came, moved, changed and went, by their ids. Ask it for the
 * changes since any version, for an undo, an autosave, or to bring a copy elsewhere up to date.
 *
 * Cost: 12 bytes per body, some nanoseconds for each change in `update`, and for each question a loop over the three
 * numbers of all bodies, 2 ms for 1,000,000. From then on ids are counted, see `idOf`.
 *
 * @param octree The octree, also that of a container.
 * @param options How many removals are remembered.
 * @throws {RangeError} If `maxRemoved` is out of range.
 * @throws {TypeError} If an argument has a wrong type.
 *
 * @example
 * ```ts
 * import { indexOfId, Octree } from 'scene-octree';
 * import { trackChanges } from 'scene-octree/save';
 *
 * const octree = new Octree<string>();
 * const lamp = octree.insert({ center: { x: 0, y: 1, z: 0 }, radius: 1 }, 'lamp');
 * const journal = trackChanges(octree);
 * const { version } = journal;
 * lamp.setCenter({ x: 5, y: 1, z: 0 });
 * octree.update();
 * for (const id of journal.changesSince(version)?.moved ?? [])
 *   console.log(octree.dataAt(indexOfId(octree, id))); // prints: lamp
 * ```
 */
export function trackChanges(octree: HasInternals, options: ChangeOptions = {}): ChangeJournal {
  const where = 'trackChanges';
  const internals = internalsOf(where, octree);
  requireOptions(where, options, ['maxRemoved']);
  const { maxRemoved = MAX_REMOVED } = options;
  const isFine = isIntegerBetween(maxRemoved, 1, 2 ** 24);
  requireNumber(where, 'options.maxRemoved', 'be an integer from 1 to 2^24', maxRemoved, isFine, 'leave it out');
  return new ChangeJournal(internals, maxRemoved);
}

/**
 * The journal of an octree. `update` of the octree writes it: each update with a change makes a new version. What is
 * written between two updates belongs to the next version.
 *
 * @example
 * ```ts
 * import { Octree } from 'scene-octree';
 * import { trackChanges, type ChangeJournal } from 'scene-octree/save';
 *
 * const octree = new Octree<string>();
 * const journal: ChangeJournal = trackChanges(octree);
 * octree.insert({ center: { x: 0, y: 1, z: 0 }, radius: 1 }, 'lamp');
 * octree.update();
 * console.log(journal.changesSince(0)?.added.length); // prints: 1
 * ```
 */
export class ChangeJournal {
  /** Whether `stop` was called. */
  readonly isStopped: boolean = false;

  private readonly internals: OctreeInternals;
  private readonly ids: BodyIds;
  private current = 0;
  /** The first version whose changes are all known. */
  private oldest = 0;
  /** False while the columns are behind the bodies: after `clear`, and after an update without enough memory. */
  private isCurrent = true;
  /**
   * By index: the version in which a body was inserted, got its bounds, got its categories, each plus 1. In `added` 0
   * means that no body has the index; what is below `added` is of an earlier body.
   *
   * @internal
   */
  readonly added: Uint32Array = new Uint32Array(1);
  /** @internal */
  readonly moved: Uint32Array = new Uint32Array(1);
  /** @internal */
  readonly changed: Uint32Array = new Uint32Array(1);
  /** The last removals: removal k since the start is at k modulo the length. */
  private readonly removedIds: Float64Array;
  /** Of each removal the stamps of the insert and of the removal. */
  private readonly removedSpans: Uint32Array;
  private removals = 0;

  /** @internal */
  constructor(internals: OctreeInternals, maxRemoved: number) {
    this.internals = internals;
    this.removedIds = new Float64Array(maxRemoved);
    this.removedSpans = new Uint32Array(2 * maxRemoved);
    // What waits belongs to version 0, so it is applied first, as by a query.
    internals.runner.begin('trackChanges');
    try {
      internals.runner.flush();
      this.adoptAll();
    } finally {
      internals.runner.end();
    }
    this.ids = idsIn(internals);
    internals.readers.add(this);
    this.isCurrent = true;
  }

  /** The version as of the last update: the number of updates with a change so far. */
  get version(): number {
    return this.current;
  }

  /**
   * What has changed since a version, as of the last update.
   *
   * @returns Null if the version is too old: more bodies were removed since than are remembered, the octree was
   *   cleared, or an update ran out of memory. Then read all bodies.
   * @throws {RangeError} If it is no version of this journal.
   * @throws {TypeError} If it is not a number.
   * @throws {Error} If the journal is stopped.
   */
  changesSince(version: number): BodyChanges | null {
    const where = 'ChangeJournal.changesSince';
    if (this.isStopped) throw new Error(`${where}: the journal is stopped; make a new one by trackChanges.`);
    const { added, changed, current, ids, moved, removals, removedIds, removedSpans } = this;
    const isFine = isIntegerBetween(version, 0, current);
    requireNumber(where, 'version', `be an integer from 0 to ${current}`, version, isFine, 'pass journal.version');
    if (!this.isCurrent || version < this.oldest) return null;
    const changes: BodyChanges = { version: current, added: [], moved: [], changed: [], removed: [] };
    const before = version + 1;
    for (let index = 0; index < added.length; index++) {
      const stamp = added[index];
      if (stamp === 0) continue;
      if (stamp > before) changes.added.push(ids.idOf(index));
      else {
        if (moved[index] > before) changes.moved.push(ids.idOf(index));
        if (changed[index] > before) changes.changed.push(ids.idOf(index));
      }
    }
    for (let k = Math.max(0, removals - removedIds.length); k < removals; k++) {
      const at = k % removedIds.length;
      if (removedSpans[2 * at] <= before && removedSpans[2 * at + 1] > before) changes.removed.push(removedIds[at]);
    }
    return changes;
  }

  /** Ends the journal: `update` of the octree no longer writes it. Does nothing if it was called before. */
  stop(): void {
    if (this.isStopped) return;
    (this as { isStopped: boolean }).isStopped = true;
    this.internals.readers.remove(this);
  }

  /** @internal */
  restart(): void {
    this.isCurrent = false;
  }

  /** @internal */
  readChanges(): void {
    const { changes } = this.internals.store;
    if (!this.isCurrent) {
      this.current++;
      this.oldest = this.current;
      this.adoptAll();
    } else if (changes.moved.length + changes.removed.length > 0) {
      this.isCurrent = false;
      this.reserve();
      this.current++;
      for (const index of changes.moved) this.recordMove(index);
      for (const index of changes.removed) this.recordRemoval(index);
    }
    this.isCurrent = true;
  }

  /** @internal */
  report(): void {
    // The lists are made by `changesSince`.
  }

  private recordMove(index: number): void {
    const { store } = this.internals;
    const mark = store.changes.marksOf(0)[index];
    const stamp = this.current + 1;
    if (!store.isAlive(index)) return;
    // What an earlier body of the index has left in the other columns is older, so it does not count.
    if (this.added[index] === 0) this.added[index] = stamp;
    if ((mark & HAS_NEW_BOUNDS) !== 0) this.moved[index] = stamp;
    if ((mark & HAS_NEW_CATEGORIES) !== 0) this.changed[index] = stamp;
  }

  private recordRemoval(index: number): void {
    const { added, removedIds, removedSpans } = this;
    // Inserted and removed between two updates.
    if (added[index] === 0) return;
    const at = this.removals++ % removedIds.length;
    // The removal that is forgotten belongs to this version, which may lie before a `clear`; 0 stands for none.
    this.oldest = Math.max(this.oldest, removedSpans[2 * at + 1] - 1);
    removedIds[at] = this.ids.idOf(index);
    removedSpans[2 * at] = added[index];
    removedSpans[2 * at + 1] = this.current + 1;
    added[index] = 0;
  }

  /** Takes the living bodies as those of the current version. */
  private adoptAll(): void {
    const { store } = this.internals;
    this.reserve();
    for (let index = 0; index < this.added.length; index++)
      this.added[index] = store.isAlive(index) ? this.current + 1 : 0;
  }

  private reserve(): void {
    const { indexCount } = this.internals.store;
    if (indexCount > this.added.length)
      resizeTogether(this, STRIDES, grownCapacity(indexCount, this.added.length, 1.5));
  }
}
