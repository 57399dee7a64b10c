// Tracks the phases of an octree's cells by visiting all nodes after every update: created, in use, counting down,
// reused or expired.

import { type Octree, OctreeNode, type PointLike, type Region } from '../../../src/index.ts';
import { region } from './range.ts';

export type CellPhase = 'used' | 'created' | 'countdown' | 'reused' | 'expired';

/** Length of the passing phases, in updates. After `created` and `reused` comes `used`; an expired cell is dropped. */
const SHOWN_FOR: Readonly<Record<'created' | 'reused' | 'expired', number>> = { created: 24, reused: 18, expired: 40 };

export class CellRecord {
  readonly min: PointLike;
  readonly edge: number;
  phase: CellPhase;
  /** The update at which the phase began. */
  since: number;
  /** Remaining share of the lifespan, in the phase `countdown`. */
  left = 0;
  isLeaf = true;
  bodyCount = 0;
  lastUpdate = 0;

  constructor({ min, edge }: Region, phase: CellPhase, now: number) {
    this.min = { ...min };
    this.edge = edge;
    this.phase = phase;
    this.since = now;
  }

  enter(phase: CellPhase, now: number): void {
    this.phase = phase;
    this.since = now;
  }

  /** Elapsed share of a passing phase, from 0; always 0 for `used` and `countdown`. */
  ageAt(now: number): number {
    const { phase } = this;
    return phase === 'used' || phase === 'countdown' ? 0 : (now - this.since) / SHOWN_FOR[phase];
  }
}

/** The cells to draw. */
export interface ShownCells {
  readonly now: number;
  /** The cells of leaves, and expired cells that are still shown. */
  shown(): Iterable<CellRecord>;
}

export class CellHistory<T> implements ShownCells {
  /** Number of updates observed. */
  now = 0;
  /** Cells of the first observed update are `used`, not `created`. */
  private isFirstUpdate = true;
  /** By corner and edge, see `keyOf`. */
  private readonly cells = new Map<number, CellRecord>();
  private readonly node = new OctreeNode<T>();

  *shown(): Generator<CellRecord> {
    for (const cell of this.cells.values()) if (cell.isLeaf) yield cell;
  }

  /** Records the state of the octree. Call it after every update, otherwise reused cells are missed. */
  observe(octree: Octree<T>): void {
    this.now++;
    octree.visitNodes((node) => this.record(node), this.node);
    this.isFirstUpdate = false;
    for (const [key, cell] of this.cells)
      if (cell.lastUpdate !== this.now && !this.isStillShown(cell)) this.cells.delete(key);
  }

  /** Clears all records, to observe another octree. */
  clear(): void {
    this.cells.clear();
    this.isFirstUpdate = true;
  }

  private record(node: OctreeNode<T>): void {
    const { now } = this;
    const key = keyOf(node.cell.min, node.cell.edge);
    let cell = this.cells.get(key);
    if (cell === undefined || cell.phase === 'expired')
      this.cells.set(key, (cell = new CellRecord(node.cell, this.isFirstUpdate ? 'used' : 'created', now)));
    else if (node.countdown >= 0) cell.phase = 'countdown';
    else if (cell.phase === 'countdown') cell.enter('reused', now);
    else if (cell.ageAt(now) >= 1) cell.enter('used', now);
    cell.left = node.countdown / node.lifespan;
    cell.isLeaf = node.childCount === 0;
    cell.bodyCount = node.bodyCount;
    cell.lastUpdate = now;
  }

  /**
   * Whether a cell without a node is still shown. An expired cell is, for a while; a merged cell is not, because its
   * parent has its bodies.
   */
  private isStillShown(cell: CellRecord): boolean {
    if (cell.phase === 'expired') return cell.ageAt(this.now) < 1;
    if (!cell.isLeaf || this.wasMerged(cell)) return false;
    cell.enter('expired', this.now);
    return true;
  }

  private wasMerged({ min, edge }: CellRecord): boolean {
    const {
      min: { x, y, z },
    } = region;
    const parentEdge = 2 * edge;
    const parent = this.cells.get(
      keyOf(
        { x: floorTo(parentEdge, min.x, x), y: floorTo(parentEdge, min.y, y), z: floorTo(parentEdge, min.z, z) },
        parentEdge,
      ),
    );
    return parent !== undefined && parent.lastUpdate === this.now && parent.isLeaf && parent.bodyCount > 0;
  }
}

/**
 * A unique key of a cell: its corner in integer metres from the corner of the region, nine bits per axis, and its edge.
 */
function keyOf({ x, y, z }: PointLike, edge: number): number {
  const { min } = region;
  return (((x - min.x) * 512 + y - min.y) * 512 + z - min.z) * 512 + edge;
}

/** Rounds down to a multiple of `step` from `zero`. */
const floorTo = (step: number, value: number, zero: number): number => Math.floor((value - zero) / step) * step + zero;
