/**
 * The children of a group that is small and sleeps. It has no bodies and no octree: updates, renderers and rays treat
 * it as the plain Group that it is. For a few objects that is faster than any query. The group wakes, for good, when it
 * gets more objects, and when something needs its bodies: its octree, batches, occlusion, a minimum size on the screen.
 */

import type { Object3D } from 'three';

/** Settings of all groups; tests change them. */
export const SLEEP = {
  /**
   * Objects below a group, up to which it sleeps; half as many if they are static. Measured, frames of a group that is
   * awake in parts of those of a plain Group: with 33 meshes 1.5, static 0.7; with 48 meshes 1.1, static 0.5.
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
  /** Number of children, as far as events tell. */
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
