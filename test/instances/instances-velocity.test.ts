// The matrices of the last frame, as WebGPURenderer keeps them for motion vectors: for each mesh by draw slot, and its
// world matrix.

import {
  BoxGeometry,
  Matrix4,
  MeshBasicMaterial,
  PerspectiveCamera,
  type BufferAttribute,
  type InstancedMesh,
} from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeInstances } from '../../src/three.ts';
import { viewsOfCamera } from '../support/instance-passes.ts';
import { createRandom, type Random } from '../support/random.ts';

interface Last {
  readonly matrices: BufferAttribute;
  readonly world: Matrix4;
}

/** Does what the renderer does with each mesh that it draws. */
class MotionRenderer {
  private readonly last = new Map<InstancedMesh, Last>();
  /** Version up to which each attribute is uploaded, and its numbers on the GPU. */
  private readonly uploaded = new Map<BufferAttribute, { version: number; array: Float32Array }>();

  /**
   * Draws the meshes. Returns where the last frame had the instance in each slot: world matrices by id, which is the y
   * scale of its matrix.
   */
  draw(meshes: readonly InstancedMesh[]): Map<number, Matrix4> {
    const result = new Map<number, Matrix4>();
    for (const mesh of meshes) {
      if (!this.last.has(mesh))
        this.last.set(mesh, { matrices: mesh.instanceMatrix.clone(), world: mesh.matrixWorld.clone() });
      const { matrices, world } = this.last.get(mesh)!;
      const onGpu = this.upload(matrices);
      for (let slot = 0; slot < mesh.count; slot++)
        result.set(
          idOf(mesh.instanceMatrix.array as Float32Array, slot),
          new Matrix4().fromArray(onGpu, 16 * slot).premultiply(world),
        );
      matrices.array.set(mesh.instanceMatrix.array);
      matrices.version = mesh.instanceMatrix.version;
      world.copy(mesh.matrixWorld);
    }
    return result;
  }

  private upload(attribute: BufferAttribute): Float32Array {
    let data = this.uploaded.get(attribute);
    if (data === undefined || data.version < attribute.version)
      this.uploaded.set(
        attribute,
        (data = { version: attribute.version, array: (attribute.array as Float32Array).slice() }),
      );
    return data.array;
  }
}

function idOf(matrices: Float32Array, slot: number): number {
  return Math.round((matrices[16 * slot + 5] - 1) * 1024);
}

function matrixOf(id: number, random: Random): Matrix4 {
  const matrix = new Matrix4().makeTranslation(
    random.between(-30, 30),
    random.between(-10, 10),
    random.between(-30, 30),
  );
  matrix.elements[5] = 1 + id / 1024;
  return matrix;
}

function difference(a: Matrix4, b: Matrix4): number {
  return Math.max(...a.elements.map((element, k) => Math.abs(element - b.elements[k])));
}

describe('the matrices of the last frame', () => {
  it.each<[string, number, boolean, number]>([
    ['few', 200, false, 40],
    ['with levels of detail', 200, true, 40],
    ['many, in any order', 9000, false, 6],
  ])(
    'belong to the instance that is drawn, while instances enter, leave, move, are added, deleted and hidden, and the container moves: %s',
    (_, count, hasLevels, frames) => {
      const random = createRandom(count);
      const instances = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial(), count);
      for (let id = 0; id < count; id++) instances.setMatrixAt(id, matrixOf(id, random));
      if (hasLevels) instances.addLevel(new BoxGeometry(), 15).addLevel(new BoxGeometry(), 25);
      const camera = new PerspectiveCamera(count > 1000 ? 120 : 50, 1, 0.1, 100);
      const renderer = new MotionRenderer();
      let drawn = 0;
      let worst = 0;
      let last = { world: new Matrix4(), matrices: new Map<number, Matrix4>() };
      for (let frame = 0; frame < frames; frame++) {
        camera.rotation.y += random.pick([0, 0.05, 0.5]);
        if (random.below(3) === 0) instances.position.x += random.between(-1, 1);
        if (random.below(5) === 0) instances.rotation.y += 0.1;
        // Sometimes nothing but the camera and the container moves.
        const changes = frame % 3 === 0 ? count / 10 : 0;
        for (let k = 0; k < changes; k++) {
          const id = random.below(count);
          if (!instances.has(id)) {
            const added = instances.addInstance(new Matrix4());
            instances.setMatrixAt(added, matrixOf(added, random));
            last.matrices.delete(added);
          } else if (random.below(10) === 0) instances.deleteInstance(id);
          else if (random.below(9) === 0) instances.setVisibleAt(id, !instances.getVisibleAt(id));
          else instances.setMatrixAt(id, matrixOf(id, random));
        }
        instances.updateMatrixWorld();
        for (const [id, before] of renderer.draw(viewsOfCamera(instances, camera))) {
          const matrix = last.matrices.get(id) ?? instances.getMatrixAt(id, new Matrix4());
          // In the first frame the renderer takes all matrices for those of the last one.
          const world = frame === 0 ? instances.matrixWorld : last.world;
          worst = Math.max(worst, difference(before, matrix.clone().premultiply(world)));
          drawn++;
        }
        last = { world: instances.matrixWorld.clone(), matrices: new Map() };
        for (let id = 0; id < count; id++)
          if (instances.has(id)) last.matrices.set(id, instances.getMatrixAt(id, new Matrix4()));
      }
      expect(drawn).toBeGreaterThan(count);
      expect(worst).toBeLessThan(1e-4);
    },
  );

  it('are right in the first frame of a level of detail, and in the next one', () => {
    const instances = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial(), 1).addLevel(
      new BoxGeometry(),
      15,
    );
    const camera = new PerspectiveCamera();
    const renderer = new MotionRenderer();
    const places = [10, 10, 20, 20, 21].map((distance) => {
      instances.position.z = -distance;
      instances.updateMatrixWorld();
      return renderer.draw(viewsOfCamera(instances, camera)).get(0)?.elements[14];
    });
    expect(places).toEqual([-10, -10, -10, -20, -20]);
  });

  it('are uploaded once more after a change, and not again', () => {
    const instances = new OctreeInstances(new BoxGeometry(), new MeshBasicMaterial(), 10);
    const camera = new PerspectiveCamera();
    camera.position.z = 10;
    const renderer = new MotionRenderer();
    const versions = [0, 1, 2, 3, 4].map((frame) => {
      if (frame === 1) instances.setMatrixAt(3, new Matrix4().makeTranslation(1, 0, 0));
      const views = viewsOfCamera(instances, camera);
      renderer.draw(views);
      return views[0].instanceMatrix.version;
    });
    expect(versions[1]).toBeGreaterThan(versions[0]);
    expect(new Set(versions.slice(1)).size).toBe(1);
  });
});
