/**
 * The bounds of an object's own geometry in world space: the box around its transformed box or the sphere that three culls by,
 * whichever has the smaller volume. Descendants do not count.
 */

import { Box3, Sphere, Vector3, type BufferGeometry, type Material, type Matrix4, type Object3D, type Sprite } from 'three';
import { COORDINATE_LIMIT } from '../../math/integer-cube.ts';
import { describe } from '../../scene/input-checks.ts';
import { vertexBoxOf, vertexCountOf } from './vertex-box.ts';
import { displacesVertices } from './vertex-displacement.ts';

/** A sphere of three around a box has at most half its diagonal as radius, but for rounding. */
const ROUNDING = 1 + 1e-6;
/** Half the diagonal of the unit square that a sprite is. */
const SPRITE_RADIUS = Math.SQRT1_2;

/** Lends `boundsOf` the box or the sphere that it answers with. */
export class ObjectBounds {
  readonly box: Box3 = new Box3();
  readonly sphere: Sphere = new Sphere();
}

/**
 * World bounds of an object, ready for `octree.insert` and `body.setBox` or `setSphere`.
 *
 * - Any matrix will do: mirrored, zero and sheared ones too.
 * - Points, lines and sprites are drawn wider than their vertices, and some shaders move vertices: they get the sphere that three
 *   culls them by. So does a geometry whose `boundingSphere` was set by hand.
 * - Skinned meshes, instanced and batched ones: the sphere three culls them by, that of the pose or the instances it was computed
 *   for; call their `computeBoundingSphere` after a change, as three asks for as well. Morph targets: a sphere around all of them.
 * - Changed vertices are noticed by the `needsUpdate` of the position attribute; `geometry.boundingSphere` stays the caller's care.
 *
 * @param target Lends its box and its sphere; leave it out for fresh ones.
 * @returns The box or the sphere; null if there is nothing to cull by: no geometry, no vertices, an infinite sphere, a sprite of fixed size on the screen.
 * @throws {TypeError} If it is no object of three.
 * @throws {RangeError} If the matrix or the geometry holds a NaN, or the bounds reach beyond 2^50.
 */
export function boundsOf(object: Object3D, target: ObjectBounds = new ObjectBounds()): Box3 | Sphere | null {
  if (!isObject3D(object)) throw new TypeError(`boundsOf: object must be an Object3D, but is ${describe(object)}; pass a Mesh, or whatever else is drawn.`);
  if (!(target?.box instanceof Box3 && target.sphere instanceof Sphere)) throw new TypeError(`boundsOf: target must be an ObjectBounds, but is ${describe(target)}; leave it out if unsure.`);
  object.updateWorldMatrix(true, false);
  return boundsUnder(object.matrixWorld, object, target);
}

/** As `boundsOf`, in the space that a matrix leads to. */
export function boundsUnder(matrix: Matrix4, object: Object3D, target: ObjectBounds): Box3 | Sphere | null {
  const local = cullingSphereOf(object);
  if (local === null || local.radius < 0 || local.radius === Infinity) return null;
  const { box, sphere } = target;
  transformSphere(local, matrix, sphere);
  const { center, radius } = sphere;
  // One test for all numbers: NaN and infinity fail every comparison.
  const reach = Math.max(Math.abs(center.x), Math.abs(center.y), Math.abs(center.z)) + radius;
  if (!(reach <= COORDINATE_LIMIT)) blame(object, reach);
  const localBox = cullingBoxOf(object, local);
  if (localBox === null) return sphere;
  transformBox(localBox, matrix, box);
  const { min, max } = box;
  const boxVolume = (max.x - min.x) * (max.y - min.y) * (max.z - min.z);
  return boxVolume <= ((4 * Math.PI) / 3) * radius * radius * radius ? box : sphere;
}

/** The sphere, in the object's own space, that three itself culls the object by; null if it has none. */
export function cullingSphereOf(object: Object3D): Sphere | null {
  if (isSprite(object)) {
    if (!object.material.sizeAttenuation) return null;
    spriteSphere.radius = SPRITE_RADIUS + object.center.distanceTo({ x: 0.5, y: 0.5 });
    return spriteSphere;
  }
  if (hasOwnSphere(object)) {
    if (object.boundingSphere === null) object.computeBoundingSphere();
    return object.boundingSphere;
  }
  if (!hasGeometry(object) || vertexCountOf(object.geometry) === 0) return null;
  const { geometry } = object;
  if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
  return geometry.boundingSphere;
}
const spriteSphere = /* @__PURE__ */ new Sphere(/* @__PURE__ */ new Vector3(), SPRITE_RADIUS);

