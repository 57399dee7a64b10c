/** Builds octrees from lists of shapes, and copies what `visitNodes` reports. */
import type { Body, IntersectionRecord, OctreeNode, OctreeOptions } from '../../src/index.ts';
import { IndexList, Octree } from '../../src/index.ts';
import type { Shape } from './shapes.ts';
import { shapeOf } from './shapes.ts';

export interface Filled {
  readonly octree: Octree<number>;
  /** In the order of the shapes. `data` of a body is the index of its shape. */
  readonly bodies: Body<number>[];
}

export function octreeOf(shapes: readonly Shape[], options: OctreeOptions = {}): Filled {
  const octree = new Octree<number>(options);
  return { octree, bodies: shapes.map((shape, i) => octree.insert(shapeOf(shape), i)) };
}

/** A cube as the `region` option: `min` is each coordinate of its lowest corner. */
export function region(min: number, edge: number): NonNullable<OctreeOptions['region']> {
  return { min: { x: min, y: min, z: min }, edge };
}

/** Data of the bodies in records, in ascending order. */
export function dataOf(records: readonly IntersectionRecord<number>[]): number[] {
  return records.map(({ body }) => body.data).sort((a, b) => a - b);
}

/** The indices that a `collect...` call writes, in its order. */
export function collected(query: (list: IndexList) => number): number[] {
  const list = new IndexList();
  query(list);
  return Array.from(list.array.subarray(0, list.length));
}

/** A copy of a node as `visitNodes` reports it. The node itself is valid only during the callback. */
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

/** The owner node of a body. */
export function ownerOf(octree: Octree<number>, body: Body<number>): NodeSketch {
  const owners = sketch(octree).filter(({ bodies }) => bodies.includes(body.data));
  if (owners.length !== 1) throw new Error(`body ${body.data} has ${owners.length} owner nodes`);
  return owners[0];
}

function sketchNode(node: OctreeNode<number>): NodeSketch {
  const { cell, depth, childCount, lifespan, countdown } = node;
  const bodies = node
    .bodies()
    .map((body) => body.data)
    .sort((a, b) => a - b);
  return { min: [cell.min.x, cell.min.y, cell.min.z], edge: cell.edge, depth, childCount, lifespan, countdown, bodies };
}
