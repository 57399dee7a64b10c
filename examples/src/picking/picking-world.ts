// What the page needs to know of a world in which items can be picked, and how one is built.

import type { BufferGeometry, Color, Matrix4, Object3D, Ray, Vector3 } from 'three';
import type { OctreeNode } from '../../../src/index.ts';
import type { Pickable } from '../../../src/three/index.ts';
import type { SlicedWork } from '../shared/slices.ts';
import type { Surface } from '../shared/surface.ts';
import type { RayPath } from './ray-path.ts';

export type WorldName = 'city' | 'cities';

/** What can be chosen on the page. */
export interface WorldPlan {
  readonly name: WorldName;
  /** What one item is, in the plural. */
  readonly itemName: string;
  /** How many items to offer; the page starts with `startCount`. */
  readonly counts: readonly number[];
  readonly startCount: number;
  /** Fetches what the items are made from, once. */
  load(): Promise<void>;
  build(count: number): SlicedWork<PickingWorld>;
}

/** One of the items, as picks name it. */
export interface Item {
  readonly object: Object3D;
  /** Its number, if the object draws many. */
  readonly instanceId?: number | undefined;
}

/** A item as it is drawn. */
export interface Shape {
  readonly geometry: BufferGeometry;
  /** Leads to the world. */
  readonly matrix: Matrix4;
}

export type OwnerNode = Pick<OctreeNode<unknown>, 'cell' | 'depth' | 'bodyCount'>;

/** A line of a item's record. */
export type Fact = readonly [label: string, value: string];

export interface PickingWorld {
  readonly plan: WorldPlan;
  readonly count: number;
  /** Holds all items; this is what is asked. */
  readonly container: Pickable;
  readonly scenery: Scenery;
  readonly viewOptions: ViewOptions;

  /** How far a ray goes until it meets the ground, which is no item; Infinity if it never does. */
  groundDistance(ray: Ray): number;
  /** The same items as three's own Raycaster takes them. */
  plainObjects(): readonly Object3D[];
  nameOf(item: Item): string;
  factsOf(item: Item): readonly Fact[];
  shapeOf(item: Item): Shape;
  /** The node of the octree that owns a item which the ray hits. */
  nodeOf(item: Item, ray: Ray): OwnerNode | undefined;
  /** The way of a ray through the octree, up to a distance. */
  pathOf(ray: Ray, far: number): RayPath<Item>;
  /** Marks items as selected, or no longer. */
  setSelected(items: readonly Item[], isSelected: boolean): void;
  dispose(): void;
}

export interface Scenery {
  readonly object: Object3D;
  readonly background: Color;
  /** Where the haze swallows everything, in units; Infinity if there is none. */
  readonly hazeEnd: number;
  dispose(): void;
}

/** How the world is looked at. */
export interface ViewOptions {
  readonly surface: Surface;
  /** Name of the unit of length, and digits after the point that make sense of it. */
  readonly unit: string;
  readonly digits: number;
  /** How far one sees from an altitude. */
  farFrom(altitude: number): number;
  /** From the ground to the eye. */
  readonly distance: { readonly low: number; readonly high: number; readonly start: number };
  /** Where the eye looks at first, a direction along the ground, and radians that it looks down by. */
  readonly target: Vector3;
  readonly heading: Vector3;
  readonly tilt: number;
}
