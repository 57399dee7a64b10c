/**
 * The walks of src/tree/traverse/walk.ts once more, in WebAssembly with SIMD, in the same order. Both are asked batch by batch, so that the exact tests
 * and the caller's filters stay in JavaScript: `begin`, then `nextOverlapping` or `nextNearest` until it returns 0.
 *
 * AssemblyScript; `npm run build:simd` compiles it into ../walker-code.ts.
 */

import { ALL_CATEGORIES, BLOCK, COUNT, FIRST_CHILD, LINK_STRIDE, MAX_INSERTION_SORT, NO_RUN, PAGE, ROOT } from '../../layout.ts';
import { CONTAINED } from '../../overlap.ts';
import {
  ANSWERS, BATCH, BEYOND, BODIES_TESTED, BODY, SLOT_BOUNDS, FITTED, HAS_MORE, KEPT, KEPT_NOTES, LINKS, MAX_DISTANCE_OFFSET, NODES_VISITED, NODES_CONTAINED, NODE_CATEGORIES,
  NOTES, PIECE, RUN_END, RUN_START, SHAPE, STACK, STACK_NOTES, TOLERANCE_OFFSET, UNDECIDED, UNDECIDED_COUNT, UNDECIDED_NOTES,
} from '../memory-map.ts';
import { appendPresent, fourFrom, lanesBehind, withoutLanes } from './compact.ts';
import { filter } from './filter.ts';
import { BOX_STRIDE, floatAt, intAt, setFloat, setInt, zeros } from './lanes.ts';

/** A body is at most so many tolerances farther away than its box seems to be, if that is tight. */
@inline const SPARE_TOLERANCES: f32 = 6;
/** Note of a node below one that lies wholly inside. */
@inline const BELOW_WHOLE: i32 = -1;

let kind: i32 = 0;
let categories: i32 = -1;
/** Nodes on the stack. */
let top: i32 = 0;
/** The slots of the node at hand that are still to be filtered, what is known of them, and its first child if the children are. */
let slot: i32 = 0;
let slotEnd: i32 = 0;
/** The first slot of the piece that was filtered last. */
let piece: i32 = 0;
let known: i32 = 0;
let children: i32 = 0;
/** Whether only slotBounds are asked about: then the order matters less. */
let isGuessing: bool = false;
/** Slots that are still to be reported without a test. */
let run: i32 = 0;
let runEnd: i32 = 0;

/** Begins a walk. `undecided` is what is known of the root's box. */
export function begin(newKind: i32, undecided: i32, newCategories: i32): void {
  kind = newKind;
  categories = newCategories;
  slot = slotEnd = children = run = runEnd = 0;
  setInt(NODES_VISITED, 0, 0);
  setInt(NODES_CONTAINED, 0, 0);
  setInt(BODIES_TESTED, 0, 0);
  top = filter(kind, intAt(FITTED, 0), ROOT, ROOT + 1, undecided, 0, STACK, STACK_NOTES, 0);
}

/** Goes on until a batch is full; returns the number of answers, 0 at the end: bodies that touch the volume, or may. */
export function nextOverlapping(): i32 {
  const body = intAt(BODY, 0);
  let count = 0;
  let undecided = 0;
  while (count <= BATCH) {
    if (run < runEnd) {
      const end = min(run + PIECE, runEnd);
      count = appendPresent(body, run, end, ANSWERS, count);
      run = end;
      continue;
    }
    if (slot == slotEnd) {
      if (top == 0) break;
      const node = intAt(STACK, --top);
      if (!isWanted(node)) continue;
      known = intAt(STACK_NOTES, top);
      if (known <= CONTAINED) {
        take(node);
        continue;
      }
      enter(node);
    }
    if (slot < slotEnd) {
      const end = min(slot + PIECE, slotEnd);
      const newCount = filter(kind, intAt(SLOT_BOUNDS, 0), slot, end, known, body, ANSWERS, NOTES, count);
      undecided = listUndecided(count, newCount, undecided);
      count = newCount;
      slot = end;
      if (slot < slotEnd) continue;
    }
    if (children != 0) pushChildren();
  }
  setInt(UNDECIDED_COUNT, 0, undecided);
  return count;
}

/** Appends the places of those of the answers [begin, end) that are undecided, and their notes, at `count`; returns the new count. */
@inline
function listUndecided(begin: i32, end: i32, count: i32): i32 {
  for (let k = begin; k < end; k += 4) {
    const notes = v128.load(<usize>(NOTES + (k << 2)));
    const decided = i32x4.bitmask(i32x4.eq(notes, zeros())) | lanesBehind(end - k);
    v128.store(<usize>(UNDECIDED + (count << 2)), withoutLanes(fourFrom(k), decided));
    v128.store(<usize>(UNDECIDED_NOTES + (count << 2)), withoutLanes(notes, decided));
    count += 4 - popcnt(decided);
  }
  return count;
}

/** Leaves out what has been made negative of a batch of so many answers; returns how many are left. */
export function dropNegative(count: i32): i32 {
  return appendPresent(ANSWERS, 0, count, ANSWERS, 0);
}

/**
 * Goes on to the next node with bodies that may be near enough, nearest node first, or to the next piece of a large one. Returns how many bodies,
 * 0 at the end; if there are few, the nearest comes last.
 */
