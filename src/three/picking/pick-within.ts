/** What is under a rectangle on the screen. */

import type { Box3, Camera, Frustum, Object3D, Sphere } from 'three';
import { Octree } from '../../scene/octree.ts';
import { boundsUnder, nameOf, ObjectBounds } from '../bounds/bounds-of.ts';
import { isValidFrustum } from '../passes/frusta.ts';
import { requireCamera, requireContainer, requireElement, requireOptions } from './pick-checks.ts';
import { isShown, type Pickable } from './pickable.ts';
import { deviceCoordinatesOf, type ElementLike, type PointerLike } from './pointer.ts';
import { selectionFrustum } from './selection-frustum.ts';

export interface PickWithinOptions {
  /** Only what lies wholly within the rectangle and between near and far; else whatever touches it. Default false. */
  readonly inside?: boolean;
  /** Whether hidden objects can be picked. Default false. */
  readonly includesHidden?: boolean;
}

export interface PickedObject {
  readonly object: Object3D;
  /** Number of the instance, if the object draws many that are picked one by one. */
  readonly instanceId?: number;
}

/**
 * All objects of a container whose bounds touch the volume under a rectangle, on the layers that the camera sees, whether something is
 * in front of them or not. Descendants count as objects of their own; an InstancedMesh or BatchedMesh in a group counts as one.
 *
 * The answer is that of a loop over all objects, in the order of the octree. Matrices are those of the last frame. Cost: a frustum
 * query of the octree, and a test of each descendant of what the octree cannot hold.
 *
 * @param from One corner of the rectangle, `to` the opposite one; both at one place make a point. What sticks out of the element is cut off.
 * @param camera A PerspectiveCamera or an OrthographicCamera, or any other with a projection matrix.
 * @throws {TypeError} If the container is none whose octree can be asked, or another argument is not what it should be.
 * @throws {RangeError} If the place of a corner is not finite, or a matrix of the camera holds a NaN.
 */
export function pickWithin(
  from: PointerLike,
  to: PointerLike,
  camera: Camera,
  element: ElementLike,
  container: Pickable,
  options: PickWithinOptions = {},
): PickedObject[] {
  requireCamera('pickWithin', camera);
  requireElement('pickWithin', element);
  requireContainer('pickWithin', container);
  requireOptions('pickWithin', options, ['inside', 'includesHidden']);
  const { inside = false, includesHidden = false } = options;
  const a = deviceCoordinatesOf('pickWithin', 'from', from, element);
  const b = deviceCoordinatesOf('pickWithin', 'to', to, element);
  const [left, right] = [Math.max(-1, Math.min(a.x, b.x)), Math.min(1, Math.max(a.x, b.x))];
  const [bottom, top] = [Math.max(-1, Math.min(a.y, b.y)), Math.min(1, Math.max(a.y, b.y))];
  // An element without a size makes these NaN or infinite.
  if (!(left <= right && bottom <= top)) return [];
  const volume = selectionFrustum({ left, right, bottom, top }, camera);
  if (!isValidFrustum(volume)) throw new RangeError(`pickWithin: camera must have matrices without NaN, but ${nameOf(camera)} has not; check its position, fov, near and far.`);
  const picked = objectsWithin(volume, inside, container);
  return picked.filter(({ object }) => object.layers.test(camera.layers) && (includesHidden || isShown(object)));
}

function objectsWithin(volume: Frustum, isInside: boolean, container: Pickable): PickedObject[] {
  const picked: PickedObject[] = [];
  const compounds: Object3D[] = [];
  const { octree, unbounded = [] } = container;
  for (const { body, inside } of octree.intersectFrustum(volume, { exact: true })) {
    const { data } = body;
    if (typeof data !== 'number' && data.children.length > 0) compounds.push(data);
    else if (isInside && !inside) continue;
    else if (typeof data === 'number') picked.push({ object: container, instanceId: data });
    else picked.push({ object: data });
  }
  // The same question to a small octree of what they consist of, and of the rest.
  const rest = new Octree<Object3D>();
  for (const root of [...compounds, ...unbounded]) root.traverse((object) => enlist(object, rest));
  for (const { body, inside } of rest.intersectFrustum(volume, { exact: true })) if (inside || !isInside) picked.push({ object: body.data });
  return picked;
}

function enlist(object: Object3D, octree: Octree<Object3D>): void {
  const bounds: Box3 | Sphere | null = boundsUnder(object.matrixWorld, object, enlist_bounds);
  if (bounds !== null) octree.insert(bounds, object);
}
const enlist_bounds = /* @__PURE__ */ new ObjectBounds();
