import type { Octree } from 'scene-octree/core';

export function moveCrowd(octree: typeof Octree): Promise<boolean>;
export function queryCrowd(octree: typeof Octree): { hits: number; position: number[]; usesWasm: boolean };
