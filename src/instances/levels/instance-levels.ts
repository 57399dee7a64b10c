/**
 * The levels of detail of the instances, from near to far, with one mesh for each. A mesh holds geometry and material.
 * Rays are tested against it; renderers do not draw it.
 */

import { Mesh, Vector3, type BufferGeometry, type Camera, type Material, type Matrix4, type Object3D } from 'three';
import { withCapacity } from '../../math/typed-arrays.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { MATRIX_STRIDE } from '../../three/bounds/bounds-math.ts';
import type { InstanceStore } from '../store/instance-store.ts';
import { NO_READS, readsOfAll, type ShaderReads } from './shader-reads.ts';

/** A limit far above any use. Level numbers are stored as bytes. */
const MAX_LEVELS = 16;

/** The fields of a container that its levels and views read. */
export interface DrawSource extends Object3D {
  readonly geometry: BufferGeometry;
  readonly material: Material | Material[];
  readonly sortObjects: boolean;
  readonly drawsInOrder: boolean;
  readonly providesInstanceId: boolean;
  readonly morphTargetInfluences?: number[] | undefined;
  readonly shadowLevel: number | null;
  readonly cullingCamera: Camera | null;
}

/** The camera whose distance chooses the level of detail of each instance. */
export interface LodCamera {
  readonly camera: Camera;
  /** By id: the level at which the camera last saw the instance. Hysteresis depends on it. */
  readonly memory: { lastLevels: Uint8Array<ArrayBuffer> };
}

/** A level and its mesh. */
export class LevelMesh extends Mesh {
  /** World units from the camera at which the level begins. */
  readonly distance: number;
  /** 0 to 1: the level is left only when the camera is closer than `distance * (1 - hysteresis)`. */
  readonly hysteresis: number;
  /** Null for the material of the container. */
  readonly ownMaterial: Material | Material[] | null;
  /** What its materials read of the instances. */
  reads: ShaderReads = NO_READS;

  constructor(geometry?: BufferGeometry, distance = 0, hysteresis = 0, material: Material | Material[] | null = null) {
    super(geometry);
    this.distance = distance;
    this.hysteresis = hysteresis;
    this.ownMaterial = material;
  }
}

export class InstanceLevels {
  readonly meshes: LevelMesh[] = [new LevelMesh()];

  get count(): number {
    return this.meshes.length;
  }

  get isFull(): boolean {
    return this.count === MAX_LEVELS;
  }

  add(mesh: LevelMesh): void {
    // As in LOD: after the levels with the same distance.
    let index = this.count;
    while (index > 1 && this.meshes[index - 1].distance > mesh.distance) index--;
    this.meshes.splice(index, 0, mesh);
  }

  copy(source: InstanceLevels): void {
    for (const { geometry, distance, hysteresis, ownMaterial } of source.meshes.slice(1))
      this.add(new LevelMesh(geometry, distance, hysteresis, ownMaterial));
  }

  /** Copies geometry (of the first level), materials and morph targets of the container to the meshes. */
  sync(container: DrawSource): void {
    this.meshes[0].geometry = container.geometry;
    for (const mesh of this.meshes) {
      mesh.material = mesh.ownMaterial ?? container.material;
      mesh.morphTargetInfluences = container.morphTargetInfluences;
      mesh.customDepthMaterial = container.customDepthMaterial;
      mesh.customDistanceMaterial = container.customDistanceMaterial;
      const materials = [mesh.material, mesh.customDepthMaterial, mesh.customDistanceMaterial].flat();
      mesh.reads = readsOfAll(materials, container.providesInstanceId);
    }
  }

  /** The mesh at a distance in world units, without hysteresis. */
  meshAt(distance: number): LevelMesh {
    return this.meshes[this.levelAt(distance, 0)];
  }

  /**
   * Distributes ids over the levels at which a camera sees them, and updates its memory.
   *
   * @param world World matrix of the container.
   * @param lists One for each level.
   */
  partition(
    ids: IndexList,
    { matrices, capacity }: InstanceStore,
    { elements }: Matrix4,
    { camera, memory }: LodCamera,
    lists: readonly IndexList[],
  ): void {
    const lastLevels = (memory.lastLevels = withCapacity(memory.lastLevels, capacity));
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
      const level = this.levelAt(Math.sqrt(dx * dx + dy * dy + dz * dz) / zoom, lastLevels[id]);
      lastLevels[id] = level;
      lists[level].push(id);
    }
  }

  /**
   * The level at a distance in world units. As in LOD, the current level stays until the camera is closer than
   * `distance * (1 - hysteresis)`.
   *
   * @param current The current level; 0 for none.
   */
  private levelAt(distance: number, current: number): number {
    const { meshes } = this;
    let level = 0;
    for (let next = 1; next < meshes.length; next++) {
      const begin = next === current ? meshes[next].distance * (1 - meshes[next].hysteresis) : meshes[next].distance;
      if (distance < begin) break;
      level = next;
    }
    return level;
  }
}
const partition_position = /* @__PURE__ */ new Vector3();
