/** The mesh that a view draws, and its draw state. */

import { InstancedMesh, Object3D, type BufferGeometry, type Material } from 'three';
import type { DrawSource, LevelMesh } from '../levels/instance-levels.ts';
import type { SlotSource } from '../levels/instance-nodes.ts';

/**
 * `morphTargetInfluences` of a view with a morph texture. The shader reads the texture. WebGPURenderer still needs an
 * array, and fails if it is not empty.
 */
const NO_INFLUENCES: number[] = [];
const CALLBACKS = ['onBeforeRender', 'onAfterRender', 'onBeforeShadow', 'onAfterShadow'] as const;

/** The mesh that a view draws. Nodes of materials read the data of the instances from it, by draw slot. */
export type ViewMesh = InstancedMesh & SlotSource;

/**
 * Creates the mesh of a view. Renderers draw objects at equal depth in the order of `id`, which is the order of their
 * creation. A view is created when a pass first needs it, and again when it grows. So a mesh with an id of its own
 * would be drawn after all objects of the scene, and in an order that changes.
 *
 * @param id That of the container: all its views are drawn in its place.
 */
export function createViewMesh(
  id: number,
  geometry: BufferGeometry,
  material: Material | Material[],
  slotItems: SlotSource['slotItems'],
): ViewMesh {
  const mesh = Object.assign(new InstancedMesh(geometry, material, 0), {
    slotItems,
    frustumCulled: false,
    matrixAutoUpdate: false,
    matrixWorldAutoUpdate: false,
  });
  // three defines `id` so that it cannot be changed. An object derived from the mesh can have another.
  return Object.create(mesh, { id: { value: id } }) as ViewMesh;
}

/**
 * Copies the container's draw state (materials, shadows, layers, render order) to a view, so that a renderer draws the
 * view as the container. Called for every view in every pass. Cost: about 15 assignments.
 */
export function copyDrawState(view: InstancedMesh, container: DrawSource, level: LevelMesh): void {
  view.name = container.name;
  view.userData = container.userData;
  view.material = level.material;
  view.customDepthMaterial = container.customDepthMaterial;
  view.customDistanceMaterial = container.customDistanceMaterial;
  view.morphTargetInfluences = view.morphTexture === null ? container.morphTargetInfluences : NO_INFLUENCES;
  view.castShadow = container.castShadow;
  view.receiveShadow = container.receiveShadow;
  view.renderOrder = container.renderOrder;
  view.matrixWorld = container.matrixWorld;
  // Copies only the mask, because a test of the container's own Layers object arms the container (pass-hook.ts).
  view.layers.mask = container.layers.mask;
  for (let k = 0; k < CALLBACKS.length; k++) copyCallback(view, container, CALLBACKS[k], level.reads.hasIdNodes);
}

/**
 * three's MeshletDrawingPipeline and VisibilityBufferDrawingPipeline draw meshes in batches, but only meshes without
 * callbacks of their own. So a view has own callbacks only if the container has. Exception: in a batch, nodes cannot
 * read the id of an instance. So a view with such nodes always has callbacks, which keep it out of batches.
 */
function copyCallback(
  view: InstancedMesh,
  container: DrawSource,
  name: (typeof CALLBACKS)[number],
  hasIdNodes: boolean,
): void {
  const isSet = hasIdNodes || container[name] !== Object3D.prototype[name];
  if (isSet === (view[name] !== Object3D.prototype[name])) return;
  // Reads the callback of the container when it is called.
  if (isSet) Reflect.set(view, name, (...args: unknown[]) => Reflect.apply(container[name], container, args));
  else Reflect.deleteProperty(view, name);
}
