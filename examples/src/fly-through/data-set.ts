// What the page needs to know of a data set: its bodies, the ground they stand on, and good values to start with.

import type { Color, Object3D, Vector3 } from 'three';
import type { BodySet, GlowMap } from '../shared/body-set.ts';
import type { SlicedWork } from '../shared/slices.ts';
import type { Surface } from '../shared/surface.ts';

export type DataSetName = 'cities' | 'city';

export interface Bodies {
  readonly set: BodySet;
  /** The cube the octree starts with. */
  readonly region: { readonly min: { readonly x: number; readonly y: number; readonly z: number }; readonly edge: number };
  readonly glow: GlowMap;
}

export interface DataSet {
  readonly name: DataSetName;
  /** What one body is, in the plural. */
  readonly bodyName: string;
  readonly unit: string;
  /** Body counts to offer. */
  readonly counts: readonly number[];
  readonly far: { readonly low: number; readonly high: number; readonly start: number };
  readonly surface: Surface;
  readonly altitude: { readonly low: number; readonly high: number };
  /** Legend of the body colours, from low to high. */
  readonly scale: readonly [low: string, high: string];
  /** Fetches what the bodies are made from, once. */
  load(): Promise<void>;
  build(count: number): SlicedWork<Bodies>;
  /** Ground and sky for the bodies. */
  createScenery(bodies: Bodies): Scenery;
  createTour(bodies: Bodies): Tour;
}

export interface Scenery {
  readonly object: Object3D;
  readonly background: Color;
  dispose(): void;
}

/** A closed path; `at` is 0 to 1 along it. */
export interface Tour {
  /** Seconds for the whole path. */
  readonly duration: number;
  /** Radians above the horizon. */
  readonly pitch: number;
  pointAt(at: number, target: Vector3): Vector3;
}