export function nextNearest(): i32 {
  while (true) {
    if (slot < slotEnd) {
      const end = min(slot + PIECE, slotEnd);
      piece = slot;
      const kept = filter(kind, intAt(SLOT_BOUNDS, 0), slot, end, 0, intAt(BODY, 0), KEPT, KEPT_NOTES, 0);
      slot = end;
      if (kept == 0) continue;
      if (kept <= MAX_INSERTION_SORT) sortFarthestFirst(KEPT, KEPT_NOTES, 0, kept);
      return kept;
    }
    if (children != 0) {
      const bottom = top;
      pushChildren();
      if (isGuessing) bringNearestOnTop(bottom);
      else sortFarthestFirst(STACK, STACK_NOTES, bottom, top);
    }
    if (top == 0) return 0;
    const node = intAt(STACK, --top);
    // Answers found meanwhile may have made it stricter.
    if (floatAt(STACK_NOTES, top) <= floatAt(SHAPE, MAX_DISTANCE_OFFSET) && isWanted(node)) enter(node);
  }
  return 0;
}

/**
 * Walks on without asking back, led by the boxes of the bodies alone: to the answers go bodies in order of their boxes' distances, and with them, as far
 * as the reach allows, some more than `wanted`. Returns how many. The boxes of all others lie beyond BEYOND. Stops early, with HAS_MORE, where
 * there are too many.
 */
export function guessNearest(wanted: i32): i32 {
  const spare = SPARE_TOLERANCES * floatAt(SHAPE, TOLERANCE_OFFSET);
  let found = 0;
  isGuessing = true;
  setFloat(BEYOND, 0, Infinity);
  for (let count = nextNearest(); count > 0; count = nextNearest()) {
    if (found + count > MAX_INSERTION_SORT) {
      // Left to the walk that asks.
      slot = piece;
      break;
    }
    for (let k = count - 1; k >= 0; k--) insertGuess(found++, intAt(KEPT, k), floatAt(KEPT_NOTES, k));
    if (found < wanted) continue;
    // Bodies are a little farther than their boxes seem, if those are tight.
    const reach = sqrt(floatAt(NOTES, wanted - 1)) + spare;
    const reachSq = reach * reach;
    if (reachSq >= floatAt(SHAPE, MAX_DISTANCE_OFFSET)) continue;
    setFloat(SHAPE, MAX_DISTANCE_OFFSET, reachSq);
    setFloat(BEYOND, 0, reachSq);
    while (floatAt(NOTES, found - 1) > reachSq) found--;
  }
  isGuessing = false;
  setInt(HAS_MORE, 0, slotEnd - slot);
  return found;
}

/** Inserts a body among the first `count` that are guessed to be answers. */
@inline
function insertGuess(count: i32, item: i32, distanceSq: f32): void {
  let to = count;
  for (; to > 0 && floatAt(NOTES, to - 1) > distanceSq; to--) {
    setInt(ANSWERS, to, intAt(ANSWERS, to - 1));
    setFloat(NOTES, to, floatAt(NOTES, to - 1));
  }
  setInt(ANSWERS, to, item);
  setFloat(NOTES, to, distanceSq);
}

/** Makes a node the one at hand: its bodies and its children are to be filtered. */
@inline
function enter(node: i32): void {
  const links = linksOf(node);
  const count = intAt(links, COUNT);
  slot = intAt(links, PAGE);
  slotEnd = slot + count;
  children = intAt(links, FIRST_CHILD);
  addCost(NODES_VISITED, 1);
  addCost(BODIES_TESTED, count);
}

/** Has the bodies in and below a node reported without a test: in one sweep where their slots are one run, else node by node. */
function take(node: i32): void {
  if (known == CONTAINED) addCost(NODES_CONTAINED, 1);
  run = intAt(intAt(RUN_START, 0), node);
  runEnd = intAt(intAt(RUN_END, 0), node);
  if (runEnd != NO_RUN) return;
  const links = linksOf(node);
  run = intAt(links, PAGE);
  runEnd = run + intAt(links, COUNT);
  const first = intAt(links, FIRST_CHILD);
  if (first == 0) return;
  for (let child = first; child < first + BLOCK; child++) {
    setInt(STACK, top, child);
    setInt(STACK_NOTES, top, BELOW_WHOLE);
    top += <i32>!isEmpty(child);
  }
}

/** Puts those children of the node at hand that pass on the stack. */
@inline
function pushChildren(): void {
  top = filter(kind, intAt(FITTED, 0), children, children + BLOCK, known, 0, STACK, STACK_NOTES, top);
  children = 0;
}

@inline
function linksOf(node: i32): i32 {
  return intAt(LINKS, 0) + node * (LINK_STRIDE << 2);
}

/** Whether there are no bodies in or below a node: so it is with all that are not in use. */
@inline
function isEmpty(node: i32): bool {
  const fitted = intAt(FITTED, 0);
  return floatAt(fitted, node * BOX_STRIDE) > floatAt(fitted, node * BOX_STRIDE + 3);
}

@inline
function isWanted(node: i32): bool {
  return categories == ALL_CATEGORIES || (intAt(intAt(NODE_CATEGORIES, 0), node) & categories) != 0;
}

@inline
function addCost(cost: i32, more: i32): void {
  setInt(cost, 0, intAt(cost, 0) + more);
}

/** Of the nodes from `bottom` on. Less than an order, but all that a guess needs: what lies below is seldom visited. */
@inline
function bringNearestOnTop(bottom: i32): void {
  if (top == bottom) return;
  const last = top - 1;
  let nearest = last;
  for (let k = bottom; k < last; k++) if (floatAt(STACK_NOTES, k) < floatAt(STACK_NOTES, nearest)) nearest = k;
  const node = intAt(STACK, nearest);
  const distance = floatAt(STACK_NOTES, nearest);
  setInt(STACK, nearest, intAt(STACK, last));
  setFloat(STACK_NOTES, nearest, floatAt(STACK_NOTES, last));
  setInt(STACK, last, node);
  setFloat(STACK_NOTES, last, distance);
}

/** An insertion sort: there are few. */
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
