/**
 * Entry point scene-octree/three: everything that needs scene objects of three. The octree itself is in scene-octree.
 *
 * @module scene-octree/three
 */

export { StaticBatches } from './batches/static-batches.ts';
export { boundedRaycasts } from './three/bounds/bounded-raycasts.ts';
export { boundsOf, ObjectBounds } from './three/bounds/bounds-of.ts';
export { solidSideOf } from './occlusion/culling/occluder-rules.ts';
export { solidBoxesOf, type SolidBoxesOfOptions } from './occlusion/culling/solid-boxes-of.ts';
export { BoxLines } from './helper/box-lines.ts';
export { OctreeGroup } from './three/group/octree-group.ts';
export { OctreeHelper } from './helper/octree-helper.ts';
export { OctreeInstances } from './instances/octree-instances.ts';
export { OcclusionCulling } from './occlusion/culling/occlusion-culling.ts';
export { readOcclusionDepth } from './occlusion/culling/occlusion-depth.ts';
export { pick } from './three/picking/pick.ts';
export { pickWithin } from './three/picking/pick-within.ts';
export { InstanceChanges } from './changes/views/instance-changes.ts';
export { ViewChanges } from './changes/views/view-changes.ts';
export type { ViewRenderer } from './changes/views/view-changes.ts';
export { PoseBounds } from './poses/pose-bounds.ts';
export { ObjectStyles } from './sets/object-styles.ts';
export { OctreeTiles } from './tiles-renderer/octree-tiles.ts';
export { TileOcclusion } from './tiles-renderer/tile-occlusion.ts';
export { ShadowUpdates } from './changes/shadows/shadow-updates.ts';
export type { SolidSource } from './occlusion/culling/occluder-rules.ts';
export type { DrawnNode, HelperColoring, NodePainter } from './helper/node-colors.ts';
export type { ReadOnlyOctree } from './three-math/octree.ts';
export type { ReadOnlyMath } from './three-math/three-math.ts';
export type { VisitResult, ShownQuery } from './helper/visit-result.ts';
export type { HasWalkableOctree, HelperOutline, OctreeHelperOptions, WalkableOctree } from './helper/octree-helper.ts';
export type { OctreeInstancesOptions } from './instances/instance-checks.ts';
export type { BatchRange } from './batches/batch-range.ts';
export type { BatchReport, StaticBatchesOptions } from './batches/static-batches.ts';
export type { AddTreeOptions, OctreeGroupOptions } from './three/group/octree-group.ts';
export type { OcclusionOptions, OcclusionReport } from './occlusion/culling/occlusion-culling.ts';
export type { OcclusionDepth } from './occlusion/culling/occlusion-depth.ts';
export type { SolidParts } from './occlusion/culling/solid-shape.ts';
export type { SolidFinder } from './occlusion/culling/named-shapes.ts';
export type { PickOptions } from './three/picking/pick.ts';
export type { ClippingRenderer } from './three/picking/clipping.ts';
export type { InstanceContainer } from './three/instance-container.ts';
export type { HitFilter, InstanceFilter, Pickable, RaycastOptions } from './three/picking/pickable.ts';
export type { PickedObject, PickWithinOptions } from './three/picking/pick-within.ts';
export type { ChangeContainer } from './changes/views/scene-changes.ts';
export type { ShadowRenderer } from './changes/shadows/shadow-updates.ts';
export type { TileHit } from './tiles-renderer/octree-tiles.ts';
export type { TileOcclusionOptions } from './tiles-renderer/tile-occlusion.ts';
export type { TileObject } from './tiles-renderer/tile-objects.ts';
export type { TileLike, TilesRendererLike } from './tiles-renderer/tiles-renderer.ts';
export type { ElementLike, PointerLike } from './three/picking/screen.ts';
