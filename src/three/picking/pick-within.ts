/** `pickWithin`: all objects under a rectangle on the screen. */

import type { Box3, Camera, Frustum, Object3D, Plane, Sphere, Vector2 } from 'three';
import { Octree } from '../../three-math/octree.ts';
import { requireBoolean } from '../../octree/input/input-checks.ts';
import { requireOptions, type KnownOptions } from '../../octree/input/known-options.ts';
import { boundsUnder, ObjectBounds } from '../bounds/bounds-of.ts';
import { isInRange } from '../bounds/bounds-math.ts';
import { nameOf } from '../bounds/object-kinds.ts';
import { isValidFrustum, isValidPlane } from '../passes/render-pass.ts';
import { clippingPlanesOf, materialsOf, requireRenderer } from './clipping.ts';
import type { ClippingPlanes, ClippingRenderer } from './clipping.ts';
import { isShown, requirePickArguments, type Pickable, type PickableOctree } from './pickable.ts';
import { ElementImage } from './element-image.ts';
import {
  halfPlanesOf,
  requirePointer,
  selectionPlanes,
  type ElementLike,
  type HalfPlane,
  type PointerLike,
} from './screen.ts';

/** The options of `pickWithin`. */
export interface PickWithinOptions {
  /**
   * True: only objects whose bounds lie entirely in the rectangle and between near and far. False: all that touch it.
   * Default false.
   */
  readonly inside?: boolean;
  /** Whether hidden objects can be picked. Default false. */
  readonly includesHidden?: boolean;
  /**
   * The renderer that draws the element: objects whose part in the rectangle its clipping planes cut away are left out.
   * Without it those of the `clippingPlanes` of materials and of ClippingGroups are.
   */
  readonly renderer?: ClippingRenderer;
}

/** One result of `pickWithin`. */
export interface PickedObject {
  /** The object; the container, if it is an OctreeInstances. */
  readonly object: Object3D;
  /** Id of the instance, if the container is an OctreeInstances. */
  readonly instanceId?: number;
}

/** The volume in front of the camera under the rectangle. */
type Volume = Pick<Frustum, 'planes'>;

const PICK_WITHIN_OPTIONS: KnownOptions<PickWithinOptions> = ['inside', 'includesHidden', 'renderer'];

/**
 * All objects of a container whose bounds touch the part of the camera's frustum under a rectangle, including those
 * behind other objects. Objects that share no layer with the camera are left out. Descendants count as objects of their
 * own. What has instances, also an OctreeInstances, counts as one object in a group.
 *
 * An object is left out if clipping planes cut away all of its bounds in the rectangle. `inside` asks for the bounds as
 * they are without clipping.
 *
 * The result equals a loop over all objects, in the order of the octree. The matrices must be up to date, as they are
 * after a frame. Cost: a frustum query of the octree, and a test of every object below a body with children or outside
 * the octree. One more query for each set of clipping planes among the materials of the results.
 *
 * @param from One corner of the rectangle; `to` is the opposite corner. Equal corners pick at a point. Only the part
 *   inside the element counts.
 * @param to The opposite corner.
 * @param camera A PerspectiveCamera or an OrthographicCamera, or another camera with a projection matrix.
 * @param element The canvas, or another element that shows the whole image of the camera.
 * @param container The `OctreeGroup` or `OctreeInstances` that is searched.
 * @param options `inside`, and others: see `PickWithinOptions`.
 * @throws {TypeError} If the container is not an OctreeGroup or an OctreeInstances, or another argument is of the wrong
 *   type, or an option is unknown.
 * @throws {RangeError} If the position of a corner is not finite, or a matrix of the camera holds a NaN.
 *
 * @example
 * ```ts
 * import { OctreeGroup, pickWithin } from 'scene-octree/three';
 *
 * const group = new OctreeGroup();
 * let start: PointerEvent | null = null;
 * canvas.addEventListener('pointerdown', (event) => (start = event));
 * canvas.addEventListener('pointerup', (end) => {
 *   if (start === null) return;
 *   for (const { object } of pickWithin(start, end, camera, canvas, group, { inside: true })) console.log(object.name);
 * });
 * ```
 */
export function pickWithin(
  from: PointerLike,
  to: PointerLike,
  camera: Camera,
  element: ElementLike,
  container: Pickable,
  options: PickWithinOptions = {},
): PickedObject[] {
  requirePickArguments('pickWithin', camera, ['Camera'], element, container);
  requireOptions('pickWithin', options, PICK_WITHIN_OPTIONS);
  const { inside = false, includesHidden = false, renderer } = options;
  requireBoolean('pickWithin', 'options.inside', inside);
  requireBoolean('pickWithin', 'options.includesHidden', includesHidden);
  requireRenderer('pickWithin', renderer);
  requirePointer('pickWithin', 'from', from);
  requirePointer('pickWithin', 'to', to);
  const halfPlanes = halfPlanesUnder(from, to, new ElementImage(element));
  if (halfPlanes === null) return [];
  const frustum = { planes: selectionPlanes(halfPlanes, camera) };
  if (!isValidFrustum(frustum))
    throw new RangeError(
      `pickWithin: the matrices of camera must not hold NaN, but those of ${nameOf(camera)} do; check its position, fov, near and far.`,
    );
  const picked = objectsWithin(frustum, inside, container, renderer);
  // By the masks: `test` of the layers of a container arms it (see pass-hook.ts).
  const { mask } = camera.layers;
  return picked.filter(({ object }) => (object.layers.mask & mask) !== 0 && (includesHidden || isShown(object)));
}

/**
 * The part of an image under a rectangle in the window, and in the element. Null if it is empty, which may not be found
 * in an element that is turned.
 */
