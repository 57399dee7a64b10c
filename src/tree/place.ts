/**
 * Where a body goes. Each body has one owner node: from any node whose cell accepts it, it sinks into the octant that its centre
 * chooses as long as that octant accepts it too; a body that no longer fits climbs by parent links first.
 *
 * Invariant: no body of an inner node, and none of a leaf past the leaf capacity, would be accepted by the octant it chooses.
 * Only bodies of other leaves get a margin, so that a drift within it cannot break the invariant.
 */

import { roundDown32 } from '../math/float32.ts';
import { BODY_STATIC, CAPACITY, CELL_LANES, COUNT, LINK_LANES, MARGIN_SHARE, MARGIN_STEPS, MAX_LIFESPAN, NODE_LOST_BODY, NO_BODY, NO_COUNTDOWN, NO_RUN, PAGE, QUAD, ROOT, octantOf } from './layout.ts';
import { NO_SLOT } from './body-lanes.ts';
import { encloseInRoot } from './grow.ts';
import { addCategories, enlarge, writeEntry } from './refit.ts';
import type { Tree } from './tree.ts';

/** A margin of less than this part of the wanted one means that a body is about to leave its node. */
const NEAR_EDGE = 4;

/** Places a body that is not in the tree. The root must exist; it grows until it encloses the body. */
export function placeBody(tree: Tree, index: number): void {
  const box = tree.bodies.readBox(index, tree.box);
  encloseInRoot(tree, box);
  // No margin yet: most bodies never move, and a tight entry prunes best.
  addToNode(tree, sink(tree, ROOT, box), index, box, 0);
  tree.placed++;
  splitOverfull(tree);
}

/** Takes a body out of the tree. */
export function removeBody(tree: Tree, index: number): void {
  const { bodies, slots } = tree;
  const slot = bodies.slot[index];
  const node = slots.nodeOf(slot);
  removeSlot(tree, node, slot);
  bodies.slot[index] = NO_SLOT;
  tree.placed--;
  afterLoss(tree, node);
}

/** Brings a body whose bounds have left its entry to the node where it belongs now, and renews the entry. */
export function relocateBody(tree: Tree, index: number): void {
  const { bodies, nodes, slots } = tree;
  const box = bodies.readBox(index, tree.box);
  encloseInRoot(tree, box);
  const slot = bodies.slot[index];
  const owner = slots.nodeOf(slot);
  let node = owner;
  while (node !== ROOT && !tree.accepts(node, box)) node = nodes.parent(node);
  node = sink(tree, node, box);
  const step = Math.max(-bodies.slack[index], 0);
  let wanted = wantedMargin(tree, node, step);
  let margin = marginFor(tree, node, nodes.bodyCount(node), index, box, wanted);
  if (node === owner && margin * NEAR_EDGE < wanted && !centreLiesIn(tree, node, box)) {
    // Close to the limit of what its node accepts it would be back here after the next small step: it goes where its centre is.
    while (node !== ROOT && !centreLiesIn(tree, node, box)) node = nodes.parent(node);
    node = sink(tree, node, box);
  }

  if (node === owner) {
    writeEntry(tree, slot, box, margin);
    bodies.slack[index] = margin;
    enlarge(tree, node, slot);
    tree.listRefit(node);
    if (isOverfull(tree, node) && acceptingOctant(tree, node, box) >= 0) tree.overfull.push(node);
  } else {
    removeSlot(tree, owner, slot);
    wanted = wantedMargin(tree, node, step);
    margin = marginFor(tree, node, nodes.bodyCount(node) + 1, index, box, wanted);
    addToNode(tree, node, index, box, margin);
    afterLoss(tree, owner);
    tree.counters.bodiesRelocated++;
  }
  splitOverfull(tree);
}

/** Whether the centre of a box lies in a node's cell itself, without its looseness. */
function centreLiesIn(tree: Tree, node: number, box: Float64Array): boolean {
  const { nodes } = tree;
  const edge = nodes.edge(node);
  for (let axis = 0; axis < 3; axis++) {
    const centre = (box[axis] + box[axis + 3]) * 0.5;
    const min = nodes.cellMin(node, axis);
    if (centre < min || centre >= min + edge) return false;
  }
  return true;
}

