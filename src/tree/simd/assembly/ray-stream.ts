/**
 * A stream of rays: many rays go through the tree together. A node is entered once for all rays that reach it, so that its boxes are read and rearranged
 * once, and not once per ray. For rays that start far apart this saves most of the cache misses, for rays that lie close together most of the work.
 *
 * The directions of all rays have the same signs. So one order of the children is nearest first for all of them.
 *
 * As in walk.ts the walk is a coroutine whose state lies in globals. JavaScript writes the rays, calls `beginRays`, then `nextRays` until that returns
 * 0. In between it runs the exact tests, and reduces the maximum distances of rays that have hit a body.
 *
 * A module of its own, because each has to be small enough to be compiled synchronously. AssemblyScript; `npm run build:simd` compiles it.
 */

import { ALL_CATEGORIES, BLOCK, COUNT, FIRST_CHILD, LINK_STRIDE, PAGE, ROOT } from '../../layout.ts';
import {
  BATCH, BODIES_TESTED, BODY, CHILD_BOXES, FITTED, LINKS, NODE_CATEGORIES, NODES_CONTAINED, NODES_VISITED, RAY_LIST_LENGTHS, RAY_LIST_STARTS, RAY_LISTS, RAY_LISTS_LENGTH,
  RAY_MASKS, RAYS, RESULT_DISTANCES, RESULT_RAYS, RESULTS, SLOT_BOUNDS, STACK, STREAM_RAY_LENGTH,
} from '../memory-map.ts';
import { lanesBeyond, removeLanes } from './compact.ts';
import { slabDistance } from './kernels.ts';
import { BOX_STRIDE, intAt, setInt } from './memory.ts';

/** Bytes of four boxes. */
@inline const FOUR_BOXES: i32 = 96;
/** A bit for each child. */
@inline const ALL_CHILDREN: i32 = 255;

let categories: i32 = -1;
/** Number of the child that is nearest for all rays. */
let nearest: i32 = 0;
/** Number of nodes on the stack. */
let top: i32 = 0;
/** The rays that reach the current node: their list in RAY_LISTS. */
let listStart: i32 = 0;
let listLength: i32 = 0;
/** Slots of the current node that are not tested yet, and the position in the list of the next ray to test against the first four of them. */
let slot: i32 = 0;
let slotEnd: i32 = 0;
let next: i32 = 0;
/** The first child of the current node, or 0 once the children are tested. */
let children: i32 = 0;

/** Begins a walk with the first `count` rays of RAYS. */
export function beginRays(count: i32, newNearest: i32, newCategories: i32): void {
  categories = newCategories;
  nearest = newNearest;
  slot = slotEnd = next = children = 0;
  setInt(NODES_VISITED, 0, 0);
  setInt(NODES_CONTAINED, 0, 0);
  setInt(BODIES_TESTED, 0, 0);
  for (let k = 0; k < count; k++) setRayAt(k, k);
  top = 0;
  pushNode(ROOT, 0, count);
}

/**
 * Continues to the next bodies that may be hit: pairs of a body and a ray, in RESULTS and RESULT_RAYS, and lower bounds of their distances. Returns their
 * number; 0 at the end; -1 if the lists of rays need more memory than there is: the walk cannot go on.
 */
export function nextRays(): i32 {
  let count = 0;
  while (true) {
    for (; slot < slotEnd; slot += 4) {
      rearrange(intAt(SLOT_BOUNDS, 0) + slot * (BOX_STRIDE << 2), CHILD_BOXES);
      const body = v128.load(<usize>(intAt(BODY, 0) + (slot << 2)));
      const beyond = lanesBeyond(slotEnd - slot);
      for (; next < listLength; next++) {
        if (count > BATCH) return count;
        const ray = rayAt(listStart + next);
        const distance = slotDistances(ray);
        const rejected = i32x4.bitmask(distance) | beyond;
        v128.store(<usize>(RESULTS + (count << 2)), removeLanes(body, rejected));
        v128.store(<usize>(RESULT_DISTANCES + (count << 2)), removeLanes(distance, rejected));
        v128.store(<usize>(RESULT_RAYS + (count << 2)), i32x4.splat(ray));
        count += 4 - popcnt(rejected);
      }
      next = 0;
    }
    // Before the children are tested, the hits among these bodies reduce the maximum distances.
    if (count > 0) return count;
    if (children != 0 && !pushChildren()) return -1;
    if (top == 0) return 0;
    const node = intAt(STACK, --top);
    if (categories == ALL_CATEGORIES || (intAt(intAt(NODE_CATEGORIES, 0), node) & categories) != 0) enterNode(node);
  }
  return 0;
}

/** Continues with the slots and the children of the node that was popped last. */
@inline
function enterNode(node: i32): void {
  const links = intAt(LINKS, 0) + node * (LINK_STRIDE << 2);
  const count = intAt(links, COUNT);
  listStart = intAt(RAY_LIST_STARTS, top);
  listLength = intAt(RAY_LIST_LENGTHS, top);
  slot = intAt(links, PAGE);
  slotEnd = slot + count;
  children = intAt(links, FIRST_CHILD);
  setInt(NODES_VISITED, 0, intAt(NODES_VISITED, 0) + listLength);
  setInt(BODIES_TESTED, 0, intAt(BODIES_TESTED, 0) + listLength * count);
}

/**
 * Pushes the children that a ray of the list reaches, the nearest last. Their lists lie after the list of the node, the nearest last. Returns false if there
 * may be too little memory for them.
 */
