/** Short ways to an octree with bodies in it, and to what it says about its nodes. */
import type { Body, IntersectionRecord, OctreeNode, OctreeOptions } from '../../src/index.ts';
import { IndexList, Octree } from '../../src/index.ts';
import type { Shape } from './shapes.ts';
import { shapeOf } from './shapes.ts';

export interface Filled {
  readonly octree: Octree<number>;
  /** `data` of each is its place in the list of shapes. */
  readonly bodies: Body<number>[];
}

export function octreeOf(shapes: readonly Shape[], options: OctreeOptions = {}): Filled {
  const octree = new Octree<number>(options);
  return { octree, bodies: shapes.map((shape, i) => octree.insert(shapeOf(shape), i)) };
}

/** The cube of the given edge with its lowest corner at one point, as the `region` option. */
export function region(min: number, edge: number): NonNullable<OctreeOptions['region']> {
  return { min: { x: min, y: min, z: min }, edge };
}

/** Data of the bodies in records, in ascending order. */
export function dataOf(records: readonly IntersectionRecord<number>[]): number[] {
  return records.map(({ body }) => body.data).sort((a, b) => a - b);
}

/** The indices a collect call writes, in its own order. */
export function collected(ask: (list: IndexList) => number): number[] {
  const list = new IndexList();
  ask(list);
  return Array.from(list.array.subarray(0, list.length));
}

/** What `visitNodes` says about each node, copied while it says so. */
export interface NodeSketch {
  readonly min: readonly number[];
  readonly edge: number;
  readonly depth: number;
  readonly childCount: number;
  readonly lifespan: number;
  readonly countdown: number;
  /** Data of the node's own bodies, ascending. */
  readonly bodies: readonly number[];
}

export function sketch(octree: Octree<number>): NodeSketch[] {
  const nodes: NodeSketch[] = [];
  octree.visitNodes((node) => nodes.push(sketchNode(node)));
  return nodes;
}

/** The node that holds a body as its own. */
export function ownerOf(octree: Octree<number>, body: Body<number>): NodeSketch {
  const owners = sketch(octree).filter(({ bodies }) => bodies.includes(body.data));
  if (owners.length !== 1) throw new Error(`body ${body.data} has ${owners.length} owner nodes`);
  return owners[0];
}

function sketchNode(node: OctreeNode<number>): NodeSketch {
  const { cell, depth, childCount, lifespan, countdown } = node;
  const bodies = node.bodies().map((body) => body.data).sort((a, b) => a - b);
  return { min: [cell.min.x, cell.min.y, cell.min.z], edge: cell.edge, depth, childCount, lifespan, countdown, bodies };
}
