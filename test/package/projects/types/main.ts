/** Compiled with @types/three. */
import { Box3, Group, Mesh, Sphere, Vector3, type Object3D, type Ray } from 'three';
import {
  intersectPairs,
  nearest,
  Octree,
  OctreeNode,
  onIntersection,
  type Body,
  type IntersectionRecord,
  type QueryOptions,
} from 'scene-octree';
import { Octree as CoreOctree } from 'scene-octree/core';
import { explain } from 'scene-octree/debug-three';
import { OctreeGroup, OctreeHelper, pick } from 'scene-octree/three';
import { objectsOf, writeTiles, type TileFile } from 'scene-octree/tiles';
import { intersectTriangles, TriangleScene, type TriangleHit } from 'scene-octree/triangles';
import { instanceId } from 'scene-octree/tsl';

const octree = new Octree<string>();
const body: Body<string> = octree.insert(new Box3(), 'box');
onIntersection(octree, body, ({ normal }) => void normal.clone());
const record: IntersectionRecord<string> = nearest(octree, new Vector3(), 1)[0];
export const vectors: Vector3[] = [
  record.position.clone(),
  record.normal,
  body.getBox(new Box3()).min,
  body.getSphere().center,
];
export const ray: Ray | null = record.ray;
export const options: QueryOptions<string> = { filter: (one) => one.getBox().containsPoint(record.position) };
octree.walk((node) => void node.fitted.isEmpty(), new OctreeNode());
// A function for octrees without three takes an octree with three's vectors, not the other way round.
const sizeOf = (one: CoreOctree<string>): number => one.size + intersectPairs(one)[0].position.x;
sizeOf(octree);
// @ts-expect-error its records have no Vector3
export const wrong: Octree<string> = new CoreOctree<string>();

const group: Group = new OctreeGroup();
group.add(new Mesh(), new OctreeHelper(octree), new OctreeHelper(new CoreOctree()));
if (group instanceof OctreeGroup) {
  const hits: TriangleHit<Object3D>[] = intersectTriangles(new TriangleScene(group), new Sphere());
  hits[0].normal.clone();
}
intersectTriangles(
  new TriangleScene(octree, ({ data }, target) => void (data === 'box' && (target.geometry = new Mesh().geometry))),
  new Sphere(),
)[0].body?.data.length.toFixed();
if (group instanceof OctreeGroup) pick({ clientX: 0, clientY: 0 }, null!, document.body, group)?.object.name;

export const sentence: string = explain(group, null!);
export const isNode: boolean = instanceId.isNode;
export const files: AsyncIterable<TileFile> = writeTiles(objectsOf(group));
