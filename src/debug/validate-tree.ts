/**
 * Checks every invariant of a tree, and describes each fault in a sentence. Two parts: structure (links, pages, counts,
 * free lists) and bounds (slot bounds, fat bounds, fitted boxes, categories, owner nodes). Costs about as much as a
 * rebuild: for tests and debugging.
 */

import { BOX_STRIDE, boxContains, diagonalSq } from '../math/box.ts';
import { roundDown32, roundUp32 } from '../math/float32.ts';
import { cubeContains } from '../math/integer-cube.ts';
import {
  BLOCK,
  BODY_HAS_TIGHT_SLOT,
  BODY_STATIC,
  CAPACITY,
  CELL_EDGE,
  CELL_STRIDE,
  COUNT,
  GRAIN,
  LIFESPAN,
  LINK_STRIDE,
  MAX_LIFESPAN,
  NODE_EXPIRY_LISTED,
  NODE_HAS_MOVABLE,
  NODE_USED,
  NO_BODY,
  NO_COUNTDOWN,
  NO_RUN,
  PAGE,
  ROOT,
} from '../tree/layout.ts';
import { acceptingOctant } from '../tree/update/place.ts';
import type { Tree } from '../tree/tree.ts';
import { usedNodes } from '../tree/traverse/walk-nodes.ts';

const LIFESPANS: readonly number[] = [LIFESPAN, 16, 32, MAX_LIFESPAN];

export function validateTree(tree: Tree): string[] {
  const faults: string[] = [];
  if (!tree.hasRoot) return faults;
  const used = usedNodes(tree);
  checkStructure(tree, used, faults);
  if (!readsArrays(tree)) faults.push('accelerator: reads other arrays than the tree');
  // Bounds are found through the links, so they are only checked if the structure is sound.
  const box = new Float64Array(BOX_STRIDE);
  if (faults.length === 0) for (const node of used) checkBounds(tree, node, box, faults);
  return faults;
}

/** Whether the accelerator reads the arrays that all other code reads. */
function readsArrays({ accelerator, nodes, slots }: Tree): boolean {
  const walker = accelerator?.walker ?? null;
  const { fitted, links, categoryMask, childMask, runStart, runEnd } = nodes;
  return (
    walker === null ||
    [fitted, links, categoryMask, childMask, runStart, runEnd, slots.slotBounds, slots.body].every((array) =>
      walker.reads(array),
    )
  );
}

function checkStructure(tree: Tree, used: readonly number[], faults: string[]): void {
  const { nodes, slots } = tree;
  if (nodes.count !== used.length) faults.push(`nodes: ${nodes.count} are counted, but ${used.length} are linked`);
  const perExponent = new Int32Array(nodes.perExponent.length);
  let placed = 0;
  let pagedSlots = 0;
  let blocksInUse = 1;
  for (const node of used) {
    perExponent[nodes.edgeExponent(node)]++;
    if (!nodes.isLeaf(node)) blocksInUse++;
    pagedSlots += nodes.links[node * LINK_STRIDE + CAPACITY];
    placed += nodes.bodyCount(node);
    checkNode(tree, node, faults);
    checkPage(tree, node, faults);
    checkRun(tree, node, faults);
  }
  for (let exponent = 0; exponent < perExponent.length; exponent++) {
    if (perExponent[exponent] !== nodes.perExponent[exponent])
      faults.push(
        `edge exponent ${exponent}: ${nodes.perExponent[exponent]} nodes are counted, but there are ${perExponent[exponent]}`,
      );
  }
  if (placed !== tree.placedCount)
    faults.push(`bodies: ${tree.placedCount} are counted as placed, but pages hold ${placed}`);
  const freeSlots = slots.free.reduce((sum, list, sizeClass) => sum + list.length * (GRAIN << sizeClass), 0);
  if (pagedSlots + freeSlots !== slots.end)
    faults.push(`slots: ${pagedSlots} in pages and ${freeSlots} free do not add up to ${slots.end}`);
  if (blocksInUse + nodes.freeBlocks.length !== nodes.blocks) {
    faults.push(`blocks: ${blocksInUse} in use and ${nodes.freeBlocks.length} free do not add up to ${nodes.blocks}`);
  }
}

