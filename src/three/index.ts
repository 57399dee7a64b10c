/** scene-octree/three: what needs scene objects, beside the octree itself. */

export { boundsOf, ObjectBounds } from './bounds-of.ts';
export { OctreeGroup } from './octree-group.ts';
export { pick } from './pick.ts';
export type { ElementLike, PickOptions, PointerLike } from './pick.ts';
