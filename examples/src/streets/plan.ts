// The plan of the city: blocks of houses around yards, between straight streets. Every fourth street is an avenue with
// trees; some blocks are squares. 1 unit = 1 m.

import { Color } from 'three';
import type { HousePlan, Roof } from '../shared/house.ts';
import { hash, mix } from '../shared/noise.ts';
import type { SlicedWork } from '../shared/slices.ts';

/** From the middle of one street to that of the next. */
export const PITCH = { x: 84, z: 66 };
const STREET = 13;
const AVENUE = { every: 4, width: 26 };
/** Depth of the houses along a street. */
const ROW = 11;
/** Houses per block, squares included. */
const HOUSES_PER_BLOCK = 25;
const SALT = 907;

export interface Plot extends HousePlan {
  readonly x: number;
  readonly z: number;
  /** Angle about y, in radians: a multiple of a right angle. */
  readonly turn: number;
}

/** The ground between streets. */
export interface Block {
  readonly left: number;
  readonly right: number;
  readonly back: number;
  readonly front: number;
  readonly isSquare: boolean;
}

export interface Prop {
  readonly kind: 'tree' | 'lamp';
  readonly x: number;
  readonly z: number;
  readonly size: number;
}

export interface StreetPlan {
  readonly blocks: readonly Block[];
  readonly plots: readonly Plot[];
  readonly props: readonly Prop[];
  /** Columns and rows of blocks. */
  readonly blocksAlong: number;
}

const colours = (...names: readonly string[]): readonly Color[] => names.map((name) => new Color(name));
const WALLS = colours(
  '#efe0c0',
  '#e9c79b',
  '#dfa987',
  '#f3ead9',
  '#d2d5bd',
  '#e2c2ae',
  '#c4ced2',
  '#f0d6ae',
  '#d79e7d',
);
const TILES = colours('#a5492f', '#b4583a', '#8f3f2c', '#9c5238', '#ad6243', '#565c66');
const ROOFS: readonly Roof[] = ['saddle', 'saddle', 'saddle', 'gable', 'hip', 'mansard', 'mansard', 'flat', 'flat'];

/** The middle of a street, by its number from the centre. */
export const streetAt = (line: number, pitch: number): number => line * pitch;

export function widthAt(line: number): number {
  return line % AVENUE.every === 0 ? AVENUE.width : STREET;
}

export function* planStreets(count: number): SlicedWork<StreetPlan> {
  const blocksAlong = Math.ceil(Math.sqrt(count / HOUSES_PER_BLOCK)) + 1;
  const blocks: Block[] = [];
  const plots: Plot[] = [];
  const props: Prop[] = [];
  const first = -Math.floor(blocksAlong / 2);
  const cells = Array.from({ length: blocksAlong * blocksAlong }, (_, k) => [
    first + (k % blocksAlong),
    first + Math.floor(k / blocksAlong),
  ]).sort(([ax, az], [bx, bz]) => ax * ax + az * az - bx * bx - bz * bz);
  for (const [column, row] of cells) {
    const block = blockAt(column, row);
    blocks.push(block);
    if (block.isSquare) addTrees(block, column, row, props);
    else addHouses(block, plots, count);
    addStreetSides(block, column, row, props);
    yield plots.length / count;
    if (plots.length >= count) break;
  }
  return { blocks, plots, props, blocksAlong };
}

function blockAt(column: number, row: number): Block {
  return {
    left: streetAt(column, PITCH.x) + widthAt(column) / 2,
    right: streetAt(column + 1, PITCH.x) - widthAt(column + 1) / 2,
    back: streetAt(row, PITCH.z) + widthAt(row) / 2,
    front: streetAt(row + 1, PITCH.z) - widthAt(row + 1) / 2,
    isSquare: hash(column, row, SALT) < 0.06,
  };
}

function addHouses({ left, right, back, front }: Block, plots: Plot[], count: number): void {
  // From each corner to the next, clockwise from above; the houses look outwards.
  addRow(left, back, 1, 0, right - left, plots, count);
  addRow(right, back, 0, 1, front - back, plots, count);
  addRow(right, front, -1, 0, right - left, plots, count);
  addRow(left, front, 0, -1, front - back, plots, count);
}

/** Houses side by side from a corner on; the row of the next edge fills its end. */
function addRow(x: number, z: number, dx: number, dz: number, length: number, plots: Plot[], count: number): void {
  const room = length - ROW;
  const seed = Math.round(x) * 31 + Math.round(z) * 7 + dx * 3 + dz * 5;
  const houses = Math.max(1, Math.round(room / 9.5));
  const shares = Array.from({ length: houses }, (_, k) => 0.7 + 0.6 * hash(seed, k, SALT + 1));
  const scale = room / shares.reduce((sum, share) => sum + share);
  let at = 0;
  for (let k = 0; k < houses && plots.length < count; k++) {
    const width = shares[k] * scale;
    const chance = (salt: number): number => hash(seed, k, SALT + salt);
    const along = at + width / 2;
    const isCorner = k === 0 && chance(2) < 0.3;
    const roof = isCorner ? 'tower' : ROOFS[Math.floor(chance(3) * ROOFS.length)];
    plots.push({
      number: plots.length,
      x: x + dx * along - dz * (ROW / 2),
      z: z + dz * along + dx * (ROW / 2),
      turn: Math.atan2(dz, -dx),
      width,
      depth: ROW,
      storeys: 3 + Math.floor(2.6 * chance(4)) + (isCorner ? 1 : 0),
      roof,
      wall: varied(WALLS[Math.floor(chance(5) * WALLS.length)], chance(6)),
      tiles: varied(TILES[Math.floor(chance(7) * TILES.length)], chance(8)),
    });
    at += width;
  }
}

/** Trees on a square, around its middle. */
function addTrees({ left, right, back, front }: Block, column: number, row: number, props: Prop[]): void {
  for (let k = 0; k < 16; k++) {
    const chance = (salt: number): number => hash(column * 64 + k, row, SALT + salt);
    props.push({
      kind: 'tree',
      x: mix(left + 4, right - 4, chance(20)),
      z: mix(back + 4, front - 4, chance(21)),
      size: mix(0.9, 1.7, chance(22)),
    });
  }
}

/** Lamps along the pavement of a block, and trees where it is an avenue. */
function addStreetSides({ left, right, back, front }: Block, column: number, row: number, props: Prop[]): void {
  const addSide = (isAvenue: boolean, place: (share: number) => readonly [number, number]): void => {
    const count = isAvenue ? 5 : 2;
    for (let k = 0; k < count; k++) {
      const [x, z] = place((k + 0.5) / count);
      const isLamp = !isAvenue || k % 2 === 1;
      props.push({
        kind: isLamp ? 'lamp' : 'tree',
        x,
        z,
        size: isLamp ? 1 : mix(0.8, 1.2, hash(column, row + k, SALT)),
      });
    }
  };
  addSide(widthAt(column) === AVENUE.width, (share) => [left - 2.2, mix(back, front, share)]);
  addSide(widthAt(column + 1) === AVENUE.width, (share) => [right + 2.2, mix(back, front, share)]);
  addSide(widthAt(row) === AVENUE.width, (share) => [mix(left, right, share), back - 2.2]);
  addSide(widthAt(row + 1) === AVENUE.width, (share) => [mix(left, right, share), front + 2.2]);
}

const varied = (color: Color, chance: number): Color => color.clone().multiplyScalar(mix(0.88, 1.06, chance));
