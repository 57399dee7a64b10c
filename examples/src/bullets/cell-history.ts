// What happens to the cells of an octree, told by looking at it after every update: which are fresh, wait for their end, were saved, or
// are gone.

import { type Octree, OctreeNode, type PointLike, type Region } from '../../../src/index.ts';
import { region } from './range.ts';

export type CellPhase = 'used' | 'created' | 'countdown' | 'reused' | 'expired';

/** Updates after which a cell that was created or saved is simply in use, and one that has expired is no longer shown. */
const SHOWN_FOR: Readonly<Record<'created' | 'reused' | 'expired', number>> = { created: 24, reused: 18, expired: 40 };

export class CellRecord {
  readonly min: PointLike;
  readonly edge: number;
  phase: CellPhase;
  /** The update at which the phase began. */
  since: number;
  /** Share of the wait that is left, for a cell that waits. */
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

  /** How far a passing phase is, 0 to 1; 0 for the others. */
  ageAt(now: number): number {
    const { phase } = this;
    return phase === 'used' || phase === 'countdown' ? 0 : (now - this.since) / SHOWN_FOR[phase];
  }
}

/** What is drawn. */
export interface ShownCells {
  readonly now: number;
  /** The cells of leaves, and those that are gone but still shown. */
  shown(): Iterable<CellRecord>;
}

export class CellHistory<T> implements ShownCells {
  /** Updates seen. */
  now = 0;
  /** What was there at the first look is not fresh. */
  private isFirstUpdate = true;
  /** By place and size. */
  private readonly cells = new Map<number, CellRecord>();
  private readonly node = new OctreeNode<T>();

  * shown(): Generator<CellRecord> {
    for (const cell of this.cells.values()) if (cell.isLeaf) yield cell;
  }

  /** Looks at the octree; call it after every update, or a cell that was saved in between goes unnoticed. */
  observe(octree: Octree<T>): void {
    this.now++;
    octree.visitNodes((node) => this.record(node), this.node);
    this.isFirstUpdate = false;
    for (const [key, cell] of this.cells) if (cell.lastUpdate !== this.now && !this.isStillShown(cell)) this.cells.delete(key);
  }

  /** Forgets everything, to look at another octree. */
  clear(): void {
    this.cells.clear();
    this.isFirstUpdate = true;
  }

  private record(node: OctreeNode<T>): void {
    const { now } = this;
    const key = keyOf(node.cell.min, node.cell.edge);
    let cell = this.cells.get(key);
    if (cell === undefined || cell.phase === 'expired') this.cells.set(key, (cell = new CellRecord(node.cell, this.isFirstUpdate ? 'used' : 'created', now)));
    else if (node.countdown >= 0) cell.phase = 'countdown';
    else if (cell.phase === 'countdown') cell.enter('reused', now);
    else if (cell.ageAt(now) >= 1) cell.enter('used', now);
    cell.left = node.countdown / node.lifespan;
    cell.isLeaf = node.childCount === 0;
    cell.bodyCount = node.bodyCount;
    cell.lastUpdate = now;
  }

  /** What becomes of a cell that is not there any more: the one that was merged goes at once, its bodies live on in its parent. */
  private isStillShown(cell: CellRecord): boolean {
    if (cell.phase === 'expired') return cell.ageAt(this.now) < 1;
    if (!cell.isLeaf || this.wasMerged(cell)) return false;
    cell.enter('expired', this.now);
    return true;
  }

  private wasMerged({ min, edge }: CellRecord): boolean {
    const { min: { x, y, z } } = region;
    const parentEdge = 2 * edge;
    const parent = this.cells.get(keyOf({ x: floorTo(parentEdge, min.x, x), y: floorTo(parentEdge, min.y, y), z: floorTo(parentEdge, min.z, z) }, parentEdge));
    return parent !== undefined && parent.lastUpdate === this.now && parent.isLeaf && parent.bodyCount > 0;
  }
}

/** A corner in parentEdge metres from the region's, nine bits an axis, and the size. */
function keyOf({ x, y, z }: PointLike, edge: number): number {
  const { min } = region;
  return (((x - min.x) * 512 + y - min.y) * 512 + z - min.z) * 512 + edge;
}

const floorTo = (step: number, value: number, zero: number): number => Math.floor((value - zero) / step) * step + zero;
