/**
 * The space that the bodies of a group are in: that of the world, until the group moves as a whole. Then the bodies stay, and each
 * question is carried back to where they are:
 *
 *     body space  --- toWorld = present * origin^-1 --->  world
 *
 * `origin` is the world matrix of the group when the two were the same, `present` the one it has now. So a group of any size may move
 * in every frame; only questions to its octree in world units need the bodies themselves to follow.
 */

import { Matrix3, Matrix4, Plane, Ray, Sphere, Vector3, type Box3, type Frustum, type Object3D } from 'three';
import type { FrustumLike } from '../../scene/shapes.ts';
import { boundsUnder, transformSphere, type ObjectBounds } from './bounds-of.ts';

/** Volume that a matrix must leave of a cube, as a part of its longest edge cubed, to be undone without losing digits that matter. */
const MIN_VOLUME = 1e-6;
/** How far axes may be from equal lengths and right angles, as a part of their squared length. */
const SHAPE_TOLERANCE = 1e-9;

export class BodySpace {
  isWorld = true;
  /** Whether balls of the world are balls here: the group was only moved, turned and scaled alike in all directions. */
  isSimilar = true;
  /** Length in this space of one unit of world length along the last ray. */
  rayScale = 1;

  private readonly origin = new Matrix4();
  private readonly present = new Matrix4();
  private readonly toWorld = new Matrix4();
  private readonly fromWorld = new Matrix4();
  /** Turn normals from the world to here, and directions. */
  private readonly normals = new Matrix3();
  private readonly directions = new Matrix3();
  private readonly matrix = new Matrix4();

  isAt(world: Matrix4): boolean {
    return this.present.equals(world);
  }

  /** Notes where the group is now. False if the bodies cannot stay: a group that was flat, or has become so, cannot be undone. */
  update(world: Matrix4): boolean {
    this.present.copy(world);
    this.isWorld = this.origin.equals(world);
    this.isSimilar = true;
    if (this.isWorld) return true;
    if (!keepsVolume(this.origin) || !keepsVolume(world)) {
      this.resetToWorld();
      return false;
    }
    this.fromWorld.copy(world).invert().premultiply(this.origin);
    this.toWorld.copy(this.origin).invert().premultiply(world);
    this.directions.setFromMatrix4(this.fromWorld);
    this.normals.setFromMatrix4(this.toWorld).transpose();
    this.isSimilar = keepsShapes(this.toWorld);
    return true;
  }

  /** Makes it world space again; the bodies have to be moved. */
  resetToWorld(): void {
    this.origin.copy(this.present);
    this.isWorld = this.isSimilar = true;
  }

  /** The matrix of an object in this space; lent until the next call. */
  matrixOf(object: Object3D): Matrix4 {
    return this.isWorld ? object.matrixWorld : this.matrix.multiplyMatrices(this.fromWorld, object.matrixWorld);
  }

  /**
   * The bounds of an object in this space. Three culls many by a sphere in the world, wherever they draw: those bounds hold that sphere.
   * Null if it has none.
   */
  boundsOf(object: Object3D, target: ObjectBounds): Box3 | Sphere | null {
    if (!this.isSimilar) {
      const bounds = boundsUnder(object.matrixWorld, object, target);
      if (bounds === null) return null;
      if (bounds instanceof Sphere) {
        transformSphere(bounds, this.fromWorld, bounds);
        return bounds;
      }
    }
    return boundsUnder(this.matrixOf(object), object, target);
  }

  /** A frustum in this space; the normals of its planes are not of unit length. */
  frustumOf(frustum: Frustum): FrustumLike {
    if (this.isWorld) return frustum;
    // The far plane of an infinite frustum cuts nothing off anywhere.
    const planes = frustum.planes.filter(({ constant }) => constant !== Infinity);
    return { planes: planes.map((plane) => this.planeOf(plane)) };
  }

  /** A ray in this space; sets `rayScale`. */
  rayOf(world: Ray): Ray {
    this.rayScale = 1;
    if (this.isWorld) return world;
    const ray = new Ray(world.origin.clone().applyMatrix4(this.fromWorld), world.direction.clone().applyMatrix3(this.directions));
    this.rayScale = ray.direction.length() / world.direction.length();
    return ray;
  }

  /** A point x of this space is A x + t in the world, so n . (A x + t) + c = (A^T n) . x + (n . t + c). */
  private planeOf({ normal, constant }: Plane): Plane {
    const t = planeOf_t.setFromMatrixPosition(this.toWorld);
    return new Plane(normal.clone().applyMatrix3(this.normals), normal.dot(t) + constant);
  }
}
const planeOf_t = /* @__PURE__ */ new Vector3();

function keepsVolume(matrix: Matrix4): boolean {
  const longest = matrix.getMaxScaleOnAxis();
  return Math.abs(matrix.determinant()) > MIN_VOLUME * longest * longest * longest;
}

/** Whether a matrix does no more than to move, turn, mirror, and scale all directions alike. */
function keepsShapes({ elements }: Matrix4): boolean {
  const [ax, ay, az, , bx, by, bz, , cx, cy, cz] = elements;
  const aa = ax * ax + ay * ay + az * az;
  const least = SHAPE_TOLERANCE * aa;
  return (
    Math.abs(bx * bx + by * by + bz * bz - aa) <= least &&
    Math.abs(cx * cx + cy * cy + cz * cz - aa) <= least &&
    Math.abs(ax * bx + ay * by + az * bz) <= least &&
    Math.abs(bx * cx + by * cy + bz * cz) <= least &&
    Math.abs(cx * ax + cy * ay + cz * az) <= least
  );
}
