// Who takes part on the page: the tuned loop, which is also the judge, the octree, and the fastest exact peer in plain JavaScript.
// Apart from what they are: the page itself needs only their names.

export const JUDGE = 'brute force';
export const OURS = 'scene-octree';
export const PEER = 'three-mesh-bvh';

export const RIVALS = [JUDGE, OURS, PEER] as const;
export type RivalName = (typeof RIVALS)[number];
