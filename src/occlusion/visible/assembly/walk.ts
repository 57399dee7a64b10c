/**
 * The walk of ../plain-walk.ts: nearest nodes first, each tested against the frustum, then against a depth buffer. It
 * stops at each body whose slot bounds are not hidden; JavaScript decides about the body, and rasterises it if it is an
 * occluder. The view and the buffer are in Float64, so that it finds what the other walk finds, in the same order; only
 * the frustum is tested in Float32, and keeps a little more.
 *
 * A module of its own, because only `collectVisible` needs it. AssemblyScript; `npm run build:simd` compiles it into
 * ../wasm-walk-code.ts.
 */

import { ALL_CATEGORIES, BLOCK, COUNT, FIRST_CHILD, PAGE, ROOT } from '../../../tree/layout.ts';
import { MAX_INSERTION_SORT, PLANES_OVERLAP } from '../../../tree/traverse/walk-numbers.ts';
import { filterBoxes } from '../../../wasm/assembly/filter-boxes.ts';
import { intAt, linksBelowChain, setInt } from '../../../wasm/assembly/memory.ts';
import {
  BODIES_TESTED,
  BODY,
  FITTED,
  KEPT,
  KEPT_DISTANCES,
  NODE_CATEGORIES,
  NODES_CONTAINED,
  NODES_VISITED,
  SLOT_BOUNDS,
  STACK,
  STACK_OVERLAPS,
} from '../../../wasm/memory-map.ts';
import { BODIES_HIDDEN, BODY_OVERLAP, NODES_HIDDEN, NODES_TESTED, SORTED_DISTANCES, VIEW_EYE } from '../walk-memory.ts';
import { clear, isEmpty, isHidden, rasterise, setBox } from './depth-buffer.ts';

export { isHidden, rasterise };

/** Overlaps of the slots that were kept. */
@inline const KEPT_OVERLAPS: i32 = KEPT_DISTANCES;

let categories: i32 = -1;
let top: i32 = 0;
/** Bodies of the current block that are left; slots of the current node that are not filtered yet; its children. */
let kept: i32 = 0;
let slot: i32 = 0;
let slotEnd: i32 = 0;
let children: i32 = 0;
let nodeOverlap: i32 = 0;

/** Begins at the root, after the planes and the view were written. */
export function begin(width: i32, height: i32, rootOverlap: i32, newCategories: i32): void {
  clear(width, height);
  categories = newCategories;
  kept = slot = slotEnd = children = 0;
  setInt(NODES_TESTED, 0, 0);
  setInt(NODES_HIDDEN, 0, 0);
  setInt(BODIES_HIDDEN, 0, 0);
  setInt(NODES_VISITED, 0, 0);
  setInt(NODES_CONTAINED, 0, 0);
  setInt(BODIES_TESTED, 0, 0);
  top = filter(intAt(FITTED, 0), ROOT, ROOT + 1, rootOverlap, STACK, STACK_OVERLAPS, 0);
}

/** The next body whose slot bounds are not hidden; -1 at the end. */
export function next(): i32 {
  while (true) {
    while (kept > 0) {
      const bodySlot = intAt(KEPT, --kept);
      setBox(intAt(SLOT_BOUNDS, 0), bodySlot);
      if (isHidden()) {
        addOne(BODIES_HIDDEN);
        continue;
      }
      setInt(BODY_OVERLAP, 0, intAt(KEPT_OVERLAPS, kept));
      return intAt(intAt(BODY, 0), bodySlot);
    }
    if (slot < slotEnd) {
      // Sorted in blocks of slots, whatever the frustum keeps of them: so the order is that of the other walk.
      const end = min(slot + MAX_INSERTION_SORT, slotEnd);
      const boxes = intAt(SLOT_BOUNDS, 0);
      kept = filter(boxes, slot, end, nodeOverlap, KEPT, KEPT_OVERLAPS, 0);
      setInt(BODIES_TESTED, 0, intAt(BODIES_TESTED, 0) + end - slot);
      slot = end;
      sort(boxes, KEPT, KEPT_OVERLAPS, kept);
      continue;
    }
    const fitted = intAt(FITTED, 0);
    if (children != 0) {
      const bottom = top;
      top = filter(fitted, children, children + BLOCK, nodeOverlap, STACK, STACK_OVERLAPS, bottom);
      children = 0;
      sort(fitted, STACK + (bottom << 2), STACK_OVERLAPS + (bottom << 2), top - bottom);
    }
    if (top == 0) return -1;
    const node = intAt(STACK, --top);
    if (categories != ALL_CATEGORIES && (intAt(intAt(NODE_CATEGORIES, 0), node) & categories) == 0) continue;
    if (!isEmpty) {
      addOne(NODES_TESTED);
      setBox(fitted, node);
      if (isHidden()) {
        addOne(NODES_HIDDEN);
        continue;
      }
    }
    addOne(NODES_VISITED);
    const links = linksBelowChain(node);
    nodeOverlap = intAt(STACK_OVERLAPS, top);
    slot = intAt(links, PAGE);
    slotEnd = slot + intAt(links, COUNT);
    children = intAt(links, FIRST_CHILD);
  }
}

@inline
function addOne(cost: i32): void {
  setInt(cost, 0, intAt(cost, 0) + 1);
}

@inline
function filter(boxes: i32, begin: i32, end: i32, around: i32, items: i32, overlaps: i32, count: i32): i32 {
  return filterBoxes(PLANES_OVERLAP, boxes, begin, end, around, 0, items, overlaps, count);
}

/** Sorts boxes by their distances from the eye, the nearest last. Insertion sort: ranges are short. */
function sort(boxes: i32, items: i32, overlaps: i32, count: i32): void {
  if (count < 2) return;
  const eyeXY = v128.load(<usize>VIEW_EYE);
  const eyeZ = load<f64>(<usize>VIEW_EYE, 16);
  for (let k = 0; k < count; k++) {
    const item = intAt(items, k);
    const itemOverlap = intAt(overlaps, k);
    const at = <usize>(boxes + item * 24);
    const below = f64x2.sub(f64x2.promote_low_f32x4(v128.load(at)), eyeXY);
    const above = f64x2.sub(eyeXY, f64x2.promote_low_f32x4(v128.load(at, 12)));
    const xy = f64x2.pmax(f64x2.splat(0), f64x2.pmax(below, above));
    const squares = f64x2.mul(xy, xy);
    const belowZ = <f64>load<f32>(at, 8) - eyeZ;
    const aboveZ = eyeZ - <f64>load<f32>(at, 20);
    const beyond = select<f64>(belowZ, aboveZ, belowZ > aboveZ);
    const z = select<f64>(beyond, 0, beyond > 0);
    const distance = f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1) + z * z;
    let to = k;
    for (; to > 0 && load<f64>(<usize>(SORTED_DISTANCES + (to << 3) - 8)) < distance; to--) {
      setInt(items, to, intAt(items, to - 1));
      setInt(overlaps, to, intAt(overlaps, to - 1));
      store<f64>(<usize>(SORTED_DISTANCES + (to << 3)), load<f64>(<usize>(SORTED_DISTANCES + (to << 3) - 8)));
    }
    setInt(items, to, item);
    setInt(overlaps, to, itemOverlap);
    store<f64>(<usize>(SORTED_DISTANCES + (to << 3)), distance);
  }
}
