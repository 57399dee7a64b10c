// The plan of the city: blocks between streets that bend, with houses along their edges, squares, parks and a river.
// The plan is the same for every number of houses; a larger city covers more of it. 1 unit = 1 m.

import { Color } from 'three';
import { hash, mix, smoothNoise } from '../shared/noise.ts';
import type { SlicedWork } from '../shared/slices.ts';
import type { HousePlan, Roof } from '../shared/house.ts';

/** From the middle of one street to that of the next. */
const PITCH = { x: 98, z: 76 };
const STREET = 11;
/** One street in every `blocks` is an avenue. */
const AVENUE = { blocks: 6, width: 24 };
/** Depth of the houses along a street. */
const ROW = 10.5;
const RIVER_HALF_WIDTH = 48;
const SALT = 53;
/** Metres from the centre within which houses are tall, and beyond which they stand apart. */
const OLD_TOWN = 520;
const SUBURB = 1150;
/** Area of a block with its streets, per house: parks, squares and the river included. */
const AREA_PER_HOUSE = (PITCH.x * PITCH.z) / 25;

export type Point = readonly [x: number, z: number];
/** Corners from the one with the lowest x and z, first along x. */
export type Quad = readonly [Point, Point, Point, Point];

export interface Plot extends HousePlan {
  readonly x: number;
  readonly z: number;
  /** Angle about y, in radians. */
  readonly turn: number;
}

export interface Block {
  readonly use: 'houses' | 'square' | 'park';
  readonly corners: Quad;
}

export interface CityPlan {
  readonly blocks: readonly Block[];
  readonly plots: readonly Plot[];
  /** Of the circle around the origin that holds all blocks. */
  readonly radius: number;
}

const colours = (...list: readonly string[]): readonly Color[] => list.map((name) => new Color(name));
const WALLS = colours(
  '#e9d9b6',
  '#e3b98a',
  '#d99a76',
  '#efe6d4',
  '#c9cdb4',
  '#d8b7a4',
  '#b9c3c8',
  '#e7c8a0',
  '#c98f6c',
  '#dfd0c0',
  '#f0dca8',
  '#cfa99a',
);
const TILES = colours('#a5492f', '#b4583a', '#8f3f2c', '#9c5238', '#ad6243', '#7d4436', '#565c66', '#4a4f58');
/** What may stand on a plot: in the old town, and in the suburbs. Some more often. */
const TOWN_ROOFS: readonly Roof[] = [
  'saddle',
  'saddle',
  'saddle',
  'gable',
  'gable',
  'hip',
  'mansard',
  'mansard',
  'flat',
  'tower',
];
const SUBURB_ROOFS: readonly Roof[] = ['saddle', 'saddle', 'gable', 'gable', 'hip', 'hip', 'hip', 'flat'];

export const riverAt = (x: number): number => 330 + 120 * Math.sin(x / 520 + 0.6) + 40 * Math.sin(x / 190);

/** Plans at least one house, and exactly `count`. */
export function* planCity(count: number): SlicedWork<CityPlan> {
  const sites = yield* findSites(Math.sqrt((count * AREA_PER_HOUSE) / Math.PI) * 1.25 + 2 * PITCH.x);
  sites.sort((a, b) => a.distance - b.distance);
  const blocks: Block[] = [];
  const plots: Plot[] = [];
  for (const { column, row, distance } of sites) {
    const block = blockAt(column, row);
    if (block === null) continue;
    blocks.push(block);
    addPlots(block, plots, count);
    yield plots.length / count;
    if (plots.length === count) return { blocks, plots, radius: distance + PITCH.x };
  }
  throw new RangeError(`planCity: the plan has ${plots.length} plots, ${count} are needed`);
}

interface Site {
  readonly column: number;
  readonly row: number;
  readonly distance: number;
}

function* findSites(radius: number): SlicedWork<Site[]> {
  const sites: Site[] = [];
  const [columns, rows] = [Math.ceil(radius / PITCH.x), Math.ceil(radius / PITCH.z)];
  for (let row = -rows; row <= rows; row++) {
    for (let column = -columns; column <= columns; column++) {
      const [x, z] = [column * PITCH.x, row * PITCH.z];
      sites.push({ column, row, distance: Math.sqrt(x * x + z * z) });
    }
    yield 0;
  }
  return sites;
}

/** The block in a column and row of the grid; null in the river. */
function blockAt(column: number, row: number): Block | null {
  const [left, right] = [edgeAt(column, PITCH.x, 1), edgeAt(column + 1, PITCH.x, 1)];
  const [near, far] = [edgeAt(row, PITCH.z, 2), edgeAt(row + 1, PITCH.z, 2)];
  const [west, east] = [streetAt(column) / 2, streetAt(column + 1) / 2];
  const [north, south] = [streetAt(row) / 2, streetAt(row + 1) / 2];
  const corners: Quad = [
    bend(left + west, near + north),
    bend(right - east, near + north),
    bend(right - east, far - south),
    bend(left + west, far - south),
  ];
  for (const [x, z] of corners) if (Math.abs(z - riverAt(x)) < RIVER_HALF_WIDTH + 6) return null;
  const chance = hash(column, row, SALT);
  const isCentre = column === 0 && row === 0;
  const use = isCentre || chance < 0.025 ? 'square' : chance > 0.94 ? 'park' : 'houses';
  return { use, corners };
}

