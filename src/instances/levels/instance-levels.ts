/**
 * The levels of detail of the instances, from near to far, with one mesh for each. A mesh holds geometry and material.
 * Rays are tested against it; renderers do not draw it.
 */

import { Mesh, Vector3, type BufferGeometry, type Camera, type Material, type Matrix4, type Object3D } from 'three';
import { withCapacity } from '../../math/typed-arrays.ts';
import { IndexList } from '../../tree/storage/index-list.ts';
import { MATRIX_STRIDE } from '../../three/bounds/bounds-math.ts';
import type { InstanceContainer } from '../../three/instance-container.ts';
import type { InstanceStore } from '../store/instance-store.ts';
import { readsOfAll, type ShaderReads } from './shader-reads.ts';

/** A limit far above any use. Test: instances-levels.test. */
export const MAX_LEVELS = 16;

/** The fields of a container that its levels and views read. */
export type DrawSource = Object3D &
  Pick<
    InstanceContainer,
    'sortObjects' | 'drawsInOrder' | 'providesInstanceId' | 'morphTargetInfluences' | 'shadowLevel' | 'cullingCamera'
  > & { readonly geometry: BufferGeometry; readonly material: Material | Material[] };

/** The camera whose distance chooses the level of detail of each instance. */
export interface LodCamera {
  readonly camera: Camera;
  /**
   * By id: the level at which the camera last saw the instance, on which hysteresis depends, plus MAX_LEVELS times the
   * `createdAt` of that instance, because ids are reused.
   */
  readonly memory: { lastLevels: Uint32Array<ArrayBuffer> };
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
  reads: ShaderReads = readsOfAll([], false);

  constructor(geometry?: BufferGeometry, distance = 0, hysteresis = 0, material: Material | Material[] | null = null) {
    super(geometry);
    this.distance = distance;
    this.hysteresis = hysteresis;
    this.ownMaterial = material;
  }
}

export class InstanceLevels {
  readonly meshes: LevelMesh[] = [new LevelMesh()];
  private readonly lists: IndexList[] = [];

  get count(): number {
    return this.meshes.length;
  }

  add(mesh: LevelMesh): void {
    // As in LOD: after the levels with the same distance.
    let index = this.count;
    while (index > 1 && this.meshes[index - 1].distance > mesh.distance) index--;
    this.meshes.splice(index, 0, mesh);
  }

  copy(source: InstanceLevels): void {
    this.meshes.length = 1;
    for (const { geometry, distance, hysteresis, ownMaterial } of source.meshes.slice(1))
      this.add(new LevelMesh(geometry, distance, hysteresis, ownMaterial));
  }

  /**
   * Copies geometry (of the first level) and materials of the container to the meshes. Not the morph target influences:
   * as with an InstancedMesh, rays hit the shape without them.
   */
  sync(container: DrawSource): void {
    this.meshes[0].geometry = container.geometry;
    for (const mesh of this.meshes) {
      mesh.material = mesh.ownMaterial ?? container.material;
      mesh.customDepthMaterial = container.customDepthMaterial;
      mesh.customDistanceMaterial = container.customDistanceMaterial;
      const materials = [mesh.material, mesh.customDepthMaterial, mesh.customDistanceMaterial].flat();
      mesh.reads = readsOfAll(materials, container.providesInstanceId);
    }
  }

  /**
   * Distributes ids over the levels: one list for each, valid until the next call. Updates the memory of a camera.
   *
   * @param world World matrix of the container.
   * @param lod The level of all, where one beyond the last means the last; or the camera that chooses the level of
   *   each.
   */
  listsOf(
    ids: IndexList,
    { matrices, createdAt, capacity }: InstanceStore,
    { elements }: Matrix4,
    lod: LodCamera | number,
  ): readonly IndexList[] {
    const { lists, count } = this;
    if (count === 1) return [ids];
    while (lists.length < count) lists.push(new IndexList());
    for (const list of lists) list.length = 0;
    if (typeof lod === 'number') return lists.map((list, k) => (k === Math.min(lod, count - 1) ? ids : list));
    const { camera, memory } = lod;
    const lastLevels = (memory.lastLevels = withCapacity(memory.lastLevels, capacity));
    const position = listsOf_position.setFromMatrixPosition(camera.matrixWorld);
    const zoom = (camera as { zoom?: number }).zoom ?? 1;
    for (let k = 0; k < ids.length; k++) {
      const id = ids.array[k];
      const translation = id * MATRIX_STRIDE + 12;
      const x = matrices[translation];
      const y = matrices[translation + 1];
      const z = matrices[translation + 2];
      const dx = elements[0] * x + elements[4] * y + elements[8] * z + elements[12] - position.x;
      const dy = elements[1] * x + elements[5] * y + elements[9] * z + elements[13] - position.y;
      const dz = elements[2] * x + elements[6] * y + elements[10] * z + elements[14] - position.z;
      // The difference, modulo 2^32, is the last level; of a deleted instance it is a number that is no level.
      const begin = createdAt[id] * MAX_LEVELS;
      const level = this.levelAt(Math.sqrt(dx * dx + dy * dy + dz * dz) / zoom, (lastLevels[id] - begin) >>> 0);
      lastLevels[id] = begin + level;
      lists[level].push(id);
    }
    return lists;
  }

  /**
   * The level at a distance in world units. As in LOD, the current level stays until the camera is closer than
   * `distance * (1 - hysteresis)`.
   *
   * @param current The current level; 0, or a number that is no level, for none.
   */
  levelAt(distance: number, current: number): number {
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
const listsOf_position = /* @__PURE__ */ new Vector3();
