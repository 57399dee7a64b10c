// The rivals of the benchmark that run in a browser. Only workers load this file.

import { BruteForce } from '../../../test/bench/rivals/brute-force.ts';
import type { Rival } from '../../../test/bench/rivals/rival.ts';
import { SceneOctree } from '../../../test/bench/rivals/scene-octree.ts';
import { ThreeMeshBvh } from '../../../test/bench/rivals/three-mesh-bvh.ts';
import { REFERENCE, OURS, PEER, type RivalName } from './names.ts';

export const makers: Readonly<Record<RivalName, () => Rival>> = {
  [REFERENCE]: () => new BruteForce(),
  [OURS]: () => new SceneOctree(),
  [PEER]: () => new ThreeMeshBvh(),
};