/** The middle of a street, before it is bent. */
const edgeAt = (line: number, pitch: number, axis: number): number =>
  (line - 0.5) * pitch + (hash(line, axis, SALT + 1) - 0.5) * pitch * 0.24;

const streetAt = (line: number): number => (line % AVENUE.blocks === 0 ? AVENUE.width : STREET);

const bend = (x: number, z: number): Point => [
  x + 30 * Math.sin(z / 260 + 0.4) + 13 * Math.sin((x + z) / 140),
  z + 28 * Math.sin(x / 300 + 1.9) + 11 * Math.sin((z - x) / 170),
];

function addPlots({ use, corners }: Block, plots: Plot[], count: number): void {
  if (use === 'square') addChurch(corners, plots, count);
  if (use !== 'houses') return;
  for (let edge = 0; edge < 4; edge++) addRow(corners[edge], corners[(edge + 1) % 4], plots, count);
}

/** Houses from one corner of a block to the next, which the row of the next edge fills. */
function addRow([ax, az]: Point, [bx, bz]: Point, plots: Plot[], count: number): void {
  const length = Math.sqrt((bx - ax) * (bx - ax) + (bz - az) * (bz - az));
  const [dx, dz] = [(bx - ax) / length, (bz - az) / length];
  // The street is to the right of this direction, seen from above with z downwards to the left.
  const [ox, oz] = [dz, -dx];
  const room = length - ROW - 0.4;
  const seed = Math.round(ax * 4) * 31 + Math.round(bz * 4);
  const distance = Math.sqrt(ax * ax + az * az);
  const isSuburb = distance > SUBURB * mix(0.85, 1.15, smoothNoise(ax / 300, az / 300, SALT + 2));
  const houses = Math.max(1, Math.round(room / (isSuburb ? 11.5 : 8.2)));
  const shares = Array.from({ length: houses }, (_, k) => 0.65 + 0.7 * hash(seed, k, SALT + 3));
  const scale = room / shares.reduce((sum, share) => sum + share);
  let at = 0;
  for (let k = 0; k < houses && plots.length < count; k++) {
    const share = shares[k] * scale;
    const chance = (salt: number): number => hash(seed, k, SALT + salt);
    const depth = isSuburb ? ROW * mix(0.75, 0.95, chance(4)) : ROW * mix(0.92, 1.08, chance(4));
    const width = isSuburb ? share * mix(0.62, 0.8, chance(5)) : share;
    const back = depth / 2 + (isSuburb ? 3.5 * chance(6) : 0);
    const along = at + share / 2;
    const isCorner = k === 0 && !isSuburb && chance(7) < 0.22;
    const roofs = isSuburb ? SUBURB_ROOFS : TOWN_ROOFS;
    const roof = isCorner ? 'tower' : roofs[Math.floor(chance(8) * roofs.length)];
    const tall = Math.exp(-((distance / OLD_TOWN) * (distance / OLD_TOWN)));
    const storeys = isSuburb ? 1 + Math.round(chance(9)) : 2 + Math.round(2.1 * tall + 1.6 * chance(9));
    plots.push({
      number: plots.length,
      x: ax + dx * along - ox * back,
      z: az + dz * along - oz * back,
      turn: Math.atan2(ox, oz),
      width,
      depth,
      storeys: storeys + (roof === 'tower' ? 1 : 0),
      roof,
      wall: varied(WALLS[Math.floor(chance(10) * WALLS.length)], chance(11)),
      tiles: varied(TILES[Math.floor(chance(12) * (isSuburb ? TILES.length : TILES.length - 1))], chance(13)),
    });
    at += share;
  }
}

function addChurch(corners: Quad, plots: Plot[], count: number): void {
  if (plots.length === count) return;
  const x = corners.reduce((sum, corner) => sum + corner[0], 0) / 4;
  const z = corners.reduce((sum, corner) => sum + corner[1], 0) / 4;
  const chance = hash(Math.round(x), Math.round(z), SALT + 20);
  plots.push({
    number: plots.length,
    x,
    z,
    turn: Math.PI / 2,
    width: mix(12, 17, chance),
    depth: mix(26, 38, chance),
    storeys: 3,
    roof: 'church',
    wall: new Color('#d9cdb6'),
    tiles: new Color('#5b616b'),
  });
}

/** A colour that is a little darker or brighter. */
const varied = (color: Color, chance: number): Color => color.clone().multiplyScalar(mix(0.86, 1.08, chance));
