// Culling without a tree, as fast as a plain loop goes: flat bounds, one corner a plane, out at the first plane that fails.
// What the octree is compared with on the page.

import type { Frustum } from 'three';

export class BruteForce {
  /** The bodies found, in order of their index. */
  readonly found: Uint32Array;
  count = 0;
  private readonly bounds: Float32Array | Float64Array;
  private readonly marks: Uint32Array;
  private mark = 0;
  /** Per plane: normal and constant. */
  private readonly planes = new Float64Array(24);
  /** Per plane: lanes of the corner that lies furthest along the normal. */
  private readonly corners = new Int32Array(18);

  /** Six numbers a body: min x y z, max x y z. */
  constructor(bounds: Float32Array | Float64Array) {
    this.bounds = bounds;
    this.found = new Uint32Array(bounds.length / 6);
    this.marks = new Uint32Array(bounds.length / 6);
  }

  /** Finds every body that touches all six half spaces; returns how many. */
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
          planes[plane * 4 + 3] >= 0
      ) plane++;
      if (plane === 6) found[count++] = body;
    }
    return (this.count = count);
  }

  /** Tells whether another list names exactly the bodies found, in any order. */
  agreesWith(indices: Uint32Array, count: number): boolean {
    if (count !== this.count) return false;
    const { found, marks } = this;
    const mark = ++this.mark;
    for (let at = 0; at < count; at++) marks[found[at]] = mark;
    for (let at = 0; at < count; at++) {
      if (marks[indices[at]] !== mark) return false;
      // Taken: a body that is listed twice does not count for another one.
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
