// The names of the rivals on the page: brute force, whose results are the reference, the octree, and the fastest exact
// peer in JavaScript. A separate file, because the page needs only the names and not the implementations.

export const REFERENCE = 'brute force';
export const OURS = 'scene-octree';
export const PEER = 'three-mesh-bvh';

export const RIVALS = [REFERENCE, OURS, PEER] as const;
export type RivalName = (typeof RIVALS)[number];
