/**
 * The best box of solid cells. A box hides by its sides, seen from the ground, and by its top, seen from above: see
 * `scoreOf`. The score of a later box counts for the share
 * of its volume that no box before it covers. Boxes overlap, so that there are no gaps between them.
 */

import type { Voxels } from './voxels.ts';

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
  /** For all cells below a corner of the grid: how many of them are covered. Null while there is no box. */
  private covered: Int32Array | null = null;
  /** The covered cells, as the rows of the grid. */
  private coveredRows = new Int32Array(0);

  begin(voxels: Voxels): void {
    this.voxels = voxels;
    this.covered = null;
    this.score = 0;
    const { count, rows } = voxels;
    this.coveredRows = new Int32Array(count * count);
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
          rest = x1 >= 31 ? 0 : rest & (-1 << (x1 + 1));
          const width = (x1 - x0 + 1) * size[0];
          let score = scoreOf(width, height, depth);
          if (score <= this.score) continue;
          if (this.covered !== null) score *= this.uncovered(x0, x1, y0, y1, z0, z1);
          if (score <= this.score) continue;
          this.score = score;
          this.cells.set([x0, x1, y0, y1, z0, z1]);
        }
      }
    }
  }

  /** The share of a box that no box covers yet. */
  private uncovered(x0: number, x1: number, y0: number, y1: number, z0: number, z1: number): number {
    const covered = this.covered!;
    const line = this.voxels.count + 1;
    let sum = 0;
    for (let corner = 0; corner < 8; corner++) {
      const x = (corner & 1) === 0 ? x0 : x1 + 1;
      const y = (corner & 2) === 0 ? y0 : y1 + 1;
      const z = (corner & 4) === 0 ? z0 : z1 + 1;
      const sign = corner === 1 || corner === 2 || corner === 4 || corner === 7 ? 1 : -1;
      sum += sign * covered[(y * line + z) * line + x];
    }
    return 1 - sum / ((x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1));
  }

  /** Adds the box that was chosen last to what is covered. */
  private cover(): void {
    const { cells, voxels, coveredRows } = this;
    const { count } = voxels;
    const line = count + 1;
    const covered = (this.covered ??= new Int32Array(line * line * line));
    const bits = (cells[1] >= 31 ? 0 : 1 << (cells[1] + 1)) - (1 << cells[0]);
    for (let y = cells[2]; y <= cells[3]; y++)
      for (let z = cells[4]; z <= cells[5]; z++) coveredRows[y * count + z] |= bits;
    for (let y = 1; y < line; y++) {
      for (let z = 1; z < line; z++) {
        const row = coveredRows[(y - 1) * count + z - 1];
        let sum = 0;
        for (let x = 1; x < line; x++) {
          sum += (row >>> (x - 1)) & 1;
          const at = (y * line + z) * line + x;
          covered[at] = sum + covered[at - line * line] + covered[at - line] - covered[at - line * line - line];
        }
      }
    }
  }
}

/** How much a box hides: the area of two of its sides, and half of that of its top. */
export function scoreOf(width: number, height: number, depth: number): number {
  return height * (width + depth) + 0.5 * width * depth;
}
