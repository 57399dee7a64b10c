/** `statisticsOf`: what a pass of a camera or a light sees of a container, and what it leaves out, as numbers. */

import { Layers, type Camera, type Frustum, type InstancedMesh, type Light, type Mesh, type Object3D } from 'three';
import { OctreeInstances } from '../instances/octree-instances.ts';
import { describe, throwType } from '../octree/input/input-checks.ts';
import { OctreeGroup } from '../three/group/octree-group.ts';
import { isDrawn } from '../three/bounds/object-traits.ts';
import { PassHook } from '../three/passes/pass-hook.ts';
import { frustaOf } from '../three/passes/render-pass.ts';
import { isShown } from '../three/picking/pickable.ts';
import { IndexList } from '../tree/storage/index-list.ts';
import { passFrustumOf } from './pass-walk.ts';

/** What `statisticsOf` returns. Objects are members of a group, or instances. */
export interface PassStatistics {
  /** Objects of the container. */
  readonly objects: number;
  /**
   * Objects that the pass draws: in view, or without bounds. Not those that `visible`, their own or that of one above,
   * or the layers of the camera leave out. Of a shadow map also those that cast no shadow.
   */
  readonly visible: number;
  /** Visible objects that the renderer draws on their own. Of instances 0. */
  readonly alone: number;
  /** Visible objects that are drawn by batches; of instances all that are visible. */
  readonly batched: number;
  /** Draw calls of batches; of instances one for each level of detail that is seen. */
  readonly ranges: number;
  /** Objects in the frustum that are left out because of `minScreenSize`. */
  readonly tooSmall: number;
  /** Objects in the frustum that occluders hide. */
  readonly hidden: number;
  /** Nodes of the octree that the query of the frustum visits; of an ArrayCamera the queries of all. */
  readonly nodesVisited: number;
  /** Objects whose bounds it tests. */
  readonly bodiesTested: number;
}

/** A light, most kinds of which have a shadow. */
interface ShadowedLight {
  readonly shadow?: { readonly camera: Camera; getFrustum(): Frustum };
}

/** Tests no layers: only arms the container. */
const ALL_LAYERS = /* @__PURE__ */ new Layers();

/**
 * Counts what a pass of a camera, or the shadow map of a light, sees of a container now: visible, too small, hidden,
 * drawn on their own or by batches, nodes visited. For an overlay, and to find out what a setting does.
 *
 * The matrices must be up to date, as they are after a frame; of a point light the last face of its shadow map counts.
 * It counts as a pass of the camera, without drawing, as `explain` does. Wakes a small group.
 *
 * Cost: up to five frustum queries.
 *
 * @param container The `OctreeGroup` or `OctreeInstances` whose objects are counted.
 * @param view A camera, or a light with a shadow.
 * @throws {TypeError} If the container is not an OctreeGroup or an OctreeInstances, or the view is not a camera or a
 *   light with a shadow.
 * @throws {RangeError} If the shadow map of the light has not been drawn yet.
 *
 * @example
 * ```ts
 * import { statisticsOf } from 'scene-octree/debug-three';
 * import { OctreeGroup } from 'scene-octree/three';
 *
 * const group = new OctreeGroup().addTree(gltf.scene);
 * const { objects, visible, hidden } = statisticsOf(group, camera);
 * canvas.title = `${visible} of ${objects}, ${hidden} behind others`;
 * ```
 */
