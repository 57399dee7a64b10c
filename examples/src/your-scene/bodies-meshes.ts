// Draws bodies as meshes: a box or a sphere each, which share two geometries and a few materials.

import { BoxGeometry, Color, Group, Mesh, MeshStandardMaterial, SphereGeometry } from 'three';
import { hash } from '../shared/noise.ts';
import type { SlicedWork } from '../shared/slices.ts';
import type { Bodies } from '../shared/bodies-file.ts';

const COLORS = ['#f9ad4b', '#d9773c', '#3fae9b', '#5c7fd6', '#cfd6e4', '#8f6bd1'];
/** Meshes per step: less than a millisecond of work. */
const STEP = 64;

export function* meshesOf({ boxes, spheres }: Bodies): SlicedWork<Group> {
  const materials = COLORS.map((color) => new MeshStandardMaterial({ color: new Color(color), roughness: 0.7 }));
  const [box, sphere] = [new BoxGeometry(), new SphereGeometry(1, 12, 8)];
  const root = new Group();
  const materialOf = (k: number): MeshStandardMaterial => materials[Math.floor(hash(k, 3, 5) * materials.length)];
  const all = boxes.length + spheres.length;
  for (let at = 0, k = 0; at < boxes.length; at += 6, k++) {
    const mesh = new Mesh(box, materialOf(k));
    mesh.name = `box ${k + 1}`;
    mesh.position.set(
      (boxes[at] + boxes[at + 3]) / 2,
      (boxes[at + 1] + boxes[at + 4]) / 2,
      (boxes[at + 2] + boxes[at + 5]) / 2,
    );
    mesh.scale.set(boxes[at + 3] - boxes[at], boxes[at + 4] - boxes[at + 1], boxes[at + 5] - boxes[at + 2]);
    root.add(mesh);
    if (k % STEP === 0) yield at / all;
  }
  for (let at = 0, k = 0; at < spheres.length; at += 4, k++) {
    const mesh = new Mesh(sphere, materialOf(k));
    mesh.name = `sphere ${k + 1}`;
    mesh.position.set(spheres[at], spheres[at + 1], spheres[at + 2]);
    mesh.scale.setScalar(spheres[at + 3]);
    root.add(mesh);
    if (k % STEP === 0) yield (boxes.length + at) / all;
  }
  return root;
}
