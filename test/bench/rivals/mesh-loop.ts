/**
 * The loop over bounding spheres in flat arrays that an application writes without an index. The spheres are as small
 * as spheres around a centre can be. The meshes that are left are asked by scene-octree/triangles, so that only the
 * search for them differs.
 */

import { Object3D, Vector3, type Mesh } from 'three';
import { Octree, type CapsuleLike } from '../../../src/index.ts';
import { castShape, intersectTriangles, TriangleScene, type TriangleHit } from '../../../src/triangles/index.ts';

export class MeshLoop {
  private readonly meshes: readonly Mesh[];
  private readonly spheres: Float64Array;
  /** The meshes of which the query is asked. */
  private readonly near: Mesh[] = [];
  private readonly scene: TriangleScene<Object3D>;
  private readonly hits: TriangleHit<Object3D>[] = [];

  constructor(meshes: readonly Mesh[]) {
    this.meshes = meshes;
    this.spheres = new Float64Array(4 * meshes.length);
    const vertex = new Vector3();
    const center = new Vector3();
    for (const [k, { geometry, matrixWorld }] of meshes.entries()) {
      if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
      center.copy(geometry.boundingSphere!.center).applyMatrix4(matrixWorld);
      let radius = 0;
      for (let j = 0; j < geometry.attributes.position.count; j++) {
        vertex.fromBufferAttribute(geometry.attributes.position, j).applyMatrix4(matrixWorld);
        radius = Math.max(radius, vertex.distanceTo(center));
      }
      this.spheres.set([center.x, center.y, center.z, radius], 4 * k);
    }
    const container = Object.assign(new Object3D(), { octree: new Octree<Object3D>(), unculled: this.near });
    this.scene = new TriangleScene(container as never);
  }

  /** The meshes whose spheres come within a distance of a segment. */
  private find(x: number, y: number, z: number, dx: number, dy: number, dz: number, radius: number): void {
    const { spheres, meshes, near } = this;
    const lengthSq = dx * dx + dy * dy + dz * dz;
    const scale = lengthSq > 0 ? 1 / lengthSq : 0;
    near.length = 0;
    for (let at = 0; at < spheres.length; at += 4) {
      const px = spheres[at] - x;
      const py = spheres[at + 1] - y;
      const pz = spheres[at + 2] - z;
      const along = Math.min(1, Math.max(0, (px * dx + py * dy + pz * dz) * scale));
      const qx = px - along * dx;
      const qy = py - along * dy;
      const qz = pz - along * dz;
      const reach = spheres[at + 3] + radius;
      if (qx * qx + qy * qy + qz * qz <= reach * reach) near.push(meshes[at / 4]);
    }
  }

  /** The number of triangles that a capsule touches. */
  contacts(capsule: CapsuleLike): number {
    const { start, end, radius } = capsule;
    this.find(start.x, start.y, start.z, end.x - start.x, end.y - start.y, end.z - start.z, radius);
    return intersectTriangles(this.scene, capsule, undefined, this.hits).length;
  }

  /** The time of the first touch, 0 to 1; 2 for none. */
  castTime(capsule: CapsuleLike, motion: Vector3): number {
    const { start, end, radius } = capsule;
    const half = Math.hypot(end.x - start.x, end.y - start.y, end.z - start.z) / 2;
    const [x, y, z] = [(start.x + end.x) / 2, (start.y + end.y) / 2, (start.z + end.z) / 2];
    this.find(x, y, z, motion.x, motion.y, motion.z, half + radius);
    return castShape(this.scene, capsule, motion)?.time ?? 2;
  }
}