/** The deepest node from `node` down that accepts a box, going by its centre; opens children on the way. */
function sink(tree: Tree, node: number, box: Float64Array): number {
  const { nodes } = tree;
  while (!nodes.isLeaf(node)) {
    const octant = acceptingOctant(tree, node, box);
    if (octant < 0) return node;
    const child = nodes.firstChild(node) + octant;
    if ((nodes.childMask[node] & (1 << octant)) === 0) tree.openNode(child);
    node = child;
  }
  return node;
}

/** The octant of a node that the centre of a box chooses, or -1 if that octant's cell does not accept the box. */
export function acceptingOctant(tree: Tree, node: number, box: Float64Array): number {
  const { nodes, looseness } = tree;
  const at = (node >> 3) * CELL_LANES;
  const { blockCells } = nodes;
  const edge = blockCells[at + 3];
  const half = edge * 0.5;
  const middleX = (node & 1) === 0 ? blockCells[at] - half : blockCells[at] + half;
  const middleY = (node & 2) === 0 ? blockCells[at + 1] - half : blockCells[at + 1] + half;
  const middleZ = (node & 4) === 0 ? blockCells[at + 2] - half : blockCells[at + 2] + half;
  const octant = octantOf(
    (box[0] + box[3]) * 0.5,
    (box[1] + box[4]) * 0.5,
    (box[2] + box[5]) * 0.5,
    middleX,
    middleY,
    middleZ,
  );
  const margin = (looseness - 1) * half * 0.5;
  const minX = (octant & 1) === 0 ? middleX - half : middleX;
  const minY = (octant & 2) === 0 ? middleY - half : middleY;
  const minZ = (octant & 4) === 0 ? middleZ - half : middleZ;
  const isAccepted =
    box[0] >= minX - margin &&
    box[3] <= minX + half + margin &&
    box[1] >= minY - margin &&
    box[4] <= minY + half + margin &&
    box[2] >= minZ - margin &&
    box[5] <= minZ + half + margin;
  return isAccepted ? octant : -1;
}

/** Appends a body to a node's page. A leaf that this makes too full is listed for `splitOverfull`. */
export function addToNode(tree: Tree, node: number, index: number, box: Float64Array, margin: number): void {
  const { bodies, nodes, slots } = tree;
  const at = node * LINK_LANES;
  const count = nodes.links[at + COUNT];
  if (count === nodes.links[at + CAPACITY]) growPage(tree, node);
  const slot = nodes.links[at + PAGE] + count;
  nodes.links[at + COUNT] = count + 1;
  slots.body[slot] = index;
  bodies.slot[index] = slot;
  bodies.slack[index] = margin;
  writeEntry(tree, slot, box, margin);
  enlarge(tree, node, slot);
  addCategories(tree, node, index);

  if (!nodes.isLeaf(node)) return;
  if (nodes.countdown[node] !== NO_COUNTDOWN) reuse(tree, node);
  // Past the capacity none of the others would sink (see the invariant), so only the first excess body and accepted ones matter.
  if (isOverfull(tree, node) && (count === tree.leafCapacity || acceptingOctant(tree, node, box) >= 0)) tree.overfull.push(node);
}

/** Splits the listed leaves until none is past the leaf capacity with a body that a child would accept. */
export function splitOverfull(tree: Tree): void {
  while (tree.overfull.length > 0) split(tree, tree.overfull.pop()!);
}

/** A leaf that was about to expire is used again: next time it may wait twice as long. */
function reuse(tree: Tree, node: number): void {
  const { nodes } = tree;
  nodes.countdown[node] = NO_COUNTDOWN;
  nodes.lifespan[node] = Math.min(2 * nodes.lifespan[node], MAX_LIFESPAN);
  tree.counters.nodesReused++;
}

function split(tree: Tree, node: number): void {
  const { bodies, nodes, slots } = tree;
  const box = split_box;
  const page = nodes.page(node);
  // From the end, because removing a slot moves the last one into it.
  for (let slot = page + nodes.bodyCount(node) - 1; slot >= page; slot--) {
    const index = slots.body[slot];
    const octant = acceptingOctant(tree, node, bodies.readBox(index, box));
    if (octant < 0) {
      bodies.slack[index] = 0;
      continue;
    }
    const first = nodes.isLeaf(node) ? tree.openBlock(node) : nodes.firstChild(node);
    if ((nodes.childMask[node] & (1 << octant)) === 0) tree.openNode(first + octant);
    removeSlot(tree, node, slot);
    addToNode(tree, first + octant, index, box, 0);
  }
}
const split_box = new Float64Array(6);

