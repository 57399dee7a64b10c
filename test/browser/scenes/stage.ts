/**
 * What a scene of the standing check is given, and what it returns. Scenes use it alone, so one source builds every
 * variant.
 */

import {
  Group,
  InstancedMesh,
  PerspectiveCamera,
  Scene,
  type BufferGeometry,
  type Material,
  type Object3D,
  type WebGLRenderer,
} from 'three';
import type { WebGPURenderer } from 'three/webgpu';
import { OctreeGroup, OctreeInstances } from '../../../src/three.ts';
import { BatchedGroup } from './batched-group.ts';
import { OccludedContainers } from './occluded-containers.ts';
import { createRandom, type Random } from '../../support/random.ts';

export type AnyRenderer = WebGLRenderer | WebGPURenderer;

/** Edge of the square picture, in pixels. */
export const EDGE = 64;

/**
 * How the objects of a scene are held.
 *
 * - plain: in a Group; the others must equal it.
 * - children: in an OctreeGroup, added by `add`.
 * - trees: in an OctreeGroup, added by `addTree`.
 * - instances: as children, with an OctreeInstances in place of each InstancedMesh.
 * - batches: as trees, static ones as far as possible, with StaticBatches.
 * - occlusion: as instances, with OcclusionCulling of all containers.
 * - batched occlusion: as batches, with OcclusionCulling, and all meshes instanced.
 * - posed: as batches, but all watched, and posed chunks draw what moves.
 * - changes: as instances; only the shadow maps and the frames that change are drawn.
 */
export type Variant =
  | 'plain'
  | 'children'
  | 'trees'
  | 'instances'
  | 'batches'
  | 'occlusion'
  | 'batched occlusion'
  | 'posed'
  | 'changes';

/** Variants with an OctreeInstances in place of each InstancedMesh. */
const WITH_INSTANCES: readonly Variant[] = ['instances', 'occlusion', 'changes'];

/** Whether the children of a variant are drawn from batches. */
export const hasBatches = (variant: Variant): boolean => ['batches', 'batched occlusion', 'posed'].includes(variant);

export type Instances = InstancedMesh | OctreeInstances;

/** The parts of a script are called in this order. */
export interface Script {
  /** Moves things. Called in the frames in which things move. @param time 0, 1, 2, ... */
  move?: (time: number) => void;
  /** Called in every frame. Examples update their helpers there. */
  update?: (frame: number) => void;
  /** Draws a frame. Default: `renderer.render(scene, camera)`. */
  render?: () => void;
  /** Called after the last frame: gives the renderer its settings back. */
  end?: () => void;
}

export interface ExampleScene<R extends AnyRenderer = AnyRenderer> {
  readonly name: string;
  readonly build: (stage: Stage<R>) => Script;
  /** False if no ray can hit what is drawn. Default true. */
  readonly isHit?: boolean;
  /** Whether objects move where no code can report it: then they are not static in the variant `batches`. */
  readonly movesUnreported?: boolean;
  /** What is still wrong: then a difference is expected. */
  readonly defect?: string;
}

export class Stage<R extends AnyRenderer = AnyRenderer> {
  readonly renderer: R;
  readonly variant: Variant;
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(50, 1, 0.1, 100);
  readonly group: Group;
  /** What draws the static children of the variant `batches`. */
  readonly batched: BatchedGroup | null;
  /** What hides objects of the variants with occlusion. */
  readonly occluded: OccludedContainers | null;
  readonly random: Random;
  /** Callbacks of the present frame. */
  readonly callbacks: string[] = [];
  /** Every InstancedMesh or OctreeInstances of the scene. */
  readonly allInstances: Instances[] = [];

  constructor(renderer: R, variant: Variant, seed: number) {
    this.renderer = renderer;
    this.variant = variant;
    this.random = createRandom(seed);
    this.group = variant === 'plain' ? new Group() : new OctreeGroup();
    this.batched = hasBatches(variant)
      ? new BatchedGroup(this.group as OctreeGroup, variant === 'batched occlusion', variant === 'posed')
      : null;
    this.occluded = variant.endsWith('occlusion') ? new OccludedContainers(this.camera) : null;
    if (this.occluded !== null) this.occluded.add(this.group as OctreeGroup);
    this.scene.add(this.group);
    this.camera.position.z = 10;
    this.scene.add(this.camera);
  }

  /** Adds objects to the group of this variant. */
  readonly add = (...objects: Object3D[]): void => {
    for (const object of objects) {
      // A child that is added again becomes the last one. `addTree` leaves a child where it is.
      this.batched?.chooseStatic(object);
      this.group.add(object);
      if (this.variant === 'trees' || this.batched !== null) (this.group as OctreeGroup).addTree(object);
    }
  };

  /** Instances with identity matrices. They are not added to the group. */
  readonly instances = (geometry: BufferGeometry, material: Material, count: number): Instances => {
    const instances = WITH_INSTANCES.includes(this.variant)
      ? new OctreeInstances(geometry, material, count)
      : new InstancedMesh(geometry, material, count);
    this.allInstances.push(instances);
    if (instances instanceof OctreeInstances) this.occluded?.add(instances);
    return instances;
  };

  readonly log = (entry: string): void => void this.callbacks.push(entry);
}

/** Tells an InstancedMesh that its instances have changed. OctreeInstances need no such call. */
export function commit(instances: Instances): void {
  if (instances instanceof OctreeInstances) return;
  instances.instanceMatrix.needsUpdate = true;
  if (instances.instanceColor !== null) instances.instanceColor.needsUpdate = true;
  instances.computeBoundingBox();
  instances.computeBoundingSphere();
}
