/**
 * Entry point scene-octree/core: as scene-octree, but without three. Results are plain objects. For workers, servers and other renderers.
 *
 * @module scene-octree/core
 */

export { Octree } from './scene/octree.ts';
export { Body } from './scene/body.ts';
export { OctreeNode } from './scene/octree-node.ts';
export { IntersectionRecord } from './scene/intersection-record.ts';
export { IndexList } from './tree/storage/index-list.ts';
export { WalkSignal } from './tree/traverse/walk-nodes.ts';
export type { BodyOptions } from './scene/body-options.ts';
export type { BulkOptions, IdOptions } from './scene/bulk-options.ts';
export type { ContactOptions } from './scene/contact-options.ts';
export type { OctreeOptions, OutsideRule } from './scene/octree-options.ts';
export type { FrustumOptions, FrustumView, NearestOptions, PairOptions, QueryOptions, QueryStats, RayBatchOptions, RayOptions } from './scene/query-options.ts';
export type { Contacts } from './scene/contacts.ts';
export type { MathTypes, PlainBox, PlainMath, PlainPoint, PlainRay, PlainSphere } from './scene/math-types.ts';
export type { BandOptions, DistanceBands } from './scene/distance-bands.ts';
export type { Sensor, SensorOptions } from './scene/sensor.ts';
export type { Volume } from './scene/volume.ts';
export type { OctreeStatistics, TickStatistics } from './scene/statistics.ts';
export type { NearestVisitor } from './scene/nearest.ts';
export type { RayHits } from './scene/ray-arrays.ts';
export type { CapsuleLike, FrustumLike, OrientedBoxLike, PlaneLike, RayLike, SegmentLike } from './scene/query-shapes.ts';
export type { BoundsKind, BoxLike, PointLike, Region, SphereLike } from './scene/shapes.ts';
