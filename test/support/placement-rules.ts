/**
 * Checks the placement rules of the octree, most of them by its public interface: the nodes and bodies that
 * `visitNodes` reports.
 */
import type { Octree, OctreeNode } from '../../src/index.ts';
import type { TrackedBody } from './twin.ts';
import { boundsOf } from './shapes.ts';
import { BODY_DEAD, BODY_MUST_KEEP_SIZE } from '../../src/tree/layout.ts';
import type { Tree } from '../../src/tree/tree.ts';
import { hasKeptSize } from '../../src/tree/update/fat-bounds.ts';

/** Options of the octree. */
interface Settings {
  readonly looseness: number;
  readonly leafCapacity: number;
  readonly minCellSize: number;
}

interface NodeBodies {
  readonly node: OctreeNode<number>;
  readonly bodies: readonly number[];
}

/**
 * Throws unless every body is in exactly one node, and the node's cell, scaled by the looseness, contains the body. For
 * static bodies and those that have not moved since their insertion also unless no existing child in the octant of the
 * body's centre would accept it, and no leaf is past its capacity that could split. A body that has moved may live
 * higher: see `predictBounds`.
 */
export function expectPlacement(
  octree: Octree<number>,
  trackedBodies: readonly TrackedBody[],
  settings: Settings,
): void {
  const shapes = new Map(trackedBodies.map((tracked) => [tracked.serial, tracked]));
  const nodes: NodeBodies[] = [];
  const seen = new Set<number>();
  octree.visitNodes((node) => {
    const bodies = node.bodies().map((body) => body.data);
    if (bodies.length !== node.bodyCount)
      fail(node, `bodyCount ${node.bodyCount}, but bodies() returns ${bodies.length}`);
    nodes.push({ node, bodies });
    for (const serial of bodies) {
      if (seen.has(serial)) fail(node, `body ${serial} is in two nodes`);
      if (!shapes.has(serial)) fail(node, `body ${serial} is not alive`);
      seen.add(serial);
    }
  });
  if (seen.size !== shapes.size) throw new Error(`${seen.size} bodies are in nodes, but ${shapes.size} are alive`);
  // Computed at the first look-up: most calls need none.
  let cells: ReadonlySet<string> | null = null;
  const hasCell = (corner: readonly number[], edge: number): boolean =>
    (cells ??= new Set(
      nodes.map(({ node: { cell } }) => cellName([cell.min.x, cell.min.y, cell.min.z], cell.edge)),
    )).has(cellName(corner, edge));
  for (const { node, bodies } of nodes) {
    const accepted = bodies.filter((serial) => expectBody(node, shapes.get(serial)!, hasCell, settings));
    const canSplit = node.childCount === 0 && node.cell.edge > settings.minCellSize;
    if (canSplit && bodies.length > settings.leafCapacity && accepted.length > 0)
      fail(node, `a leaf of ${bodies.length} bodies did not split`);
  }
}

/** Throws if a body has shrunk much inside the fat bounds that keep it in a large node. */
export function expectKeptSizes({ bodies }: Tree): void {
  const box = new Float64Array(6);
  for (let index = 0; index < bodies.count; index++) {
    if ((bodies.flags[index] & (BODY_DEAD | BODY_MUST_KEEP_SIZE)) !== BODY_MUST_KEEP_SIZE) continue;
    if (!hasKeptSize(bodies.fatBounds, index * 6, bodies.readBox(index, box), 0))
      throw new Error(`body ${index} has shrunk to [${box.join(' ')}], but keeps its large node`);
  }
}

/**
 * Checks one body of a node. Returns whether it must be in the child in the octant of its centre, if there was one: for
 * lack of a child, not because it moves, is it in this node.
 */
function expectBody(
  node: OctreeNode<number>,
  { serial, shape, hasMoved, options }: TrackedBody,
  hasCell: (corner: readonly number[], edge: number) => boolean,
  { looseness, minCellSize }: Settings,
): boolean {
  const { min, edge } = node.cell;
  const bounds = boundsOf(shape);
  const corner = [min.x, min.y, min.z];
  if (!accepts(corner, edge, bounds, looseness))
    fail(node, `body ${serial} [${bounds.join(' ')}] does not fit the node`);
  if (edge <= minCellSize || (hasMoved && options.isStatic !== true)) return false;
  const half = edge / 2;
  const center = [0, 1, 2].map((axis) => (bounds[axis] + bounds[axis + 3]) / 2);
  const child = corner.map((low, axis) => (center[axis] >= low + half ? low + half : low));
  const isAccepted = accepts(child, half, bounds, looseness);
  if (isAccepted && hasCell(child, half)) fail(node, `body ${serial} [${bounds.join(' ')}] would fit a child`);
  return isAccepted;
}

/** A text that is equal for equal cells only. The texts of 0 and -0 are the same. */
function cellName([x, y, z]: readonly number[], edge: number): string {
  return `${x} ${y} ${z} ${edge}`;
}

function accepts(corner: readonly number[], edge: number, bounds: readonly number[], looseness: number): boolean {
  const reach = (edge / 2) * looseness;
  return corner.every(
    (low, axis) => bounds[axis] >= low + edge / 2 - reach && bounds[axis + 3] <= low + edge / 2 + reach,
  );
}

function fail({ cell: { min, edge }, depth }: OctreeNode<number>, fault: string): never {
  throw new Error(`node [${min.x} ${min.y} ${min.z}] edge ${edge} depth ${depth}: ${fault}`);
}
