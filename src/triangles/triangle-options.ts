/** The options that all queries of triangles have, and what they report. */

import { BackSide, DoubleSide, FrontSide, Vector3, type Object3D, type Side } from 'three';
import { isObject, requireBoolean, throwType } from '../octree/input/input-checks.ts';
import { requireOptions, type KnownOptions } from '../octree/input/known-options.ts';
import type { IndexSet } from '../octree/queries/query-options.ts';
import type { Body } from '../three-math/octree.ts';

/** A mesh, or an instance of one, of which a query asks whether it counts. Valid during the call only. */
export interface QueriedMesh<T = unknown> {
  /** The mesh or the container of the instance. Null for a body of an `Octree` whose callback names none. */
  readonly object: Object3D | null;
  /** The id of the instance; -1 for a mesh without instances. */
  readonly instanceId: number;
  /** Its body in `scene.octree`; null for an object outside of it. */
  readonly body: Body<T> | null;
}

/** The cost of a query of triangles. All fields are overwritten when the query has ended without an error. */
export interface TriangleStats {
  /** Meshes and instances whose triangles, or trees, were tested. For pairs: those of the bodies of all pairs. */
  meshesTested: number;
  /** Nodes of the trees of triangles. */
  nodesVisited: number;
  /** Triangles that were transformed to the world, and tested. */
  trianglesTested: number;
  /** Objects near the shape without triangles: points, lines, sprites. */
  objectsSkipped: number;
}

/** The options that all queries of triangles have. */
export interface TriangleOptions<T = unknown> {
  /** Only bodies with `(body.mask & mask) !== 0`, and objects outside the octree. Default all ones. */
  readonly mask?: number;
  /** Only meshes for which this returns true, or bodies whose index is in this set. It may query, not write. */
  readonly filter?: ((mesh: QueriedMesh<T>) => boolean) | IndexSet;
  /** What is left out: a body, or an object with all below it, or an array of both. Null leaves out none. */
  readonly except?: Body<unknown> | Object3D | null | readonly (Body<unknown> | Object3D | null)[];
  /** Whether meshes with `visible = false`, or below such an object, count too. Default false. */
  readonly includesHidden?: boolean;
  /**
   * Which side of a triangle counts: `FrontSide`, `BackSide` or `DoubleSide` of three for all, or 'material' for the
   * side of each material. A triangle counts if the shape comes from that side: moves towards it, or rests with its
   * centre there. Default `DoubleSide`.
   */
  readonly side?: Side | 'material';
  /** Filled with the cost of the query. */
  readonly stats?: TriangleStats;
}

/** The names of these options. */
export const TRIANGLE_OPTIONS: KnownOptions = ['mask', 'filter', 'except', 'includesHidden', 'side', 'stats'];

/** Checks these options. `known` are all options of the query. */
export function checkOptions(where: string, options: TriangleOptions, known: KnownOptions): void {
  requireOptions(where, options, known);
  const { filter, except, includesHidden, side, stats } = options;
  if (filter !== undefined && typeof filter !== 'function' && typeof (filter as IndexSet | null)?.has !== 'function')
    throwType(where, 'options.filter', 'be a function or a set of indices', filter, 'leave it out for none');
  for (const one of Array.isArray(except) ? except : [except])
    if (one !== undefined && one !== null && !isObject(one))
      throwType(where, 'options.except', 'be a Body or an Object3D', one, 'pass what bodyOf returned, or the object');
  requireBoolean(where, 'options.includesHidden', includesHidden);
  if (![undefined, 'material', FrontSide, BackSide, DoubleSide].includes(side))
    throwType(where, 'options.side', 'be FrontSide, BackSide, DoubleSide or "material"', side, 'leave it out for both');
  // For a value that is no object this holds too.
  if (stats !== undefined && Object.isFrozen(stats))
    throwType(where, 'options.stats', 'be an object that is not frozen', stats, 'pass {} to be filled');
}

/** Throws for a record that a query cannot write to. */
export function requireHit(where: string, target: unknown): void {
  if (target !== null && !isHit(target))
    throwType(where, 'target', 'be a TriangleHit', target, 'pass one that a query has returned, or leave it out');
}

/** Whether a query can write a point to a record. */
export function isRecord(target: unknown): boolean {
  return (target as Partial<TriangleHit> | null | undefined)?.position instanceof Vector3 && !Object.isFrozen(target);
}

/** Whether a query can write a hit to a record. */
export function isHit(target: unknown): boolean {
  return isRecord(target) && (target as Partial<TriangleHit>).normal instanceof Vector3;
}

/** A triangle, and a point of it. */
export class TrianglePoint<T = unknown> implements QueriedMesh<T> {
  /** The mesh, or the container of the instance. Null for a body of an `Octree` whose callback names none. */
  object: Object3D | null = null;
  /** The id of the instance; -1 for a mesh without instances. */
  instanceId = -1;
  /** The body of the mesh in `scene.octree`. Null for an object outside of it. */
  body: Body<T> | null = null;
  /** The number of the triangle, as `faceIndex` of an intersection of three; of a BatchedMesh within its geometry. */
  face = -1;
  /** World units. */
  readonly position = new Vector3();
}

/**
 * One result: a triangle that a shape touches, that a ray hits, or that is nearest. `position` is where.
 *
 * @example
 * ```ts
 * import { Sphere } from 'three';
 * import { castShape, TriangleHit, TriangleScene } from 'scene-octree/triangles';
 *
 * const triangles = new TriangleScene(group);
 * const hit = new TriangleHit(); // written by each call
 * if (castShape(triangles, new Sphere(), { x: 0, y: -9, z: 0 }, {}, hit)) console.log(hit.position.y);
 * ```
 */
export class TriangleHit<T = unknown> extends TrianglePoint<T> {
  /** Unit vector: from the triangle to the shape; for a ray the normal of the triangle, towards its origin. */
  readonly normal = new Vector3();
  /**
   * World units: along the ray or the motion to the hit; from a point to the triangle. Of a contact: from the triangle
   * to the centre of the sphere or the axis of the capsule; 0 for boxes.
   */
  distance = 0;
  /**
   * Of a contact, and of a cast that starts inside: how far the shape must move along the normal to touch the triangle
   * only just. World units, 0 or more.
   */
  depth = 0;
  /** Of a cast: from 0 at the start to 1 at the end of the motion. */
  time = 0;
  /** Of a cast: whether the shape touches the triangle at its start. */
  inside = false;
}
