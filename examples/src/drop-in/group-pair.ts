// The same meshes in three's own Group and in an OctreeGroup. Nothing else differs between the two groups.

import { type BufferGeometry, Group, type Material, Mesh } from 'three';
import { OctreeGroup } from '../../../src/three.ts';

/** The same mesh in each of the two groups. */
export type MeshPair = readonly [plain: Mesh, culled: Mesh];

export class GroupPair {
  readonly plain = new Group();
  readonly culled = new OctreeGroup();

  add(geometry: BufferGeometry, material: Material, place: (mesh: Mesh) => unknown): MeshPair {
    const pair = [new Mesh(geometry, material), new Mesh(geometry, material)] as const;
    for (const mesh of pair) {
      mesh.castShadow = true;
      mesh.receiveShadow = true;
      place(mesh);
    }
    this.plain.add(pair[0]);
    this.culled.add(pair[1]);
    return pair;
  }

  /** Inserts the added meshes into the octree now, so that no frame has to insert all of them. */
  flush(): void {
    this.culled.updateMatrixWorld();
  }

  /** Number of meshes in each group. */
  get count(): number {
    return this.plain.children.length;
  }
}
