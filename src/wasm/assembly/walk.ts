/**
 * The walks of src/tree/traverse/walk.ts in WebAssembly with SIMD: the same order of results, the same steps, and where
 * possible the same functions.
 *
 * A walk is a coroutine whose state lies in globals: it pauses when a batch of results is complete, and the next call
 * goes on. In between JavaScript runs the exact tests and the caller's filter. JavaScript calls `begin`, then
 * `nextOverlapping` or `nextNearest` until that returns 0.
 *
 *                           contained
 *     begin ──────►  NODES  ─────────────►  RUN        append slots [run, runEnd) without a test; then NODES
 *                 pop a node
 *                    │   │  stack empty
 *                    │   └───────────────►  END        return 0
 *          enterNode │
 *                    ▼
 *                  SLOTS                               filter slots [slot, slotEnd)
 *                    │  slot == slotEnd
 *                    ▼
 *                 CHILDREN                             filter the block of children and push the children kept; then
 *                                                      NODES
 *
 * RUN and SLOTS take one scan at a time. `nextOverlapping` pauses after any scan, once the batch is full;
 * `nextNearest` pauses after each scan of SLOTS that has kept a body. The next call resumes in the state that the
 * globals give: RUN if run < runEnd, else SLOTS if slot < slotEnd, else CHILDREN if there is a block of children, else
 * NODES.
 *
 * AssemblyScript; `npm run build:simd` compiles it into ../wasm-code.ts.
 */

import { ALL_CATEGORIES, BLOCK, COUNT, FIRST_CHILD, NO_RUN, PAGE, ROOT } from '../../tree/layout.ts';
import { CONTAINED, MAX_INSERTION_SORT } from '../../tree/traverse/walk-numbers.ts';
import * as map from '../memory-map.ts';
import { appendPresent, indicesFrom, lanesBeyond, removeLanes } from './compact.ts';
import { filterBoxes } from './filter-boxes.ts';
import { BOX_STRIDE, floatAt, intAt, linksBelowChain, linksOf, setFloat, setInt, zeros } from './memory.ts';

/** Overlap of a node below a contained node: it is contained too, but not counted again. */
@inline const BELOW_CONTAINED: i32 = -1;
/**
 * Maximum difference between the exact distance of a body and the computed distance of its tight slot bounds: in units
 * of the kernel's tolerance, and as a part of the distance. The coordinates of a body are at most those of the start
 * and the distance together.
 */
@inline const SLACK_TOLERANCES: f32 = 6;
@inline const SLACK_PART: f32 = 0.0000038146973; // 2^-18

let kernel: i32 = 0;
let categories: i32 = -1;
/** NODES: number of nodes on the stack. */
let top: i32 = 0;
/** RUN: slots to append without a test. */
let run: i32 = 0;
let runEnd: i32 = 0;
/** SLOTS: slots of the current node that are not filtered yet, and the overlap of the node. */
let slot: i32 = 0;
let slotEnd: i32 = 0;
let overlap: i32 = 0;
/** CHILDREN: the first child of the current node, or 0 once the children are filtered. */
let children: i32 = 0;
/** First slot of the scan that `nextNearest` has filtered last. */
let scanned: i32 = 0;

/** Begins a walk with one of the kernels in walk-numbers.ts, whose numbers are in VOLUME. */
export function begin(newKernel: i32, rootOverlap: i32, newCategories: i32): void {
  kernel = newKernel;
  categories = newCategories;
  run = runEnd = slot = slotEnd = children = 0;
  setInt(map.NODES_VISITED, 0, 0);
  setInt(map.NODES_CONTAINED, 0, 0);
  setInt(map.BODIES_TESTED, 0, 0);
  top = filterBoxes(kernel, intAt(map.FITTED, 0), ROOT, ROOT + 1, rootOverlap, 0, map.STACK, map.STACK_OVERLAPS, 0);
}

/**
 * `walkOverlapping` up to the next full batch. Returns the number of results, 0 at the end; the candidates among them
 * still need the exact test.
 */
