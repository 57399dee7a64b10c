import { BoxGeometry, Matrix4, MeshBasicMaterial, type InstancedMesh } from 'three';
import { describe, expect, it } from 'vitest';
import { OctreeInstances } from '../../src/three/index.ts';
import { passOver, slab } from '../support/three-passes.ts';

const geometry = new BoxGeometry();
const material = new MeshBasicMaterial();

function at(x: number, y = 0, z = 0): Matrix4 {
  return new Matrix4().makeTranslation(x, y, z);
}

/** Instances with the ids from 0, 10 apart along x. */
function row(count: number): OctreeInstances {
  const instances = new OctreeInstances(geometry, material, count);
  for (let id = 0; id < count; id++) instances.setMatrixAt(id, at(10 * id));
  // A shadow is the simplest of passes: it has no camera.
  instances.castShadow = true;
  instances.updateMatrixWorld();
  return instances;
}

/** Places along x of what a shadow pass sees, in ascending order. */
function seen(instances: OctreeInstances, reach: number): number[] {
  const views = passOver(instances, slab(reach)) as InstancedMesh[];
  return views.flatMap((view) => Array.from({ length: view.count }, (_, slot) => view.instanceMatrix.array[16 * slot + 12])).sort((a, b) => a - b);
}

describe('OctreeInstances in a pass', () => {
  it('draws only the instances in the frustum, in one view', () => {
    const instances = row(100);
    expect(seen(instances, 25)).toEqual([0, 10, 20]);
    expect(seen(instances, 9.6)).toEqual([0, 10]);
    expect(passOver(instances, slab(25)).length).toBe(1);
  });
});
