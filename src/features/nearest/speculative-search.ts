/**
 * A shortcut for nearest queries on large trees. The exact walk goes back and forth between WebAssembly, which finds
 * bodies by their slot bounds, and JavaScript, which measures each body before the walk goes on. The speculative search
 * lets WebAssembly find the bodies with the nearest slot bounds in one call, measures only those, and then checks that
 * no other body can be as near. So its results are exact, or it fails.
 *
 * The check passes for most queries if slot bounds are tight, and for few if bodies move, because slot bounds are fat
 * bounds then. A failed search is wasted work; after failures the search is tried less often.
 */

import { ALL_CATEGORIES } from '../../tree/layout.ts';
import { MAX_INSERTION_SORT } from '../../tree/traverse/walk-numbers.ts';
import type { Scratch } from '../../tree/traverse/kernel.ts';
import * as map from '../../wasm/memory-map.ts';
import { traversalOf } from '../../wasm/wasm-traversal.ts';
import type { Tree } from '../../tree/tree.ts';
import type { HitList, Search } from '../../octree/queries/search.ts';
import type { NearestQuery, NearestShortcut } from './nearest-query.ts';

/**
 * Maximum of n: after n failures in a row, the search is tried for one query in 2^n, so at least for one in 64. Test:
 * speculative-search.test.
 */
const MAX_BACKOFF = 6;
/**
 * Number of bodies. A search that finds more than `count` + MAX_SURPLUS bodies counts as a failure: measuring them
 * costs more than the exact walk. Test: speculative-search.test.
 */
const MAX_SURPLUS = 8;
/**
 * A query starts with the squared distance of the last one times this factor. So it finds results up to 1.4 times as
 * far away at once. Test: speculative-search.test.
 */
const EXPECTED_GROWTH = 2;
/**
 * A volume that is too small costs a second search. So the expected squared distance shrinks by at most this factor
 * from query to query. Test: speculative-search.test.
 */
const EXPECTED_DECAY = 0.8;

export class SpeculativeSearch implements NearestShortcut {
  /** Failures in a row, up to MAX_BACKOFF. */
  private backoff = 0;
  /** Queries so far, modulo 2^MAX_BACKOFF. */
  private queries = 0;
  /**
   * `count` of the last query, and the squared distance within which the next query with this count will probably find
   * its results.
   */
  private expectedCount = 0;
  private readonly expectedSq = Float64Array.of(Infinity);
  /**
   * Squared distance of the query, and of the search under way. In arrays, because V8 may box a double that lives
   * across a call.
   */
  private readonly requestedSq = new Float64Array(1);
  private readonly searchedSq = new Float64Array(1);
  /** Squared distances of the bodies found. */
  private readonly distancesSq = new Float64Array(MAX_INSERTION_SORT);

  /**
   * Fills the hits with the exact results and returns true, or leaves them empty and returns false. In both cases the
   * volume may have shrunk, but it still contains all results. Adds to the costs.
   */
  find(tree: Tree, query: NearestQuery, { hits, scratch }: Search): boolean {
    const { count, roundedBox } = query;
    if (count > MAX_INSERTION_SORT || !this.isDue()) return false;
    const { expectedSq, requestedSq } = this;
    if (count !== this.expectedCount) expectedSq[0] = Infinity;
    this.expectedCount = count;
    requestedSq[0] = roundedBox.maxDistanceSq;
    // A small volume first: it excludes far nodes from the start.
    const isReduced = expectedSq[0] < requestedSq[0];
    if (isReduced) roundedBox.maxDistanceSq = expectedSq[0];
    let isExact = this.search(tree, query, scratch, hits);
    if (isReduced && hits.length < count) {
      roundedBox.maxDistanceSq = requestedSq[0];
      hits.length = 0;
      isExact = this.search(tree, query, scratch, hits);
    }
    // Not one expression: V8 would box the choice between a double and Infinity.
    if (!isExact || hits.length < count) expectedSq[0] = Infinity;
    else {
      const enoughSq = roundedBox.maxDistanceSq * EXPECTED_GROWTH;
      const decayedSq = expectedSq[0] * EXPECTED_DECAY;
      expectedSq[0] = decayedSq < Infinity && decayedSq > enoughSq ? decayedSq : enoughSq;
    }
    if (!isExact) hits.length = 0;
    return isExact;
  }

  /** Counts a query; returns whether the search is tried for it. */
  private isDue(): boolean {
    this.queries = (this.queries + 1) % (1 << MAX_BACKOFF);
    return this.queries % (1 << this.backoff) === 0;
  }

  /** Searches within the volume of the query. Returns whether `hits` holds all its results. */
  private search(tree: Tree, query: NearestQuery, scratch: Scratch, hits: HitList): boolean {
    const traversal = traversalOf(tree);
    if (traversal === null || !traversal.takesVolume(query)) return false;
    const { count, roundedBox } = query;
    const { exports, floats, integers, results, volume } = traversal;
    const { searchedSq } = this;
    searchedSq[0] = roundedBox.maxDistanceSq;
    exports.begin(query.simdKernel, 0, ALL_CATEGORIES);
    const found = exports.searchSpeculatively(count);
    const wanted = Math.min(found, count);
    this.measure(tree, query, results, 0, wanted, hits);
    query.writeMaxDistance(volume);
    // Also measures bodies whose slot bounds are as near as the farthest result, within the precision of Float32.
    let measured = wanted;
    const distancesAt = map.RESULT_DISTANCES >> 2;
    while (measured < found && floats[distancesAt + measured] <= volume[map.MAX_DISTANCE_OFFSET]) measured++;
    if (measured > count) this.measure(tree, query, results, count, measured, hits);
    const isStopped = integers[map.STOPPED_EARLY >> 2] !== 0;
    if (isStopped) {
      hits.makeHeap();
      traversal.resumeNearestFirst(query, scratch);
    } else traversal.addCosts(scratch);
    const completeSq = floats[map.COMPLETE_DISTANCE_SQ >> 2];
    const isComplete = completeSq === Infinity || completeSq > volume[map.MAX_DISTANCE_OFFSET];
    const isExact = isComplete && roundedBox.maxDistanceSq <= searchedSq[0];
    const isSuccess = isExact && !isStopped && found <= count + MAX_SURPLUS;
    this.backoff = isSuccess ? 0 : Math.min(this.backoff + 1, MAX_BACKOFF);
    return isExact;
  }

  /**
   * Adds to `hits` those of the bodies [begin, end) of `indices` that are near enough, keeps the nearest in order, and
   * shrinks the volume if there are `count`.
   */
  private measure(
    tree: Tree,
    query: NearestQuery,
    indices: Int32Array,
    begin: number,
    end: number,
    hits: HitList,
  ): void {
    const { distancesSq } = this;
    const { count, distance: bodyDistance, maxDistance, roundedBox } = query;
    const { bodies } = tree;
    // A loop of its own: it is bound by memory latency, and the processor overlaps the cache misses of several bodies.
    for (let k = begin; k < end; k++) roundedBox.writeDistanceSq(bodies.bounds, indices[k], distancesSq, k);
    for (let k = begin; k < end; k++) {
      const index = indices[k];
      let distance = Math.sqrt(distancesSq[k]);
      if (bodies.isSphere(index)) {
        if (!query.measureBody(tree, index)) continue;
        distance = bodyDistance[0];
      }
      if (distance > maxDistance) continue;
      hits.distance[0] = distance;
      hits.push(index);
    }
    hits.sort();
    if (hits.length < count) return;
    hits.length = count;
    query.shrinkTo(hits.distances, count - 1);
  }
}