export function statisticsOf(container: OctreeGroup | OctreeInstances, view: Camera | Light): PassStatistics {
  const where = 'statisticsOf';
  if (!(container instanceof OctreeGroup || container instanceof OctreeInstances))
    throwType(where, 'container', 'be an OctreeGroup or OctreeInstances', container, 'pass what holds the objects');
  const camera = cameraOf(view);
  if (camera === null)
    throw new TypeError(
      `${where}: view must be a Camera or a light with a shadow, but is ${describe(view)}; pass the camera that you render with.`,
    );
  const { bodies, batches, objects } = partsOf(container);
  const { screenSize } = container;
  const { culling } = bodies;
  const { min } = screenSize;
  const isShadow = camera !== view;
  // The frustum of a shadow map is known by its object.
  const frustum = isShadow ? (view as ShadowedLight).shadow!.getFrustum() : passFrustumOf(camera);
  // As three creates it.
  if (isShadow && frustum.planes.every((plane) => plane.equals(frustum.planes[0])))
    throw new RangeError(
      `${where}: view must be a light whose shadow map was drawn; render a frame with shadows first.`,
    );
  const pass = (): Object3D[] => {
    if (container instanceof OctreeInstances) container.bodies.version++;
    return listedBy(container, frustum, isShadow ? null : camera);
  };
  /** Whether the renderer draws an object that the pass gets, or something below it. */
  const isSeen = (object: Object3D): boolean => {
    let isAnySeen = false;
    if (isShown(container) && isShown(object))
      object.traverseVisible((each) => {
        isAnySeen ||= isDrawn(each) && (isShadow || each.layers.test(camera.layers));
      });
    return isAnySeen;
  };
  const count = (): number => countOf(container, pass().filter(isSeen));
  let inFrustum: number;
  let large: number;
  let visible: number;
  const drawing = batches?.drawing ?? null;
  try {
    if (batches !== null) batches.drawing = null;
    visible = count();
    bodies.culling = undefined;
    large = culling === undefined ? visible : count();
    screenSize.min = 0;
    inFrustum = min === 0 ? large : count();
  } finally {
    bodies.culling = culling;
    screenSize.min = min;
    if (batches !== null) batches.drawing = drawing;
  }
  const listed = pass().filter(isSeen);
  const isInstanced = container instanceof OctreeInstances;
  const alone = isInstanced ? 0 : listed.filter(({ parent }) => parent !== null).length;
  let [nodesVisited, bodiesTested] = [0, 0];
  for (const one of frustaOf(frustum)) {
    const stats = { nodesVisited: 0, nodesContained: 0, bodiesTested: 0, bodiesReported: 0 };
    bodies.octree.collectFrustum(bodies.space.frustumOf(one), new IndexList(), { stats });
    nodesVisited += stats.nodesVisited;
    bodiesTested += stats.bodiesTested;
  }
  return {
    objects,
    visible,
    alone,
    batched: visible - alone,
    ranges: isInstanced ? listed.length : rangesIn(listed),
    tooSmall: inFrustum - large,
    hidden: large - visible,
    nodesVisited,
    bodiesTested,
  };
}

/** What the statistics read of both containers. */
function partsOf(container: OctreeGroup | OctreeInstances) {
  if (container instanceof OctreeInstances)
    return { bodies: container.bodies, batches: null, objects: container.store.visibleIds().length };
  const { groupChildren } = container;
  return { bodies: groupChildren.bodies, batches: groupChildren.bodies, objects: groupChildren.allMembers.length };
}

/** The objects that a container hands out in a pass. Makes the calls of a renderer. */
function listedBy(container: Object3D, frustum: Frustum, camera: Camera | null): Object3D[] {
  container.layers.test(ALL_LAYERS);
  const hook = container.children.find((child) => child instanceof PassHook);
  if (hook === undefined) return [];
  if (camera !== null) hook.probe.update(camera);
  hook.intersectsFrustum(frustum);
  return hook.children;
}

/** The camera of a view: of a light that of its shadow map; null if it has none. */
function cameraOf(view: Camera | Light | null): Camera | null {
  if (typeof view !== 'object' || view === null) return null;
  return 'isCamera' in view ? view : ((view as ShadowedLight).shadow?.camera ?? null);
}

/** How many objects, or instances, a pass draws without batches. */
function countOf(container: OctreeGroup | OctreeInstances, listed: readonly Object3D[]): number {
  if (container instanceof OctreeGroup) return listed.length;
  return (listed as InstancedMesh[]).reduce((sum, { count }) => sum + count, 0);
}

/** The draw calls of the meshes of batches, which have no parent. */
function rangesIn(listed: readonly Object3D[]): number {
  const meshes = listed.filter(({ parent }) => parent === null) as Mesh[];
  return meshes.reduce((sum, mesh) => sum + ('isInstancedMesh' in mesh ? 1 : mesh.geometry.groups.length), 0);
}
