// What happens to the cells of an octree, told by looking at it after every update: which are fresh, wait for their end, were saved, or
// are gone.

import { type Octree, OctreeNode, type PointLike, type Region } from '../../../src/index.ts';
import { region } from './range.ts';

export type CellPhase = 'used' | 'fresh' | 'waiting' | 'reused' | 'expired';

/** Updates after which a cell that was created or saved is simply in use, and one that has expired is no longer shown. */
const SHOWN_FOR: Readonly<Record<'fresh' | 'reused' | 'expired', number>> = { fresh: 24, reused: 18, expired: 40 };

export class CellLife {
  readonly min: PointLike;
  readonly edge: number;
  phase: CellPhase;
  /** The update at which the phase began. */
  since: number;
  /** Share of the wait that is left, for a cell that waits. */
  left = 0;
  isLeaf = true;
  bodyCount = 0;
  seenAt = 0;

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
    return phase === 'used' || phase === 'waiting' ? 0 : (now - this.since) / SHOWN_FOR[phase];
  }
}

/** What is drawn. */
export interface ShownCells {
  readonly now: number;
  /** The cells of leaves, and those that are gone but still shown. */
  shown(): Iterable<CellLife>;
}

export class CellLives<T> implements ShownCells {
  /** Updates seen. */
  now = 0;
  /** What was there at the first look is not fresh. */
  private isFirstLook = true;
  /** By place and size. */
  private readonly cells = new Map<number, CellLife>();
  private readonly node = new OctreeNode<T>();

  * shown(): Generator<CellLife> {
    for (const life of this.cells.values()) if (life.isLeaf) yield life;
  }

  /** Looks at the octree; call it after every update, or a cell that was saved in between goes unnoticed. */
  observe(octree: Octree<T>): void {
    this.now++;
    octree.visitNodes((node) => this.see(node), this.node);
    this.isFirstLook = false;
    for (const [key, life] of this.cells) if (life.seenAt !== this.now && !this.isStillShown(life)) this.cells.delete(key);
  }

  /** Forgets everything, to look at another octree. */
  clear(): void {
    this.cells.clear();
    this.isFirstLook = true;
  }

  private see(node: OctreeNode<T>): void {
    const { now } = this;
    const key = keyOf(node.cell.min, node.cell.edge);
    let life = this.cells.get(key);
    if (life === undefined || life.phase === 'expired') this.cells.set(key, (life = new CellLife(node.cell, this.isFirstLook ? 'used' : 'fresh', now)));
    else if (node.countdown >= 0) life.phase = 'waiting';
    else if (life.phase === 'waiting') life.enter('reused', now);
    else if (life.ageAt(now) >= 1) life.enter('used', now);
    life.left = node.countdown / node.lifespan;
    life.isLeaf = node.childCount === 0;
    life.bodyCount = node.bodyCount;
    life.seenAt = now;
  }

  /** What becomes of a cell that is not there any more: the one that was merged goes at once, its bodies live on in its parent. */
  private isStillShown(life: CellLife): boolean {
    if (life.phase === 'expired') return life.ageAt(this.now) < 1;
    if (!life.isLeaf || this.wasMerged(life)) return false;
    life.enter('expired', this.now);
    return true;
  }

  private wasMerged({ min, edge }: CellLife): boolean {
    const { min: { x, y, z } } = region;
    const whole = 2 * edge;
    const parent = this.cells.get(keyOf({ x: floorTo(whole, min.x, x), y: floorTo(whole, min.y, y), z: floorTo(whole, min.z, z) }, whole));
    return parent !== undefined && parent.seenAt === this.now && parent.isLeaf && parent.bodyCount > 0;
  }
}

/** A corner in whole metres from the region's, nine bits an axis, and the size. */
function keyOf({ x, y, z }: PointLike, edge: number): number {
  const { min } = region;
  return (((x - min.x) * 512 + y - min.y) * 512 + z - min.z) * 512 + edge;
}

const floorTo = (step: number, value: number, zero: number): number => Math.floor((value - zero) / step) * step + zero;
