import { Octree } from 'scene-octree/core';
import { moveCrowd } from '../../plain/crowd.js';

const octree = new Octree<string>();
octree.insert({ center: { x: 0, y: 0, z: -9 }, radius: 2 }, 'ball');
const hit = octree.firstHit({ origin: { x: 0, y: 0, z: 0 }, direction: { x: 0, y: 0, z: -1 } });
const result = { data: hit?.body.data, position: hit?.position };
void moveCrowd(Octree).then((moves) => postMessage({ ...result, moves }));