function checkNode(tree: Tree, node: number, faults: string[]): void {
  const { nodes } = tree;
  const add = (fault: string): unknown => faults.push(`node ${node}: ${fault}`);
  if ((nodes.flags[node] & NODE_USED) === 0) add('is linked, but not marked as used');
  const lifespan = nodes.lifespan[node];
  const countdown = nodes.countdown[node];
  if (!LIFESPANS.includes(lifespan)) add(`its lifespan is ${lifespan}, not 8, 16, 32 or 64`);
  if (countdown !== NO_COUNTDOWN) {
    if (countdown < 1 || countdown > lifespan)
      add(`its countdown of ${countdown} is not within its lifespan of ${lifespan}`);
    if (!nodes.isLeaf(node) || nodes.bodyCount(node) > 0) add('has a countdown, but is not an empty leaf');
  }
  const isEmptyLeaf = nodes.isLeaf(node) && nodes.bodyCount(node) === 0;
  if (isEmptyLeaf && node !== ROOT && (nodes.flags[node] & NODE_EXPIRY_LISTED) === 0)
    add('is an empty leaf, but not listed for expiry');
  if (nodes.isLeaf(node)) return;

  const first = nodes.firstChild(node);
  const block = first / BLOCK;
  if (nodes.blockParent[block] !== node) add(`the parent of its children is node ${nodes.blockParent[block]}`);
  if (nodes.childMask[node] === 0) add('has a block of children, but none in use');
  const half = nodes.edge(node) / 2;
  if (nodes.blockCells[block * CELL_STRIDE + CELL_EDGE] !== half) add("its children's cells are not half of its own");
  for (let axis = 0; axis < 3; axis++) {
    if (nodes.blockCells[block * CELL_STRIDE + axis] !== nodes.cellMin(node, axis) + half)
      add('its children do not meet at its centre');
  }
  if (half < tree.smallestEdge) add('its children are smaller than the smallest cell');
  for (let octant = 0; octant < BLOCK; octant++) {
    const isUsed = (nodes.flags[first + octant] & NODE_USED) !== 0;
    if (isUsed !== ((nodes.childMask[node] & (1 << octant)) !== 0))
      add(`its child mask does not match child ${octant}`);
  }
}

function checkPage(tree: Tree, node: number, faults: string[]): void {
  const { bodies, nodes, slots } = tree;
  const at = node * LINK_STRIDE;
  const page = nodes.links[at + PAGE];
  const count = nodes.links[at + COUNT];
  const capacity = nodes.links[at + CAPACITY];
  if (count > capacity || (count === 0 && capacity > 0))
    faults.push(`node ${node}: its page of ${capacity} slots does not match its ${count} bodies`);
  for (let slot = page; slot < page + capacity; slot += GRAIN) {
    if (slots.nodeOf(slot) !== node)
      faults.push(`slot ${slot}: is in the page of node ${node}, but its owner is node ${slots.nodeOf(slot)}`);
  }
  for (let slot = page; slot < page + count; slot++) {
    const index = slots.body[slot];
    if (bodies.slot[index] !== slot)
      faults.push(`body ${index}: is in slot ${slot}, but refers to slot ${bodies.slot[index]}`);
  }
}

