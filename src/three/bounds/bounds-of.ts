/**
 * World-space bounds of an object's own geometry, without its descendants: the box around its transformed vertex box,
 * or the sphere by which three culls it, whichever has the smaller volume.
 */

import { Box3, Sphere, Vector3, type Material, type Matrix4, type Mesh, type Object3D } from 'three';
import { isObject, throwType } from '../../octree/input/input-checks.ts';
import { hasGeometry, hasOwnSphere, isObject3D, isSprite, nameOf } from './object-kinds.ts';
import { hasDrawCallbacks } from './object-traits.ts';
import { describeFault, isInRange, transformBox, transformSphere } from './bounds-math.ts';
import { boundingSphereOf, GeometryVersion, vertexBoxOf, vertexCountOf } from './vertex-bounds.ts';
import { refusesBox } from './material-traits.ts';
import { SUM_ERROR32 } from '../../math/tolerances.ts';

/** World units at scale 1: half the diagonal of the unit square. */
const SPRITE_RADIUS = Math.SQRT1_2;

/**
 * A box and a sphere for `boundsOf` to write its result to.
 *
 * @example
 * ```ts
 * import { BoxGeometry, Mesh } from 'three';
 * import { boundsOf, ObjectBounds } from 'scene-octree/three';
 *
 * const target = new ObjectBounds(); // one for all calls, so that none allocates
 * const bounds = boundsOf(new Mesh(new BoxGeometry()), target);
 * console.log(bounds === target.box); // prints: true
 * ```
 */
export class ObjectBounds {
  /** Written if `boundsOf` returns a box. */
  readonly box: Box3 = new Box3();
  /** Written if `boundsOf` returns a sphere. */
  readonly sphere: Sphere = new Sphere();
}

/**
 * World-space bounds of an object, for `octree.insert` and `body.setBox` or `setSphere`. Updates the world matrix of
 * the object first.
 *
 * - Every matrix is allowed, also with mirroring, shear or a scale of 0.
 * - Points, lines and sprites are drawn beyond their vertices, some shaders move vertices, and callbacks such as
 *   `onBeforeRender` may move the object. Their bounds are the sphere by which three culls them. The same holds for a
 *   geometry whose `boundingSphere` was set by hand.
 * - Skinned, instanced and batched meshes: the sphere by which three culls them. It belongs to the pose or the
 *   instances for which it was computed; call their `computeBoundingSphere` after a change, as for three itself. Morph
 *   targets: a sphere around all of them.
 * - Changed vertices count after `needsUpdate` of the position attribute. `boundsOf` never writes
 *   `geometry.boundingSphere`. If you changed vertices and it is not null, compute it again yourself.
 *
 * @param object Any Object3D. Its descendants do not count.
 * @param target Its box or its sphere is written and returned. Default: a new one.
 * @returns The box or the sphere. Null if three does not cull the object by bounds: no geometry, no vertices, an
 *   infinite sphere, or a sprite with `sizeAttenuation = false`.
 * @throws {TypeError} If `object` is not an Object3D, or `target` not an ObjectBounds.
 * @throws {RangeError} If the matrix or the geometry holds a NaN, or the bounds reach beyond 2^50.
 *
 * @example
 * ```ts
 * import { BoxGeometry, Mesh } from 'three';
 * import { Octree } from 'scene-octree';
 * import { boundsOf } from 'scene-octree/three';
 *
 * const octree = new Octree<Mesh>();
 * const house = new Mesh(new BoxGeometry(4, 6, 4));
 * house.position.y = 3;
 * const bounds = boundsOf(house);
 * if (bounds !== null) octree.insert(bounds, house);
 * console.log(octree.bodyAt(0).getBox().max.y.toFixed(2)); // prints: 6.00
 * ```
 */
export function boundsOf(object: Object3D, target: ObjectBounds = new ObjectBounds()): Box3 | Sphere | null {
  if (!isObject3D(object)) throwType('boundsOf', 'object', 'be an Object3D', object, 'pass a Mesh or another object');
  if (!(target?.box instanceof Box3 && target.sphere instanceof Sphere))
    throwType('boundsOf', 'target', 'be an ObjectBounds', target, 'leave it out if unsure');
  object.updateWorldMatrix(true, false);
  // For its error, which names this function.
  cullingSphereOf(object, 'boundsOf');
  const bounds = boundsUnder(object.matrixWorld, object, target);
  if (bounds !== null && !isInRange(bounds)) throw new RangeError(`boundsOf: ${describeFault(object, bounds)}.`);
  return bounds;
}

/**
 * As `boundsOf`, in the space to which the matrix transforms the object's local space. Bounds that hold a NaN or reach
 * beyond 2^50 are not refused, but returned as a sphere; see `isInRange`.
 */
