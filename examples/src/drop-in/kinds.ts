// The kinds of objects in the forest: a few geometries and materials per kind, shared by all its meshes.

import {
  BoxGeometry,
  type BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  IcosahedronGeometry,
  MeshLambertMaterial,
} from 'three';
import { mergeParts, type Part, roughen } from './low-poly.ts';

export interface Kind {
  readonly geometries: readonly BufferGeometry[];
  readonly materials: readonly MeshLambertMaterial[];
  /** Minimum and maximum scale. */
  readonly scale: readonly [low: number, high: number];
}

export type KindName = 'pine' | 'tree' | 'birch' | 'bush' | 'rock' | 'hut' | 'lamp' | 'bird';

const BARK = new Color('#5b4032');
const PALE_BARK = new Color('#b9ad98');
const NEEDLES = new Color('#2f6b5c');
/** For parts that have the colour of the material. */
const WHITE = new Color('#ffffff');
const STONE = new Color('#8a8f99');
const WALL = new Color('#7d5a41');
const ROOF = new Color('#8f3f2e');
/** Brighter than white, so that it looks emissive. */
const WINDOW = new Color('#ffb454').multiplyScalar(6);

/** Materials of a kind; their colours are multiplied with the vertex colours of the parts. */
const tinted = (...tints: readonly string[]): MeshLambertMaterial[] =>
  tints.map((color) => new MeshLambertMaterial({ color, vertexColors: true }));

export function createKinds(): Readonly<Record<KindName, Kind>> {
  return {
    pine: { geometries: [pine(1), pine(2)], materials: tinted('#ffffff', '#b8d8c0', '#8fc9d6'), scale: [0.85, 1.7] },
    tree: {
      geometries: [tree(3), tree(4)],
      materials: tinted('#e8862e', '#c9502a', '#e5ab3a', '#a83a35'),
      scale: [0.9, 1.5],
    },
    birch: { geometries: [birch(5)], materials: tinted('#f0c14b', '#d9b13f'), scale: [0.9, 1.5] },
    bush: { geometries: [bush(6), bush(7)], materials: tinted('#7d8f3c', '#b8762f', '#93392f'), scale: [0.6, 1.5] },
    rock: { geometries: [rock(8), rock(9)], materials: tinted('#ffffff', '#c9bcae'), scale: [0.5, 2.2] },
    hut: { geometries: [hut()], materials: tinted('#ffffff', '#cfd6e0'), scale: [1, 1.2] },
    lamp: { geometries: [lamp()], materials: tinted('#ffffff'), scale: [1, 1] },
    bird: { geometries: [bird()], materials: tinted('#ffffff'), scale: [0.9, 1.3] },
  };
}

const trunk = (radius: number, height: number) =>
  new CylinderGeometry(radius * 0.7, radius, height, 5, 1, true).translate(0, height / 2, 0);
const cone = (radius: number, height: number, bottom: number) =>
  new ConeGeometry(radius, height, 7, 1, true).translate(0, bottom + height / 2, 0);
const sphere = (radius: number, x: number, y: number, z: number) =>
  new IcosahedronGeometry(radius, 0).translate(x, y, z);

function pine(salt: number): BufferGeometry {
  const crown = (radius: number, height: number, bottom: number) =>
    [roughen(cone(radius, height, bottom), 0.22, salt), NEEDLES] as const;
  return mergeParts([trunk(0.35, 2), BARK], crown(2.5, 3.6, 1.4), crown(2, 3.2, 3.6), crown(1.35, 3, 5.6));
}

function tree(salt: number): BufferGeometry {
  const crown = (radius: number, x: number, y: number, z: number) =>
    [roughen(sphere(radius, x, y, z), 0.3, salt), WHITE] as const;
  return mergeParts(
    [trunk(0.42, 3.4), BARK],
    crown(2.3, 0, 4.8, 0),
    crown(1.5, 1.3, 4, 0.7),
    crown(1.4, -0.9, 6.1, -0.6),
  );
}

function birch(salt: number): BufferGeometry {
  const crown = roughen(new IcosahedronGeometry(1, 1), 0.12, salt).scale(1.5, 3, 1.5).translate(0, 5.6, 0);
  return mergeParts([trunk(0.22, 4), PALE_BARK], [crown, WHITE]);
}

const bush = (salt: number) => mergeParts([roughen(sphere(1.1, 0, 0.5, 0), 0.25, salt), WHITE]);

const rock = (salt: number) =>
  mergeParts([roughen(new IcosahedronGeometry(1, 0), 0.35, salt).scale(1.2, 0.8, 1).translate(0, 0.3, 0), STONE]);

function hut(): BufferGeometry {
  const roof = new CylinderGeometry(0.01, 4.2, 2.6, 4, 1, true)
    .rotateY(Math.PI / 4)
    .scale(1.1, 1, 0.9)
    .translate(0, 4.3, 0);
  const panes = (
    [
      [2.5, 0],
      [-2.5, 0],
      [0, 2],
      [0, -2],
    ] as const
  ).map(([x, z]): Part => [pane(x, z), WINDOW]);
  return mergeParts([new BoxGeometry(5, 4, 4).translate(0, 1, 0), WALL], [roof, ROOF], ...panes);
}

/** A window pane in the wall at (x, z) of the floor plan. */
const pane = (x: number, z: number) => new BoxGeometry(x === 0 ? 1 : 0.1, 1, x === 0 ? 0.1 : 1).translate(x, 1.9, z);

const lamp = () => mergeParts([trunk(0.09, 3), BARK], [sphere(0.32, 0, 3.1, 0), WINDOW]);

/** A bird consists of two wings. */
const bird = () => mergeParts([wing(1), WHITE], [wing(-1), WHITE]);

const wing = (side: number) =>
  new ConeGeometry(0.35, 1.3, 3)
    .rotateZ(side * -1.25)
    .scale(1, 1, 0.7)
    .translate(side * 0.6, 0, 0);
