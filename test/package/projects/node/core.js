/** The core in Node, where neither three nor a DOM is. */
import { IndexList, Octree } from 'scene-octree/core';
import { moveCrowd, queryCrowd } from '../plain/crowd.js';

const octree = new Octree();
octree.insert({ min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } }, 'box');
const count = octree.collectPoint({ x: 1, y: 1, z: 1 }, new IndexList());
console.log(
  JSON.stringify({
    hasDocument: 'document' in globalThis,
    count,
    crowd: queryCrowd(Octree),
    moves: await moveCrowd(Octree),
  }),
);
