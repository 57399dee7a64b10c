/**
 * Which boxes of one size a triangle touches: the plane of the triangle must cross the box, and the projections of both
 * along each axis must touch. With the bounds of the triangle, which are the caller's, these are the 13 axes of the
 * separating axis test. What depends on the triangle alone is computed once.
 *
 * Source: Schwarz, Seidel, "Fast Parallel Surface and Solid Voxelization on GPUs", 2010.
 */

export class TriangleBoxTest {
  /** The plane of the triangle, and its distances at the corners of a box that are farthest apart. */
  private readonly plane = new Float64Array(5);
  /** For the projections xy, yz, zx and each edge: two numbers of the normal, and the distance. */
  private readonly edges = new Float64Array(27);

  /** Sets the triangle with the vertices at offsets a, b and c of `v`, for boxes of a size. */
  set(v: Float64Array, a: number, b: number, c: number, size: Float64Array): void {
    const { plane, edges } = this;
    let least = 0;
    let greatest = 0;
    let middle = 0;
    for (let axis = 0; axis < 3; axis++) {
      const i = (axis + 1) % 3;
      const j = (axis + 2) % 3;
      const normal = (v[b + i] - v[a + i]) * (v[c + j] - v[a + j]) - (v[b + j] - v[a + j]) * (v[c + i] - v[a + i]);
      plane[axis] = normal;
      const along = normal * size[axis];
      if (along > 0) greatest += along;
      else least += along;
      middle += normal * v[a + axis];
      // The projection along this axis has the coordinates i and j.
      const sign = normal < 0 ? -1 : 1;
      let from = a;
      let to = b;
      for (let edge = 0; edge < 3; edge++) {
        const at = 9 * i + 3 * edge;
        const ni = -sign * (v[to + j] - v[from + j]);
        const nj = sign * (v[to + i] - v[from + i]);
        edges[at] = ni;
        edges[at + 1] = nj;
        edges[at + 2] = Math.max(0, ni * size[i]) + Math.max(0, nj * size[j]) - ni * v[from + i] - nj * v[from + j];
        from = to;
        to = edge === 0 ? c : a;
      }
    }
    plane[3] = greatest - middle;
    plane[4] = least - middle;
  }

  /** Whether the projection along x touches that of the boxes with the lowest corner (y, z). */
  touchesAlongX(y: number, z: number): boolean {
    return isInside(this.edges, 9, y, z);
  }

  /** Whether the rest of the test holds for the box with the lowest corner (x, y, z). */
  touchesAt(x: number, y: number, z: number): boolean {
    const { plane, edges } = this;
    const along = plane[0] * x + plane[1] * y + plane[2] * z;
    return (along + plane[3]) * (along + plane[4]) <= 0 && isInside(edges, 0, x, y) && isInside(edges, 18, z, x);
  }
}

/** Whether a box with the lowest corner (p, q) lies inside three edges of a projected triangle, or touches them. */
function isInside(edges: Float64Array, at: number, p: number, q: number): boolean {
  return (
    edges[at] * p + edges[at + 1] * q + edges[at + 2] >= 0 &&
    edges[at + 3] * p + edges[at + 4] * q + edges[at + 5] >= 0 &&
    edges[at + 6] * p + edges[at + 7] * q + edges[at + 8] >= 0
  );
}
