/**
 * The proof that a box is solid: no triangle of the closed parts touches the box, and the winding number in it is at
 * least one.
 *
 * The boundary of the closed parts is zero, so the winding number is the same everywhere in a region that no triangle
 * touches: in the cells from which a box has grown, where it is at least one (see voxels.ts), and in the box. Along a
 * way from a point where it is 0 into the box, the number of front faces minus the number of back faces that the way
 * meets is that number. So the way meets at least one front face. It is 0 at every eye that lies outside the bounds of
 * the mesh.
 *
 * A mesh that is open along its lowest plane is closed by a cap, any surface in that plane with the same boundary. A
 * way from an eye above the plane to a box above it does not meet the cap, so the front face is one of the mesh.
 *
 * Where both sides are drawn and the parity of crossings is odd, a way meets at least one triangle, for the same
 * reason.
 */

import { IndexList } from '../../tree/storage/index-list.ts';
import type { ClosedMesh } from './closed-mesh.ts';
import { TriangleBoxTest } from './triangle-box.ts';

/** The triangles of a mesh that may touch boxes in a region. */
export class NearTriangles {
  private mesh!: ClosedMesh;
  private readonly list = new IndexList();
  private readonly size = new Float64Array(3);
  private readonly test = new TriangleBoxTest();

  get count(): number {
    return this.list.length;
  }

  /** Finds the triangles near a region. */
  find(mesh: ClosedMesh, region: Float64Array): void {
    this.mesh = mesh;
    this.list.length = 0;
    for (let k = 0; k < mesh.triangleCount; k++) if (!isBeside(mesh, k, region)) this.list.push(k);
  }

  /** Whether one of them touches a box in the region. */
  touch(box: Float64Array): boolean {
    const { mesh, size, test } = this;
    const { vertices, triangles } = mesh;
    const { array, length } = this.list;
    for (let axis = 0; axis < 3; axis++) size[axis] = box[axis + 3] - box[axis];
    for (let k = 0; k < length; k++) {
      if (isBeside(mesh, array[k], box)) continue;
      const at = 3 * array[k];
      test.set(vertices, 3 * triangles[at], 3 * triangles[at + 1], 3 * triangles[at + 2], size);
      if (test.touchesAlongX(box[1], box[2]) && test.touchesAt(box[0], box[1], box[2])) return true;
    }
    return false;
  }
}

/** Whether the bounds of a triangle do not touch a box. */
function isBeside({ vertices: v, triangles }: ClosedMesh, triangle: number, box: Float64Array): boolean {
  const a = 3 * triangles[3 * triangle];
  const b = 3 * triangles[3 * triangle + 1];
  const c = 3 * triangles[3 * triangle + 2];
  return (
    Math.max(v[a], v[b], v[c]) < box[0] ||
    Math.min(v[a], v[b], v[c]) > box[3] ||
    Math.max(v[a + 1], v[b + 1], v[c + 1]) < box[1] ||
    Math.min(v[a + 1], v[b + 1], v[c + 1]) > box[4] ||
    Math.max(v[a + 2], v[b + 2], v[c + 2]) < box[2] ||
    Math.min(v[a + 2], v[b + 2], v[c + 2]) > box[5]
  );
}
