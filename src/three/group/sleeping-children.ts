/**
 * The children of a sleeping OctreeGroup. A small group *sleeps*: it has no bodies and no octree, and updates,
 * renderers and rays treat it as a plain Group, which for a few objects is faster than any query. It *wakes*, for good,
 * when it gets more objects, and when something needs its bodies: its octree, batches, occlusion, a minimum size on the
 * screen.
 */

import type { Object3D } from 'three';

/** Limits of all groups. Tests change them. */
export const SLEEP = {
  /**
   * Largest number of objects below a group that sleeps; half of it if they are static. Measured time of a frame of a
   * group that is awake, divided by that of a plain Group: 33 meshes 1.5, static 0.7; 48 meshes 1.1, static 0.5.
   */
  maxObjects: 48,
};

export class SleepingChildren {
  /** Whether there has been an update. */
  isUpdated = false;
  /** Children that were added since the last update: their matrices are not computed yet. */
  readonly added = new Set<Object3D>();
  /** Children that were added by `addTree`. */
  readonly trees = new Set<Object3D>();
  private readonly children: readonly Object3D[];
  /** Number of children, counted by events. `children.length` differs if other code has written the array. */
  private count = 0;

  /** @param children The array of the group. */
  constructor(children: readonly Object3D[]) {
    this.children = children;
  }

  add(child: Object3D): void {
    this.count++;
    this.added.add(child);
  }

  remove(child: Object3D): void {
    this.count--;
    this.added.delete(child);
    this.trees.delete(child);
  }

  /** Whether the group may go on sleeping: it is small, and its array of children was not written directly. */
  maySleep(areStatic: boolean): boolean {
    const { children, count } = this;
    const max = areStatic ? SLEEP.maxObjects / 2 : SLEEP.maxObjects;
    return children.length === count && countUpTo(max + 1, children) <= max;
  }

  /** The matrices of all children are up to date. */
  updated(): void {
    this.isUpdated = true;
    if (this.added.size > 0) this.added.clear();
  }
}

/** The number of objects in a list and below them, counted up to a maximum. */
function countUpTo(max: number, objects: readonly Object3D[]): number {
  let count = objects.length;
  for (let k = 0; count < max && k < objects.length; k++) {
    const { children } = objects[k];
    if (children.length > 0) count += countUpTo(max - count, children);
  }
  return count;
}
