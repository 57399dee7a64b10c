/**
 * Entry point scene-octree/core: as scene-octree, but without three. Results are plain objects. For workers, servers and other renderers.
 *
 * @module scene-octree/core
 */

export { Octree } from './octree/octree.ts';
export { Body } from './octree/bodies/body.ts';
export { OctreeNode } from './octree/bodies/octree-node.ts';
export { IntersectionRecord } from './octree/queries/intersection-record.ts';
export { IndexList } from './tree/storage/index-list.ts';
export { WalkSignal } from './tree/traverse/walk-nodes.ts';
export type { BodyOptions } from './octree/bodies/body-options.ts';
export type { BulkOptions, IdOptions } from './octree/bodies/bulk-options.ts';
export type { ContactOptions } from './features/contacts/contact-options.ts';
export type { OctreeOptions, OutsideRule } from './octree/bodies/octree-options.ts';
export type { FrustumOptions, FrustumView, NearestOptions, PairOptions, QueryOptions, QueryStats, RayBatchOptions, RayOptions } from './octree/queries/query-options.ts';
export type { Contacts } from './features/contacts/contacts.ts';
export type { MathTypes, PlainBox, PlainMath, PlainPoint, PlainRay, PlainSphere } from './octree/input/math-types.ts';
export type { BandOptions, DistanceBands } from './features/sensors/distance-bands.ts';
export type { Sensor, SensorOptions } from './features/sensors/sensor.ts';
export type { Volume } from './features/sensors/volume-arguments.ts';
export type { OctreeStatistics, TickStatistics } from './octree/statistics.ts';
export type { NearestVisitor } from './features/nearest/nearest-arguments.ts';
export type { RayHits } from './features/ray-batches/ray-arguments.ts';
export type { CapsuleLike, FrustumLike, OrientedBoxLike, PlaneLike, RayLike, SegmentLike } from './octree/input/query-shapes.ts';
export type { BoundsKind, BoxLike, PointLike, Region, SphereLike } from './octree/input/shapes.ts';
