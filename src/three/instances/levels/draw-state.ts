/**
 * Copies the container's draw state (materials, shadows, layers, render order) to a view, so that a renderer draws the
 * view as the container.
 */

import { Object3D, type BufferGeometry, type InstancedMesh, type Material, type Mesh } from 'three';
import type { ShaderReads } from './shader-reads.ts';

/** The fields of a container that its views copy. */
export interface DrawSource extends Object3D {
  readonly geometry: BufferGeometry;
  readonly material: Material | Material[];
  readonly sortObjects: boolean;
  readonly drawsInOrder: boolean;
  readonly providesInstanceId: boolean;
  readonly morphTargetInfluences?: number[] | undefined;
}

/** Geometry and materials of a level of detail. */
export interface DrawnLevel extends Mesh {
  readonly reads: ShaderReads;
}

/**
 * `morphTargetInfluences` of a view with a morph texture. The shader reads the texture. WebGPURenderer still needs an
 * array, and fails if it is not empty.
 */
const NO_INFLUENCES: number[] = [];
const CALLBACKS = ['onBeforeRender', 'onAfterRender', 'onBeforeShadow', 'onAfterShadow'] as const;

/** Called for every view in every pass. Cost: about 15 assignments. */
export function copyDrawState(view: InstancedMesh, container: DrawSource, level: DrawnLevel): void {
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
