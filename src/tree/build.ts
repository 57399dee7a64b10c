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
  const { bodies, nodes, box } = tree;
  const minX = nodes.cellMin(base, 0);
  const minY = nodes.cellMin(base, 1);
  const minZ = nodes.cellMin(base, 2);
  const edge = nodes.edge(base);
  const levels = Math.min(KEY_LEVELS, nodes.level(base) - levelOf(tree.minCellSize));
  const cells = 1 << levels;
  const cellEdge = edge / cells;
  const spare = 2 * tree.reach(edge);

  for (let k = begin; k < end; k++) {
    bodies.readBox(order[k], box);
    const x = cellOf((box[0] + box[3]) * 0.5, minX, cellEdge, cells);
    const y = cellOf((box[1] + box[4]) * 0.5, minY, cellEdge, cells);
    const z = cellOf((box[2] + box[5]) * 0.5, minZ, cellEdge, cells);

    // A level that is likely to be it: the deepest one that accepts a body of this size wherever its centre lies.
    const size = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
    let level = size * cells > spare ? Math.max(31 - Math.clz32(spare / size), 0) : levels;

    // Exactly: the deepest level at which the cell around the centre accepts the body.
    while (level > 0 && !isAccepted(tree, box, x, y, z, level, levels, minX, minY, minZ, edge)) level--;
    while (level < levels && isAccepted(tree, box, x, y, z, level + 1, levels, minX, minY, minZ, edge)) level++;

    const code = spreadBits(x) | (spreadBits(y) << 1) | (spreadBits(z) << 2);
    const kept = (code >>> (3 * (levels - level))) << (3 * (KEY_LEVELS - level));
    keys[k] = (kept << LEVEL_BITS) | level;
  }
}

/** Number of the cell that holds a coordinate, [0, cells): the lower face belongs to a cell, the region's last face to the last one. */
function cellOf(coordinate: number, min: number, cellEdge: number, cells: number): number {
  let cell = Math.floor((coordinate - min) / cellEdge);
  // The subtraction may have rounded up onto a face that the coordinate lies just below.
  if (min + cell * cellEdge > coordinate) cell--;
  return cell < 0 ? 0 : cell >= cells ? cells - 1 : cell;
}

/** Whether the cell of `level` around the finest cell (x, y, z) accepts a box. */
function isAccepted(
  tree: Tree,
  box: Float64Array,
  x: number,
  y: number,
  z: number,
  level: number,
  levels: number,
  minX: number,
  minY: number,
  minZ: number,
  edge: number,
): boolean {
  const cellEdge = edge / (1 << level);
  const cellX = minX + (x >>> (levels - level)) * cellEdge;
  const cellY = minY + (y >>> (levels - level)) * cellEdge;
  const cellZ = minZ + (z >>> (levels - level)) * cellEdge;
  return cellAccepts(cellX, cellY, cellZ, cellEdge, tree.reach(cellEdge), box);
}

/** Moves bit k of a 9-bit number to bit 3k. */
function spreadBits(value: number): number {
  value = (value | (value << 16)) & 0x030000ff;
  value = (value | (value << 8)) & 0x0300f00f;
  value = (value | (value << 4)) & 0x030c30c3;
  return (value | (value << 2)) & 0x09249249;
}
