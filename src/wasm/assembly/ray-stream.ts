/**
 * A stream of rays: up to MAX_STREAM_RAYS rays go through the tree together. A node is entered once for all rays that
 * reach it, so its boxes are read and transposed once, not once per ray. For rays that start far apart this saves most
 * of the cache misses; for rays that lie close together, most of the work.
 *
 * The directions of all rays have the same signs, so one order of the children is nearest first for all of them:
 * `octant ^ nearest` ascending. For slanted rays and loose cells that order is a heuristic; the results do not depend
 * on it.
 *
 * As in walk.ts the walk is a coroutine whose state lies in globals. JavaScript writes the rays, calls `beginRays`,
 * then `nextRays` until that returns 0. In between it runs the exact tests, and reduces the maximum distances of rays
 * that have hit a body.
 *
 * A module of its own, because only `octree.castRays` needs it. AssemblyScript; `npm run build:simd` compiles it into
 * ../ray-stream-code.ts.
 */

import { ALL_CATEGORIES, BLOCK, COUNT, FIRST_CHILD, PAGE, ROOT } from '../../tree/layout.ts';
import * as map from '../memory-map.ts';
import { lanesBeyond, removeLanes } from './compact.ts';
import { rayDistance } from './kernels.ts';
import { BOX_STRIDE, intAt, linksBelowChain, setInt } from './memory.ts';

/** Bytes of four boxes. */
@inline const FOUR_BOXES: i32 = 96;
/** The second group of transposed boxes. */
@inline const LAST_BOXES: i32 = map.TRANSPOSED_BOXES + FOUR_BOXES;
/** A bit for each child. */
@inline const ALL_CHILDREN: i32 = 255;

let categories: i32 = -1;
/** The octant on the side from which all rays come: bit k is set if component k of their directions is negative. */
let nearest: i32 = 0;
/** Number of nodes on the stack. */
let top: i32 = 0;
/** The rays that reach the current node: their list in RAY_LISTS. */
let listStart: i32 = 0;
let listLength: i32 = 0;
/** [slot, slotEnd): slots of the current node that are not tested yet. */
let slot: i32 = 0;
let slotEnd: i32 = 0;
/** The next ray of the list to test against the first four of these slots. */
let listPosition: i32 = 0;
/** The first child of the current node, or 0 once the children are tested. */
let children: i32 = 0;

/** Begins a walk with the first `count` rays of RAYS. */
export function beginRays(count: i32, newNearest: i32, newCategories: i32): void {
  categories = newCategories;
  nearest = newNearest;
  slot = slotEnd = listPosition = 0;
  setInt(map.NODES_VISITED, 0, 0);
  setInt(map.NODES_CONTAINED, 0, 0);
  setInt(map.BODIES_TESTED, 0, 0);
  for (let ray = 0; ray < count; ray++) store<u8>(<usize>(map.RAY_LISTS + ray), ray);
  listStart = top = 0;
  listLength = count;
  // The root is the only node in use of its block.
  children = ROOT;
  pushChildren();
}

/**
 * Continues to the next bodies that may be hit: pairs of a body and a ray, in RESULTS and RESULT_RAYS, and lower bounds
 * of their distances. Returns their number, 0 at the end.
 */
export function nextRays(): i32 {
  let count = 0;
  while (true) {
    for (; slot < slotEnd; slot += 4) {
      transpose(intAt(map.SLOT_BOUNDS, 0) + slot * (BOX_STRIDE << 2), map.TRANSPOSED_BOXES);
      const body = v128.load(<usize>(intAt(map.BODY, 0) + (slot << 2)));
      const beyond = lanesBeyond(slotEnd - slot);
      for (; listPosition < listLength; listPosition++) {
        if (count > map.BATCH) return count;
        const ray = rayAt(listStart + listPosition);
        const distance = distances(ray, map.TRANSPOSED_BOXES);
        const rejected = i32x4.bitmask(distance) | beyond;
        // Most rays miss all four.
        if (rejected == 15) continue;
        v128.store(<usize>(map.RESULTS + (count << 2)), removeLanes(body, rejected));
        v128.store(<usize>(map.RESULT_DISTANCES + (count << 2)), removeLanes(distance, rejected));
        v128.store(<usize>(map.RESULT_RAYS + (count << 2)), i32x4.splat(ray));
        count += 4 - popcnt(rejected);
      }
      listPosition = 0;
    }
    // Return before the children are tested: hits among these bodies shorten rays, which then reach fewer children.
    if (count > 0) return count;
    if (children != 0) pushChildren();
    if (top == 0) return 0;
    const node = intAt(map.STACK, --top);
    if (categories == ALL_CATEGORIES || (intAt(intAt(map.NODE_CATEGORIES, 0), node) & categories) != 0) enterNode(node);
  }
  return 0;
}

/** Continues with the slots and the children of the node that was popped last. */
@inline
function enterNode(node: i32): void {
  const links = linksBelowChain(node);
  const count = intAt(links, COUNT);
  listStart = intAt(map.RAY_LIST_STARTS, top);
  listLength = intAt(map.RAY_LIST_LENGTHS, top);
  slot = intAt(links, PAGE);
  slotEnd = slot + count;
  children = intAt(links, FIRST_CHILD);
  setInt(map.NODES_VISITED, 0, intAt(map.NODES_VISITED, 0) + listLength);
  setInt(map.BODIES_TESTED, 0, intAt(map.BODIES_TESTED, 0) + listLength * count);
}

