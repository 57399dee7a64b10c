/**
 * Insertion and removal of many bodies. Each step is one loop over a batch: the data of its bodies is scattered in
 * memory, and a short loop has many cache misses in flight at once.
 */

import { BOX_STRIDE } from '../../math/box.ts';
import { edgeExponentOf } from '../../math/integer-cube.ts';
import { FIRST_CHILD, LINK_STRIDE, NODE_USED, ROOT } from '../layout.ts';
import { NO_SLOT } from '../storage/body-arrays.ts';
import type { IndexList } from '../storage/index-list.ts';
import { appendSlot, removeSlot } from '../storage/node-page.ts';
import type { Tree } from '../tree.ts';
import { growRootAround } from './grow.ts';
import { afterBodyAdded, afterBodyRemoved, sink, splitOverfull } from './place.ts';
import { addCategories, enlarge } from './refit.ts';

/** Bodies per batch: the arrays of a batch fit into the first-level cache. */
const BATCH_SIZE = 128;
/** Largest edge of the root in the units of `descend`: coordinates in these units then fit into an Int32. */
const MAX_ROOT_UNITS = 2 ** 31;

/** Bodies that are inserted or removed together, with their data copied side by side. */
class PlacementBatch {
  count = 0;
  readonly indices = new Uint32Array(BATCH_SIZE);
  /** Exact boxes. Not used by removals. */
  readonly boxes = new Float64Array(BATCH_SIZE * BOX_STRIDE);
  /** Owner nodes. */
  readonly nodes = new Int32Array(BATCH_SIZE);

  /** Copies the bodies of a list from position `begin` on, up to a full batch. */
  take({ array, length }: IndexList, begin: number): void {
    this.count = Math.min(BATCH_SIZE, length - begin);
    for (let k = 0; k < this.count; k++) this.indices[k] = array[begin + k];
  }
}

/** Reused, so that insertions and removals allocate nothing. */
const reusedBatch = /* @__PURE__ */ new PlacementBatch();

/**
 * Inserts the listed bodies, which are not in the tree and have no margin. The root must exist; it grows until it
 * contains them.
 */
export function placeMany(tree: Tree, bodies: IndexList): void {
  const batch = reusedBatch;
  for (let begin = 0; begin < bodies.length; begin += BATCH_SIZE) {
    batch.take(bodies, begin);
    placeBatch(tree, batch);
  }
  tree.placedCount += bodies.length;
}

/** Removes the listed bodies from the tree. */
export function removeMany(tree: Tree, bodies: IndexList): void {
  const batch = reusedBatch;
  for (let begin = 0; begin < bodies.length; begin += BATCH_SIZE) {
    batch.take(bodies, begin);
    removeBatch(tree, batch);
  }
  tree.placedCount -= bodies.length;
}

function placeBatch(tree: Tree, batch: PlacementBatch): void {
  const { boxes, count, indices } = batch;
  tree.bodies.readBoxes(indices, count, boxes);
  for (let at = 0; at < count * BOX_STRIDE; at += BOX_STRIDE) growRootAround(tree, boxes, at);
  findNodes(tree, batch);
  append(tree, batch);
  writeSlotBounds(tree, batch);
  updateNodes(tree, batch);
  splitOverfull(tree);
}

/** Finds the deepest node that accepts each box of a batch. */
function findNodes(tree: Tree, batch: PlacementBatch): void {
  const { boxes, count, nodes: found } = batch;
  const { nodes } = tree;
  descend(tree, batch);
  for (let k = 0, at = 0; k < count; k++, at += BOX_STRIDE) {
    let node = found[k];
    // A cell accepts everything that the cells inside it accept, so the first one on the way up is the deepest.
    while (node !== ROOT && !tree.accepts(node, boxes, at)) node = nodes.parent(node);
    found[k] = node;
  }
  for (let k = 0, at = 0; k < count; k++, at += BOX_STRIDE) {
    // In an inner node the octant around the centre may accept the box, but have no node yet.
    if (!nodes.isLeaf(found[k])) found[k] = sink(tree, found[k], boxes, at);
  }
}

/**
 * Finds the deepest node around the centre of each box of a batch, whether or not it accepts the box: this descent
 * reads links only. Each step of a descent depends on the step before, and its depth is an unpredictable branch, so a
 * single descent leaves the processor idle. Therefore two boxes descend in one loop.
 */
