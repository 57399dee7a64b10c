// The same scene twice: in three's own Group and in an OctreeGroup. Nothing else differs between the two.

import { type BufferGeometry, Group, type Material, Mesh } from 'three';
import { OctreeGroup } from '../../../src/three/index.ts';

/** A mesh in each of the two. */
export type MeshPair = readonly [plain: Mesh, culled: Mesh];

export class GroupPair {
  readonly plain = new Group();
  readonly culled = new OctreeGroup();

  add(geometry: BufferGeometry, material: Material, place: (mesh: Mesh) => void): MeshPair {
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

  /** Takes in what was added since the last time, so that no frame has to take in all of it at once. */
  flush(): void {
    this.culled.updateMatrixWorld();
  }

  /** Meshes in each of the two. */
  get count(): number {
    return this.plain.children.length;
  }
}
