/**
 * A grid of cells over a closed mesh: which cells are solid. A cell is solid if no triangle touches it and the winding
 * number at its centre is at least one. The number comes from the triangles above the centre, so a mesh without a floor
 * is no exception. It is found for all cells of a column at once.
 */

import type { ClosedMesh } from './closed-mesh.ts';
import { TriangleBoxTest } from './triangle-box.ts';

/** Where in its cell the line of a column stands: no simple fraction, so that it meets few edges of a mesh. */
const COLUMN = 0.5137;
/** Stands for no column: more than there are. */
const NO_COLUMN = 1024;

export class Voxels {
  /** Cells along each axis: 32 at most, one for each bit of a row. */
  count = 0;
  /** Size of a cell along each axis. */
  readonly size = new Float64Array(3);
  readonly low = new Float64Array(3);
  /** By layer and row (y, then z): a bit for each solid cell along x. */
  rows = new Int32Array(0);
  /** By layer and row: a bit for each cell along x that a triangle touches. */
  private blocked = new Int32Array(0);
  /**
   * By column and layer (z, x, y): sum of the crossings between the centre of this cell and that of the cell above. The
   * winding number of a cell is the sum over this cell and all above it.
   */
  private windings = new Int32Array(0);
  /** The same of triangles whose direction does not count. */
  private crossings = new Int32Array(0);
  /** By how much a cell is enlarged on each side when triangles are tested. */
  private inflation = 0;
  /** The cells of the box around the current triangle: first and last along each axis. */
  private readonly range = new Int32Array(6);
  /** Size of a cell that is enlarged. */
  private readonly enlarged = new Float64Array(3);
  private readonly test = new TriangleBoxTest();

  begin(bounds: Float64Array, count: number, margin: number): void {
    this.count = count;
    this.inflation = margin / 2;
    for (let axis = 0; axis < 3; axis++) {
      this.low[axis] = bounds[axis];
      this.size[axis] = (bounds[axis + 3] - bounds[axis]) / count;
      this.enlarged[axis] = this.size[axis] + margin;
    }
    this.rows = new Int32Array(count * count);
    this.blocked = new Int32Array(count * count);
    this.windings = new Int32Array(count * count * count);
    this.crossings = new Int32Array(count * count * count);
  }

  add({ vertices, triangles, directedCount }: ClosedMesh, from: number, to: number): void {
    for (let k = from; k < to; k++) {
      const a = 3 * triangles[3 * k];
      const b = 3 * triangles[3 * k + 1];
      const c = 3 * triangles[3 * k + 2];
      for (let axis = 0; axis < 3; axis++) this.setRange(vertices, a, b, c, axis);
      this.block(vertices, a, b, c);
      this.cross(vertices, a, b, c, k < directedCount ? this.windings : this.crossings);
    }
  }

  /** Sums up what was added, and sets `rows`. */
  finish(): void {
    const { count, rows, blocked, windings, crossings } = this;
    for (let z = 0; z < count; z++) {
      for (let x = 0; x < count; x++) {
        const column = (z * count + x) * count;
        let winding = 0;
        let parity = 0;
        for (let y = count - 1; y >= 0; y--) {
          winding += windings[column + y];
          parity += crossings[column + y];
          if ((winding >= 1 || (parity & 1) !== 0) && (blocked[y * count + z] & (1 << x)) === 0)
            rows[y * count + z] |= 1 << x;
        }
      }
    }
  }

