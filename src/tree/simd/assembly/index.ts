/**
 * The walks of src/tree/walk.ts once more, in WebAssembly with SIMD, in the same order. Both are asked batch by batch, so that the exact tests
 * and the caller's filters stay in JavaScript: `begin`, then `nextOverlapping` or `nextNearest` until it returns 0.
 *
 * AssemblyScript; `npm run build:simd` compiles it into ../walker-code.ts.
 */

import { ALL_CATEGORIES, BLOCK, COUNT, FIRST_CHILD, PAGE, ROOT } from '../../layout.ts';
import { WHOLE } from '../../notes.ts';
import {
  ANSWERS, BATCH, BODIES_TESTED, BODY, ENTRIES, FITTED, KEPT, KEPT_LANES, LINKS, MOST_LANE, NODES_VISITED, NODES_WHOLE, NODE_CATEGORIES, PIECE, SHAPE,
  STACK, STACK_LANES, SUBTREE,
} from '../memory-map.ts';
import { filter } from './filter.ts';
import { floatAt, intAt, setFloat, setInt } from './lanes.ts';

/** log2 of the bytes of a node's links. */
@inline const LINK_SHIFT: i32 = 4;
/** An insertion sort of more than so many takes too long. */
@inline const MOST_TO_SORT: i32 = 64;

let kind: i32 = 0;
let categories: i32 = -1;
/** Nodes on the stack. */
let top: i32 = 0;
/** The slots of the node at hand that are still to be filtered, what is known of them, and its first child if those are. */
let slot: i32 = 0;
let slotEnd: i32 = 0;
let known: i32 = 0;
let children: i32 = 0;

/** Begins a walk. `undecided` is what is known of the root's box. */
export function begin(newKind: i32, undecided: i32, newCategories: i32): void {
  kind = newKind;
  categories = newCategories;
  slot = slotEnd = children = 0;
  setInt(NODES_VISITED, 0, 0);
  setInt(NODES_WHOLE, 0, 0);
  setInt(BODIES_TESTED, 0, 0);
  top = filter(kind, intAt(FITTED, 0), ROOT, ROOT + 1, undecided, STACK, STACK_LANES, 0);
}

/** Goes on until a batch is full; returns the number of answers, 0 at the end: bodies that may touch the volume, and subtrees wholly inside it. */
export function nextOverlapping(): i32 {
  const body = intAt(BODY, 0);
  let count = 0;
  while (count < BATCH) {
    if (slot < slotEnd) {
      const end = min(slot + PIECE, slotEnd);
      const kept = filter(kind, intAt(ENTRIES, 0), slot, end, known, KEPT, KEPT_LANES, 0);
      slot = end;
      for (let k = 0; k < kept; k++) answer(count++, intAt(body, intAt(KEPT, k)), intAt(KEPT_LANES, k));
      continue;
    }
    if (children != 0) {
      top = filter(kind, intAt(FITTED, 0), children, children + BLOCK, known, STACK, STACK_LANES, top);
      children = 0;
    }
    if (top == 0) break;
    const node = intAt(STACK, --top);
    if (!isWanted(node)) continue;
    known = intAt(STACK_LANES, top);
    if (known == WHOLE) {
      note(NODES_WHOLE, 1);
      answer(count++, node, SUBTREE);
    } else enter(node);
  }
  return count;
}

/** Goes on to the next node with bodies that may be near enough, nearest node first; returns how many, 0 at the end: bodies, the nearest first. */
export function nextNearest(): i32 {
  while (true) {
    if (slot < slotEnd) {
      const end = min(slot + PIECE, slotEnd);
      const kept = filter(kind, intAt(ENTRIES, 0), slot, end, 0, KEPT, KEPT_LANES, 0);
      slot = end;
      if (kept == 0) continue;
      if (kept <= MOST_TO_SORT) sortFarthestFirst(KEPT, KEPT_LANES, 0, kept);
      const body = intAt(BODY, 0);
      for (let k = 0, from = kept - 1; from >= 0; k++, from--) answer(k, intAt(body, intAt(KEPT, from)), intAt(KEPT_LANES, from));
      return kept;
    }
    if (children != 0) {
      const bottom = top;
      top = filter(kind, intAt(FITTED, 0), children, children + BLOCK, 0, STACK, STACK_LANES, top);
      children = 0;
      // The nearest child comes on top.
      sortFarthestFirst(STACK, STACK_LANES, bottom, top);
    }
    if (top == 0) break;
    const node = intAt(STACK, --top);
    // Answers found meanwhile may have made it stricter.
    if (floatAt(STACK_LANES, top) <= floatAt(SHAPE, MOST_LANE) && isWanted(node)) enter(node);
  }
  return 0;
}

/** Makes a node the one at hand. */
@inline
function enter(node: i32): void {
  const links = intAt(LINKS, 0) + (node << LINK_SHIFT);
  const count = intAt(links, COUNT);
  slot = intAt(links, PAGE);
  slotEnd = slot + count;
  children = intAt(links, FIRST_CHILD);
  note(NODES_VISITED, 1);
  note(BODIES_TESTED, count);
}

@inline
function isWanted(node: i32): bool {
  return categories == ALL_CATEGORIES || (intAt(intAt(NODE_CATEGORIES, 0), node) & categories) != 0;
}

@inline
function answer(k: i32, item: i32, lane: i32): void {
  setInt(ANSWERS, 2 * k, item);
  setInt(ANSWERS, 2 * k + 1, lane);
}

@inline
function note(cost: i32, more: i32): void {
  setInt(cost, 0, intAt(cost, 0) + more);
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
