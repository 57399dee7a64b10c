/**
 * Entry point scene-octree/core: as scene-octree, but without three. Results are plain objects. For workers, servers
 * and other renderers.
 *
 * @module scene-octree/core
 */

export { Octree } from './octree/octree.ts';
export { Body } from './octree/bodies/body.ts';
export { OctreeNode } from './octree/bodies/octree-node.ts';
export { IntersectionRecord } from './octree/queries/record-writer.ts';
export { IndexList } from './tree/storage/index-list.ts';
export { WalkSignal } from './tree/traverse/walk-nodes.ts';
export {
  castBox,
  castBoxAll,
  castSphere,
  castSphereAll,
  collectBoxCast,
  collectSphereCast,
  visitCast,
  visitRay,
} from './features/casts/casts.ts';
export { onIntersection } from './features/contacts/on-intersection.ts';
export { trackContacts } from './features/contacts/track-contacts.ts';
export { assignBands, sortByDistance } from './features/distances/body-distances.ts';
export { idOf, idsOf, indexOfId, moveManyById, removeManyById, setMaskManyById } from './features/ids/ids.ts';
export { collectNearest, nearest } from './features/nearest/nearest.ts';
export { RayRange } from './features/nearest/nearest-arguments.ts';
export { visitNearest } from './features/nearest/nearest.ts';
export { setOccluder } from './occlusion/visible/occluders.ts';
export { collectVisible, intersectVisible } from './occlusion/visible/visible.ts';
export { collectPairs, intersectPairs } from './features/pairs/pairs.ts';
export { castRays } from './features/ray-bundles/cast-rays.ts';
export { watch, watchDistances } from './features/sensors/sensors.ts';
export { SolidBoxQueue } from './occlusion/solid-boxes/solid-box-queue.ts';
export { solidBoxes } from './occlusion/solid-boxes/solid-boxes.ts';
export { translate } from './features/translate/translate.ts';
export { Capsule, Segment } from './features/volumes/built-in-volumes.ts';
export { Convex } from './features/volumes/built-in-volumes.ts';
export { OrientedBox } from './features/volumes/built-in-volumes.ts';
export { CustomVolume, VolumeOverlap } from './features/volumes/custom-volume.ts';
export { collect, intersect } from './features/volumes/volumes.ts';
export type { BodyOptions } from './octree/bodies/options.ts';
export type { BulkOptions } from './octree/bodies/options.ts';
export type { OctreeOptions, OutsideRule } from './octree/bodies/options.ts';
export type { FrustumOptions, IndexSet, QueryOptions, QueryStats, RayOptions } from './octree/queries/query-options.ts';
export type { MathTypes, PlainBox, PlainMath, PlainPoint, PlainRay, PlainSphere } from './octree/input/math-types.ts';
export type { OctreeStatistics, TickStatistics } from './octree/ticker.ts';
export type { FrustumLike, MatrixLike, PlaneLike, RayLike } from './octree/input/query-shapes.ts';
export type { BoundsKind, BoxLike, PointLike, Region, SphereLike } from './octree/input/shapes.ts';
export type { ContactOptions } from './features/contacts/track-contacts.ts';
export type { Contacts } from './features/contacts/track-contacts.ts';
export type { NearestOptions, NearestShape, NearestStart } from './features/nearest/nearest-arguments.ts';
export type { HitVisitor } from './octree/queries/visitor-limit.ts';
export type { SolidBoxLike } from './occlusion/visible/occluders.ts';
export type { ViewLike } from './occlusion/visible/camera-projection.ts';
export type { VisibleOptions, VisibleStats } from './occlusion/visible/visible.ts';
export type { PairOptions } from './features/pairs/pairs.ts';
export type { RayBundleOptions, RayHits } from './features/ray-bundles/cast-rays.ts';
export type { BandOptions, DistanceBands, Sensor, SensorOptions } from './features/sensors/sensors.ts';
export type { SensorShape } from './features/sensors/sensor-volumes.ts';
export type { SolidSide } from './occlusion/solid-boxes/closed-mesh.ts';
export type { AttributeLike, GeometryLike, TriangleArrays } from './occlusion/solid-boxes/mesh-reader.ts';
export type { SolidBox } from './occlusion/solid-boxes/solid-box-finder.ts';
export type { SolidBoxesOptions } from './occlusion/solid-boxes/solid-boxes.ts';
export type { SolidBoxQueueOptions } from './occlusion/solid-boxes/solid-box-queue.ts';
export type { Volume } from './features/volumes/volumes.ts';
export type { VolumeTest } from './features/volumes/custom-volume.ts';
export type { CapsuleLike, OrientedBoxLike, SegmentLike } from './features/volumes/volume-shapes.ts';