export function boundsUnder(matrix: Matrix4, object: Object3D, target: ObjectBounds): Box3 | Sphere | null {
  const local = cullingSphereOf(object);
  if (local === null || !isCulling(local)) return null;
  return transformBounds(local, cullingBoxOf(object, local), matrix, target);
}

/** Whether three culls by a sphere. */
export function isCulling({ radius }: Sphere): boolean {
  return !(radius < 0 || radius === Infinity);
}

/**
 * As `boundsUnder`, of an object whose local bounds are known.
 *
 * @param localBox Null if the object may be drawn beyond it.
 */
export function transformBounds(
  localSphere: Sphere,
  localBox: Box3 | null,
  matrix: Matrix4,
  { box, sphere }: ObjectBounds,
): Box3 | Sphere {
  transformSphere(localSphere, matrix, sphere);
  if (localBox === null || !isInRange(sphere)) return sphere;
  transformBox(localBox, matrix, box);
  return isSmaller(box, sphere) ? box : sphere;
}

/** Whether the volume of a box is at most that of a sphere. */
export function isSmaller({ min, max }: Box3, { radius }: Sphere): boolean {
  return (max.x - min.x) * (max.y - min.y) * (max.z - min.z) <= ((4 * Math.PI) / 3) * radius * radius * radius;
}

/**
 * The sphere, in local space, by which three culls the object; null if it has none. Of a sprite: valid until the next
 * call.
 *
 * @param where For errors.
 */
export function cullingSphereOf(object: Object3D, where = 'OctreeGroup'): Sphere | null {
  if (isSprite(object)) {
    if (!object.material.sizeAttenuation) return null;
    spriteSphere.radius = SPRITE_RADIUS + object.center.distanceTo({ x: 0.5, y: 0.5 });
    return spriteSphere;
  }
  if (hasOwnSphere(object)) {
    if (object.boundingSphere === null) object.computeBoundingSphere();
    return object.boundingSphere;
  }
  if (!hasGeometry(object)) return null;
  const { geometry } = object;
  if (!isObject(geometry))
    throwType(where, `geometry of ${nameOf(object)}`, 'be a BufferGeometry', geometry, 'set one');
  return vertexCountOf(geometry) === 0 ? null : boundingSphereOf(geometry);
}
const spriteSphere = /* @__PURE__ */ new Sphere(/* @__PURE__ */ new Vector3(), SPRITE_RADIUS);

/**
 * The box around the vertices, in local space; null if the object may be drawn beyond it.
 *
 * @param sphere The culling sphere of the object.
 */
export function cullingBoxOf(object: Object3D, sphere: Sphere): Box3 | null {
  if (
    !('isMesh' in object) ||
    !hasGeometry(object) ||
    hasOwnSphere(object) ||
    object.geometry.morphAttributes.position !== undefined ||
    hasDrawCallbacks(object) ||
    materialsRefuseBox(object)
  )
    return null;
  const box = vertexBoxOf(object.geometry);
  if (box === null) return null;
  // The sphere that three computes is at most as large as the box. A different one was set by hand, for a shader, or
  // belongs to another state of the vertices. three culls by it, so no box may replace it.
  const { min, max } = box;
  const slack = SUM_ERROR32 * sphere.radius;
  const isSameCenter =
    Math.abs((min.x + max.x) / 2 - sphere.center.x) <= slack &&
    Math.abs((min.y + max.y) / 2 - sphere.center.y) <= slack &&
    Math.abs((min.z + max.z) / 2 - sphere.center.z) <= slack;
  return isSameCenter && sphere.radius <= (min.distanceTo(max) / 2) * (1 + SUM_ERROR32) ? box : null;
}

/** Whether any material of a mesh may draw it beyond the box around its vertices, also in shadow maps. */
function materialsRefuseBox({
  material,
  customDepthMaterial,
  customDistanceMaterial,
}: Object3D & { readonly material: Material | Material[] }): boolean {
  return refusesBox(material) || refusesBox(customDepthMaterial) || refusesBox(customDistanceMaterial);
}

/** What the local bounds of a mesh were computed from: its geometry, and whether its materials refuse a box. */
export class MeshVersion {
  private readonly version: GeometryVersion;
  private readonly refusesBox: boolean;

  constructor(mesh: Mesh) {
    this.version = new GeometryVersion(mesh.geometry);
    this.refusesBox = materialsRefuseBox(mesh);
  }

  /** Whether the bounds would be the same now. */
  isOf(mesh: Mesh): boolean {
    const { version, refusesBox } = this;
    return version.geometry === mesh.geometry && version.isCurrent && materialsRefuseBox(mesh) === refusesBox;
  }
}
