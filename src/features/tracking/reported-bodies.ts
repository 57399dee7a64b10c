/** Bodies by the indices that an update has reported: the index of a removed body is held until the next update. */

import type { BodyStore } from '../../octree/bodies/body-store.ts';
import type { AnyBody } from '../../octree/bodies/body.ts';
import { throwIndex } from '../../octree/bodies/bulk.ts';

/**
 * Throws if an index is free or was never used. The index of a removed body is free from the update after its report
 * on.
 */
export function requireUsed(where: string, field: string, store: BodyStore, index: number): void {
  if (store.isAlive(index)) return;
  const { bodies } = store.tree;
  const isUsed =
    Number.isInteger(index) &&
    index >= 0 &&
    index < bodies.count &&
    (bodies.isPlaced(index) || store.changes.isHeld(index));
  if (!isUsed) throwIndex(where, field, index);
}

/**
 * The body of an index in a list of contacts or sensors. The handle of a removed body whose index is not free yet is
 * dead. Throws as `requireUsed`.
 */
export function reportedBodyAt(where: string, store: BodyStore, index: number): AnyBody {
  requireUsed(where, 'index', store, index);
  return store.bodyAt(index);
}
