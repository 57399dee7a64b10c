// Containers through the formats of three, by the lines of the guide Saving: ObjectLoader, and GLTF as a binary file.

import {
  BoxGeometry,
  Color,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  ObjectLoader,
  Scene,
  type Object3D,
} from 'three';
import { GLTFExporter } from 'three/addons/exporters/GLTFExporter.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { OctreeGroup, OctreeInstances } from '../../src/three.ts';

afterEach(() => void vi.unstubAllGlobals());

/** The exporter reads blobs by it. */
class BlobReader {
  result: ArrayBuffer | null = null;
  onloadend: () => void = () => {};

  readAsArrayBuffer(blob: Blob): void {
    void blob.arrayBuffer().then((buffer) => {
      this.result = buffer;
      this.onloadend();
    });
  }
}

async function throughGltf(object: Object3D): Promise<Object3D> {
  vi.stubGlobal('FileReader', BlobReader);
  vi.stubGlobal('self', globalThis);
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const file = await new GLTFExporter().parseAsync(new Scene().add(object.clone()), { binary: true });
  const { scene } = await new GLTFLoader().parseAsync(file as ArrayBuffer, '');
  return scene.children[0];
}
const throughJson = (object: Object3D): Promise<Object3D> =>
  Promise.resolve(new ObjectLoader().parse(JSON.parse(JSON.stringify(object.toJSON())) as object));

/** As in the guide. */
function restore(loaded: Object3D): OctreeGroup {
  const { options, minScreenSize } = loaded.userData.octree as { options: object; minScreenSize: number };
  const group = Object.assign(new OctreeGroup(options), {
    name: loaded.name,
    userData: loaded.userData,
    minScreenSize,
  });
  for (const child of loaded.children.slice()) group.addTree(child, { isStatic: child.userData.isStatic as boolean });
  return group;
}

describe.each([
  ['ObjectLoader', throughJson],
  ['GLTF', throughGltf],
])('%s', (_, through) => {
  it('keeps the children of a group, and by userData what is static and the options', async () => {
    const options = { leafCapacity: 32 };
    const group = new OctreeGroup(options);
    const boxes = Array.from({ length: 60 }, (__, k) => {
      const mesh = new Mesh(new BoxGeometry(1, 1 + k / 8, 1), new MeshStandardMaterial());
      mesh.position.set(2 * k, 0, 0.25);
      mesh.name = `box_${k}`;
      return mesh;
    });
    group.add(...boxes);
    for (const mesh of boxes.slice(0, 20)) group.setStatic(mesh);
    group.minScreenSize = 0.25;
    group.name = 'city';
    group.updateMatrixWorld();
    group.userData.octree = { options, minScreenSize: group.minScreenSize };
    for (const child of group.children) child.userData.isStatic = group.isStatic(child);
    const again = restore(await through(group));
    again.updateMatrixWorld();
    expect([again.name, again.minScreenSize, again.octree.size]).toEqual(['city', 0.25, 60]);
    for (const [k, child] of again.children.entries()) {
      expect([child.name, again.isStatic(child)]).toEqual([boxes[k].name, k < 20]);
      expect(again.bodyOf(child)!.getBox()).toEqual(group.bodyOf(boxes[k])!.getBox());
    }
    // Saved again, it is no group deeper.
    expect(again.children.every(({ parent }) => parent === again)).toBe(true);
  });

  it('keeps instances as an InstancedMesh, and back', async () => {
    const instances = new OctreeInstances(new BoxGeometry(), new MeshStandardMaterial(), 8);
    for (let k = 0; k < 8; k++) {
      instances.setMatrixAt(k, new Matrix4().makeTranslation(k, k / 2, 0));
      instances.setColorAt(k, new Color(k / 8, 0.5, 0.25));
    }
    const found = await through(instances.toInstancedMesh());
    let mesh: InstancedMesh | undefined;
    found.traverse((each) => {
      if (each instanceof InstancedMesh) mesh = each;
    });
    const again = new OctreeInstances(mesh!.geometry, mesh!.material);
    const ids = [...again.addInstances(mesh!.instanceMatrix.array)];
    const color = new Color();
    for (const [k, id] of ids.entries()) {
      mesh!.getColorAt(k, color);
      again.setColorAt(id, color);
      const [matrix, expected] = [new Matrix4(), new Matrix4()];
      again.getMatrixAt(id, matrix);
      instances.getMatrixAt(k, expected);
      expect(matrix.elements.map((value) => Math.round(value * 1e5))).toEqual(
        expected.elements.map((value) => Math.round(value * 1e5)),
      );
      expect(again.getColorAt(id, new Color()).r).toBeCloseTo(k / 8, 5);
    }
    expect(ids.length).toBe(8);
  });
});
