/** Words of explanations: names, planes of a frustum, matrices that are out of date. */

import {
  Matrix4,
  Sphere,
  Vector3,
  type Box3,
  type BufferGeometry,
  type Frustum,
  type Material,
  type Mesh,
  type Object3D,
  type Plane,
  type Scene,
  type SkinnedMesh,
} from 'three';
import { cullingSphereOf } from '../three/bounds/bounds-of.ts';
import { transformSphere } from '../three/bounds/bounds-math.ts';
import { hasGeometry, hasOwnSphere, isSprite, nameOf } from '../three/bounds/object-kinds.ts';
import { canBeCulled, hasStatelessLod, isCulledByThree, isDrawn, isLod } from '../three/bounds/object-traits.ts';
import { vertexCountOf } from '../three/bounds/vertex-bounds.ts';
import { rendererOf } from '../three/passes/pass-renderer.ts';
import { clippingPlanesOf, materialsOf, type ClippingRenderer } from '../three/picking/clipping.ts';

/** The planes of a frustum in the order of three. */
const PLANES = ['right', 'left', 'bottom', 'top', 'far', 'near'] as const;
/** Objects that a sentence names; of the others it gives the number. */
const MAX_NAMES = 3;

/** Plane as three and the octree have it: what has a negative distance is outside. */
interface PlaneLike {
  readonly normal: { readonly x: number; readonly y: number; readonly z: number };
  readonly constant: number;
}