function halfPlanesUnder(from: PointerLike, to: PointerLike, image: ElementImage): HalfPlane[] | null {
  const a = image.coordinatesOf(from);
  const b = image.coordinatesOf(to);
  if (!image.isTurned) {
    const left = Math.max(image.left, Math.min(a.x, b.x));
    const right = Math.min(image.right, Math.max(a.x, b.x));
    const bottom = Math.max(image.bottom, Math.min(a.y, b.y));
    const top = Math.min(image.top, Math.max(a.y, b.y));
    // Negated, because an element without a size gives NaN or infinity.
    return left <= right && bottom <= top ? halfPlanesOf({ left, right, bottom, top }) : null;
  }
  // The steps in the image of a pixel to the right, and of one down.
  const x = image.coordinatesOf({ clientX: from.clientX + 1, clientY: from.clientY }).sub(a);
  const y = image.coordinatesOf({ clientX: from.clientX, clientY: from.clientY + 1 }).sub(a);
  const area = x.cross(y);
  return [
    ...halfPlanesBetween(a, b, y.y / area, -y.x / area),
    ...halfPlanesBetween(a, b, -x.y / area, x.x / area),
  ].concat(halfPlanesOf(image));
}

/** The strip between two points, in the direction in which `x * X + y * Y` does not change. */
function halfPlanesBetween(a: Vector2, b: Vector2, x: number, y: number): HalfPlane[] {
  const ends = [x * a.x + y * a.y, x * b.x + y * b.y];
  return [
    { x, y, constant: -Math.min(...ends) },
    { x: -x, y: -y, constant: Math.max(...ends) },
  ];
}

function objectsWithin(
  frustum: Volume,
  containedOnly: boolean,
  container: Pickable,
  renderer: ClippingRenderer | undefined,
): PickedObject[] {
  const picked: PickedObject[] = [];
  const compounds: Object3D[] = [];
  const pickIn = (octree: PickableOctree, hasCompounds: boolean): void => {
    const remains = remainderTest(octree, frustum, renderer);
    for (const { body, inside } of octree.intersectFrustum(frustum, { exact: true })) {
      const { data } = body;
      const object = typeof data === 'number' ? container : data;
      if (hasCompounds && object === data && object.children.length > 0) compounds.push(object);
      else if ((inside || !containedOnly) && remains(body, object))
        picked.push(typeof data === 'number' ? { object, instanceId: data } : { object });
    }
  };
  const { octree, unculled = [] } = container;
  pickIn(octree, true);
  // The bounds of a compound contain all its descendants. These, and the objects outside the octree, are tested one by
  // one in a small octree.
  const rest = new Octree<Object3D>();
  const insert = (object: Object3D): void => {
    const bounds: Box3 | Sphere | null = boundsUnder(object.matrixWorld, object, objectsWithin_bounds);
    if (bounds === null) return;
    if (isInRange(bounds)) rest.insert(bounds, object);
    else if (isWithin(objectsWithin_bounds.sphere, frustum, containedOnly)) picked.push({ object });
  };
  for (const root of [...compounds, ...unculled]) root.traverse(insert);
  pickIn(rest, false);
  return picked;
}

const objectsWithin_bounds = /* @__PURE__ */ new ObjectBounds();

/**
 * Whether a sphere beyond the limit of an octree touches the frustum, or lies in it. False if it holds a NaN: such an
 * object is not drawn.
 */
function isWithin({ center, radius }: Sphere, { planes }: Volume, containedOnly: boolean): boolean {
  if (Number.isNaN(center.x + center.y + center.z + radius)) return false;
  const minDistance = containedOnly ? radius : -radius;
  // Negated, because the far plane of an infinite frustum holds NaN and excludes nothing.
  return planes.every((plane) => !(plane.distanceToPoint(center) < minDistance));
}

/**
 * A test whether clipping planes leave something of a body of an octree in a frustum, by the planes of any material of
 * its object.
 */
function remainderTest(
  octree: PickableOctree,
  frustum: Volume,
  renderer: ClippingRenderer | undefined,
): (body: object, object: Object3D) => boolean {
  /** The results of the queries so far, by the planes of each. */
  const queries: { readonly planes: ClippingPlanes; readonly bodies: ReadonlySet<object> }[] = [];
  const isLeft = (body: object, planes: ClippingPlanes): boolean => {
    if (planes.any.length + planes.all.length === 0) return true;
    let query = queries.find(({ planes: { any, all } }) => areEqual(planes.any, any) && areEqual(planes.all, all));
    if (query === undefined) queries.push((query = { planes, bodies: bodiesBefore(octree, frustum, planes) }));
    return query.bodies.has(body);
  };
  return (body, object) => {
    const materials = materialsOf(object);
    return (
      materials.length === 0 || materials.some((material) => isLeft(body, clippingPlanesOf(object, material, renderer)))
    );
  };
}

/**
 * The bodies of which something is left in a frustum. A point is if it is behind no plane of `any`, and in front of
 * some plane of `all`. A plane with NaN cuts nothing away.
 */
function bodiesBefore(octree: PickableOctree, frustum: Volume, { any, all }: ClippingPlanes): Set<object> {
  const bodies = new Set<object>();
  for (const front of all.length === 0 ? [[]] : all.map((plane) => [plane])) {
    const planes = [...frustum.planes, ...any, ...front].filter(isValidPlane);
    for (const { body } of octree.intersectFrustum({ planes }, { exact: true })) bodies.add(body);
  }
  return bodies;
}

function areEqual(planes: readonly Plane[], others: readonly Plane[]): boolean {
  return planes.length === others.length && planes.every((plane, k) => plane === others[k]);
}
