/** Checks every invariant of an octree: those of its tree, its bodies and its queue. */

import { internalsOf } from '../octree/internals.ts';
import type { BodyStore } from '../octree/bodies/body-store.ts';
import { FIRST_QUEUED_SLOT } from '../octree/bodies/write-queue.ts';
import type { MathTypes } from '../octree/input/math-types.ts';
import type { Octree } from '../octree/octree.ts';
import { validateTree } from './validate-tree.ts';

/**
 * Applies the queue, checks every invariant and describes each fault; [] if there is none. For tests. Cost: about a
 * rebuild.
 *
 * @param octree The octree to check.
 *
 * @example
 * ```ts
 * import { Octree } from 'scene-octree';
 * import { validate } from 'scene-octree/debug';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 0, y: 0, z: 0 }, radius: 1 }, 'ball');
 * console.log(validate(octree)); // prints: []
 * ```
 */
export function validate<T, M extends MathTypes>(octree: Octree<T, M>): string[] {
  const { runner, store } = internalsOf('validate', octree);
  runner.begin('validate');
  try {
    runner.flush();
    return [...validateTree(store.tree), ...validateStore(store)];
  } finally {
    runner.end();
  }
}

/** Describes each inconsistency between bodies, handles and queue; [] if there is none. */
function validateStore(store: BodyStore): string[] {
  const { handles, queue, size, tree } = store;
  const { inserted, removed } = queue;
  const { bodies, placedCount } = tree;
  const removals = removed.array.subarray(0, removed.length);
  const faults: string[] = [];
  let alive = 0;
  for (let index = 0; index < bodies.count; index++) {
    const body = handles[index];
    const isAlive = store.isAlive(index);
    if (isAlive) alive++;
    else if (bodies.isPlaced(index) && !removals.includes(index))
      faults.push(`body ${index}: is dead, but still lies in slot ${bodies.slot[index]}`);
    if (body !== undefined && body.index !== (isAlive ? index : -1))
      faults.push(`body ${index}: its handle has index ${body.index}`);
  }
  if (alive !== size) faults.push(`bodies: ${size} are counted, but ${alive} are alive`);
  for (let position = 0; position < inserted.length; position++) {
    const index = inserted.array[position];
    if (bodies.slot[index] !== FIRST_QUEUED_SLOT - position)
      faults.push(`body ${index}: is at position ${position} of the queue, but its slot is ${bodies.slot[index]}`);
  }
  if (alive !== placedCount - removed.length + inserted.length) {
    faults.push(
      `bodies: ${alive} are alive, but ${placedCount} are placed, ${inserted.length} are to be inserted, and ${removed.length} are to be removed`,
    );
  }
  return faults;
}
