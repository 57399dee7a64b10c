/** The box and the sphere around all visible instances, computed as InstancedMesh computes them and kept until an instance changes. */

import { Box3, Sphere, type InstancedMesh } from 'three';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { DrawSource } from './levels/draw-state.ts';
import type { InstanceStore } from './store/instance-store.ts';
import { instancedMeshOf } from './instanced-mesh-of.ts';

export class ContainerBounds {
  private readonly store: InstanceStore;
  private readonly box = new Box3();
  private readonly sphere = new Sphere();
  /** `store.takeTime()` when the box and the sphere were computed. */
  private boxTime = -1;
  private sphereTime = -1;

  constructor(store: InstanceStore) {
    this.store = store;
  }

  boxOf(container: DrawSource): Box3 {
    const time = this.store.takeTime();
    if (this.boxTime !== time) {
      this.boxTime = time;
      const mesh = this.visibleInstances(container);
      mesh.computeBoundingBox();
      this.box.copy(mesh.boundingBox!);
    }
    return this.box;
  }

  sphereOf(container: DrawSource): Sphere {
    const time = this.store.takeTime();
    if (this.sphereTime !== time) {
      this.sphereTime = time;
      const mesh = this.visibleInstances(container);
      mesh.computeBoundingSphere();
      this.sphere.copy(mesh.boundingSphere!);
    }
    return this.sphere;
  }

  private visibleInstances(container: DrawSource): InstancedMesh {
    const ids = new IndexList();
    this.store.collectVisible(ids);
    return instancedMeshOf(container, this.store, ids.array.subarray(0, ids.length));
  }
}
