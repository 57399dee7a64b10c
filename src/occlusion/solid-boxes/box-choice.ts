/**
 * The best box of solid cells. A box hides by its sides, seen from the ground, and by its top, seen from above: see
 * `scoreOf`. The score of a later box counts for the share
 * of its volume that no box before it covers. Boxes overlap, so that there are no gaps between them.
 */

import { bitsOf, type Voxels } from './voxels.ts';

export class BoxChoice {
  /** The chosen box in cells: first and last of each axis, x y z. */
  readonly cells = new Int32Array(6);
  score = 0;

  private voxels!: Voxels;
  /** Layers that are equal count as one: where each run of them begins, and where the last one ends. */
  private readonly starts = new Int32Array(33);
  private runs = 0;
  /** The cells that are solid in all layers of an interval: a bit for each x, by z. */
  private readonly common = new Int32Array(32);
  /** The cells that boxes cover, as the rows of the grid. */
  private covered = new Int32Array(0);

  begin(voxels: Voxels): void {
    this.voxels = voxels;
    this.score = 0;
    const { count, rows } = voxels;
    this.covered = new Int32Array(count * count);
    this.runs = 0;
    for (let y = 0; y < count; y++) {
      let isEqual = y > 0;
      for (let z = 0; z < count && isEqual; z++) isEqual = rows[y * count + z] === rows[(y - 1) * count + z];
      if (!isEqual) this.starts[this.runs++] = y;
    }
    this.starts[this.runs] = count;
  }

  /** Finds the next box; returns whether there is one. */
  next(): boolean {
    const { common, runs, starts, voxels } = this;
    const { count, rows } = voxels;
    if (this.score > 0) this.cover();
    this.score = 0;
    for (let first = 0; first < runs; first++) {
      common.fill(-1, 0, count);
      for (let last = first; last < runs; last++) {
        let any = 0;
        for (let z = 0; z < count; z++) any |= common[z] &= rows[starts[last] * count + z];
        if (any === 0) break;
        this.searchInterval(starts[first], starts[last + 1] - 1);
      }
    }
    return this.score > 0;
  }

  /** Looks at all rectangles of solid cells in an interval of layers that cannot grow along x. */
  private searchInterval(y0: number, y1: number): void {
    const { common, voxels } = this;
    const { count, size } = voxels;
    const height = (y1 - y0 + 1) * size[1];
    for (let z0 = 0; z0 < count; z0++) {
      let bits = common[z0];
      for (let z1 = z0; z1 < count; z1++) {
        bits &= common[z1];
        if (bits === 0) break;
        // If the row before is solid as well, a larger rectangle is looked at elsewhere.
        if (z0 > 0 && (bits & ~common[z0 - 1]) === 0) continue;
        const depth = (z1 - z0 + 1) * size[2];
        let rest = bits;
        while (rest !== 0) {
          const x0 = 31 - Math.clz32(rest & -rest);
          // Bit k is set if the cell x0 + k is not solid. The lowest one ends the row of solid cells.
          const gaps = ~(rest >> x0);
          const x1 = gaps === 0 ? 31 : x0 + 30 - Math.clz32(gaps & -gaps);
          rest &= ~bitsOf(x0, x1);
          const width = (x1 - x0 + 1) * size[0];
          let score = scoreOf(width, height, depth);
          if (score <= this.score) continue;
          score *= this.uncovered(bitsOf(x0, x1), y0, y1, z0, z1);
          if (score <= this.score) continue;
          this.score = score;
          this.cells.set([x0, x1, y0, y1, z0, z1]);
        }
      }
    }
  }

  /** The share of a box that no box covers yet. `bits` are its cells along x. */
  private uncovered(bits: number, y0: number, y1: number, z0: number, z1: number): number {
    const { covered, voxels } = this;
    const { count } = voxels;
    let sum = 0;
    for (let y = y0; y <= y1; y++) for (let z = z0; z <= z1; z++) sum += bitCount(bits & ~covered[y * count + z]);
    return sum / (bitCount(bits) * (y1 - y0 + 1) * (z1 - z0 + 1));
  }

  /** Adds the box that was chosen last to what is covered. */
  private cover(): void {
    const { cells, voxels, covered } = this;
    const bits = bitsOf(cells[0], cells[1]);
    for (let y = cells[2]; y <= cells[3]; y++)
      for (let z = cells[4]; z <= cells[5]; z++) covered[y * voxels.count + z] |= bits;
  }
}

function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** How much a box hides: the area of two of its sides, and half of that of its top. */
export function scoreOf(width: number, height: number, depth: number): number {
  return height * (width + depth) + 0.5 * width * depth;
}
