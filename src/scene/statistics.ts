/** What the octree tells about itself. */

import type { TreeCounters } from '../tree/tree.ts';
import type { BodyStore } from './body-store.ts';

export interface OctreeStatistics extends Readonly<TreeCounters> {
  /** Living bodies, pending ones included. */
  readonly bodies: number;
  /** Operations that wait for the next query or update. */
  readonly pending: number;
  /** Nodes in use. */
  readonly nodes: number;
  /** Levels below the root that are in use. */
  readonly depth: number;
  /** Memory of the tree's arrays. */
  readonly bytes: number;
}

/** The state after an update, with the counts of what happened since the update before it. */
export interface TickStatistics extends OctreeStatistics {
  /** Bodies removed since the last update, by `remove` or for leaving the region, those refused at once included. */
  readonly bodiesRemoved: number;
  /** Of these, bodies that left a region with the rule `outside: 'remove'`. */
  readonly bodiesOutside: number;
  /** Overlapping pairs reported to `onIntersection`. */
  readonly pairs: number;
}

export function statisticsOf<T>(store: BodyStore<T>): OctreeStatistics {
  const { tree } = store;
  return { bodies: store.size, pending: store.pending, nodes: tree.nodes.count, depth: tree.depth, bytes: tree.bytes, ...tree.counters };
}

/** Counts since the last time it was asked. */
export class TickCounter<T> {
  private readonly store: BodyStore<T>;
  private readonly counters: TreeCounters;
  private bodiesRemoved: number;
  private bodiesOutside: number;

  constructor(store: BodyStore<T>) {
    this.store = store;
    this.counters = { ...store.tree.counters };
    this.bodiesRemoved = store.bodiesRemoved;
    this.bodiesOutside = store.bodiesOutside;
  }

  /** Field by field: spreading would take longer than all else in a tick in which nothing moves. */
  take(pairs: number): TickStatistics {
    const { store, counters: last } = this;
    const { counters: now, nodes } = store.tree;
    const tick = {
      bodies: store.size,
      pending: store.pending,
      nodes: nodes.count,
      depth: store.tree.depth,
      bytes: store.tree.bytes,
      nodesCreated: now.nodesCreated - last.nodesCreated,
      nodesReused: now.nodesReused - last.nodesReused,
      nodesExpired: now.nodesExpired - last.nodesExpired,
      nodesMerged: now.nodesMerged - last.nodesMerged,
      bodiesRelocated: now.bodiesRelocated - last.bodiesRelocated,
      bodiesRemoved: store.bodiesRemoved - this.bodiesRemoved,
      bodiesOutside: store.bodiesOutside - this.bodiesOutside,
      pairs,
    };
    last.nodesCreated = now.nodesCreated;
    last.nodesReused = now.nodesReused;
    last.nodesExpired = now.nodesExpired;
    last.nodesMerged = now.nodesMerged;
    last.bodiesRelocated = now.bodiesRelocated;
    this.bodiesRemoved = store.bodiesRemoved;
    this.bodiesOutside = store.bodiesOutside;
    return tick;
  }
}
