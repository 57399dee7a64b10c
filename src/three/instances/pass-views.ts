/** What one pass draws of a container: a view for each level of detail. */

import type { Camera, Frustum, FrustumArray, InstancedMesh, Material, Sphere } from 'three';
import { IndexList } from '../../tree/storage/index-list.ts';
import { sortByDepth } from './depth-order.ts';
import type { InstanceBodies } from './instance-bodies.ts';
import type { InstanceLevels } from './instance-levels.ts';
import type { InstanceStore } from './instance-store.ts';
import { InstanceView } from './instance-view.ts';
import { PassKey } from '../passes/pass-key.ts';
import { bind, dress, type Wearer } from './draw-state.ts';

/** What all passes of a container share. */
export interface Stock {
  readonly container: Wearer;
  readonly store: InstanceStore;
  readonly bodies: InstanceBodies;
  readonly levels: InstanceLevels;
  /** Lent to the pass that is being filled: all ids that it sees, and those of each level. */
  readonly seen: IndexList;
  readonly lists: IndexList[];
}

/** How the level of an instance is chosen. */
export interface Eye {
  readonly camera: Camera;
  /** Level that each id was last seen at. */
  readonly memory: LevelMemory;
}

export class LevelMemory {
  levels: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  reserve(capacity: number): Uint8Array {
    if (capacity > this.levels.length) {
      const longer = new Uint8Array(capacity);
      longer.set(this.levels);
      this.levels = longer;
    }
    return this.levels;
  }
}

export class PassViews {
  /** Frame in which the pass was last asked for. */
  frame = 0;
  readonly memory = new LevelMemory();

  private readonly stock: Stock;
  private readonly views: InstanceView[];
  private readonly key = new PassKey();

  constructor(stock: Stock) {
    this.stock = stock;
    this.views = stock.levels.meshes.map((mesh) => new InstanceView(stock.store, mesh));
  }

  /** What a camera sees; by its distance levels are chosen, and transparent instances sorted. */
  showCamera(frustum: Frustum | FrustumArray, camera: Camera): InstancedMesh[] {
    const { container, bodies, levels } = this.stock;
    const isSorted = levels.meshes.map(({ material }) => container.sortObjects && isTransparent(material));
    if (!this.key.isUnchanged(frustum, camera, bodies.version, container.frustumCulled, ...isSorted)) {
      this.collect(frustum);
      this.fill(this.part({ camera, memory: this.memory }), camera, isSorted);
    }
    return this.draw();
  }

  /** What a light sees. @param eye Chooses the level; a number is that of all instances. */
  showShadow(frustum: Frustum | FrustumArray, eye: Eye | number): InstancedMesh[] {
    const { container, bodies } = this.stock;
    // The levels may change with the camera, which the frustum of a light does not tell.
    if (typeof eye !== 'number') this.key.clear();
    if (typeof eye !== 'number' || !this.key.isUnchanged(frustum, null, bodies.version, container.frustumCulled, eye)) {
      this.collect(frustum);
      this.fill(typeof eye === 'number' ? this.allAt(eye) : this.part(eye), null, []);
    }
    return this.draw();
  }

  showAll(): InstancedMesh[] {
    this.stock.store.collectShown(this.stock.seen);
    this.fill(this.allAt(0), null, []);
    return this.draw();
  }

  dispose(): void {
    for (const view of this.views) view.dispose();
  }

  private collect(frustum: Frustum | FrustumArray): void {
    const { container, store, bodies, seen } = this.stock;
    if (container.frustumCulled) bodies.collectSeen(frustum, seen);
    else store.collectShown(seen);
  }

  private part({ camera, memory }: Eye): readonly IndexList[] {
    const { levels, seen, store, container, lists } = this.stock;
    if (levels.count === 1) return [seen];
    while (lists.length < levels.count) lists.push(new IndexList());
    levels.part(seen, store, container.matrixWorld, camera, memory.reserve(store.capacity), lists);
    return lists;
  }

  /** All that was seen in one list, the others empty. */
  private allAt(level: number): readonly IndexList[] {
    const { levels, seen } = this.stock;
    return levels.meshes.map((_, k) => (k === Math.min(level, levels.count - 1) ? seen : EMPTY));
  }

  private fill(lists: readonly IndexList[], camera: Camera | null, isSorted: readonly boolean[]): void {
    const { store, levels, container } = this.stock;
    this.views.forEach((view, k) => {
      const isInOrder = camera !== null && isSorted[k];
      if (isInOrder) {
        const { geometry } = levels.meshes[k];
        if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
        const { center } = geometry.boundingSphere as Sphere;
        sortByDepth(lists[k], store, container.matrixWorld, center, camera);
      }
      view.assign(lists[k], isInOrder);
    });
  }

  private draw(): InstancedMesh[] {
    const { container, levels, bodies } = this.stock;
    const shown: InstancedMesh[] = [];
    this.views.forEach((view, k) => {
      const mesh = view.draw();
      if (mesh === null) return;
      if (mesh.matrixWorld !== container.matrixWorld) bind(mesh, container);
      dress(mesh, container, levels.meshes[k]);
      mesh.boundingSphere = bodies.around;
      shown.push(mesh);
    });
    return shown;
  }
}
const EMPTY = /* @__PURE__ */ new IndexList(0);

function isTransparent(material: Material | Material[]): boolean {
  return Array.isArray(material) ? material.some(isTransparent) : material.transparent;
}
