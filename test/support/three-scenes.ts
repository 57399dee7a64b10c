/** Scenes of three's own objects in two equal copies: in a plain `Group` and in an `OctreeGroup`. */

import {
  BoxGeometry,
  BufferGeometry,
  DirectionalLight,
  Group,
  InstancedMesh,
  Line,
  LineSegments,
  LOD,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  PlaneGeometry,
  Points,
  Scene,
  SphereGeometry,
  Sprite,
  SpriteMaterial,
  TorusGeometry,
  type Material,
  type Object3D,
} from 'three';
import { OctreeGroup } from '../../src/three.ts';
import { createRandom, type Random } from './random.ts';

export interface Twin {
  readonly scene: Scene;
  readonly group: Group;
}

/** All descendants of the group, in the same order for both twins. */
export function nodesOf({ group }: Twin): Object3D[] {
  const nodes: Object3D[] = [];
  group.traverse((node) => node !== group && nodes.push(node));
  return nodes;
}

export interface Twins {
  readonly plain: Twin;
  readonly octree: Twin;
  /** Applies a change to both. */
  each(change: (twin: Twin) => void): void;
}

/** Creates a plain group and an octree group. `build` fills each of them, with the same random numbers. */
export function createTwins(seed: number, build: (group: Group, random: Random) => void): Twins {
  const twins = [new Group(), new OctreeGroup()].map((group): Twin => {
    const scene = new Scene().add(group);
    build(group, createRandom(seed));
    return { scene, group };
  });
  return { plain: twins[0], octree: twins[1], each: (change) => twins.forEach(change) };
}

const geometries: BufferGeometry[] = [
  new BoxGeometry(2, 1, 3),
  new SphereGeometry(1, 10, 6),
  new PlaneGeometry(3, 2),
  new TorusGeometry(1, 0.3, 5, 12),
];
const sphere = new SphereGeometry(0.5, 6, 4);

/** An object of the given kind, 0 to `KINDS` - 1. Kinds 0 to 3 are meshes. */
export function createObject(kind: number, material: Material): Object3D {
  if (kind < 4) return new Mesh(geometries[kind], material);
  if (kind === 4) return new Line(geometries[3]);
  if (kind === 5) return new LineSegments(geometries[0]);
  if (kind === 6) return new Points(geometries[1]);
  if (kind === 7) return new Sprite(new SpriteMaterial());
  if (kind === 8) return new Mesh(geometries[0], material).add(new Mesh(sphere, material).translateX(4));
  if (kind === 9)
    return new Group().add(
      new Mesh(geometries[0], material),
      new Group().add(new Mesh(sphere, material).translateY(3)),
    );
  if (kind === 10)
    return new LOD().addLevel(new Mesh(geometries[1], material), 0).addLevel(new Mesh(sphere, material), 15);
  const instances = new InstancedMesh(sphere, material, 5);
  for (let k = 0; k < 5; k++) instances.setMatrixAt(k, new Matrix4().makeTranslation(k - 2, 0, 0));
  return instances;
}

export const KINDS = 12;

/**
 * Adds random objects at random positions, with each coordinate from -reach to reach: rotated, stretched, mirrored or
 * flattened, and a light.
 */
export function scatter(group: Group, random: Random, count: number, reach: number, kinds = KINDS): void {
  for (let k = 0; k < count; k++) {
    const object = createObject(random.below(kinds), new MeshLambertMaterial({ color: random.below(2 ** 24) }));
    place(object, random, reach);
    object.name = `object ${k}`;
    group.add(object);
  }
  group.add(new DirectionalLight(0xffffff, 2));
}

export function place(object: Object3D, random: Random, reach: number): void {
  object.position.set(random.between(-reach, reach), random.between(-reach, reach), random.between(-reach, reach));
  object.rotation.set(random.between(-3, 3), random.between(-3, 3), random.between(-3, 3));
  object.scale.set(random.pick([1, 1, 2, -1, 0.5]), random.pick([1, 1, 3, -2]), random.pick([1, 1, 0.5]));
}
