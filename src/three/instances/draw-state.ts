/** A view is drawn as its container would be, were that a mesh. */

import type { BufferGeometry, InstancedMesh, Material, Mesh, Object3D } from 'three';

/** The part of a container that its views are dressed in. */
export interface Wearer extends Object3D {
  readonly geometry: BufferGeometry;
  readonly material: Material | Material[];
  readonly sortObjects: boolean;
  readonly morphTargetInfluences?: number[] | undefined;
}

/** Brings a view in step with its container and the mesh of its level; costs about as much as one mesh costs a renderer. */
export function dress(view: InstancedMesh, container: Wearer, level: Mesh): void {
  view.name = container.name;
  view.userData = container.userData;
  view.material = level.material;
  view.customDepthMaterial = container.customDepthMaterial;
  view.customDistanceMaterial = container.customDistanceMaterial;
  view.morphTargetInfluences = container.morphTargetInfluences;
  view.castShadow = container.castShadow;
  view.receiveShadow = container.receiveShadow;
  view.renderOrder = container.renderOrder;
  // Not the layers themselves: testing those tells the container that a renderer is coming.
  view.layers.mask = container.layers.mask;
}

/** Once for each view: it is where its container is, and calls the container's callbacks. */
export function bind(view: InstancedMesh, container: Wearer): void {
  view.matrixWorld = container.matrixWorld;
  view.onBeforeRender = (...args) => container.onBeforeRender(...args);
  view.onAfterRender = (...args) => container.onAfterRender(...args);
  view.onBeforeShadow = (...args) => container.onBeforeShadow(...args);
  view.onAfterShadow = (...args) => container.onAfterShadow(...args);
}
