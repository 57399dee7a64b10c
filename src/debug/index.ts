/**
 * Entry point scene-octree/debug: the reference implementation, and a check of every invariant of an octree; for tests,
 * benchmarks and demos.
 *
 * @module scene-octree/debug
 */
export { BruteForce } from './reference/brute-force.ts';
export type {
  ReferenceResult,
  ReferenceBodyOptions,
  ReferencePairOptions,
  ReferenceFrustumOptions,
  ReferenceQueryOptions,
  ReferenceRayOptions,
} from './reference/brute-force.ts';
export { ReferenceBands, ReferenceContacts, ReferenceSensor } from './reference/changes.ts';
export type { ReferenceBandChange, ReferencePair } from './reference/changes.ts';
export type { ReferenceOrientedBox } from './reference/oriented-box.ts';
export type { ReferenceStart } from './reference/nearest.ts';
export type { ReferencePlane } from './reference/frustum.ts';
export { BruteForceTriangles } from './reference/triangles.ts';
export type { ReferenceDistance, ReferenceMesh, ReferenceShape, ReferenceTriangle } from './reference/triangles.ts';
export type { Bounds, Point, ReferenceBody, ReferenceSphere } from './reference/geometry.ts';
export { validate } from './validate.ts';
