// Builds the geometry of one house from its plan. No two plans are equal, so no two geometries are.

import { type BufferGeometry, Color } from 'three';
import { hash } from './noise.ts';
import { type Corner, Faces } from './faces.ts';

export const ROOFS = ['saddle', 'gable', 'hip', 'mansard', 'flat', 'tower', 'church'] as const;
export type Roof = (typeof ROOFS)[number];

/** The front of a house looks along +z; its ground is y = 0, its middle the origin. Lengths in metres. */
export interface HousePlan {
  readonly number: number;
  readonly width: number;
  readonly depth: number;
  readonly storeys: number;
  readonly roof: Roof;
  readonly wall: Color;
  readonly tiles: Color;
}

export interface HouseShape {
  readonly geometry: BufferGeometry;
  /** Number of vertices of the walls: they are the first. */
  readonly wallVertices: number;
}

const STOREY = 3.1;
/** The ground floor is higher. */
const PLINTH = 0.9;
const EAVES = 0.35;
const SALT = 401;
const BRICK = new Color('#8d5b48');
const LEAD = new Color('#6f7680');
const COPPER = new Color('#7fae9c');
const STONE = new Color('#cdbfa6');

const faces = new Faces();

/** Height of the walls of a house, below its roof. */
export const wallHeight = ({ storeys }: HousePlan): number => PLINTH + storeys * STOREY;

export function buildHouse(plan: HousePlan): HouseShape {
  const { number, width, depth, storeys, roof, wall, tiles } = plan;
  const [x, z] = [width / 2, depth / 2];
  const top = wallHeight(plan);
  const chance = (k: number): number => hash(number, k, SALT);
  const round = [
    [-x, z],
    [x, z],
    [x, -z],
    [-x, -z],
  ] as const;
  for (let k = 0; k < 4; k++) faces.addWall(round[k], round[(k + 1) % 4], 0, top, wall, storeys, chance(k));
  const pitch = 0.75 + 0.45 * chance(5);
  let wallVertices = faces.count;
  let ridge = top;
  switch (roof) {
    case 'saddle':
      ridge = top + z * pitch;
      wallVertices = addSaddle(x, z, top, ridge, wall, tiles, false);
      addDormers(x, z, top, ridge, wall, tiles, Math.floor(chance(6) * Math.min(4, width / 2.8)));
      break;
    case 'gable':
      ridge = top + x * (pitch + 0.35);
      wallVertices = addSaddle(z, x, top, ridge, wall, tiles, true);
      break;
    case 'hip':
      ridge = top + Math.min(x, z) * pitch;
      addHip(x, z, top, ridge, tiles, EAVES);
      break;
    case 'mansard': {
      const knee = top + 2.7;
      const inset = 1.1;
      addSkirt(x + EAVES, z + EAVES, x - inset, z - inset, top, knee, tiles);
      ridge = knee + Math.min(x - inset, z - inset) * 0.4;
      addHip(x - inset, z - inset, knee, ridge, LEAD, 0);
      addBoxDormers(x, z, top, wall, Math.max(1, Math.floor(width / 3.2)));
      break;
    }
    case 'flat':
      addFlat(x, z, top, wall, chance);
      ridge = top + 0.7;
      break;
    case 'tower':
      ridge = top + Math.min(x, z) * (1.7 + chance(7));
      addHip(x, z, top, ridge, chance(8) < 0.4 ? COPPER : tiles, 0.5);
      break;
    case 'church':
      ridge = top + x * 1.5;
      wallVertices = addSaddle(z, x, top, ridge, wall, tiles, true);
      addSteeple(x, z, ridge, wall, chance);
      break;
  }
  if (roof !== 'church' && roof !== 'tower') addChimneys(x, z, top, ridge, chance);
  return { geometry: faces.take(), wallVertices };
}

/**
 * Two slopes, and a triangle of wall at each end of the ridge. Returns the number of vertices of the walls.
 *
 * @param along Half the length of the ridge, `across` half the span. @param isTurned Ridge along z, not along x.
 */
function addSaddle(
  along: number,
  across: number,
  low: number,
  high: number,
  wall: Color,
  tiles: Color,
  isTurned: boolean,
): number {
  const at = (a: number, y: number, b: number): Corner => (isTurned ? [b, y, -a] : [a, y, b]);
  faces.addFace([at(along, low, across), at(along, low, -across), at(along, high, 0)], wall);
  faces.addFace([at(-along, low, -across), at(-along, low, across), at(-along, high, 0)], wall);
  const wallVertices = faces.count;
  const drop = (EAVES * (high - low)) / across;
  const out = across + EAVES;
  const end = along + (isTurned ? EAVES : 0);
  const eaves = low - drop;
  faces.addFace([at(-end, eaves, out), at(end, eaves, out), at(end, high, 0), at(-end, high, 0)], tiles);
  faces.addFace([at(end, eaves, -out), at(-end, eaves, -out), at(-end, high, 0), at(end, high, 0)], tiles);
  return wallVertices;
}

/** Four slopes with a ridge along the longer side; a pyramid on a square. */
function addHip(x: number, z: number, low: number, high: number, tiles: Color, eaves: number): void {
  const [ox, oz] = [x + eaves, z + eaves];
  const [rx, rz] = [Math.max(0, x - z), Math.max(0, z - x)];
  const corners = ring(ox, low, oz);
  const peaks = ring(rx, high, rz);
  for (let k = 0; k < 4; k++) {
    const next = (k + 1) % 4;
    const isPoint = peaks[k][0] === peaks[next][0] && peaks[k][2] === peaks[next][2];
    faces.addFace(
      isPoint ? [corners[k], corners[next], peaks[k]] : [corners[k], corners[next], peaks[next], peaks[k]],
      tiles,
    );
  }
}

