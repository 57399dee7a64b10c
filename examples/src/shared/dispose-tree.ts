// Frees the GPU memory of an object and its descendants: geometries, materials and their textures.

import { InstancedMesh, type Material, type Mesh, type Object3D, SkinnedMesh, Texture } from 'three';

export function disposeTree(root: Object3D): void {
  // Each once: meshes share them.
  const materials = new Set<Material>();
  root.traverse((object) => {
    const { geometry, material } = object as Partial<Mesh>;
    geometry?.dispose();
    for (const one of [material ?? []].flat()) materials.add(one);
    if (object instanceof SkinnedMesh) object.skeleton.dispose();
    if (object instanceof InstancedMesh) object.dispose();
  });
  for (const material of materials) {
    for (const texture of texturesOf(material)) {
      texture.dispose();
      if (texture.image instanceof ImageBitmap) texture.image.close();
    }
    material.dispose();
  }
}

export const texturesOf = (material: Material): Texture[] =>
  Object.values(material).filter((value) => value instanceof Texture);
