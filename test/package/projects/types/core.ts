/** Compiled without @types/three, without the DOM and without skipLibCheck. */
import {
  IndexList,
  intersectPairs,
  nearest,
  Octree,
  OctreeNode,
  onIntersection,
  WalkSignal,
  type Body,
  type IntersectionRecord,
  type PlainPoint,
  type QueryStats,
} from 'scene-octree/core';
import { BruteForce, validate } from 'scene-octree/debug';
import { decodeBodies, encodeBodies, readBodies } from 'scene-octree/save';

const octree = new Octree<string>({ looseness: 2 });
const body: Body<string> = octree.insert({ center: { x: 0, y: 0, z: 0 }, radius: 1 }, 'ball');
onIntersection(octree, body, ({ normal, other }) => void (normal.x + Number(other?.data.length)));
const records: IntersectionRecord<string>[] = intersectPairs(octree, { filter: ({ data }) => data.length > 0 });
const position: PlainPoint = records[0].position;
export const corner: number = body.getBox().min.x + position.y + nearest(octree, position, 1)[0].node.fitted.max.z;
export const stats: QueryStats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
octree.collectPoint(position, new IndexList(), { stats });
octree.walk((node) => (node.depth > 2 ? WalkSignal.Prune : WalkSignal.Continue), new OctreeNode());
for (const { bounds, options } of decodeBodies<string>(encodeBodies(readBodies(octree))))
  octree.insertMany(bounds, options);
new BruteForce();
validate(octree);
// @ts-expect-error plain objects have no methods
position.clone();
// @ts-expect-error the data of the bodies is a string
octree.insert({ center: position, radius: 1 }, 5);
// @ts-expect-error `internals` is no part of the API
octree.internals;