function pushChildren(): bool {
  let end = listStart + listLength;
  if (end + listLength * BLOCK > RAY_LISTS_LENGTH) return false;
  const boxes = intAt(FITTED, 0) + children * (BOX_STRIDE << 2);
  rearrange(boxes, CHILD_BOXES);
  rearrange(boxes + FOUR_BOXES, CHILD_BOXES + FOUR_BOXES);
  const empty = emptyLanes(CHILD_BOXES) | (emptyLanes(CHILD_BOXES + FOUR_BOXES) << 4);
  let reached = 0;
  for (let k = 0; k < listLength; k++) {
    const mask = ~(missedChildren(rayAt(listStart + k)) | empty);
    store<u8>(<usize>(RAY_MASKS + k), mask);
    reached |= mask;
  }
  // By order: bit 0 for the nearest child.
  for (let orders = reorder(reached & ALL_CHILDREN); orders != 0; ) {
    const order = 31 - clz(orders);
    orders ^= 1 << order;
    const child = order ^ nearest;
    const start = end;
    for (let k = 0; k < listLength; k++) {
      setRayAt(end, rayAt(listStart + k));
      end += (load<u8>(<usize>(RAY_MASKS + k)) >> child) & 1;
    }
    pushNode(children + child, start, end - start);
  }
  children = 0;
  return true;
}

/** Pushes a node with the list of its rays. */
@inline
function pushNode(node: i32, start: i32, length: i32): void {
  setInt(STACK, top, node);
  setInt(RAY_LIST_STARTS, top, start);
  setInt(RAY_LIST_LENGTHS, top, length);
  top++;
}

/** Moves the bit of each child to the position of the child in the order that begins with `nearest`. */
@inline
function reorder(mask: i32): i32 {
  if ((nearest & 1) != 0) mask = ((mask & 0x55) << 1) | ((mask >> 1) & 0x55);
  if ((nearest & 2) != 0) mask = ((mask & 0x33) << 2) | ((mask >> 2) & 0x33);
  if ((nearest & 4) != 0) mask = ((mask & 0x0f) << 4) | (mask >> 4);
  return mask;
}

/** Four boxes of six numbers each, to six vectors: one for each face, with one lane for each box. */
function rearrange(boxes: i32, target: i32): void {
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

/** Four lanes for the boxes of four slots: negative if the ray misses the box, else a lower bound of the distance. */
@inline
function slotDistances(ray: i32): v128 {
  const at = addressOf(ray);
  return distances(
    CHILD_BOXES,
    v128.load32_splat(at),
    v128.load32_splat(at, 4), v128.load32_splat(at, 8), v128.load32_splat(at, 12),
    v128.load32_splat(at, 16), v128.load32_splat(at, 20), v128.load32_splat(at, 24),
    v128.load32_splat(at, 28), v128.load32_splat(at, 32), v128.load32_splat(at, 36),
  );
}

/** Mask of the children whose boxes the ray misses. */
@inline
function missedChildren(ray: i32): i32 {
  const at = addressOf(ray);
  const maxDistance = v128.load32_splat(at);
  const upperX = v128.load32_splat(at, 4);
  const upperY = v128.load32_splat(at, 8);
  const upperZ = v128.load32_splat(at, 12);
  const lowerX = v128.load32_splat(at, 16);
  const lowerY = v128.load32_splat(at, 20);
  const lowerZ = v128.load32_splat(at, 24);
  const inverseX = v128.load32_splat(at, 28);
  const inverseY = v128.load32_splat(at, 32);
  const inverseZ = v128.load32_splat(at, 36);
  const first = distances(CHILD_BOXES, maxDistance, upperX, upperY, upperZ, lowerX, lowerY, lowerZ, inverseX, inverseY, inverseZ);
  const last = distances(CHILD_BOXES + FOUR_BOXES, maxDistance, upperX, upperY, upperZ, lowerX, lowerY, lowerZ, inverseX, inverseY, inverseZ);
  return i32x4.bitmask(first) | (i32x4.bitmask(last) << 4);
}

/** The slab test for four rearranged boxes. */
@inline
function distances(
  boxes: i32, maxDistance: v128, upperX: v128, upperY: v128, upperZ: v128, lowerX: v128, lowerY: v128, lowerZ: v128, inverseX: v128, inverseY: v128, inverseZ: v128,
): v128 {
  const at = <usize>boxes;
  return slabDistance(
    v128.load(at), v128.load(at, 16), v128.load(at, 32), v128.load(at, 48), v128.load(at, 64), v128.load(at, 80),
    maxDistance, upperX, upperY, upperZ, lowerX, lowerY, lowerZ, inverseX, inverseY, inverseZ,
  );
}

/** Mask of the empty ones among four rearranged boxes: children that are not in use. */
@inline
function emptyLanes(boxes: i32): i32 {
  return i32x4.bitmask(f32x4.gt(v128.load(<usize>boxes), v128.load(<usize>boxes, 48)));
}

/** Address of the numbers of a ray. */
@inline
function addressOf(ray: i32): usize {
  return <usize>(RAYS + ray * (STREAM_RAY_LENGTH << 2));
}

@inline
function rayAt(k: i32): i32 {
  return load<u16>(<usize>(RAY_LISTS + (k << 1)));
}

@inline
function setRayAt(k: i32, ray: i32): void {
  store<u16>(<usize>(RAY_LISTS + (k << 1)), ray);
}