/** @param box Scratch for the bounds of a body. */
function checkBounds(tree: Tree, node: number, box: Float64Array, faults: string[]): void {
  const { bodies, nodes, slots } = tree;
  const { fitted } = nodes;
  const page = nodes.page(node);
  for (let slot = page; slot < page + nodes.bodyCount(node); slot++) {
    const index = slots.body[slot];
    bodies.readBox(index, box);
    if (!boxContains(slots.slotBounds, slot * BOX_STRIDE, box, 0))
      faults.push(`body ${index}: its slot bounds do not contain its bounds`);
    const isTight = (bodies.flags[index] & BODY_HAS_TIGHT_SLOT) !== 0;
    if (isTight && (bodies.hasMargin(index) || !isTightSlot(tree, slot, box)))
      faults.push(`body ${index}: its slot bounds are not tight`);
    if (!boxContains(fitted, node * BOX_STRIDE, slots.slotBounds, slot * BOX_STRIDE))
      faults.push(`node ${node}: its fitted box does not contain body ${index}`);
    if (nodes.hasMaxDiagonals && !(nodes.maxDiagonalSq[node] >= diagonalSq(slots.slotBounds, slot * BOX_STRIDE)))
      faults.push(`node ${node}: its largest diagonal is less than the diagonal of body ${index}`);
    if (node !== ROOT && !tree.accepts(node, box)) faults.push(`body ${index}: its node ${node} does not accept it`);
    if (bodies.hasMargin(index)) checkFatBounds(tree, node, slot, index, box, faults);
    else if (!tree.isStableLeaf(node) && acceptingOctant(tree, node, box) >= 0)
      faults.push(`body ${index}: a child of its node ${node} would accept it`);
    if ((bodies.categoryMask[index] & ~nodes.categoryMask[node]) !== 0)
      faults.push(`node ${node}: does not have all categories of body ${index}`);
    if ((bodies.flags[index] & BODY_STATIC) === 0 && (nodes.flags[node] & NODE_HAS_MOVABLE) === 0)
      faults.push(`node ${node}: is not marked as movable, but body ${index} is not static`);
  }
  if (node === ROOT) return;
  const parent = nodes.parent(node);
  const isEmpty = fitted[node * BOX_STRIDE] > fitted[node * BOX_STRIDE + 3];
  if (!isEmpty && !boxContains(fitted, parent * BOX_STRIDE, fitted, node * BOX_STRIDE))
    faults.push(`node ${parent}: its fitted box does not contain its child ${node}`);
  if (nodes.hasMaxDiagonals && !(nodes.maxDiagonalSq[parent] >= nodes.maxDiagonalSq[node]))
    faults.push(`node ${parent}: its largest diagonal is less than the largest diagonal of its child ${node}`);
  if ((nodes.categoryMask[node] & ~nodes.categoryMask[parent]) !== 0)
    faults.push(`node ${parent}: does not have all categories of its child ${node}`);
}

/** Whether the slot bounds are the exact box, rounded outward to Float32. */
function isTightSlot({ slots }: Tree, slot: number, box: Float64Array): boolean {
  return box.every((value, k) => slots.slotBounds[slot * BOX_STRIDE + k] === (k < 3 ? roundDown32 : roundUp32)(value));
}

/** Fat bounds must contain the exact box, and lie within the slot bounds, the node's loose cell and the region. */
function checkFatBounds(
  tree: Tree,
  node: number,
  slot: number,
  index: number,
  box: Float64Array,
  faults: string[],
): void {
  const { bodies, slots } = tree;
  const at = index * BOX_STRIDE;
  const fatBounds = new Float64Array(bodies.fatBounds.subarray(at, at + BOX_STRIDE));
  if (!boxContains(fatBounds, 0, box, 0)) faults.push(`body ${index}: its fat bounds do not contain its bounds`);
  if (!boxContains(slots.slotBounds, slot * BOX_STRIDE, fatBounds, 0))
    faults.push(`body ${index}: its slot bounds do not contain its fat bounds`);
  if (!tree.accepts(node, fatBounds) || !cubeContains(tree.region, fatBounds))
    faults.push(`body ${index}: its node ${node} does not accept its fat bounds`);
}

/** The run of a subtree must hold all its bodies and no others. */
function checkRun(tree: Tree, node: number, faults: string[]): void {
  const { nodes, slots } = tree;
  if (nodes.runEnd[node] === NO_RUN) return;
  let found = 0;
  for (let slot = nodes.runStart[node]; slot < nodes.runEnd[node]; slot++) if (slots.body[slot] !== NO_BODY) found++;
  let below = 0;
  for (const other of usedNodes(tree, node)) below += nodes.bodyCount(other);
  if (found !== below)
    faults.push(`node ${node}: its run of slots holds ${found} bodies, but its subtree has ${below}`);
}
