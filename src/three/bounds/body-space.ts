/**
 * The space in which the bodies of a container lie. It is world space until the container itself moves. Then the bodies
 * stay where they are, and every query is transformed to their space:
 *
 *     body space  --- toWorld = current * origin^-1 --->  world space
 *
 * `origin` is the world matrix of the container when the two spaces were last the same; `current` is its world matrix
 * now. So a container of any size can move in every frame at no cost per body. Only queries by the user, in world
 * units, require moving the bodies.
 */

import { Matrix3, Matrix4, Plane, Ray, Sphere, Vector3, type Box3, type Frustum, type Object3D } from 'three';
import { isCoordinate } from '../../octree/input/input-checks.ts';
import type { FrustumLike } from '../../octree/input/query-shapes.ts';
import { boundsUnder, type ObjectBounds } from './bounds-of.ts';
import { isInRange, isSimilarity, transformSphere } from './bounds-math.ts';

/**
 * Smallest determinant of an invertible matrix, relative to its largest scale cubed. Below it, the inverse loses too
 * many digits. Test: body-space.test.
 */
const MIN_VOLUME = 1e-6;
/** Tolerance for equal lengths and right angles of axes, relative to their squared length. Test: body-space.test. */
const SIMILARITY_TOLERANCE = 1e-9;

export class BodySpace {
  /** Whether this is world space. */
  isWorld = true;
  /**
   * Whether spheres in world space are spheres here: the container has only been translated, rotated, mirrored and
   * scaled uniformly.
   */
  isSimilar = true;
  /** Length in this space of one world unit along the ray of the last `rayOf`. */
  rayScale = 1;

  /** A world unit in any direction has a length between these in this space. Equal while the space is similar. */
  minScale = 1;
  maxScale = 1;

  private readonly origin = new Matrix4();
  private readonly current = new Matrix4();
  readonly toWorld = new Matrix4();
  readonly fromWorld = new Matrix4();
  /** Transform normals and directions from world space to this space. */
  private readonly normals = new Matrix3();
  private readonly directions = new Matrix3();
  private readonly matrix = new Matrix4();

  /** Whether the container has not moved since the last `setWorld`. */
  isAt(world: Matrix4): boolean {
    return this.current.equals(world);
  }

  /**
   * Stores the world matrix that the container has now. Returns false if the bodies cannot stay, because the old matrix
   * or the new one is not invertible (a scale of 0, for example), holds a NaN, or leads beyond the limit of
   * coordinates. Then this is world space again, and the caller must move the bodies.
   */
  setWorld(world: Matrix4): boolean {
    this.current.copy(world);
    const isWorld = this.origin.equals(world);
    if (isWorld || !isUsable(this.origin) || !isUsable(world)) {
      this.resetToWorld();
      return isWorld;
    }
    this.isWorld = false;
    this.fromWorld.copy(world).invert().premultiply(this.origin);
    this.toWorld.copy(this.origin).invert().premultiply(world);
    this.directions.setFromMatrix4(this.fromWorld);
    this.normals.setFromMatrix4(this.toWorld).transpose();
    this.isSimilar = isSimilarity(this.toWorld.elements, SIMILARITY_TOLERANCE);
    this.setScales();
    return true;
  }

  /** Makes this world space. The caller must move all bodies to it. */
  resetToWorld(): void {
    this.origin.copy(this.current);
    this.isWorld = this.isSimilar = true;
    this.minScale = this.maxScale = 1;
  }

  /** The matrix from the local space of an object to this space. Valid until the next call. */
  matrixOf(object: Object3D): Matrix4 {
    return this.isWorld ? object.matrixWorld : this.matrix.multiplyMatrices(this.fromWorld, object.matrixWorld);
  }

  /** A world-space frustum in this space. The normals of its planes are not of unit length. */
  frustumOf(frustum: Frustum): FrustumLike {
    if (this.isWorld) return frustum;
    // The far plane of an infinite frustum has a constant of Infinity and excludes nothing.
    const planes = frustum.planes.filter(({ constant }) => constant !== Infinity);
    return { planes: planes.map((plane) => this.planeOf(plane)) };
  }

  /** A point of world space in this space. */
  pointOf(world: Vector3): Vector3 {
    return this.isWorld ? world : world.clone().applyMatrix4(this.fromWorld);
  }

  /** A world-space ray in this space. Sets `rayScale`. */
  rayOf(world: Ray): Ray {
    this.rayScale = 1;
    if (this.isWorld) return world;
    const ray = new Ray(
      world.origin.clone().applyMatrix4(this.fromWorld),
      world.direction.clone().applyMatrix3(this.directions),
    );
    this.rayScale = ray.direction.length() / world.direction.length();
    return ray;
  }

  /**
   * A matrix stretches no vector by more than its Frobenius norm, the root of the sum of its squared elements. The
   * largest stretch of the inverse bounds the smallest stretch of the matrix.
   */
  private setScales(): void {
    const { elements } = this.directions;
    this.minScale = this.maxScale = Math.sqrt(
      elements[0] * elements[0] + elements[1] * elements[1] + elements[2] * elements[2],
    );
    if (this.isSimilar) return;
    this.maxScale = Math.sqrt(elements.reduce((sum, element) => sum + element * element, 0));
    this.minScale = 1 / Math.sqrt(this.normals.elements.reduce((sum, element) => sum + element * element, 0));
  }

  /** A point x of this space is A x + t in world space, and n . (A x + t) + c = (A^T n) . x + (n . t + c). */
  private planeOf({ normal, constant }: Plane): Plane {
    const t = planeOf_t.setFromMatrixPosition(this.toWorld);
    return new Plane(normal.clone().applyMatrix3(this.normals), normal.dot(t) + constant);
  }
}
const planeOf_t = /* @__PURE__ */ new Vector3();

/**
 * The bounds of an object in a space, or null if it has none. If they are a sphere, it contains the sphere by which
 * three culls the object in world space. So if the space distorts spheres, the sphere in world space is computed first
 * and then transformed.
 */
export function boundsInSpace(space: BodySpace, object: Object3D, target: ObjectBounds): Box3 | Sphere | null {
  const bounds = boundsUnder(space.isSimilar ? space.matrixOf(object) : object.matrixWorld, object, target);
  if (space.isSimilar || bounds === null) return bounds;
  if (bounds instanceof Sphere) {
    transformSphere(bounds, space.fromWorld, bounds);
    return bounds;
  }
  const inSpace = boundsUnder(space.matrixOf(object), object, target)!;
  // A sphere that is smaller than the box here would not contain that of three, which may be older than the vertices.
  return isInRange(inSpace) ? target.box : inSpace;
}

/** Whether a matrix is invertible, without a NaN, and within the limit of coordinates. */
function isUsable(matrix: Matrix4): boolean {
  if (!matrix.elements.every(isCoordinate)) return false;
  const longest = matrix.getMaxScaleOnAxis();
  return Math.abs(matrix.determinant()) > MIN_VOLUME * longest * longest * longest;
}
