// The interface of a world with pickable items, and of the plan that builds it.

import type { BufferGeometry, Matrix4, Object3D, Ray, Vector3 } from 'three';
import type { OctreeNode } from '../../../src/index.ts';
import type { HasWalkableOctree, Pickable } from '../../../src/three.ts';
import type { Scenery } from '../shared/ground.ts';
import type { SlicedWork } from '../shared/slices.ts';
import type { Surface } from '../shared/surface.ts';
import type { RayPath } from './ray-path.ts';

export type WorldName = 'city' | 'cities';

/** A world that can be chosen on the page. */
export interface WorldPlan {
  readonly name: WorldName;
  /** Name of the items, in the plural. */
  readonly itemName: string;
  /** Selectable numbers of items; the page starts with `startCount`. */
  readonly counts: readonly number[];
  readonly startCount: number;
  /** Fetches the source data, once. */
  load(): Promise<void>;
  build(count: number): SlicedWork<PickingWorld>;
}

/** A pickable item: an object, or one instance of an object. */
export interface Item {
  readonly object: Object3D;
  /** Defined if the object draws instances. */
  readonly instanceId?: number | undefined;
}

/** The geometry of an item and its place in the world. */
export interface Shape {
  readonly geometry: BufferGeometry;
  /** Local to world. */
  readonly matrix: Matrix4;
}

export type OwnerNode = Pick<OctreeNode<unknown>, 'cell' | 'depth' | 'bodyCount'>;

/** A line of an item's record. */
export type Fact = readonly [label: string, value: string];

export interface PickingWorld {
  readonly plan: WorldPlan;
  readonly count: number;
  /** Contains all items; picks query it. */
  readonly container: Pickable & HasWalkableOctree;
  readonly scenery: HazyScenery;
  readonly viewOptions: ViewOptions;

  /** Distance at which a ray hits the ground, or Infinity. The ground is no item. */
  groundDistance(ray: Ray): number;
  /** The same items as objects for three's own Raycaster. */
  plainObjects(): readonly Object3D[];
  nameOf(item: Item): string;
  factsOf(item: Item): readonly Fact[];
  shapeOf(item: Item): Shape;
  /** The octree node that owns an item. The ray must hit the item. */
  nodeOf(item: Item, ray: Ray): OwnerNode | undefined;
  /** The path of a ray through the octree, up to a distance. */
  pathOf(ray: Ray, far: number): RayPath<Item>;
  /** Shows items as selected or not selected. */
  setSelected(items: readonly Item[], isSelected: boolean): void;
  dispose(): void;
}

export interface HazyScenery extends Scenery {
  /** Distance at which the fog is opaque, in world units; Infinity without fog. */
  readonly hazeEnd: number;
}

/** Camera settings of a world. */
export interface ViewOptions {
  readonly surface: Surface;
  /** Name of the unit of length, and number of decimals to show. */
  readonly unit: string;
  readonly digits: number;
  /** Far plane of a camera at an altitude. */
  farFrom(altitude: number): number;
  /** From the target on the ground to the camera. */
  readonly distance: { readonly low: number; readonly high: number; readonly start: number };
  /** The point on the ground that the camera looks at first. */
  readonly target: Vector3;
  /** Initial direction of the view along the ground. */
  readonly heading: Vector3;
  /** Initial radians below the horizon. */
  readonly tilt: number;
}
