// Draws meshes of the fair again in a colour over them.

import { type ColorRepresentation, Group, Mesh, MeshBasicMaterial, type Object3D } from 'three';

export class Overlays {
  readonly object = new Group();
  private readonly material: MeshBasicMaterial;

  constructor(color: ColorRepresentation, opacity: number) {
    this.material = new MeshBasicMaterial({
      color,
      opacity,
      transparent: true,
      depthWrite: false,
      fog: false,
      polygonOffset: true,
      polygonOffsetFactor: -2,
      polygonOffsetUnits: -2,
    });
    this.object.matrixAutoUpdate = false;
  }

  /** Other objects have none any more. */
  set(objects: readonly Object3D[]): void {
    this.object.clear();
    for (const source of objects) {
      if (!(source instanceof Mesh)) continue;
      const mesh = new Mesh((source as Mesh).geometry, this.material);
      mesh.matrixAutoUpdate = mesh.matrixWorldAutoUpdate = false;
      mesh.userData.source = source;
      this.object.add(mesh);
    }
    this.follow();
  }

  /** Moves them with the meshes. */
  follow(): void {
    for (const mesh of this.object.children) mesh.matrixWorld.copy((mesh.userData.source as Object3D).matrixWorld);
  }
}