/** Past the leaf capacity with room for smaller cells: then moves inside the node may call for a split. */
function isOverfull(tree: Tree, node: number): boolean {
  return tree.nodes.isLeaf(node) && tree.nodes.bodyCount(node) > tree.leafCapacity && !tree.isSmallest(node);
}

/** How far a body that takes steps like its last one should be able to drift in a node. */
function wantedMargin(tree: Tree, node: number, step: number): number {
  return Math.min(step * MARGIN_STEPS, tree.nodes.edge(node) * MARGIN_SHARE);
}

/**
 * How far a body may drift from `box` in a node of `count` bodies without any work: what is wanted, within the cell's acceptance, and
 * nothing where a drift could change what the body's node should be.
 */
function marginFor(tree: Tree, node: number, count: number, index: number, box: Float64Array, wanted: number): number {
  const { bodies, nodes, looseness, leafCapacity } = tree;
  if ((bodies.flags[index] & BODY_STATIC) !== 0 || !nodes.isLeaf(node)) return 0;
  if (count > leafCapacity && !tree.isSmallest(node)) return 0;
  const edge = nodes.edge(node);
  const reach = (looseness - 1) * edge * 0.5;
  let margin = wanted;
  for (let axis = 0; axis < 3; axis++) {
    const min = nodes.cellMin(node, axis);
    margin = Math.min(margin, box[axis] - (min - reach), min + edge + reach - box[axis + 3]);
  }
  // A shade less than measured, so that no rounding lets a drift of exactly the margin leave the entry or the cell.
  return margin > 0 ? roundDown32(margin * (1 - 2 ** -20)) : 0;
}

/** A page of the node moves: neither its subtree's slots nor its ancestors' are one run any more. */
function endRun(tree: Tree, node: number): void {
  const { nodes } = tree;
  nodes.runEnd[node] = NO_RUN;
  while (node !== ROOT && nodes.runEnd[nodes.parent(node)] !== NO_RUN) {
    node = nodes.parent(node);
    nodes.runEnd[node] = NO_RUN;
  }
}

/** Gives a node a page of the next power of two. */
function growPage(tree: Tree, node: number): void {
  const { bodies, nodes, slots } = tree;
  const at = node * LINK_LANES;
  const { links } = nodes;
  const count = links[at + COUNT];
  const oldPage = links[at + PAGE];
  const oldCapacity = links[at + CAPACITY];
  let capacity = QUAD;
  while (capacity <= oldCapacity) capacity *= 2;
  const page = slots.take(capacity);
  endRun(tree, node);
  slots.own(page, capacity, node);
  for (let k = 0; k < count; k++) {
    slots.copy(oldPage + k, page + k);
    bodies.slot[slots.body[page + k]] = page + k;
  }
  links[at + PAGE] = page;
  links[at + CAPACITY] = capacity;
  if (oldCapacity > 0) slots.give(oldPage, oldCapacity);
}

/** Takes a slot out of a node's page by moving the last one into it. */
export function removeSlot(tree: Tree, node: number, slot: number): void {
  const { bodies, nodes, slots } = tree;
  const { links } = nodes;
  const at = node * LINK_LANES;
  const count = links[at + COUNT] - 1;
  const last = links[at + PAGE] + count;
  links[at + COUNT] = count;
  nodes.flags[node] |= NODE_LOST_BODY;
  if (slot !== last) {
    slots.copy(last, slot);
    bodies.slot[slots.body[slot]] = slot;
  }
  slots.body[last] = NO_BODY;
  if (count === 0) {
    endRun(tree, node);
    slots.give(links[at + PAGE], links[at + CAPACITY]);
    links[at + PAGE] = 0;
    links[at + CAPACITY] = 0;
  }
}

/** Lists what has to be looked at once a node has lost a body. */
function afterLoss(tree: Tree, node: number): void {
  const { nodes } = tree;
  tree.listRefit(node);
  if (!nodes.isLeaf(node)) tree.listMerge(node);
  else if (node !== ROOT) {
    if (nodes.bodyCount(node) === 0) tree.listWatch(node);
    tree.listMerge(nodes.parent(node));
  }
}
