/**
 * What `StaticBatches.ranges` lists. A file of its own, because declarations of the package import it: it must not name
 * types that the oldest supported types of three lack, such as FrustumArray.
 */

import type { BufferGeometry, InstancedMesh, Matrix4 } from 'three';

/**
 * What one draw call draws: a part of a baked geometry, or a repeated one. Read-only, and valid until the next pass.
 */
export interface BatchRange {
  /** Its attributes hold vertices in the space of `matrixWorld`, or of the instances. */
  readonly geometry: BufferGeometry;
  /** From the space of the vertices, or of the matrices of the instances, to world space. */
  readonly matrixWorld: Matrix4;
  /** First index. */
  readonly start: number;
  /** Number of indices; of vertices, if the geometry has no index. */
  readonly count: number;
  /** Repeated geometry: what draws it, with the matrix of each instance; otherwise null. */
  readonly instances: InstancedMesh | null;
}
