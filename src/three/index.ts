/**
 * Entry point scene-octree/three: everything that needs scene objects of three. The octree itself is in scene-octree.
 *
 * @module scene-octree/three
 */

export { StaticBatches } from './batches/static-batches.ts';
export { boundedRaycasts } from './bounds/bounded-raycasts.ts';
export { boundsOf, ObjectBounds } from './bounds/bounds-of.ts';
export { solidSideOf } from './occlusion/occluder-rules.ts';
export { BoxLines } from './helper/box-lines.ts';
export { OctreeGroup } from './group/octree-group.ts';
export { OctreeHelper } from './helper/octree-helper.ts';
export { OctreeInstances } from './instances/octree-instances.ts';
export { OcclusionCulling } from './occlusion/occlusion-culling.ts';
export { readOcclusionDepth } from './occlusion/occlusion-depth.ts';
export { pick } from './picking/pick.ts';
export { pickWithin } from './picking/pick-within.ts';
export { InstanceChanges } from './changes/instance-changes.ts';
export { ViewChanges } from './changes/view-changes.ts';
export type { ViewRenderer } from './changes/view-changes.ts';
export { PoseBounds } from './poses/pose-bounds.ts';
export { ShadowUpdates } from './shadows/shadow-updates.ts';
export type { SolidSource } from './occlusion/occluder-rules.ts';
export type { DrawnNode, HelperColoring, NodePainter } from './helper/node-colors.ts';
export type { ReadOnlyOctree } from '../three-math/octree.ts';
export type { ReadOnlyMath } from '../three-math/three-math.ts';
export type { VisitResult, ShownQuery } from './helper/visit-result.ts';
export type { HasWalkableOctree, HelperOutline, OctreeHelperOptions, WalkableOctree } from './helper/octree-helper.ts';
export type { OctreeInstancesOptions } from './instances/instance-checks.ts';
export type { BatchRange } from './batches/batch-range.ts';
export type { BatchReport, StaticBatchesOptions } from './batches/static-batches.ts';
export type { AddTreeOptions, OctreeGroupOptions } from './group/octree-group.ts';
export type { OcclusionOptions, OcclusionReport } from './occlusion/occlusion-culling.ts';
export type { OcclusionDepth } from './occlusion/occlusion-depth.ts';
export type { SolidParts } from './occlusion/solid-shape.ts';
export type { SolidFinder } from './occlusion/named-shapes.ts';
export type { PickOptions } from './picking/pick.ts';
export type { ClippingRenderer } from './picking/clipping.ts';
export type { HitFilter, InstanceFilter, Pickable } from './picking/pickable.ts';
export type { PickedObject, PickWithinOptions } from './picking/pick-within.ts';
export type { ChangeContainer } from './changes/scene-changes.ts';
export type { ShadowRenderer } from './shadows/shadow-updates.ts';
export type { ElementLike, PointerLike } from './picking/screen.ts';