export function namesOf(objects: readonly (Object3D | string)[]): string {
  const names = objects.slice(0, MAX_NAMES).map((one) => (typeof one === 'string' ? one : nameOf(one)));
  if (objects.length > MAX_NAMES) names.push(`${objects.length - MAX_NAMES} others`);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/**
 * The plane outside of which a box or a sphere lies, in words; null if it touches the inner side of all. What is behind
 * the camera is outside several.
 */
export function planeBeyond(planes: ArrayLike<PlaneLike>, bounds: Box3 | Sphere): string | null {
  const isBeyond = ({ normal: { x, y, z }, constant }: PlaneLike): boolean => {
    if ('radius' in bounds) {
      const { center, radius } = bounds;
      const length = Math.sqrt(x * x + y * y + z * z);
      return x * center.x + y * center.y + z * center.z + constant < -radius * length;
    }
    const { min, max } = bounds;
    const reach = x * (x > 0 ? max : min).x + y * (y > 0 ? max : min).y + z * (z > 0 ? max : min).z;
    return reach + constant < 0;
  };
  const near = planes.length - 1;
  const index = isBeyond(planes[near]) ? near : Array.from(planes).findIndex(isBeyond);
  if (index < 0) return null;
  // Without the far plane of an infinite frustum, the near one takes its place.
  const name = PLANES[planes.length < PLANES.length && index === 4 ? 5 : index];
  return `outside the ${name} plane of the frustum${name === 'near' ? ', behind the camera or too near' : ''}`;
}

/** Why three culls an object by its sphere, in words. */
export function culledByThree(object: Object3D, frusta: readonly Frustum[]): string {
  if (!isCulledByThree(object)) return 'its own intersectsFrustum returns false';
  const local = cullingSphereOf(object);
  if (local === null) return 'its geometry has no vertices';
  transformSphere(local, object.matrixWorld, culledByThree_sphere);
  const plane = planeBeyond(frusta[0].planes, culledByThree_sphere) ?? 'outside the frustum';
  return `its bounding sphere is ${plane}${sphereNote(object)}`;
}
const culledByThree_sphere = /* @__PURE__ */ new Sphere();

/**
 * The first object from the root to an object, whose matrices are not those that three would compute now: it has moved
 * since the last update, or its matrix was written by hand. Null if all are up to date.
 */
export function firstMoved(path: readonly Object3D[]): Object3D | null {
  for (const [k, object] of path.entries()) {
    const { matrix, matrixWorld, matrixAutoUpdate, matrixWorldAutoUpdate, position, quaternion, scale, pivot } =
      object as Object3D & { pivot?: object | null };
    // three computes these in a way that is not known here.
    if (!matrixWorldAutoUpdate || pivot) continue;
    const local = matrixAutoUpdate ? firstMoved_local.compose(position, quaternion, scale) : matrix;
    const expected = k === 0 ? local : firstMoved_world.multiplyMatrices(path[k - 1].matrixWorld, local);
    if (!isSame(expected, matrixWorld)) return object;
  }
  return null;
}
const firstMoved_local = /* @__PURE__ */ new Matrix4();
const firstMoved_world = /* @__PURE__ */ new Matrix4();

/** Object.is, because a NaN has not moved. */
function isSame({ elements }: Matrix4, other: Matrix4): boolean {
  return elements.every((element, k) => element === other.elements[k] || Object.is(element, other.elements[k]));
}

/** Which number of an object is NaN, or infinite, as in "position.y of the Mesh is NaN"; null if none is. */
function numberFault(object: Object3D): string | null {
  for (const field of ['position', 'quaternion', 'scale'] as const) {
    const value = object[field] as unknown as Record<string, number>;
    for (const axis of ['x', 'y', 'z', 'w'])
      if (axis in value && !Number.isFinite(value[axis]))
        return `${field}.${axis} of ${nameOf(object)} is ${value[axis]}`;
  }
  const wrong = object.matrixWorld.elements.find((element) => !Number.isFinite(element));
  if (wrong !== undefined) return `matrixWorld of ${nameOf(object)} holds ${wrong}`;
  if (!hasGeometry(object)) return null;
  const { position } = object.geometry.attributes;
  for (let k = 0; k < (position?.count ?? 0); k++)
    if (!Number.isFinite(position.getX(k) + position.getY(k) + position.getZ(k)))
      return `vertex ${k} of the geometry of ${nameOf(object)} is (${[position.getX(k), position.getY(k), position.getZ(k)].join(', ')})`;
  return null;
}

/** Why an object that is drawn shows nothing, in words; null if it should show something. */
export function invisibleFault(object: Object3D): string | null {
  const wrong = numberFault(object);
  if (wrong !== null) return wrong;
  if (object.matrixWorld.determinant() === 0) return 'its matrixWorld is flat or a point: a scale is 0';
  if (!hasGeometry(object)) return null;
  const { geometry } = object as { geometry: BufferGeometry };
  if (vertexCountOf(geometry) === 0) return 'its geometry has no vertices';
  if (geometry.drawRange.count === 0) return 'the drawRange of its geometry is empty';
  const materials = drawnMaterialsOf(object);
  if (materials.every(({ transparent, opacity }) => transparent && opacity === 0))
    return 'the opacity of its material is 0 (a change of transparent needs material.needsUpdate)';
  if (materials.every(({ colorWrite }) => !colorWrite)) return 'its material writes no colours';
  return null;
}

/** The materials of an object. An array of them may have gaps, for groups that are not drawn. */
export function drawnMaterialsOf(object: Object3D): Material[] {
  return materialsOf(object).filter((material) => (material as Material | null | undefined)?.isMaterial);
}

/** A vertex as it is drawn, in local space. Bones and morph targets move those of a mesh. */
function vertexOf(object: Object3D, { attributes: { position } }: BufferGeometry, k: number): Vector3 {
  const isMesh = 'isMesh' in object && !('isInstancedMesh' in object);
  return isMesh ? (object as Mesh).getVertexPosition(k, new Vector3()) : new Vector3().fromBufferAttribute(position, k);
}

/** What to do about a sphere by which three culls an object, and which does not hold its vertices; '' if it does. */
export function sphereNote(object: Object3D): string {
  const { geometry, isSkinnedMesh } = object as Partial<SkinnedMesh>;
  const sphere = isSkinnedMesh ? (object as SkinnedMesh).boundingSphere : geometry?.boundingSphere;
  if (geometry === undefined || !sphere) return '';
  const reach = sphere.radius * (1 + SPHERE_TOLERANCE);
  for (let k = 0; k < vertexCountOf(geometry); k++)
    if (vertexOf(object, geometry, k).distanceTo(sphere.center) > reach)
      return isSkinnedMesh
        ? ', and its boundingSphere does not hold its vertices: use PoseBounds'
        : ', and its boundingSphere does not hold its vertices: call geometry.computeBoundingSphere() after a change';
  return '';
}
/** Share of the radius, for rounding. */
const SPHERE_TOLERANCE = 1e-5;

/**
 * Whether clipping planes cut away all vertices of an object, and so all triangles.
 *
 * @param world Transforms from the space of the geometry to that of the world.
 */
export function isClippedAway(object: Object3D, mesh: Mesh, world: Matrix4, scene: Object3D): boolean {
  const { geometry } = mesh;
  let places: Vector3[] | null = null;
  const isCut = (plane: Plane): boolean => {
    places ??= Array.from({ length: vertexCountOf(geometry) }, (_, k) =>
      vertexOf(object, geometry, k).applyMatrix4(world),
    );
    return places.every((place) => plane.distanceToPoint(place) < 0);
  };
  return drawnMaterialsOf(mesh).every((one) => {
    const { any, all } = clippingPlanesOf(object, one, clippingRendererOf(scene));
    return any.some(isCut) || (all.length > 0 && all.every(isCut));
  });
}

/** The renderer that has drawn a scene, if it is known. */
export function clippingRendererOf(scene: Object3D): ClippingRenderer | undefined {
  return rendererOf(scene as Scene) as ClippingRenderer | undefined;
}

/** Why three does not cull an object by bounds, in words. */
export function unculledReason(object: Object3D): string {
  let culprit: Object3D = object;
  // The last one: `traverse` cannot be stopped.
  object.traverse((node) => {
    if (!canBeCulled(node)) culprit = node;
  });
  const whose = culprit === object ? 'it' : nameOf(culprit);
  const possessive = culprit === object ? 'its' : `the`;
  if ('isLight' in culprit) return `${whose} is a light`;
  if (isLod(culprit) && !hasStatelessLod(culprit))
    return `${whose} is an LOD with a level that depends on earlier passes`;
  if (hasOwnSphere(culprit) && culprit.boundingSphere === null)
    return `${possessive} boundingSphere${culprit === object ? '' : ` of ${whose}`} is null until its first pass`;
  if (!culprit.frustumCulled && isDrawn(culprit))
    return `frustumCulled${culprit === object ? '' : ` of ${whose}`} is false`;
  if (!canBeCulled(culprit)) return `${whose} must be reached by every pass`;
  const wrong = numberFault(culprit);
  if (wrong !== null) return wrong;
  if (isSprite(culprit)) return 'sizeAttenuation of its material is false';
  if (!isDrawn(culprit)) return 'it draws nothing';
  return 'it has no finite bounds';
}
