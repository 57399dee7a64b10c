/**
 * Which `raycast` methods hit an object only within its bounds. A ray calls such a method only if it hits the bounds.
 * Every ray calls any other method.
 */

import { LOD, Mesh, Object3D, Sprite } from 'three';

type Raycast = Object3D['raycast'];

interface HasRaycast {
  /** Null, as react-three-fiber allows: no hits. */
  readonly raycast: Raycast | null;
}

/**
 * Methods of yours or of other libraries that hit an object only within the bounds of its geometry, as `Mesh.raycast`
 * does: `boundedRaycasts.add(MyMesh.prototype.raycast)`. Rays through an OctreeGroup then test objects with this method
 * only where the octree finds them. Without it they are tested by every ray, because a method may hit anything. Add a
 * method before the objects that have it. Known without it: the methods of three, and `acceleratedRaycast` of
 * three-mesh-bvh; the bounding sphere of the geometry must then contain its vertices.
 *
 * @example
 * ```ts
 * import { Mesh, type Intersection, type Raycaster } from 'three';
 * import { boundedRaycasts } from 'scene-octree/three';
 *
 * class Gate extends Mesh {
 *   override raycast(raycaster: Raycaster, hits: Intersection[]): void {
 *     if (this.userData.isOpen !== true) super.raycast(raycaster, hits);
 *   }
 * }
 * boundedRaycasts.add(Gate.prototype.raycast); // before the first Gate is added to a group
 * ```
 */
export const boundedRaycasts: WeakSet<Object3D['raycast']> = /* @__PURE__ */ new WeakSet();

/** By method whose source text was tested: whether it is that of three-mesh-bvh. */
const accelerated = /* @__PURE__ */ new WeakMap<Raycast, boolean>();

/** Whether the `raycast` of a drawn object hits it only within the bounds of its geometry. */
export function isBoundedRaycast(object: HasRaycast): boolean {
  const { raycast } = object;
  return (
    raycast === null ||
    raycast === Mesh.prototype.raycast ||
    raycast === Sprite.prototype.raycast ||
    boundedRaycasts.has(raycast) ||
    ('isMesh' in object && isAcceleratedRaycast(raycast))
  );
}

/** Whether the `raycast` of an object that is not drawn hits nothing, or only its descendants. */
export function isEmptyRaycast({ raycast }: HasRaycast): boolean {
  return raycast === null || raycast === Object3D.prototype.raycast || raycast === LOD.prototype.raycast;
}

/**
 * Whether a method is `acceleratedRaycast` of three-mesh-bvh, for a Mesh. Known by its name; where a bundler has
 * shortened that, by its text: it calls another method for a BatchedMesh than for other objects. An import would add
 * that package to every bundle.
 */
function isAcceleratedRaycast(raycast: Raycast): boolean {
  if (raycast.name === 'acceleratedRaycast') return true;
  let isKnown = accelerated.get(raycast);
  if (isKnown === undefined) {
    const text = Function.prototype.toString.call(raycast);
    isKnown = /this\.isBatchedMesh\b[^]*\.call\(\s*this\b[^]*\.call\(\s*this\b/.test(text);
    accelerated.set(raycast, isKnown);
  }
  return isKnown;
}
