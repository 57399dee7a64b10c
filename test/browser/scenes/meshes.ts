/** The meshes that scenes are built of. They are unlit. */

import {
  Bone,
  BoxGeometry,
  CylinderGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Skeleton,
  SkinnedMesh,
  SphereGeometry,
  Uint16BufferAttribute,
  type BufferGeometry,
  type ColorRepresentation,
} from 'three';
import type { Random } from '../../support/random.ts';

export type BasicMesh = Mesh<BufferGeometry, MeshBasicMaterial>;

export const box = new BoxGeometry();
export const ball = new SphereGeometry(1, 8, 6);

export function mesh(color: ColorRepresentation, x = 0, y = 0, z = 0, geometry: BufferGeometry = ball): BasicMesh {
  const object = new Mesh(geometry, new MeshBasicMaterial({ color }));
  object.position.set(x, y, z);
  return object;
}

/** Boxes and spheres by turns, at random places within `reach` of the origin along x, y and z. */
export function scatter(random: Random, count: number, reachX = 3, reachY = reachX, reachZ = reachX): BasicMesh[] {
  const within = (reach: number): number => random.between(-reach, reach);
  return Array.from({ length: count }, (_, k) =>
    mesh(random.below(2 ** 24), within(reachX), within(reachY), within(reachZ), k % 2 === 0 ? box : ball),
  );
}

/** A thin wall to the left of the picture. Its bounding sphere reaches into the picture, its box does not. */
export function wallOutside(color: ColorRepresentation, y: number): BasicMesh {
  const wall = mesh(color, -6, y, 0, new PlaneGeometry(3, 3).rotateY(Math.PI / 2));
  wall.material.side = DoubleSide;
  return wall;
}

const HEIGHT = 3;

/** A cylinder with three bones. The first bone is a child of the mesh. */
export function createWorm(color: ColorRepresentation): SkinnedMesh {
  const geometry = new CylinderGeometry(0.3, 0.3, HEIGHT, 6, 6);
  const { position } = geometry.attributes;
  const indices: number[] = [];
  const weights: number[] = [];
  for (let k = 0; k < position.count; k++) {
    const place = ((position.getY(k) + HEIGHT / 2) / HEIGHT) * 1.999;
    const bone = Math.floor(place);
    indices.push(bone, bone + 1, 0, 0);
    weights.push(1 - (place - bone), place - bone, 0, 0);
  }
  geometry.setAttribute('skinIndex', new Uint16BufferAttribute(indices, 4));
  geometry.setAttribute('skinWeight', new Float32BufferAttribute(weights, 4));
  const bones = [0, 1, 2].map(() => new Bone());
  bones[0].position.y = -HEIGHT / 2;
  bones[1].position.y = bones[2].position.y = HEIGHT / 2;
  bones[0].add(bones[1].add(bones[2]));
  const worm = new SkinnedMesh(geometry, new MeshBasicMaterial({ color }));
  worm.add(bones[0]);
  worm.bind(new Skeleton(bones));
  return worm;
}

/** A sphere with two morph targets: large, and moved to the right. */
export function createMorphSphere(): SphereGeometry {
  const geometry = new SphereGeometry(0.6, 8, 6);
  const { array } = geometry.attributes.position;
  const large = new Float32BufferAttribute(
    array.map((value) => 2 * value),
    3,
  );
  const moved = new Float32BufferAttribute(
    array.map((value, k) => (k % 3 === 0 ? value + 2 : value)),
    3,
  );
  geometry.morphAttributes.position = [large, moved];
  return geometry;
}