export function nextOverlapping(): i32 {
  const body = intAt(map.BODY, 0);
  let count = 0;
  let candidateCount = 0;
  while (count <= map.BATCH) {
    if (run < runEnd) {
      const end = min(run + map.SCAN_SLOTS, runEnd);
      count = appendPresent(body, run, end, map.RESULTS, count);
      run = end;
      continue;
    }
    if (slot == slotEnd) {
      if (top == 0) break;
      const node = intAt(map.STACK, --top);
      if (!hasCategories(node)) continue;
      overlap = intAt(map.STACK_OVERLAPS, top);
      if (overlap <= CONTAINED) {
        appendSubtree(node);
        continue;
      }
      enterNode(node);
    }
    if (slot < slotEnd) {
      const end = min(slot + map.SCAN_SLOTS, slotEnd);
      const newCount = filterBoxes(
        kernel,
        intAt(map.SLOT_BOUNDS, 0),
        slot,
        end,
        overlap,
        body,
        map.RESULTS,
        map.RESULT_OVERLAPS,
        count,
      );
      candidateCount = listCandidates(count, newCount, candidateCount);
      count = newCount;
      slot = end;
      if (slot < slotEnd) continue;
    }
    if (children != 0) pushChildren();
  }
  setInt(map.CANDIDATE_COUNT, 0, candidateCount);
  return count;
}

/**
 * Appends the positions of the results in [begin, end) that are not contained, and their overlaps, to the candidates at
 * `count`; returns the new count.
 */
@inline
function listCandidates(begin: i32, end: i32, count: i32): i32 {
  for (let k = begin; k < end; k += 4) {
    const overlaps = v128.load(<usize>(map.RESULT_OVERLAPS + (k << 2)));
    const contained = i32x4.bitmask(i32x4.eq(overlaps, zeros())) | lanesBeyond(end - k);
    v128.store(<usize>(map.CANDIDATES + (count << 2)), removeLanes(indicesFrom(k), contained));
    v128.store(<usize>(map.CANDIDATE_OVERLAPS + (count << 2)), removeLanes(overlaps, contained));
    count += 4 - popcnt(contained);
  }
  return count;
}

/** Removes the results that were replaced by NO_BODY from a batch of `count`; returns how many are left. */
export function compactResults(count: i32): i32 {
  return appendPresent(map.RESULTS, 0, count, map.RESULTS, 0);
}

/**
 * Continues with the bodies in and below a contained node. Sets [run, runEnd) to the run of the subtree; if it has
 * none, to the node's own page, and pushes the children.
 */
function appendSubtree(node: i32): void {
  if (overlap == CONTAINED) addCost(map.NODES_CONTAINED, 1);
  run = intAt(intAt(map.RUN_START, 0), node);
  runEnd = intAt(intAt(map.RUN_END, 0), node);
  if (runEnd != NO_RUN) return;
  const links = linksOf(node);
  run = intAt(links, PAGE);
  runEnd = run + intAt(links, COUNT);
  const first = intAt(links, FIRST_CHILD);
  if (first == 0) return;
  for (let child = first; child < first + BLOCK; child++) {
    setInt(map.STACK, top, child);
    setInt(map.STACK_OVERLAPS, top, BELOW_CONTAINED);
    top += <i32>!isEmpty(child);
  }
}

/**
 * `walkNearestFirst` up to the next scan of bodies that may be near enough. Returns how many were kept, 0 at the end.
 * Up to MAX_INSERTION_SORT of them are sorted, the nearest last. The caller may reduce the maximum distance between two
 * calls.
 */
export function nextNearest(): i32 {
  while (true) {
    if (slot < slotEnd) {
      const end = min(slot + map.SCAN_SLOTS, slotEnd);
      scanned = slot;
      const boxes = intAt(map.SLOT_BOUNDS, 0);
      const count = filterBoxes(kernel, boxes, slot, end, 0, intAt(map.BODY, 0), map.KEPT, map.KEPT_DISTANCES, 0);
      slot = end;
      if (count == 0) continue;
      if (count <= MAX_INSERTION_SORT) sortFarthestFirst(map.KEPT, map.KEPT_DISTANCES, 0, count);
      return count;
    }
    if (children != 0) {
      const bottom = top;
      pushChildren();
      sortFarthestFirst(map.STACK, map.STACK_DISTANCES, bottom, top);
    }
    if (top == 0) return 0;
    const node = intAt(map.STACK, --top);
    const isNear = floatAt(map.STACK_DISTANCES, top) <= floatAt(map.VOLUME, map.MAX_DISTANCE_OFFSET);
    if (isNear && hasCategories(node)) enterNode(node);
  }
  return 0;
}

/** Continues with SLOTS and CHILDREN of a node. */
@inline
function enterNode(node: i32): void {
  const links = linksBelowChain(node);
  const count = intAt(links, COUNT);
  slot = intAt(links, PAGE);
  slotEnd = slot + count;
  children = intAt(links, FIRST_CHILD);
  addCost(map.NODES_VISITED, 1);
  addCost(map.BODIES_TESTED, count);
}