/**
 * Pushes the children that a ray of the list reaches, the nearest last. Their lists lie after the list of the node, in
 * the same order: so a node popped from the stack has no list of another node after its own.
 */
function pushChildren(): void {
  const boxes = intAt(map.FITTED, 0) + children * (BOX_STRIDE << 2);
  transpose(boxes, map.TRANSPOSED_BOXES);
  transpose(boxes + FOUR_BOXES, LAST_BOXES);
  const empty = emptyLanes(map.TRANSPOSED_BOXES) | (emptyLanes(LAST_BOXES) << 4);
  let reached = 0;
  for (let k = 0; k < listLength; k++) {
    const ray = rayAt(listStart + k);
    const missed =
      i32x4.bitmask(distances(ray, map.TRANSPOSED_BOXES)) | (i32x4.bitmask(distances(ray, LAST_BOXES)) << 4);
    const mask = ~(missed | empty);
    store<u8>(<usize>(map.RAY_MASKS + k), mask);
    reached |= mask;
  }
  let end = listStart + listLength;
  for (let orders = reorder(reached & ALL_CHILDREN); orders != 0;) {
    const order = 31 - clz(orders);
    orders ^= 1 << order;
    const child = order ^ nearest;
    const start = end;
    // Every ray is written; the position advances only for those that reach the child. A branch would be unpredictable.
    for (let k = 0; k < listLength; k++) {
      store<u8>(<usize>(map.RAY_LISTS + end), rayAt(listStart + k));
      end += (load<u8>(<usize>(map.RAY_MASKS + k)) >> child) & 1;
    }
    setInt(map.STACK, top, children + child);
    setInt(map.RAY_LIST_STARTS, top, start);
    setInt(map.RAY_LIST_LENGTHS, top, end - start);
    top++;
  }
  children = 0;
}

/** Moves the bit of each octant to bit `octant ^ nearest`. */
@inline
function reorder(mask: i32): i32 {
  if ((nearest & 1) != 0) mask = ((mask & 0x55) << 1) | ((mask >> 1) & 0x55);
  if ((nearest & 2) != 0) mask = ((mask & 0x33) << 2) | ((mask >> 2) & 0x33);
  if ((nearest & 4) != 0) mask = ((mask & 0x0f) << 4) | (mask >> 4);
  return mask;
}

/**
 * Transposes four boxes of six numbers each into six vectors: one for each face, with one lane for each box. As in
 * filter-boxes.ts, but in memory.
 */
function transpose(boxes: i32, target: i32): void {
  const at = <usize>boxes;
  const to = <usize>target;
  const v0 = v128.load(at);
  const v1 = v128.load(at, 16);
  const v2 = v128.load(at, 32);
  const v3 = v128.load(at, 48);
  const v4 = v128.load(at, 64);
  const v5 = v128.load(at, 80);
  const minXYab = v128.shuffle<f32>(v0, v1, 0, 1, 6, 7);
  const minXYcd = v128.shuffle<f32>(v3, v4, 0, 1, 6, 7);
  const minZmaxXab = v128.shuffle<f32>(v0, v2, 2, 3, 4, 5);
  const minZmaxXcd = v128.shuffle<f32>(v3, v5, 2, 3, 4, 5);
  const maxYZab = v128.shuffle<f32>(v1, v2, 0, 1, 6, 7);
  const maxYZcd = v128.shuffle<f32>(v4, v5, 0, 1, 6, 7);
  v128.store(to, v128.shuffle<f32>(minXYab, minXYcd, 0, 2, 4, 6));
  v128.store(to, v128.shuffle<f32>(minXYab, minXYcd, 1, 3, 5, 7), 16);
  v128.store(to, v128.shuffle<f32>(minZmaxXab, minZmaxXcd, 0, 2, 4, 6), 32);
  v128.store(to, v128.shuffle<f32>(minZmaxXab, minZmaxXcd, 1, 3, 5, 7), 48);
  v128.store(to, v128.shuffle<f32>(maxYZab, maxYZcd, 0, 2, 4, 6), 64);
  v128.store(to, v128.shuffle<f32>(maxYZab, maxYZcd, 1, 3, 5, 7), 80);
}

/** Four lanes for four transposed boxes: negative if the ray misses the box, else a lower bound of the distance. */
@inline
function distances(ray: i32, boxes: i32): v128 {
  const at = <usize>boxes;
  const numbers = <usize>(map.RAYS + ray * (map.STREAM_RAY_LENGTH << 2));
  return rayDistance(
    numbers,
    v128.load(at),
    v128.load(at, 16),
    v128.load(at, 32),
    v128.load(at, 48),
    v128.load(at, 64),
    v128.load(at, 80),
  );
}

/** Mask of the empty ones among four transposed boxes: children that are not in use. */
@inline
function emptyLanes(boxes: i32): i32 {
  return i32x4.bitmask(f32x4.gt(v128.load(<usize>boxes), v128.load(<usize>boxes, 48)));
}

@inline
function rayAt(k: i32): i32 {
  return load<u8>(<usize>(map.RAY_LISTS + k));
}