/** The box around an object's vertices, in its own space; null if what is drawn may reach out of it. */
export function cullingBoxOf(object: Object3D, sphere: Sphere): Box3 | null {
  if (!('isMesh' in object) || !hasGeometry(object) || hasOwnSphere(object) || object.geometry.morphAttributes.position !== undefined) return null;
  if ([object.material, object.customDepthMaterial, object.customDistanceMaterial].some(displacesVertices)) return null;
  const box = vertexBoxOf(object.geometry);
  if (box === null) return null;
  // A sphere that is not that of the box was set by hand, for a shader that three knows nothing of, or is newer than the vertices.
  const { min, max } = box;
  const slack = (ROUNDING - 1) * sphere.radius;
  const isAbout =
    Math.abs((min.x + max.x) / 2 - sphere.center.x) <= slack &&
    Math.abs((min.y + max.y) / 2 - sphere.center.y) <= slack &&
    Math.abs((min.z + max.z) / 2 - sphere.center.z) <= slack;
  return isAbout && sphere.radius <= (min.distanceTo(max) / 2) * ROUNDING ? box : null;
}

/**
 * Moves a sphere and scales it by what the matrix can stretch at most. The square of that is the largest eigenvalue of A^T A, and no
 * eigenvalue exceeds the largest sum of magnitudes in a row (Gershgorin). Without shear A^T A is diagonal, and the bound is exact.
 */
export function transformSphere(from: Sphere, matrix: Matrix4, target: Sphere): void {
  const { elements } = matrix;
  const ax = elements[0];
  const ay = elements[1];
  const az = elements[2];
  const bx = elements[4];
  const by = elements[5];
  const bz = elements[6];
  const cx = elements[8];
  const cy = elements[9];
  const cz = elements[10];
  const ab = Math.abs(ax * bx + ay * by + az * bz);
  const bc = Math.abs(bx * cx + by * cy + bz * cz);
  const ca = Math.abs(cx * ax + cy * ay + cz * az);
  const aa = ax * ax + ay * ay + az * az;
  const bb = bx * bx + by * by + bz * bz;
  const cc = cx * cx + cy * cy + cz * cz;
  target.center.copy(from.center).applyMatrix4(matrix);
  target.radius = from.radius * Math.sqrt(Math.max(aa + ab + ca, bb + ab + bc, cc + bc + ca));
}

/**
 * The box around the eight transformed corners: along each axis the least and the greatest of what each edge adds.
 *
 * Source: Arvo, "Transforming Axis-Aligned Bounding Boxes", Graphics Gems, 1990.
 */
function transformBox(from: Box3, matrix: Matrix4, target: Box3): void {
  const { elements } = matrix;
  for (let axis = 0; axis < 3; axis++) {
    let low = elements[12 + axis];
    let high = low;
    for (let edge = 0; edge < 3; edge++) {
      const a = elements[4 * edge + axis] * from.min.getComponent(edge);
      const b = elements[4 * edge + axis] * from.max.getComponent(edge);
      low += Math.min(a, b);
      high += Math.max(a, b);
    }
    target.min.setComponent(axis, low);
    target.max.setComponent(axis, high);
  }
}

function blame(object: Object3D, reach: number): never {
  const isMatrixFine = object.matrixWorld.elements.every((element) => Math.abs(element) <= COORDINATE_LIMIT);
  const culprit = isMatrixFine ? 'geometry' : 'matrixWorld';
  const remedy = isMatrixFine ? 'check its vertices and its boundingSphere' : 'check its position, rotation and scale, and those of its parents';
  throw new RangeError(`boundsOf: the ${culprit} of ${nameOf(object)} must lead to bounds within +-2^50, but they reach ${reach}; ${remedy}.`);
}

/** How sentences name an object. */
export function nameOf(object: Object3D): string {
  return object.name === '' ? `the ${object.type} with id ${object.id}` : `the ${object.type} "${object.name}"`;
}

/** How sentences name what should be an object of three. */
export function describeObject(value: unknown): string {
  return isObject3D(value) ? nameOf(value) : describe(value);
}

function isObject3D(value: unknown): value is Object3D {
  return typeof value === 'object' && value !== null && 'isObject3D' in value;
}

export function hasGeometry(object: Object3D): object is Object3D & { geometry: BufferGeometry; material: Material | Material[] } {
  return 'geometry' in object && ('isMesh' in object || 'isLine' in object || 'isPoints' in object);
}

export function isSprite(object: Object3D): object is Sprite {
  return 'isSprite' in object;
}

/** Whether three culls the object by a sphere that it keeps itself, for its pose or all of its instances. */
export function hasOwnSphere(object: Object3D): object is Object3D & { boundingSphere: Sphere | null; computeBoundingSphere(): void } {
  return 'boundingSphere' in object && object.boundingSphere !== undefined;
}
