// Frustum culling without a tree, the reference that the pages compare the octree with. An optimised loop: flat bounds,
// one box corner per plane, and an early exit at the first plane with the box behind it.

import type { Frustum } from 'three';

export class FrustumLoop {
  /** The visible bodies, in order of their index; the first `count` elements are valid. */
  readonly found: Uint32Array;
  count = 0;
  private readonly bounds: Float32Array | Float64Array;
  private readonly marks: Uint32Array;
  private mark = 0;
  /** Per plane: normal and constant. */
  private readonly planes = new Float64Array(24);
  /** Per plane: the offsets of the coordinates of the corner that lies furthest along the normal. */
  private readonly corners = new Int32Array(18);

  /** @param bounds Six numbers per body: min x y z, max x y z. */
  constructor(bounds: Float32Array | Float64Array) {
    this.bounds = bounds;
    this.found = new Uint32Array(bounds.length / 6);
    this.marks = new Uint32Array(bounds.length / 6);
  }

  /** Finds every body that touches all six half spaces. Returns their number. */
  cull(frustum: Frustum): number {
    this.readPlanes(frustum);
    const { bounds, planes, corners, found } = this;
    let count = 0;
    for (let body = 0, offset = 0; offset < bounds.length; body++, offset += 6) {
      let plane = 0;
      while (
        plane < 6 &&
        planes[plane * 4] * bounds[offset + corners[plane * 3]] +
          planes[plane * 4 + 1] * bounds[offset + corners[plane * 3 + 1]] +
          planes[plane * 4 + 2] * bounds[offset + corners[plane * 3 + 2]] +
          planes[plane * 4 + 3] >=
          0
      )
        plane++;
      if (plane === 6) found[count++] = body;
    }
    return (this.count = count);
  }

  /** Whether another list contains exactly the bodies of the last cull, in any order. */
  agreesWith(indices: Uint32Array, count: number): boolean {
    if (count !== this.count) return false;
    const { found, marks } = this;
    const mark = ++this.mark;
    for (let at = 0; at < count; at++) marks[found[at]] = mark;
    for (let at = 0; at < count; at++) {
      if (marks[indices[at]] !== mark) return false;
      // Clears the mark, so that a body that is listed twice is detected.
      marks[indices[at]] = 0;
    }
    return true;
  }

  private readPlanes({ planes }: Frustum): void {
    planes.forEach(({ normal, constant }, plane) => {
      this.planes[plane * 4] = normal.x;
      this.planes[plane * 4 + 1] = normal.y;
      this.planes[plane * 4 + 2] = normal.z;
      this.planes[plane * 4 + 3] = constant;
      this.corners[plane * 3] = normal.x >= 0 ? 3 : 0;
      this.corners[plane * 3 + 1] = normal.y >= 0 ? 4 : 1;
      this.corners[plane * 3 + 2] = normal.z >= 0 ? 5 : 2;
    });
  }
}
