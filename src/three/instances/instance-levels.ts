/**
 * The levels of detail of the instances, from near to far, with one mesh for each. A mesh holds geometry and material. Rays are tested against
 * it; renderers do not draw it.
 */

import { Mesh, Vector3, type BufferGeometry, type Camera, type Material, type Matrix4, type Object3D } from 'three';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { nameOf } from '../bounds/object-names.ts';
import { MATRIX_STRIDE } from '../bounds/matrix-stride.ts';
import { warnOnce } from '../passes/warnings.ts';
import type { DrawSource } from './draw-state.ts';
import type { InstanceStore } from './instance-store.ts';
import { readsOf } from './shader-reads.ts';

/** A limit far above any use. Level numbers are stored as bytes. */
const MAX_LEVELS = 16;

/** The mesh of a level, and what its materials read of the instances. */
export class LevelMesh extends Mesh {
  /** Whether the geometry of views must have the attribute `instanceId`. */
  needsIdAttribute = false;
  /** Whether nodes of its materials read the id. */
  hasIdNodes = false;
  /** What its materials read of the draw slot; null if nothing. */
  slotRead: string | null = null;
}

interface Level {
  readonly mesh: LevelMesh;
  /** World units from the camera at which the level begins. */
  readonly distance: number;
  /** 0 to 1: the level is left only when the camera is closer than `distance * (1 - hysteresis)`. */
  readonly hysteresis: number;
  /** Null for the material of the container. */
  readonly material: Material | Material[] | null;
}

export class InstanceLevels {
  /** The mesh of each level. */
  readonly meshes: LevelMesh[] = [];
  private readonly levels: Level[] = [];

  constructor() {
    this.insert(0, { mesh: new LevelMesh(), distance: 0, hysteresis: 0, material: null });
  }

  get count(): number {
    return this.levels.length;
  }

  get isFull(): boolean {
    return this.count === MAX_LEVELS;
  }

  add(geometry: BufferGeometry, distance: number, hysteresis: number, material: Material | Material[] | null): void {
    // As in LOD: behind the levels with the same distance.
    let place = this.count;
    while (place > 1 && this.levels[place - 1].distance > distance) place--;
    this.insert(place, { mesh: new LevelMesh(geometry), distance, hysteresis, material });
  }

  copy(source: InstanceLevels): void {
    for (const { mesh, distance, hysteresis, material } of source.levels.slice(1)) this.add(mesh.geometry, distance, hysteresis, material);
  }

  /** Copies geometry (of the first level), materials and morph targets of the container to the meshes. */
  sync(container: DrawSource): void {
    this.meshes[0].geometry = container.geometry;
    for (const { mesh, material } of this.levels) {
      mesh.material = material ?? container.material;
      mesh.morphTargetInfluences = container.morphTargetInfluences;
      mesh.customDepthMaterial = container.customDepthMaterial;
      mesh.customDistanceMaterial = container.customDistanceMaterial;
      this.syncReads(mesh, container.providesInstanceId);
    }
  }

  /** Warns once if a material reads the draw slot. */
  warnOfFaults(container: Object3D): void {
    for (const { slotRead } of this.meshes) {
      if (slotRead === null) continue;
      const what = `OctreeInstances: a material of ${nameOf(container)} must not read the draw slot of an instance, because the slot differs from pass to pass`;
      warnOnce(container, 'slotRead', `${what}, but reads ${slotRead}.`);
    }
  }

  private syncReads(mesh: LevelMesh, providesInstanceId: boolean): void {
    mesh.needsIdAttribute = providesInstanceId;
    mesh.hasIdNodes = false;
    mesh.slotRead = null;
    for (const material of [mesh.material, mesh.customDepthMaterial, mesh.customDistanceMaterial].flat()) {
      if (material === undefined || material === null) continue;
      const { needsIdAttribute, hasIdNodes, slotRead } = readsOf(material);
      mesh.needsIdAttribute ||= needsIdAttribute;
      mesh.hasIdNodes ||= hasIdNodes;
      mesh.slotRead ??= slotRead;
    }
  }

  /** The mesh at a distance in world units, without hysteresis. */
  meshAt(distance: number): LevelMesh {
    return this.meshes[this.levelAt(distance, 0)];
  }

  /**
   * Distributes ids over the levels at which a camera sees them.
   *
   * @param memory By id: the level at which this camera saw the instance last; is updated.
   * @param lists One for each level.
   */
  partition(ids: IndexList, store: InstanceStore, world: Matrix4, camera: Camera, memory: Uint8Array, lists: readonly IndexList[]): void {
    const { matrices } = store;
    const { elements } = world;
    const position = partition_position.setFromMatrixPosition(camera.matrixWorld);
    const zoom = (camera as { zoom?: number }).zoom ?? 1;
    for (const list of lists) list.length = 0;
    for (let k = 0; k < ids.length; k++) {
      const id = ids.array[k];
      const translation = id * MATRIX_STRIDE + 12;
      const x = matrices[translation];
      const y = matrices[translation + 1];
      const z = matrices[translation + 2];
      const dx = elements[0] * x + elements[4] * y + elements[8] * z + elements[12] - position.x;
      const dy = elements[1] * x + elements[5] * y + elements[9] * z + elements[13] - position.y;
      const dz = elements[2] * x + elements[6] * y + elements[10] * z + elements[14] - position.z;
      const level = this.levelAt(Math.sqrt(dx * dx + dy * dy + dz * dz) / zoom, memory[id]);
      memory[id] = level;
      lists[level].push(id);
    }
  }

  /** As in LOD: the current level stays until the camera is closer than `distance * (1 - hysteresis)`. */
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
const partition_position = /* @__PURE__ */ new Vector3();
