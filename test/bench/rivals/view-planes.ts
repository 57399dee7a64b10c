import type { Box3, Frustum } from 'three';

/** The six planes of a frustum in one array, and box tests against them. */
export class ViewPlanes {
  /** Normal and constant of each plane, four numbers per plane. */
  private readonly planes = new Float64Array(24);

  set({ planes }: Frustum): void {
    for (let p = 0; p < 6; p++) {
      const { normal, constant } = planes[p];
      this.planes[p * 4] = normal.x;
      this.planes[p * 4 + 1] = normal.y;
      this.planes[p * 4 + 2] = normal.z;
      this.planes[p * 4 + 3] = constant;
    }
  }

  /** 0: outside. 1: intersecting. 2: contained. */
  overlap({ min, max }: Box3): 0 | 1 | 2 {
    const { planes } = this;
    let isInside = true;
    for (let p = 0; p < 24; p += 4) {
      const nx = planes[p];
      const ny = planes[p + 1];
      const nz = planes[p + 2];
      const w = planes[p + 3];
      if (nx * (nx >= 0 ? max.x : min.x) + ny * (ny >= 0 ? max.y : min.y) + nz * (nz >= 0 ? max.z : min.z) + w < 0)
        return 0;
      if (
        isInside &&
        nx * (nx >= 0 ? min.x : max.x) + ny * (ny >= 0 ? min.y : max.y) + nz * (nz >= 0 ? min.z : max.z) + w < 0
      )
        isInside = false;
    }
    return isInside ? 2 : 1;
  }

  /** Whether the box at offset `b` is not outside any plane. */
  touches(boxes: Float32Array, b: number): boolean {
    const { planes } = this;
    for (let p = 0; p < 24; p += 4) {
      const nx = planes[p];
      const ny = planes[p + 1];
      const nz = planes[p + 2];
      if (
        nx * boxes[nx >= 0 ? b + 3 : b] +
          ny * boxes[ny >= 0 ? b + 4 : b + 1] +
          nz * boxes[nz >= 0 ? b + 5 : b + 2] +
          planes[p + 3] <
        0
      )
        return false;
    }
    return true;
  }
}
