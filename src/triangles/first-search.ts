/**
 * The search for the triangle with the smallest value, a time or a distance; of equal ones that of the first mesh, then
 * the smallest face. Objects outside the octree come before all bodies, and bodies come by index.
 */

import { visitCast } from '../features/casts/visit-cast.ts';
import { clamp } from '../math/clamp.ts';
import { COORDINATE_LIMIT } from '../math/integer-cube.ts';
import type { PointLike } from '../octree/input/shapes.ts';
import { TriangleHit } from './triangle-options.ts';
import { TriangleSearch } from './triangle-search.ts';
import { magnitudeOf, WORLD_ERROR, type TrianglePath, type Volume } from './triangle-walk.ts';

export abstract class FirstSearch extends TriangleSearch {
  /** Where triangles are looked for. Its limit is that of `limit`. */
  protected abstract readonly volume: Volume;
  /** The smallest value so far, or the largest of interest. In an array, because V8 may box a double in a field. */
  protected readonly best = new Float64Array(1);
  private bestBody = -2;
  private bestMesh = -1;
  private bestCorner = -1;
  protected hit: TriangleHit = new TriangleHit();

  /** @param largest The largest value of interest, closed. */
  protected find(largest: number, target: TriangleHit | null, visitBodies: () => void): TriangleHit | null {
    const hit = (this.hit = target ?? new TriangleHit());
    this.best[0] = largest;
    this.bestCorner = -1;
    this.volume.limit = this.limit();
    this.visitUnculled();
    visitBodies();
    return this.bestCorner < 0 ? null : hit;
  }

  /**
   * Visits the bodies that the box of a path, a little larger, touches until a time, nearest first. Bodies and
   * triangles are rounded in different ways, so the shape itself may pass a body whose triangle it touches.
   */
  protected visitAlong(path: TrianglePath, end: number): void {
    const { start, half, motion } = path;
    // No cast may be longer. So a ray through a scene as large as that takes the box of all bodies, which stays there.
    const isLong = end * Math.max(Math.abs(motion[0]), Math.abs(motion[1]), Math.abs(motion[2])) > COORDINATE_LIMIT;
    const error = isLong ? Infinity : 4 * WORLD_ERROR * magnitudeOf(this.octree);
    const way = isLong ? 0 : end;
    const corner = (side: number): PointLike => {
      // Beyond the limit of coordinates there are no bodies.
      const at = (k: number): number => clamp(start[k] + side * (half[k] + error), -COORDINATE_LIMIT, COORDINATE_LIMIT);
      return { x: at(0), y: at(1), z: at(2) };
    };
    visitCast(
      this.octree,
      { min: corner(-1), max: corner(1) },
      { x: motion[0] * way, y: motion[1] * way, z: motion[2] * way },
      ({ index }) => {
        this.visitBody(index);
        return end === 0 ? 1 : (this.best[0] / end) * TIMES_RAISED;
      },
      this.queryOptions,
    );
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

/** Above 1 by 16 errors of Float64: a time is the quotient of two rounded distances. */
const TIMES_RAISED = 1 + 2 ** -49;
