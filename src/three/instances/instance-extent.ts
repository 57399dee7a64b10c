/** The box and the sphere around all instances that show, as InstancedMesh computes them; kept until something changes. */

import { Box3, Sphere, type InstancedMesh } from 'three';
import { IndexList } from '../../tree/storage/index-list.ts';
import type { InstanceStore } from './instance-store.ts';
import { shownInstancesOf } from './instanced-mesh-of.ts';
import type { Wearer } from './draw-state.ts';

export class InstanceExtent {
  private readonly store: InstanceStore;
  private readonly box = new Box3();
  private readonly sphere = new Sphere();
  private boxTime = -1;
  private sphereTime = -1;

  constructor(store: InstanceStore) {
    this.store = store;
  }

  boxOf(container: Wearer): Box3 {
    if (this.boxTime !== this.store.clock) {
      this.boxTime = this.store.clock;
      const mesh = this.measured(container);
      mesh.computeBoundingBox();
      this.box.copy(mesh.boundingBox!);
    }
    return this.box;
  }

  sphereOf(container: Wearer): Sphere {
    if (this.sphereTime !== this.store.clock) {
      this.sphereTime = this.store.clock;
      const mesh = this.measured(container);
      mesh.computeBoundingSphere();
      this.sphere.copy(mesh.boundingSphere!);
    }
    return this.sphere;
  }

  private measured(container: Wearer): InstancedMesh {
    const ids = new IndexList();
    this.store.collectShown(ids);
    return shownInstancesOf(container, this.store, ids.array.subarray(0, ids.length));
  }
}
