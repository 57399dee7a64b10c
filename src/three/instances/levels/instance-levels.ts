/**
 * The levels of detail of the instances, from near to far, with one mesh for each. A mesh holds geometry and material.
 * Rays are tested against it; renderers do not draw it.
 */

import { Mesh, type BufferGeometry, type Material } from 'three';
import type { DrawSource } from './draw-state.ts';
import { NO_READS, readsOfAll, type ShaderReads } from './shader-reads.ts';

/** A limit far above any use. Level numbers are stored as bytes. */
const MAX_LEVELS = 16;

/** The mesh of a level. */
export class LevelMesh extends Mesh {
  /** Whether the geometry of views must have the attribute `instanceId`. */
  needsIdAttribute = false;
  /** What its materials read of the instances. */
  reads: ShaderReads = NO_READS;
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
    // As in LOD: after the levels with the same distance.
    let index = this.count;
    while (index > 1 && this.levels[index - 1].distance > distance) index--;
    this.insert(index, { mesh: new LevelMesh(geometry), distance, hysteresis, material });
  }

  copy(source: InstanceLevels): void {
    for (const { mesh, distance, hysteresis, material } of source.levels.slice(1))
      this.add(mesh.geometry, distance, hysteresis, material);
  }

  /** Copies geometry (of the first level), materials and morph targets of the container to the meshes. */
  sync(container: DrawSource): void {
    this.meshes[0].geometry = container.geometry;
    for (const { mesh, material } of this.levels) {
      mesh.material = material ?? container.material;
      mesh.morphTargetInfluences = container.morphTargetInfluences;
      mesh.customDepthMaterial = container.customDepthMaterial;
      mesh.customDistanceMaterial = container.customDistanceMaterial;
      mesh.reads = readsOfAll([mesh.material, mesh.customDepthMaterial, mesh.customDistanceMaterial].flat());
      mesh.needsIdAttribute = container.providesInstanceId || mesh.reads.needsIdAttribute;
    }
  }

  /** The mesh at a distance in world units, without hysteresis. */
  meshAt(distance: number): LevelMesh {
    return this.meshes[this.levelAt(distance, 0)];
  }

  /**
   * The level at a distance in world units. As in LOD, the current level stays until the camera is closer than
   * `distance * (1 - hysteresis)`.
   *
   * @param current The current level; 0 for none.
   */
  levelAt(distance: number, current: number): number {
    const { levels } = this;
    let level = 0;
    for (let next = 1; next < levels.length; next++) {
      const begin = next === current ? levels[next].distance * (1 - levels[next].hysteresis) : levels[next].distance;
      if (distance < begin) break;
      level = next;
    }
    return level;
  }

  private insert(index: number, level: Level): void {
    this.levels.splice(index, 0, level);
    this.meshes.splice(index, 0, level.mesh);
  }
}
