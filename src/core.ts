/**
 * Entry point scene-octree/core: as scene-octree, but without three. Results are plain objects. For workers, servers and other renderers.
 *
 * @module scene-octree/core
 */

export { Octree } from './scene/octree.ts';
export { Body } from './scene/bodies/body.ts';
export { OctreeNode } from './scene/bodies/octree-node.ts';
export { IntersectionRecord } from './scene/queries/intersection-record.ts';
export { IndexList } from './tree/storage/index-list.ts';
export { WalkSignal } from './tree/traverse/walk-nodes.ts';
export type { BodyOptions } from './scene/events/body-options.ts';
export type { BulkOptions, IdOptions } from './scene/bodies/bulk-options.ts';
export type { ContactOptions } from './scene/events/contact-options.ts';
export type { OctreeOptions, OutsideRule } from './scene/bodies/octree-options.ts';
export type { FrustumOptions, FrustumView, NearestOptions, PairOptions, QueryOptions, QueryStats, RayBatchOptions, RayOptions } from './scene/queries/query-options.ts';
export type { Contacts } from './scene/events/contacts.ts';
export type { MathTypes, PlainBox, PlainMath, PlainPoint, PlainRay, PlainSphere } from './scene/input/math-types.ts';
export type { BandOptions, DistanceBands } from './scene/events/distance-bands.ts';
export type { Sensor, SensorOptions } from './scene/events/sensor.ts';
export type { Volume } from './scene/events/volume-arguments.ts';
export type { OctreeStatistics, TickStatistics } from './scene/statistics.ts';
export type { NearestVisitor } from './scene/queries/nearest-arguments.ts';
export type { RayHits } from './scene/queries/ray-arguments.ts';
export type { CapsuleLike, FrustumLike, OrientedBoxLike, PlaneLike, RayLike, SegmentLike } from './scene/input/query-shapes.ts';
export type { BoundsKind, BoxLike, PointLike, Region, SphereLike } from './scene/input/shapes.ts';