/** The corners of a level rectangle around the middle, counter-clockwise from above. */
const ring = (x: number, y: number, z: number): Corner[] => [
  [-x, y, z],
  [x, y, z],
  [x, y, -z],
  [-x, y, -z],
];

/** Four steep slopes that end in a smaller rectangle. */
function addSkirt(x0: number, z0: number, x1: number, z1: number, low: number, high: number, color: Color): void {
  const [outer, inner] = [ring(x0, low, z0), ring(x1, high, z1)];
  for (let k = 0; k < 4; k++) faces.addFace([outer[k], outer[(k + 1) % 4], inner[(k + 1) % 4], inner[k]], color);
}

/** Small gables in the slope towards the street. */
function addDormers(x: number, z: number, low: number, high: number, wall: Color, tiles: Color, count: number): void {
  const slope = (high - low) / z;
  for (let k = 0; k < count; k++) {
    const middle = ((k + 0.5) / count - 0.5) * 2 * x * 0.8;
    const [left, right, front] = [middle - 0.8, middle + 0.8, z * 0.72];
    const [sill, eaves, peak] = [low + (z - front) * slope, low + z * 0.5 * slope, low + z * 0.5 * slope + 0.7];
    const back = z - (peak - low) / slope;
    const side = z - (eaves - low) / slope;
    faces.addFace(
      [
        [left, sill, front],
        [right, sill, front],
        [right, eaves, front],
        [left, eaves, front],
      ],
      wall,
    );
    faces.addFace(
      [
        [left, eaves, front],
        [right, eaves, front],
        [middle, peak, front],
      ],
      wall,
    );
    faces.addFace(
      [
        [right, sill, front],
        [right, eaves, side],
        [right, eaves, front],
      ],
      wall,
    );
    faces.addFace(
      [
        [left, sill, front],
        [left, eaves, front],
        [left, eaves, side],
      ],
      wall,
    );
    faces.addFace(
      [
        [right, eaves, front],
        [right, eaves, side],
        [middle, peak, back],
        [middle, peak, front],
      ],
      tiles,
    );
    faces.addFace(
      [
        [left, eaves, side],
        [left, eaves, front],
        [middle, peak, front],
        [middle, peak, back],
      ],
      tiles,
    );
  }
}

/** Boxes with a flat top in the steep part of a mansard. */
function addBoxDormers(x: number, z: number, low: number, wall: Color, count: number): void {
  for (let k = 0; k < count; k++) {
    const middle = ((k + 0.5) / count - 0.5) * 2 * (x - 0.8);
    for (const side of [1, -1])
      faces.addBox(
        [middle - 0.7, low + 0.5, Math.min(side * z, side * (z - 1.4))],
        [middle + 0.7, low + 2.2, Math.max(side * z, side * (z - 1.4))],
        wall,
        LEAD,
      );
  }
}

/** A roof with a parapet, and the head of a stair or a lift on it. */
function addFlat(x: number, z: number, top: number, wall: Color, chance: (k: number) => number): void {
  const parapet = 0.7;
  const inner = 0.3;
  addSkirt(x, z, x, z, top, top + parapet, wall);
  addSkirt(x, z, x - inner, z - inner, top + parapet, top + parapet, STONE);
  faces.addFace(
    [
      [-x + inner, top + parapet - 0.1, z - inner],
      [x - inner, top + parapet - 0.1, z - inner],
      [x - inner, top + parapet - 0.1, -z + inner],
      [-x + inner, top + parapet - 0.1, -z + inner],
    ],
    LEAD,
  );
  const [cx, cz] = [(chance(9) - 0.5) * x, (chance(10) - 0.5) * z];
  faces.addBox([cx - 1.5, top, cz - 1.2], [cx + 1.5, top + 3.1, cz + 1.2], wall, LEAD);
}

function addChimneys(x: number, z: number, top: number, ridge: number, chance: (k: number) => number): void {
  const count = Math.floor(chance(11) * 2.6);
  for (let k = 0; k < count; k++) {
    const cx = (chance(12 + k) - 0.5) * 1.6 * (x - 0.6);
    const cz = (chance(15 + k) - 0.5) * 0.7 * z;
    faces.addBox([cx - 0.35, top, cz - 0.45], [cx + 0.35, ridge + 0.5 + chance(18 + k), cz + 0.45], BRICK, LEAD);
  }
}

/** A tower before the front, with a spire. */
function addSteeple(x: number, z: number, ridge: number, wall: Color, chance: (k: number) => number): void {
  const half = x * 0.42;
  const [front, back] = [z + half, z - half];
  const belfry = ridge + 6 + 8 * chance(20);
  faces.addBox([-half, 0, back], [half, belfry, front], wall, LEAD);
  const tip = belfry + half * (4 + 3 * chance(21));
  const corners: Corner[] = [
    [-half - 0.4, belfry, front + 0.4],
    [half + 0.4, belfry, front + 0.4],
    [half + 0.4, belfry, back - 0.4],
    [-half - 0.4, belfry, back - 0.4],
  ];
  for (let k = 0; k < 4; k++) faces.addFace([corners[k], corners[(k + 1) % 4], [0, tip, z]], COPPER);
}
