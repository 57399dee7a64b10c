/**
 * The bulk build: the first tree is made from the whole queue at once. Every body gets the key of its cell, computed from
 * integer coordinates instead of a walk from the root; after a radix sort by key the bodies of each node are one run, and nodes,
 * pages and bodies lie in memory in the order in which a walk meets them.
 *
 * Key of a body, 31 bits: the Morton code of its cell nine levels below the base cell (27 bits, three a level), cut to the
 * deepest level at which that cell accepts the body, and that level (4 bits) behind it. So a node's own bodies come first in
 * its run, and the octants follow in order. Runs that have to go deeper than nine levels get new keys from a deeper base.
 */

import { BOX_LANES } from '../math/box.ts';
import { cellAccepts, levelOf } from '../math/integer-cube.ts';
import { radixSort } from '../math/radix-sort.ts';
import { CAPACITY, COUNT, GRAIN, GRAIN_SHIFT, LINK_LANES, NODE_LOST_BODY, NO_BODY, PAGE, ROOT } from './layout.ts';
import { refit, writeEntry } from './refit.ts';
import type { Tree } from './tree.ts';

/** Levels that one key covers. */
const KEY_LEVELS = 9;
const LEVEL_BITS = 4;
const LEVEL_MASK = (1 << LEVEL_BITS) - 1;

/** Bodies read at a time: what is read of them fits into the fastest cache. */
const BATCH = 128;

/** Places bodies in a tree whose root is an empty leaf that encloses them all. `order` holds their indices; it is sorted. */
export function buildFrom(tree: Tree, order: Uint32Array): void {
  const { nodes } = tree;
  const keys = new Uint32Array(order.length);
  // Nothing is placed, so every page is free: an octree that is emptied and filled again and again must not grow.
  tree.slots.clear();
  tree.slots.reserve(order.length + (order.length >> 2));
  tree.placed += order.length;

  // A run of bodies and the node they go to: depth counts from the cell that the run's keys are based on.
  const pending = [{ node: ROOT, begin: 0, end: order.length, depth: 0 }];
  const opened: number[] = [];
  keyByCell(tree, ROOT, order, keys, 0, order.length);
  radixSort(keys, order, 0, order.length);
  for (let run = pending.pop(); run !== undefined; run = pending.pop()) {
    const { node, begin, end } = run;
    let { depth } = run;
    opened.push(node);
    let staying = end;
    if (end - begin > tree.leafCapacity && !tree.isSmallest(node)) {
      if (depth === KEY_LEVELS) {
        keyByCell(tree, node, order, keys, begin, end);
        radixSort(keys, order, begin, end);
        depth = 0;
      }
      staying = begin;
      while (staying < end && (keys[staying] & LEVEL_MASK) === depth) staying++;
    }
    fillPage(tree, node, order, begin, staying);
    if (staying === end) continue;

    const first = tree.openBlock(node);
    const shift = LEVEL_BITS + 3 * (KEY_LEVELS - 1 - depth);
    // The last octant comes to lie on top of the stack, as in the walks: slots are laid down in the order in which a walk meets them.
    for (let start = staying; start < end; ) {
      const octant = (keys[start] >>> shift) & 7;
      let last = start + 1;
      while (last < end && ((keys[last] >>> shift) & 7) === octant) last++;
      tree.openNode(first + octant);
      pending.push({ node: first + octant, begin: start, end: last, depth: depth + 1 });
      start = last;
    }
  }
  writeEntries(tree);
  // Children were opened after their parents: backwards is bottom up.
  for (let k = opened.length - 1; k >= 0; k--) {
    nodes.flags[opened[k]] |= NODE_LOST_BODY;
    refit(tree, opened[k]);
    closeRun(tree, opened[k]);
  }
  nodes.trim();
}

/** Notes which slots a node and its children, whose runs are known, take up: own page first, then the children, last octant first. */
function closeRun(tree: Tree, node: number): void {
  const { nodes } = tree;
  const page = nodes.page(node);
  const pageEnd = page + nodes.links[node * LINK_LANES + CAPACITY];
  const mask = nodes.childMask[node];
  const first = nodes.firstChild(node);
  const hasPage = pageEnd > page;
  nodes.runStart[node] = hasPage || first === 0 ? page : nodes.runStart[first + 31 - Math.clz32(mask)];
  nodes.runEnd[node] = first === 0 ? pageEnd : nodes.runEnd[first + 31 - Math.clz32(mask & -mask)];
}

/** Lays a node's own bodies, [begin, end) of `order`, down in a page that fits them. */
function fillPage(tree: Tree, node: number, order: Uint32Array, begin: number, end: number): void {
  if (begin === end) return;
  const { nodes, slots } = tree;
  const capacity = ((end - begin + GRAIN - 1) >> GRAIN_SHIFT) << GRAIN_SHIFT;
  const page = slots.takeAtEnd(capacity);
  slots.own(page, capacity, node);
  const at = node * LINK_LANES;
  nodes.links[at + PAGE] = page;
  nodes.links[at + COUNT] = end - begin;
  nodes.links[at + CAPACITY] = capacity;
  for (let k = begin, slot = page; k < end; k++, slot++) slots.body[slot] = order[k];
  for (let slot = page + end - begin; slot < page + capacity; slot++) slots.body[slot] = NO_BODY;
}

