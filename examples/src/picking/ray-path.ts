// Finds the path of a ray through an octree by `Octree.walk`: the nodes that the ray enters, and the bodies in them.

import { Box3, type Ray, Vector3 } from 'three';
import { type Octree, type OctreeNode, WalkSignal } from '../../../src/index.ts';

/** A node whose fitted box the ray enters. */
export interface PathNode {
  readonly fitted: Box3;
  /** The cell, which decides the bodies that the node owns. */
  readonly cell: Box3;
  readonly depth: number;
  readonly isLeaf: boolean;
}

export interface RayPath<Item> {
  readonly nodes: readonly PathNode[];
  /** The data of all bodies in these nodes. */
  readonly tested: readonly Item[];
}

/** The nodes that a ray enters within a distance, parents first, and their bodies. */
export function pathAlong<T>(octree: Octree<T>, ray: Ray, far: number): RayPath<T> {
  const nodes: PathNode[] = [];
  const tested: T[] = [];
  octree.walk((node) => {
    if (!(entryOf(ray, node.fitted) <= far)) return WalkSignal.Prune;
    const { cell: { min, edge }, fitted, depth, childCount } = node;
    const lowest = new Vector3(min.x, min.y, min.z);
    nodes.push({ fitted: fitted.clone(), cell: new Box3(lowest, lowest.clone().addScalar(edge)), depth, isLeaf: childCount === 0 });
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
