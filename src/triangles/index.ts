/**
 * Entry point scene-octree/triangles: queries that are exact to the triangle, among meshes that move.
 *
 * @module scene-octree/triangles
 */
export { castShape, castTriangleRays, firstTriangle, nearestPoint } from './first-triangle.ts';
export { intersectTriangles } from './intersect-triangles.ts';
export { distanceBetween, intersectMeshPairs, intersectMeshPairsAsync, MeshDistance } from './mesh-distance.ts';
export { prepareTriangles } from './prepare-triangles.ts';
export { selectWithin } from './screen/select-within.ts';
export { snap } from './screen/snap.ts';
export { solveContacts } from './solve-contacts.ts';
export { TriangleHit } from './triangle-options.ts';
export { TriangleScene } from './triangle-scene.ts';
export type { NearestPointOptions, TriangleRayHits, TriangleRayOptions } from './first-triangle.ts';
export type { DistanceBetweenOptions, MeshPairOptions, MeshSource } from './mesh-distance.ts';
export type { PrepareOptions, SliceOptions } from './prepare-triangles.ts';
export type { SelectOptions } from './screen/select-within.ts';
export type { SnapKind, SnapOptions, SnapPoint } from './screen/snap.ts';
export type { TriangleShape } from './shapes.ts';
export type { ContactPlane } from './solve-contacts.ts';
export type { QueriedMesh, TriangleOptions, TrianglePoint, TriangleStats } from './triangle-options.ts';
export type { MeshReader, MeshTarget, TriangleContainer, TriangleSceneOptions } from './triangle-scene.ts';
export type { MeshTree, MeshTreeClass, MeshTreeWorker } from './triangle-tree.ts';
