/**
 * The bodies nearest to a point, a box or a ray, one after the other, while their visitor may lower the maximum
 * distance. A queue holds nodes by a lower bound of their distance and bodies by their distance. So each body comes
 * after all that are nearer, and no node is opened before it is needed.
 *
 * Source: Hjaltason and Samet, "Distance Browsing in Spatial Databases", 1999.
 */

import { ALL_CATEGORIES, BLOCK, COUNT, FIRST_CHILD, LINK_STRIDE, PAGE, ROOT } from '../../tree/layout.ts';
import type { Scratch } from '../../tree/traverse/scratch.ts';
import type { Tree } from '../../tree/tree.ts';
import type { Search } from '../../octree/queries/search.ts';
import { DistanceQueue } from './distance-queue.ts';
import type { NearestQuery } from './nearest-query.ts';

/** Gets a body and its distance. Returns the new maximum distance; a negative number ends the search. */
type IndexVisitor = (index: number, distance: number) => number;

export class IncrementalNearest {
  private readonly queue = new DistanceQueue();

  /**
   * Calls the visitor for the bodies within the distance of the query, by distance, then index. A larger maximum than
   * the last one is ignored. Returns the number of calls.
   */
  visit(tree: Tree, query: NearestQuery, search: Search, visitor: IndexVisitor): number {
    const { queue } = this;
    const { candidatesOnly, categories, filter, scratch } = search;
    scratch.resetCosts();
    queue.clear();
    if (!tree.hasRoot || query.isEmpty) return 0;
    query.begin(candidatesOnly);
    this.pushNodes(tree, query, scratch, ROOT, ROOT + 1);
    let visits = 0;
    while (queue.length > 0) {
      const item = queue.pop();
      const { distance } = queue;
      if (distance > query.maxDistance) break;
      if (item < 0) {
        this.open(tree, query, categories, scratch, -1 - item);
        continue;
      }
      if (filter !== null && !filter(item)) continue;
      visits++;
      const limit = visitor(item, distance);
      if (limit < 0) break;
      if (limit < query.maxDistance) query.limitDistance(limit);
    }
    return visits;
  }

  /** Puts the bodies and the children of a node that are near enough into the queue. */
  private open(tree: Tree, query: NearestQuery, categories: number, scratch: Scratch, node: number): void {
    const { queue } = this;
    const { bodies, nodes, slots } = tree;
    const { links, categoryMask } = nodes;
    if (categories !== ALL_CATEGORIES && (categoryMask[node] & categories) === 0) return;
    scratch.nodesVisited++;
    const at = nodes.belowChain(node) * LINK_STRIDE;
    const count = links[at + COUNT];
    const page = links[at + PAGE];
    const { slots: kept } = scratch;
    kept.clear(count);
    query.filterByMinDistance(slots.slotBounds, page, page + count, kept);
    scratch.bodiesTested += count;
    for (let k = 0; k < kept.length; k++) {
      const index = slots.body[kept.numbers[k]];
      if ((bodies.categoryMask[index] & categories) === 0 || !query.measureBody(tree, index)) continue;
      queue.distance = query.distance[0];
      queue.push(index);
    }
    const children = links[at + FIRST_CHILD];
    if (children !== 0) this.pushNodes(tree, query, scratch, children, children + BLOCK);
  }

  private pushNodes({ nodes }: Tree, query: NearestQuery, scratch: Scratch, begin: number, end: number): void {
    const { nodes: kept } = scratch;
    kept.length = 0;
    query.filterByMinDistance(nodes.fitted, begin, end, kept);
    for (let k = 0; k < kept.length; k++) {
      this.queue.distance = Math.sqrt(kept.distances[k]);
      this.queue.push(-1 - kept.numbers[k]);
    }
  }
}
