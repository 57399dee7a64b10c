/**
 * The interfaces of a container of instances: what changes and occlusion read of an OctreeInstances. They import these
 * in place of the class, so only the entry points import the folder instances.
 */

import type { Camera, Matrix4, Mesh, Sphere } from 'three';
import type { ReadOnlyOctree } from '../three-math/octree.ts';
import type { BodySpace } from './bounds/body-space.ts';
import type { PassContainer } from './passes/pass-container.ts';
import type { PassOcclusion } from './passes/pass-occlusion.ts';

/** A container whose bodies are instances of one mesh, each with an id: an `OctreeInstances`. */
export interface InstanceContainer extends PassContainer {
  /** In world units. The data of a body is the id of its instance. */
  readonly octree: ReadOnlyOctree<number>;
  /** The instances with ids below it are drawn. */
  readonly count: number;
  /** Whether instances with a transparent material are drawn from back to front. */
  readonly sortObjects: boolean;
  /** Whether every pass draws its instances in the order of their ids. */
  readonly drawsInOrder: boolean;
  /** Whether vertex shaders get the id of an instance. */
  readonly providesInstanceId: boolean;
  /** Level of detail of all instances in shadow passes; null: each has the level at which the camera sees it. */
  readonly shadowLevel: number | null;
  /** A camera whose frustum culls the instances in the passes of all cameras; null: each culls by its own. */
  readonly cullingCamera: Camera | null;
  /** Shared by the instances that have none of their own. */
  readonly morphTargetInfluences?: number[] | undefined;
  /** @internal One mesh for each level of detail, from near to far. */
  readonly levels: { readonly meshes: readonly Mesh[] };
  /** @internal */
  readonly store: InstanceData;
  /** @internal */
  readonly bodies: ContainedInstances;
  /** @internal Applies all changes since the last call. Returns false if it cannot: then nothing is culled. */
  trySync(): boolean;
}

/** The instances by id, and when they changed. */
interface InstanceData {
  /** Of all ids: column-major, 16 numbers for each. */
  readonly matrices: ArrayLike<number>;
  /** When an instance last changed, by id: greater than each `takeTime` before. */
  readonly changedAt: ArrayLike<number>;
  /** Greater than all ids. */
  readonly idEnd: number;
  /** Other values for other colours or influences than those that all instances share; null without any. */
  readonly color: object | null;
  readonly morph: object | null;
  /** How often the body of an instance was changed, added or removed. */
  readonly bodyChanges: number;
  isVisible(id: number): boolean;
  visibleIds(): Uint32Array;
  takeTime(): number;
}

/** The bodies of the visible instances. */
interface ContainedInstances {
  readonly octree: ReadOnlyOctree<number>;
  readonly space: BodySpace;
  /** The body of each instance by id; no body if the octree has none with this index. */
  readonly map: { readonly bodyOf: ArrayLike<number> };
  /** Whether there are bounds to cull by. */
  readonly hasBounds: boolean;
  /** Contains all bodies, in the container's local space. */
  readonly sortingSphere: Sphere;
  /** Culls in place of the octree, and leaves out hidden instances. */
  culling: PassOcclusion | undefined;
  /** To be changed when a pass may see other instances: passes keep their results until then. */
  version: number;
  /** Writes the box around the bounds of an instance, hidden or not, under a matrix: min, then max. */
  writeBox(matrix: Matrix4, id: number, target: Float64Array): void;
}
