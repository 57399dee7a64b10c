/**
 * The search for the triangle with the smallest value, a time or a distance; of equal ones that of the first mesh, then
 * the smallest face. Objects outside the octree come before all bodies, and bodies come by index.
 */

import { BOX_STRIDE, type Boxes, type KeptBoxes } from '../math/box.ts';
import type { FloatArray } from '../math/typed-arrays.ts';
import { internalsOf } from '../octree/internals.ts';
import { withWorkspace } from '../octree/queries/query-runner.ts';
import type { NearestKernel } from '../tree/traverse/kernel.ts';
import { NO_SIMD_KERNEL } from '../tree/traverse/walk-numbers.ts';
import { walkNearestFirst } from '../tree/traverse/walk.ts';
import type { Tree } from '../tree/tree.ts';
import { TriangleHit } from './triangle-options.ts';
import { TriangleSearch } from './triangle-search.ts';
import { magnitudeOf, readBox, WORLD_ERROR, type Volume } from './triangle-walk.ts';

export abstract class FirstSearch extends TriangleSearch implements NearestKernel {
  readonly simdKernel = NO_SIMD_KERNEL;
  /** Where triangles are looked for. Its limit is that of `limit`. */
  protected abstract readonly volume: Volume;
  /** The smallest value so far, or the largest of interest. In an array, because V8 may box a double in a field. */
  protected readonly best = new Float64Array(1);
  private bestBody = -2;
  private bestMesh = -1;
  private bestCorner = -1;
  protected hit: TriangleHit = new TriangleHit();
  /** Sum of the coordinates of a query whose volume is not enlarged by its own rounding errors, else 0. */
  protected magnitude = 0;
  private tree: Tree | null = null;
  /** Bodies and triangles are rounded in different ways: a triangle may lie outside of the box of its body by this. */
  private error = 0;
  private readonly bodyBox = new Float64Array(BOX_STRIDE);

  /**
   * Meshes outside the octree, then bodies, those of near nodes first.
   *
   * @param largest The largest value of interest, closed.
   */
  protected find(largest: number, target: TriangleHit | null): TriangleHit | null {
    const hit = (this.hit = target ?? new TriangleHit());
    this.best[0] = largest;
    this.bestCorner = -1;
    this.volume.limit = this.limit();
    this.visitUnculled();
    const { runner, store } = internalsOf(this.where, this.octree);
    withWorkspace(runner, this.where, ({ scratch }) => {
      runner.flush();
      this.error = 4 * WORLD_ERROR * (magnitudeOf(this.octree) + this.magnitude);
      this.tree = store.tree;
      walkNearestFirst({ tree: store.tree, categories: this.queryOptions.mask, scratch }, this);
    });
    return this.bestCorner < 0 ? null : hit;
  }

  filterByMinDistance(boxes: Boxes, begin: number, end: number, kept: KeptBoxes): void {
    const { volume, error } = this;
    for (let box = begin; box < end; box++) {
      if (!readBox(boxes, BOX_STRIDE * box, error, volume)) continue;
      kept.numbers[kept.length] = box;
      kept.distances[kept.length++] = volume.bound[0];
    }
  }

  isNearEnough(bounds: Float64Array, at: number): boolean {
    return bounds[at] <= this.volume.limit;
  }

  writeMaxDistance(): void {}

  visitBodies(found: Int32Array, bounds: FloatArray, count: number): void {
    const { volume, error, bodyBox } = this;
    const { bodies } = this.tree!;
    const { mask } = this.queryOptions;
    for (let k = count - 1; k >= 0; k--) {
      const index = found[k];
      if (bounds[k] > volume.limit || (bodies.categoryMask[index] & mask) === 0) continue;
      // Boxes in the octree leave room for motion.
      const isInside = bodies.isSphere(index)
        ? readBox(bodies.readBox(index, bodyBox), 0, error, volume)
        : readBox(bodies.bounds, BOX_STRIDE * index, error, volume);
      if (isInside) this.visitBody(index);
    }
  }

  /** The limit of the volume, for the smallest value so far. */
  protected limit(): number {
    return Math.min(this.best[0], Number.MAX_VALUE);
  }

  protected override visitBody(index: number): void {
    // Nothing is before 0, so of bodies that come later none counts.
    if (this.best[0] > 0 || this.bestCorner < 0 || index <= this.bestBody) super.visitBody(index);
  }

  protected visitMesh(): void {
    this.visitTriangles(this.volume);
  }

  /** Whether a triangle of `mesh` with a value is the first so far; then it is kept. */
  protected takes(corner: number, value: number): boolean {
    const { mesh, best } = this;
    if (!(value <= best[0])) return false;
    const serial = this.meshesTested;
    if (value === best[0] && this.bestCorner >= 0) {
      const order = mesh.bodyIndex - this.bestBody || serial - this.bestMesh || corner - this.bestCorner;
      if (order > 0) return false;
    }
    best[0] = value;
    this.bestBody = mesh.bodyIndex;
    this.bestMesh = serial;
    this.bestCorner = corner;
    if (value === 0) this.cornerEnd = corner;
    this.volume.limit = this.limit();
    return true;
  }
}
