/**
 * scene-octree: a dynamic octree of all bodies of a scene, with exact queries for what is visible, hit, near or
 * overlapping. Results are three's Vector3, Box3, Sphere and Ray. The entry point scene-octree/core has the same names
 * without three.
 *
 * @module scene-octree
 */

export { Body, CustomVolume, IntersectionRecord, Octree, OctreeNode } from './three-math/octree.ts';
export { IndexList } from './tree/storage/index-list.ts';
export { WalkSignal } from './tree/traverse/walk-nodes.ts';
export {
  assignBands,
  Capsule,
  castBox,
  castBoxAll,
  castRays,
  castSphere,
  castSphereAll,
  collect,
  collectBoxCast,
  collectNearest,
  collectPairs,
  collectSphereCast,
  collectVisible,
  Convex,
  idOf,
  idsOf,
  indexOfId,
  intersect,
  intersectPairs,
  intersectVisible,
  moveManyById,
  nearest,
  onIntersection,
  OrientedBox,
  RayRange,
  removeManyById,
  Segment,
  setMaskManyById,
  setOccluder,
  SolidBoxQueue,
  solidBoxes,
  sortByDistance,
  trackContacts,
  translate,
  visitCast,
  visitNearest,
  visitRay,
  VolumeOverlap,
  watch,
  watchDistances,
} from './core.ts';
// Types that depend on the objects in results. All other types are those of scene-octree/core; an export by name hides
// the one of the same name there.
export type {
  BandOptions,
  BodyOptions,
  ContactOptions,
  Contacts,
  DistanceBands,
  FrustumOptions,
  HitVisitor,
  NearestOptions,
  PairOptions,
  QueryOptions,
  RayBundleOptions,
  RayOptions,
  Sensor,
  SensorOptions,
  TickStatistics,
  VisibleOptions,
} from './three-math/octree.ts';
export type { ThreeMath } from './three-math/three-math.ts';
export type * from './core.ts';