/** Pushes the children of the current node that pass the kernel. */
@inline
function pushChildren(): void {
  const fitted = intAt(map.FITTED, 0);
  top = filterBoxes(kernel, fitted, children, children + BLOCK, overlap, 0, map.STACK, map.STACK_OVERLAPS, top);
  children = 0;
}

@inline
function hasCategories(node: i32): bool {
  return categories == ALL_CATEGORIES || (intAt(intAt(map.NODE_CATEGORIES, 0), node) & categories) != 0;
}

/** Insertion sort: ranges are short. */
function sortFarthestFirst(items: i32, distances: i32, begin: i32, end: i32): void {
  for (let k = begin + 1; k < end; k++) {
    const item = intAt(items, k);
    const distance = floatAt(distances, k);
    let to = k;
    for (; to > begin && floatAt(distances, to - 1) < distance; to--) {
      setInt(items, to, intAt(items, to - 1));
      setFloat(distances, to, floatAt(distances, to - 1));
    }
    setInt(items, to, item);
    setFloat(distances, to, distance);
  }
}

/** Whether there are no bodies in or below a node; true for nodes that are not in use. */
@inline
function isEmpty(node: i32): bool {
  const fitted = intAt(map.FITTED, 0);
  return floatAt(fitted, node * BOX_STRIDE) > floatAt(fitted, node * BOX_STRIDE + 3);
}

@inline
function addCost(cost: i32, amount: i32): void {
  setInt(cost, 0, intAt(cost, 0) + amount);
}

/**
 * The first half of src/features/nearest/speculative-search.ts: finds the bodies with the nearest slot bounds in one
 * call, without exact distances. Call it after `begin`. Writes the bodies to RESULTS, nearest first, and the squared
 * distances of their slot bounds to RESULT_DISTANCES. Returns their number: at least `minCount`, if there are enough
 * bodies within the maximum distance and the search has not stopped early.
 *
 * Before a scan that would bring more than MAX_INSERTION_SORT results the search stops early: it sets STOPPED_EARLY
 * and returns, perhaps with fewer than `minCount`; `nextNearest` then continues with that scan. A search that has not
 * stopped early is complete up to COMPLETE_DISTANCE_SQ: of the bodies within the maximum distance at `begin`, it leaves
 * out only those whose slot bounds are farther away.
 */
export function searchSpeculatively(minCount: i32): i32 {
  const slack = SLACK_TOLERANCES * floatAt(map.VOLUME, map.TOLERANCE_OFFSET);
  let found = 0;
  setFloat(map.COMPLETE_DISTANCE_SQ, 0, Infinity);
  for (let count = nextNearest(); count > 0; count = nextNearest()) {
    if (found + count > MAX_INSERTION_SORT) {
      slot = scanned;
      break;
    }
    for (let k = count - 1; k >= 0; k--) insertResult(found++, intAt(map.KEPT, k), floatAt(map.KEPT_DISTANCES, k));
    if (found < minCount) continue;
    // The exact distance of the last result may exceed the distance of its slot bounds by the slack. So every body
    // whose slot bounds are within that distance may still be nearer, and is kept.
    const limit = sqrt(floatAt(map.RESULT_DISTANCES, minCount - 1)) * (1 + SLACK_PART) + slack;
    const limitSq = limit * limit;
    if (limitSq >= floatAt(map.VOLUME, map.MAX_DISTANCE_OFFSET)) continue;
    setFloat(map.VOLUME, map.MAX_DISTANCE_OFFSET, limitSq);
    setFloat(map.COMPLETE_DISTANCE_SQ, 0, limitSq);
    while (floatAt(map.RESULT_DISTANCES, found - 1) > limitSq) found--;
  }
  setInt(map.STOPPED_EARLY, 0, slotEnd - slot);
  return found;
}

/** Inserts a body into the first `count` results, which are in order of distance. */
@inline
function insertResult(count: i32, body: i32, distanceSq: f32): void {
  let to = count;
  for (; to > 0 && floatAt(map.RESULT_DISTANCES, to - 1) > distanceSq; to--) {
    setInt(map.RESULTS, to, intAt(map.RESULTS, to - 1));
    setFloat(map.RESULT_DISTANCES, to, floatAt(map.RESULT_DISTANCES, to - 1));
  }
  setInt(map.RESULTS, to, body);
  setFloat(map.RESULT_DISTANCES, to, distanceSq);
}
