/** The figures that an octree reports about itself: `octree.statistics`, and the counts that `update` returns. */

import type { TreeCounters } from '../tree/tree.ts';
import type { AnyBody, Body } from './bodies/body.ts';
import type { BodyStore } from './bodies/body-store.ts';
import type { MathTypes, PlainMath } from './input/math-types.ts';

/** The state of an octree, and counts since its construction or the last `clear`. */
export interface OctreeStatistics extends Readonly<TreeCounters> {
  /** Living bodies, pending ones included. */
  readonly bodies: number;
  /** Queued operations, which the next query or update applies. */
  readonly pending: number;
  /** Nodes in use. */
  readonly nodes: number;
  /** Depth of the deepest node in use; 0 if there is only the root. */
  readonly depth: number;
  /** Memory of the tree's arrays, in bytes. */
  readonly bytes: number;
}

/** The state after an update, and counts of what happened since the previous update. */
export interface TickStatistics<T = unknown, M extends MathTypes = PlainMath> extends OctreeStatistics {
  /**
   * Bodies removed since the previous update, by `remove` or for leaving the region. Includes bodies that were inserted
   * outside it.
   */
  readonly bodiesRemoved: number;
  /** How many of them left the region, or were inserted outside it, with the option `outside: 'remove'`. */
  readonly bodiesOutside: number;
  /**
   * These bodies, in the order in which they left: to remove what shows them. Their handles are dead, so read `data`.
   * What an update that has thrown could not report, the next one reports. Of more than 65,536 the first ones may be
   * left out.
   */
  readonly outside: readonly Body<T, M>[];
}

const NONE: readonly AnyBody[] = /* @__PURE__ */ Object.freeze([]);

export function statisticsOf(store: BodyStore): OctreeStatistics {
  const { tree } = store;
  return {
    bodies: store.size,
    pending: store.pending,
    nodes: tree.nodes.count,
    depth: tree.depth,
    bytes: tree.bytes,
    ...tree.counters,
  };
}

/** Computes counts per tick from the counts since the start. */
export class TickCounter {
  private readonly store: BodyStore;
  private readonly counters: TreeCounters;
  private bodiesRemoved: number;

  constructor(store: BodyStore) {
    this.store = store;
    this.counters = { ...store.tree.counters };
    this.bodiesRemoved = store.bodiesRemoved;
  }

  /**
   * The counts since the last call. Written field by field: spreading the objects would take longer than the rest of a
   * tick without moves.
   */
  take(): TickStatistics {
    const { store, counters: last } = this;
    const { counters: now, nodes } = store.tree;
    const { bodiesOutside, outside } = store;
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
      bodiesOutside,
      outside: outside.length === 0 ? NONE : outside,
    };
    last.nodesCreated = now.nodesCreated;
    last.nodesReused = now.nodesReused;
    last.nodesExpired = now.nodesExpired;
    last.nodesMerged = now.nodesMerged;
    last.bodiesRelocated = now.bodiesRelocated;
    this.bodiesRemoved = store.bodiesRemoved;
    return tick;
  }
}