  /** Marks the cells that a triangle touches. */
  private block(v: Float64Array, a: number, b: number, c: number): void {
    const { count, low, size, inflation, blocked, range, test } = this;
    const x0 = range[0];
    const x1 = range[1];
    const y0 = range[2];
    const y1 = range[3];
    const z0 = range[4];
    const z1 = range[5];
    const bits = bitsOf(x0, x1);
    // A single row: the ranges are exact along two axes, and the third is covered by the triangle.
    if (y0 === y1 && z0 === z1) {
      blocked[y0 * count + z0] |= bits;
      return;
    }
    test.set(v, a, b, c, this.enlarged);
    for (let y = y0; y <= y1; y++) {
      const py = low[1] + y * size[1] - inflation;
      for (let z = z0; z <= z1; z++) {
        const pz = low[2] + z * size[2] - inflation;
        if (!test.touchesAlongX(py, pz)) continue;
        let row = 0;
        for (let x = x0; x <= x1; x++) if (test.touchesAt(low[0] + x * size[0] - inflation, py, pz)) row |= 1 << x;
        blocked[y * count + z] |= row;
      }
    }
  }

  private setRange(v: Float64Array, a: number, b: number, c: number, axis: number): void {
    const { range, low, size, inflation, count } = this;
    const min = Math.min(v[a + axis], v[b + axis], v[c + axis]) - inflation;
    const max = Math.max(v[a + axis], v[b + axis], v[c + axis]) + inflation;
    range[2 * axis] = Math.max(0, Math.floor((min - low[axis]) / size[axis]));
    range[2 * axis + 1] = Math.min(count - 1, Math.floor((max - low[axis]) / size[axis]));
  }

  /** Adds a triangle to the columns that it crosses: to the cells below it. */
  private cross(v: Float64Array, a: number, b: number, c: number, target: Int32Array): void {
    const { count, low, size, range } = this;
    const nx = (v[b + 1] - v[a + 1]) * (v[c + 2] - v[a + 2]) - (v[b + 2] - v[a + 2]) * (v[c + 1] - v[a + 1]);
    const ny = (v[b + 2] - v[a + 2]) * (v[c] - v[a]) - (v[b] - v[a]) * (v[c + 2] - v[a + 2]);
    const nz = (v[b] - v[a]) * (v[c + 1] - v[a + 1]) - (v[b + 1] - v[a + 1]) * (v[c] - v[a]);
    if (ny === 0) return;
    const bottom = Math.min(v[a + 1], v[b + 1], v[c + 1]);
    const top = Math.max(v[a + 1], v[b + 1], v[c + 1]);
    const turns = ny > 0 ? 1 : -1;
    for (let z = range[4]; z <= range[5]; z++) {
      const pz = low[2] + (z + COLUMN) * size[2];
      const ab = this.columnAt(v, a, b, pz);
      const bc = this.columnAt(v, b, c, pz);
      const ca = this.columnAt(v, c, a, pz);
      // Two edges cross the row, or none.
      const first = Math.min(ab, bc, ca);
      const last = ab + bc + ca - first - NO_COLUMN;
      for (let x = first; x < last; x++) {
        const px = low[0] + (x + COLUMN) * size[0];
        const plane = v[a + 1] - (nx * (px - v[a]) + nz * (pz - v[a + 2])) / ny;
        const height = Math.min(top, Math.max(bottom, plane));
        const below = Math.min(count, Math.ceil((height - low[1]) / size[1] - 0.5));
        if (below > 0) target[(z * count + x) * count + below - 1] += turns;
      }
    }
  }

  /** The first column beyond the place where an edge crosses a row; the same for both triangles at the edge. */
  private columnAt(v: Float64Array, from: number, to: number, z: number): number {
    if (v[from + 2] > z === v[to + 2] > z) return NO_COLUMN;
    const { low, size, count } = this;
    const column = Math.ceil((crossingOf(v, from, to, z) - low[0]) / size[0] - COLUMN);
    return Math.max(0, Math.min(count, column));
  }
}

/** The bits from `first` to `last`. */
export function bitsOf(first: number, last: number): number {
  return (-1 << first) & (-1 >>> (31 - last));
}

/** Where an edge crosses a line along x; the same number for its reverse. */
function crossingOf(v: Float64Array, from: number, to: number, z: number): number {
  const a = Math.min(from, to);
  const b = Math.max(from, to);
  return v[a] + ((z - v[a + 2]) / (v[b + 2] - v[a + 2])) * (v[b] - v[a]);
}
