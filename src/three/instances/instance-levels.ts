/** What an instance is drawn as: one mesh for each level of detail, from near to far. The meshes hold geometry and material; they are never drawn. */

import { Mesh, Vector3, type BufferGeometry, type Camera, type Material, type Matrix4 } from 'three';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { MATRIX_STRIDE, type InstanceStore } from './instance-store.ts';
import type { Wearer } from './draw-state.ts';

/** Levels that a byte can tell, and more than anybody needs. */
const MAX_LEVELS = 16;

interface Level {
  readonly mesh: Mesh;
  /** World units from the camera at which the level begins. */
  readonly distance: number;
  /** Part of the distance by which the camera must come nearer before the level is left again. */
  readonly hysteresis: number;
  /** Null for that of the container. */
  readonly material: Material | Material[] | null;
}

export class InstanceLevels {
  /** One for each level. */
  readonly meshes: Mesh[] = [];
  private readonly levels: Level[] = [];

  constructor() {
    this.insert(0, { mesh: new Mesh(), distance: 0, hysteresis: 0, material: null });
  }

  get count(): number {
    return this.levels.length;
  }

  get isFull(): boolean {
    return this.count === MAX_LEVELS;
  }

  add(geometry: BufferGeometry, distance: number, hysteresis: number, material: Material | Material[] | null): void {
    // As in LOD: behind those of the same distance.
    let place = this.count;
    while (place > 1 && this.levels[place - 1].distance > distance) place--;
    this.insert(place, { mesh: new Mesh(geometry), distance, hysteresis, material });
  }

  copy(source: InstanceLevels): void {
    for (const { mesh, distance, hysteresis, material } of source.levels.slice(1)) this.add(mesh.geometry, distance, hysteresis, material);
  }

  /** Brings the meshes in step with the container; the first level has its geometry. */
  follow(container: Wearer): void {
    this.meshes[0].geometry = container.geometry;
    for (const { mesh, material } of this.levels) {
      mesh.material = material ?? container.material;
      mesh.morphTargetInfluences = container.morphTargetInfluences;
      mesh.customDepthMaterial = container.customDepthMaterial;
      mesh.customDistanceMaterial = container.customDistanceMaterial;
    }
  }

  /** The mesh of an instance at a distance, if it had no past. */
  meshAt(distance: number): Mesh {
    return this.meshes[this.levelAt(distance, 0)];
  }

  /**
   * Parts ids by the level that a camera sees each at.
   *
   * @param memory Level of each id when this camera saw it last; is brought up to date.
   * @param lists One for each level.
   */
  part(ids: IndexList, store: InstanceStore, world: Matrix4, camera: Camera, memory: Uint8Array, lists: readonly IndexList[]): void {
    const { matrices } = store;
    const { elements } = world;
    const eye = part_eye.setFromMatrixPosition(camera.matrixWorld);
    const zoom = (camera as { zoom?: number }).zoom ?? 1;
    for (const list of lists) list.length = 0;
    for (let k = 0; k < ids.length; k++) {
      const id = ids.array[k];
      const from = id * MATRIX_STRIDE + 12;
      const x = matrices[from];
      const y = matrices[from + 1];
      const z = matrices[from + 2];
      const dx = elements[0] * x + elements[4] * y + elements[8] * z + elements[12] - eye.x;
      const dy = elements[1] * x + elements[5] * y + elements[9] * z + elements[13] - eye.y;
      const dz = elements[2] * x + elements[6] * y + elements[10] * z + elements[14] - eye.z;
      const level = this.levelAt(Math.sqrt(dx * dx + dy * dy + dz * dz) / zoom, memory[id]);
      memory[id] = level;
      lists[level].push(id);
    }
  }

  /** As LOD does: the level that is shown already is not left before the camera has come nearer by the hysteresis. */
  private levelAt(distance: number, current: number): number {
    const { levels } = this;
    let level = 0;
    for (let next = 1; next < levels.length; next++) {
      const begin = next === current ? levels[next].distance * (1 - levels[next].hysteresis) : levels[next].distance;
      if (distance < begin) break;
      level = next;
    }
    return level;
  }

  private insert(place: number, level: Level): void {
    this.levels.splice(place, 0, level);
    this.meshes.splice(place, 0, level.mesh);
  }
}
const part_eye = /* @__PURE__ */ new Vector3();
