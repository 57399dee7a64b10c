/**
 * Entry point scene-octree/react: components and hooks for react-three-fiber 9. `react` and `@react-three/fiber` are
 * optional peer dependencies of the package; this entry point needs both.
 *
 * @module scene-octree/react
 */

export { OctreeGroup } from './octree-group.ts';
export { OctreeInstances } from './octree-instances.ts';
export { reportMove } from './move-reports.ts';
export { useFramesOnDemand } from './use-frames-on-demand.ts';
export { useNear, useOctree, useVisible } from './use-query.ts';
export type { HasOctree, OctreeSource, Place, PlaceSource, VisibleOptions } from './use-query.ts';
export type { ChangeSource, ObjectSource } from './use-frames-on-demand.ts';
export type { OctreeGroupProps } from './octree-group.ts';
export type { OctreeInstancesProps } from './octree-instances.ts';