function descend({ nodes, region, step }: Tree, batch: PlacementBatch): void {
  const { boxes, count, nodes: found } = batch;
  const { flags, links } = nodes;
  const { minX, minY, minZ, edge } = region;
  // A descent from a larger root ends after 31 depths.
  const unit = Math.max(step, edge / MAX_ROOT_UNITS);
  const top = nodes.edgeExponent(ROOT) - edgeExponentOf(unit);
  const last = edge / unit - 1;
  for (let k = 0; k < count; k += 2) {
    const other = Math.min(k + 1, count - 1);
    const at = k * BOX_STRIDE;
    const otherAt = other * BOX_STRIDE;
    const x = centerCell(boxes, at, minX, unit, last);
    const y = centerCell(boxes, at + 1, minY, unit, last);
    const z = centerCell(boxes, at + 2, minZ, unit, last);
    const otherX = centerCell(boxes, otherAt, minX, unit, last);
    const otherY = centerCell(boxes, otherAt + 1, minY, unit, last);
    const otherZ = centerCell(boxes, otherAt + 2, minZ, unit, last);
    let node = ROOT;
    let otherNode = ROOT;
    let first = links[FIRST_CHILD];
    let otherFirst = first;
    for (let exponent = top - 1; exponent >= 0 && (first | otherFirst) !== 0; exponent--) {
      node = childOf(node, first, octantAt(x, y, z, exponent));
      otherNode = childOf(otherNode, otherFirst, octantAt(otherX, otherY, otherZ, exponent));
      first = links[node * LINK_STRIDE + FIRST_CHILD];
      otherFirst = links[otherNode * LINK_STRIDE + FIRST_CHILD];
    }
    // The descent may end at a child that is not in use; such a node has no children.
    found[k] = (flags[node] & NODE_USED) !== 0 ? node : nodes.parent(node);
    found[other] = (flags[otherNode] & NODE_USED) !== 0 ? otherNode : nodes.parent(otherNode);
  }
}

/**
 * Along one axis, number of the cell of edge `unit` that contains the centre of a box, counted from the root's lower
 * face. The root's upper face belongs to the last cell.
 *
 * @param at Offset of the box plus the axis.
 */
function centerCell(boxes: Float64Array, at: number, rootMin: number, unit: number, last: number): number {
  const center = (boxes[at] + boxes[at + 3]) * 0.5;
  const cell = Math.floor((center - rootMin) / unit);
  // The subtraction may have rounded a coordinate just below a face up to the face.
  return Math.min(cell - Number(rootMin + cell * unit > center), last) | 0;
}

/**
 * The octant of edge 2^`exponent` units that contains a cell of one unit. Because cell corners are integers in these
 * units, bit `exponent` of a coordinate gives the side of the splitting plane on which the cell lies.
 */
function octantAt(x: number, y: number, z: number, exponent: number): number {
  return ((x >> exponent) & 1) | (((y >> exponent) & 1) << 1) | (((z >> exponent) & 1) << 2);
}

/**
 * The child in an octant of a node, or the node itself if it is a leaf (`first` is 0). Arithmetic instead of a branch,
 * which would be unpredictable.
 */
function childOf(node: number, first: number, octant: number): number {
  return node + ((first + octant - node) & (-first >> 31));
}

function append(tree: Tree, { boxes, count, indices, nodes }: PlacementBatch): void {
  for (let k = 0, at = 0; k < count; k++, at += BOX_STRIDE) {
    appendSlot(tree, nodes[k], indices[k]);
    afterBodyAdded(tree, nodes[k], boxes, at);
  }
}

function writeSlotBounds(tree: Tree, { boxes, count, indices }: PlacementBatch): void {
  const { slot } = tree.bodies;
  for (let k = 0, at = 0; k < count; k++, at += BOX_STRIDE)
    tree.writeTightSlot(indices[k], slot[indices[k]], boxes, at);
}

function updateNodes(tree: Tree, { count, indices, nodes }: PlacementBatch): void {
  const { slot } = tree.bodies;
  const { slotBounds } = tree.slots;
  for (let k = 0; k < count; k++) enlarge(tree, nodes[k], slotBounds, slot[indices[k]] * BOX_STRIDE);
  for (let k = 0; k < count; k++) addCategories(tree, nodes[k], indices[k]);
}

function removeBatch(tree: Tree, { count, indices, nodes }: PlacementBatch): void {
  const { bodies, slots } = tree;
  const { slot } = bodies;
  for (let k = 0; k < count; k++) nodes[k] = slots.nodeOf(slot[indices[k]]);
  for (let k = 0; k < count; k++) {
    const index = indices[k];
    if (removeSlot(tree, nodes[k], slot[index])) tree.listRefit(nodes[k]);
    slot[index] = NO_SLOT;
  }
  for (let k = 0; k < count; k++) afterBodyRemoved(tree, nodes[k]);
}
