// Finds the path of a ray through an octree by `Octree.walk`: the nodes that the ray enters, and the bodies in them.

import { type Box3, type Ray, Vector3 } from 'three';
import { type Octree, type OctreeNode, WalkSignal } from '../../../src/index.ts';

export interface RayPath<Item> {
  /** Number of nodes whose fitted box the ray enters. */
  readonly nodes: number;
  /** The data of all bodies in these nodes. */
  readonly tested: readonly Item[];
}

/** The nodes that a ray enters within a distance, and their bodies. */
export function pathAlong<T>(octree: Octree<T>, ray: Ray, far: number): RayPath<T> {
  let nodes = 0;
  const tested: T[] = [];
  octree.walk((node) => {
    if (!(entryOf(ray, node.fitted) <= far)) return WalkSignal.Prune;
    nodes++;
    for (const { data } of node.bodies()) tested.push(data);
    return WalkSignal.Continue;
  });
  return { nodes, tested };
}

/** The node that owns the body with this data. The ray must hit the body. */
export function nodeAlong<T>(octree: Octree<T>, ray: Ray, data: T): OctreeNode<T> | undefined {
  return octree.intersectRay(ray, { filter: (body) => body.data === data })[0]?.node;
}

/** Distance at which a ray enters a box: 0 from inside, NaN if it misses. */
function entryOf(ray: Ray, box: Box3): number {
  if (box.containsPoint(ray.origin)) return 0;
  return ray.intersectBox(box, entryOf_point)?.distanceTo(ray.origin) ?? Number.NaN;
}
const entryOf_point = new Vector3();
