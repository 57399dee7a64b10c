/** Copies the container's draw state (materials, shadows, layers, render order) to a view, so that a renderer draws the view as the container. */

import type { BufferGeometry, InstancedMesh, Material, Mesh, Object3D } from 'three';

/** The fields of a container that its views copy. */
export interface DrawSource extends Object3D {
  readonly geometry: BufferGeometry;
  readonly material: Material | Material[];
  readonly sortObjects: boolean;
  readonly morphTargetInfluences?: number[] | undefined;
}

/** Called for every view in every pass. Cost: about 10 assignments. */
export function copyDrawState(view: InstancedMesh, container: DrawSource, level: Mesh): void {
  view.name = container.name;
  view.userData = container.userData;
  view.material = level.material;
  view.customDepthMaterial = container.customDepthMaterial;
  view.customDistanceMaterial = container.customDistanceMaterial;
  view.morphTargetInfluences = container.morphTargetInfluences;
  view.castShadow = container.castShadow;
  view.receiveShadow = container.receiveShadow;
  view.renderOrder = container.renderOrder;
  // Copies only the mask, because a test of the container's own Layers object arms the container (pass-hook.ts).
  view.layers.mask = container.layers.mask;
}

/** Called once for each view: from then on it shares the container's world matrix and calls the container's callbacks. */
export function bindToContainer(view: InstancedMesh, container: DrawSource): void {
  view.matrixWorld = container.matrixWorld;
  view.onBeforeRender = (...args) => container.onBeforeRender(...args);
  view.onAfterRender = (...args) => container.onAfterRender(...args);
  view.onBeforeShadow = (...args) => container.onBeforeShadow(...args);
  view.onAfterShadow = (...args) => container.onAfterShadow(...args);
}
