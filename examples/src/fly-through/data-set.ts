// The interface of a data set: its bodies, its ground and its default settings.

import type { BodySet, GlowMap } from '../shared/body-set.ts';
import type { Scenery } from '../shared/ground.ts';
import type { SlicedWork } from '../shared/slices.ts';
import type { Surface } from '../shared/surface.ts';
import type { Tour } from '../shared/tour.ts';

export type DataSetName = 'cities' | 'city';

export interface Bodies {
  readonly set: BodySet;
  /** The initial region of the octree. */
  readonly region: {
    readonly min: { readonly x: number; readonly y: number; readonly z: number };
    readonly edge: number;
  };
  readonly glow: GlowMap;
}

export interface DataSet {
  readonly name: DataSetName;
  /** Name of the bodies, in the plural. */
  readonly bodyName: string;
  readonly unit: string;
  /** Selectable body counts. */
  readonly counts: readonly number[];
  readonly far: { readonly low: number; readonly high: number; readonly start: number };
  readonly surface: Surface;
  readonly altitude: { readonly low: number; readonly high: number };
  /** Ends of the legend of body colours. */
  readonly scale: readonly [low: string, high: string];
  /** Fetches the source data, once. */
  load(): Promise<void>;
  build(count: number): SlicedWork<Bodies>;
  /** Ground and sky for the bodies. */
  createScenery(bodies: Bodies): Scenery;
  createTour(bodies: Bodies): Tour;
}
