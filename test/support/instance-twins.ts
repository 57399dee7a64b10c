/**
 * Equal instances in two scenes: in three's `InstancedMesh`, which draws all of them in every pass, and in
 * `OctreeInstances`.
 */

import {
  AmbientLight,
  BoxGeometry,
  Color,
  DirectionalLight,
  Group,
  InstancedMesh,
  Matrix4,
  MeshLambertMaterial,
  Quaternion,
  Scene,
  Vector3,
  type BufferGeometry,
  type Material,
} from 'three';
import { OctreeInstances } from '../../src/three.ts';
import { createRandom, type Random } from './random.ts';
import type { Twins } from './three-scenes.ts';

/** Both kinds of container. Tests use only the members that both have. */
export type Instances = InstancedMesh | OctreeInstances;

export interface InstanceTwins extends Twins {
  readonly mesh: InstancedMesh;
  readonly instances: OctreeInstances;
  /** Applies a change to both containers, with equal random numbers. */
  change(seed: number, change: (instances: Instances, random: Random) => void): void;
}

export function createInstanceTwins(
  count: number,
  create: () => { geometry: BufferGeometry; material: Material | Material[] },
): InstanceTwins {
  const plain = create();
  const octree = create();
  const mesh = new InstancedMesh(plain.geometry, plain.material, count);
  mesh.frustumCulled = false;
  const instances = new OctreeInstances(octree.geometry, octree.material, count);
  const twins = [mesh, instances].map((both) => {
    const group = new Group().add(both);
    return { scene: new Scene().add(group), group };
  });
  return {
    mesh,
    instances,
    plain: twins[0],
    octree: twins[1],
    each: (change) => twins.forEach(change),
    change: (seed, change) => {
      for (const both of [mesh, instances]) change(both, createRandom(seed));
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
      // three does not reset these when a matrix changes.
      mesh.boundingSphere = mesh.boundingBox = null;
    },
  };
}

/**
 * A random matrix with its position in the cube from -reach to reach: rotated and scaled differently along the axes.
 */
export function randomMatrix(random: Random, reach: number): Matrix4 {
  const place = (): number => random.between(-reach, reach);
  const turn = (): number => random.between(-1, 1);
  return new Matrix4().compose(
    new Vector3(place(), place(), place()),
    new Quaternion(turn(), turn(), turn(), turn()).normalize(),
    new Vector3(random.pick([1, 1, 2, 0.5]), random.pick([1, 1, 3]), random.pick([1, 1, 0.5])),
  );
}

export function scatterInstances(instances: Instances, random: Random, count: number, reach: number): void {
  for (let id = 0; id < count; id++) instances.setMatrixAt(id, randomMatrix(random, reach));
}

export function colorInstances(instances: Instances, random: Random, count: number): void {
  for (let id = 0; id < count; id++) instances.setColorAt(id, new Color(random.below(2 ** 24)));
}

/** Coloured boxes, lit. */
export function createBoxes(seed: number, count: number, reach: number): InstanceTwins {
  const twins = createInstanceTwins(count, () => ({
    geometry: new BoxGeometry(2, 1, 3),
    material: new MeshLambertMaterial(),
  }));
  twins.change(seed, (instances, random) => {
    scatterInstances(instances, random, count, reach);
    colorInstances(instances, random, count);
  });
  twins.each(({ scene }) => scene.add(new DirectionalLight(0xffffff, 2), new AmbientLight(0xffffff, 0.5)));
  return twins;
}
