/**
 * What the queries for one triangle share: the first one that a shape touches or a ray hits, and the nearest one. Each
 * finds the smallest value of all triangles, a time or a distance; of equal ones that of the first mesh, then the
 * smallest face. Objects outside the octree come before all bodies, and bodies come by index.
 */

import { TriangleHit } from './triangle-options.ts';
import { TriangleSearch } from './triangle-search.ts';

export abstract class FirstSearch extends TriangleSearch {
  /** The smallest value so far, or the largest of interest. In an array, because V8 may box a double in a field. */
  protected readonly best = new Float64Array(1);
  private bestBody = -2;
  private bestMesh = -1;
  private bestCorner = -1;
  protected hit: TriangleHit = new TriangleHit();

  get isFound(): boolean {
    return this.bestCorner >= 0;
  }

  /** @param limit The largest value of interest, closed. */
  protected beginFirst(limit: number, target: TriangleHit | null): void {
    this.best[0] = limit;
    this.bestCorner = -1;
    this.hit = target ?? new TriangleHit();
  }

  /** The record of what was found; null for nothing. */
  protected finish(): TriangleHit | null {
    const { hit } = this;
    this.hit = unused;
    return this.isFound ? hit : null;
  }

  /** Whether a triangle of `mesh` with a value is the first so far; then it is kept. */
  protected takes(corner: number, value: number): boolean {
    const { mesh, best } = this;
    if (!(value <= best[0])) return false;
    const serial = this.meshesTested;
    if (value === best[0] && this.bestCorner >= 0) {
      if (mesh.bodyIndex !== this.bestBody) {
        if (mesh.bodyIndex > this.bestBody) return false;
      } else if (serial !== this.bestMesh || corner > this.bestCorner) return false;
    }
    best[0] = value;
    this.bestBody = mesh.bodyIndex;
    this.bestMesh = serial;
    this.bestCorner = corner;
    return true;
  }
}

const unused = /* @__PURE__ */ new TriangleHit();