/** Tells all bodies their slots, and writes the entries: batch by batch, because a loop that only reads waits for many bodies at once. */
function writeEntries(tree: Tree): void {
  const { bodies, slots } = tree;
  for (let slot = 0; slot < slots.end; ) {
    let count = 0;
    for (; slot < slots.end && count < BATCH; slot++) {
      const index = slots.body[slot];
      if (index === NO_BODY) continue;
      batch_bodies[count] = index;
      batch_slots[count++] = slot;
      bodies.slot[index] = slot;
      bodies.closeRoom(index);
    }
    bodies.readBoxes(batch_bodies, count, batch_boxes);
    for (let k = 0; k < count; k++) writeEntry(tree, batch_slots[k], batch_boxes, k * BOX_LANES);
  }
}
const batch_bodies = new Uint32Array(BATCH);
const batch_slots = new Uint32Array(BATCH);
const batch_boxes = new Float64Array(BATCH * BOX_LANES);

/** Gives the bodies in [begin, end) of `order` their keys below `base`. */
function keyByCell(tree: Tree, base: number, order: Uint32Array, keys: Uint32Array, begin: number, end: number): void {
  const { nodes } = tree;
  const boxes = batch_boxes;
  const minX = nodes.cellMin(base, 0);
  const minY = nodes.cellMin(base, 1);
  const minZ = nodes.cellMin(base, 2);
  const edge = nodes.edge(base);
  const levels = Math.min(KEY_LEVELS, nodes.level(base) - levelOf(tree.minCellSize));
  const cells = 1 << levels;
  const cellEdge = edge / cells;
  // A power of two has an exact inverse, so that this is a division.
  const perCell = 1 / cellEdge;
  const reach = tree.reach(edge);
  const spare = 2 * reach;

  for (let k = begin; k < end; k++) {
    const at = ((k - begin) % BATCH) * BOX_LANES;
    if (at === 0) tree.bodies.readBoxes(order.subarray(k, end), Math.min(BATCH, end - k), boxes);
    const x = cellOf((boxes[at] + boxes[at + 3]) * 0.5, minX, cellEdge, perCell, cells);
    const y = cellOf((boxes[at + 1] + boxes[at + 4]) * 0.5, minY, cellEdge, perCell, cells);
    const z = cellOf((boxes[at + 2] + boxes[at + 5]) * 0.5, minZ, cellEdge, perCell, cells);

    // A level that is likely to be it: the deepest one that accepts a body of this size wherever its centre lies.
    const sizeX = boxes[at + 3] - boxes[at];
    const sizeY = boxes[at + 4] - boxes[at + 1];
    const sizeZ = boxes[at + 5] - boxes[at + 2];
    const size = larger(larger(sizeX, sizeY), sizeZ);
    let level = size * cells > spare ? 31 - Math.clz32((spare / size) | 1) : levels;

    // Exactly: the deepest level at which the cell around the centre accepts the body.
    while (level > 0 && !isAccepted(boxes, at, minX, minY, minZ, x, y, z, levels - level, cellEdge, reach / (1 << level))) level--;
    while (level < levels && isAccepted(boxes, at, minX, minY, minZ, x, y, z, levels - level - 1, cellEdge, reach / (2 << level))) level++;

    const code = spreadBits(x) | (spreadBits(y) << 1) | (spreadBits(z) << 2);
    const kept = (code >>> (3 * (levels - level))) << (3 * (KEY_LEVELS - level));
    keys[k] = (kept << LEVEL_BITS) | level;
  }
}

/** Number of the cell that holds a coordinate, which is not below `min`, in [0, cells): the lower face belongs to a cell, the region's last face to the last one. */
function cellOf(coordinate: number, min: number, cellEdge: number, perCell: number, cells: number): number {
  let cell = ((coordinate - min) * perCell) | 0;
  // The subtraction may have rounded up onto a face that the coordinate lies just below.
  if (min + cell * cellEdge > coordinate) cell--;
  return cell < cells ? cell : cells - 1;
}

/** The larger of two numbers, but for the last bits: no processor foresees which of them it is, so there is no choice. */
function larger(a: number, b: number): number {
  return (a + b + Math.abs(a - b)) * 0.5;
}

/** Whether the cell `up` levels above the finest cell (x, y, z) accepts the box at lane `at`. */
function isAccepted(
  boxes: Float64Array,
  at: number,
  minX: number,
  minY: number,
  minZ: number,
  x: number,
  y: number,
  z: number,
  up: number,
  finestEdge: number,
  reach: number,
): boolean {
  const edge = finestEdge * (1 << up);
  return cellAccepts(minX + (x >>> up) * edge, minY + (y >>> up) * edge, minZ + (z >>> up) * edge, edge, reach, boxes, at);
}

/** Moves bit k of a 9-bit number to bit 3k. */
function spreadBits(value: number): number {
  value = (value | (value << 16)) & 0x030000ff;
  value = (value | (value << 8)) & 0x0300f00f;
  value = (value | (value << 4)) & 0x030c30c3;
  return (value | (value << 2)) & 0x09249249;
}
