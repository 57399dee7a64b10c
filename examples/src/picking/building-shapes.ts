// The geometries of the town's buildings. Each is one unit wide, high and deep with its bottom at y = 0; a building
// scales it to its size. All buildings share a few geometries.

import { BufferGeometry, Color } from 'three';
import type { BlockUse } from '../shared/city-plan.ts';
import { hash } from '../shared/noise.ts';
import { ShapeBuilder } from './shape-builder.ts';

export type BuildingKind = Exclude<BlockUse, 'none'>;

const STOREY = 3.2;
/** Available numbers of window rows; a building gets the nearest. */
const ROWS: Readonly<Record<BuildingKind, readonly number[]>> = {
  houses: [2],
  halls: [2],
  flats: [4, 8, 14],
  towers: [10, 20, 40, 90],
};
/** Windows per row of a wall. */
const COLUMNS: Readonly<Record<BuildingKind, number>> = { houses: 3, halls: 12, flats: 9, towers: 10 };
/** Wall colours. */
const WALLS: Readonly<Record<BuildingKind, readonly string[]>> = {
  houses: ['#a4623f', '#c2b394', '#8d4a3a', '#7d8891', '#b58b5e'],
  halls: ['#6d7681', '#857a6a'],
  flats: ['#9a8b77', '#7c6658', '#77828f'],
  towers: ['#5b6a7d', '#78808a', '#49566b'],
};
const TILES = ['#5a2f26', '#3d4148', '#6b4a33', '#2f3640', '#54392c'];
const FLAT_ROOF = new Color('#2b323c');

export class BuildingShapes {
  private readonly shapes = new Map<string, BufferGeometry>();

  /** The geometry for a building of a height in metres; `chance`, 0 to 1, selects its colours. */
  shapeFor(kind: BuildingKind, height: number, chance: number): BufferGeometry {
    const rows = nearest(ROWS[kind], height / STOREY);
    const variant = Math.floor(chance * WALLS[kind].length);
    const key = `${kind} ${rows} ${variant}`;
    let shape = this.shapes.get(key);
    if (shape === undefined) this.shapes.set(key, (shape = build(kind, rows, variant)));
    return shape;
  }

  dispose(): void {
    for (const shape of this.shapes.values()) shape.dispose();
  }
}

function build(kind: BuildingKind, rows: number, variant: number): BufferGeometry {
  const wall = new Color(WALLS[kind][variant]);
  const windows = { columns: COLUMNS[kind], rows, seed: 16 * Math.floor(4096 * hash(rows, variant, COLUMNS[kind])) };
  const shape = new ShapeBuilder();
  switch (kind) {
    case 'houses':
      shape.addBox([-0.46, 0, -0.48], [0.46, 0.58, 0.48], wall, wall, windows);
      addGableRoof(shape, 0.54, wall, new Color(TILES[variant]));
      shape.addBox([0.14, 0.7, 0.1], [0.26, 1, 0.2], wall, FLAT_ROOF);
      break;
    case 'halls':
      shape.addBox([-0.5, 0, -0.5], [0.5, 0.74, 0.5], wall, wall, windows);
      for (const z of [-0.5, -0.25, 0, 0.25]) addSawTooth(shape, z, 0.25, wall);
      break;
    case 'flats':
      shape.addBox([-0.5, 0, -0.5], [0.5, 0.93, 0.5], wall, FLAT_ROOF, windows);
      shape.addBox([-0.16, 0.93, -0.2], [0.18, 1, 0.12], wall, FLAT_ROOF);
      break;
    case 'towers':
      shape.addBox([-0.5, 0, -0.5], [0.5, 0.84, 0.5], wall, FLAT_ROOF, windows);
      shape.addBox([-0.36, 0.84, -0.36], [0.36, 0.97, 0.36], wall, FLAT_ROOF, {
        columns: 7,
        rows: Math.ceil(rows / 8),
        seed: windows.seed + 8,
      });
      shape.addBox([-0.12, 0.97, -0.12], [0.12, 1, 0.12], wall, FLAT_ROOF);
      break;
  }
  return shape.build();
}

/** Two slopes and two gables on a house whose walls end at `eaves`. */
function addGableRoof(shape: ShapeBuilder, eaves: number, wall: Color, tiles: Color): void {
  const [out, front] = [0.5, 0.5];
  shape.addQuad(
    [
      [out, eaves, front],
      [out, eaves, -front],
      [0, 0.92, -front],
      [0, 0.92, front],
    ],
    tiles,
  );
  shape.addQuad(
    [
      [-out, eaves, -front],
      [-out, eaves, front],
      [0, 0.92, front],
      [0, 0.92, -front],
    ],
    tiles,
  );
  shape.addTriangle(
    [
      [-out, eaves, front],
      [out, eaves, front],
      [0, 0.92, front],
    ],
    wall,
  );
  shape.addTriangle(
    [
      [out, eaves, -front],
      [-out, eaves, -front],
      [0, 0.92, -front],
    ],
    wall,
  );
}

/** One tooth of a saw-tooth roof: a steep glass side to the south, a long slope to the north. */
function addSawTooth(shape: ShapeBuilder, z: number, depth: number, wall: Color): void {
  const [low, high, end] = [0.74, 1, z + depth];
  shape.addQuad(
    [
      [-0.5, low, end],
      [0.5, low, end],
      [0.5, high, end],
      [-0.5, high, end],
    ],
    wall,
    { columns: 16, rows: 1, seed: 5 },
  );
  shape.addQuad(
    [
      [0.5, low, z],
      [-0.5, low, z],
      [-0.5, high, end],
      [0.5, high, end],
    ],
    FLAT_ROOF,
  );
  shape.addTriangle(
    [
      [0.5, low, end],
      [0.5, low, z],
      [0.5, high, end],
    ],
    wall,
  );
  shape.addTriangle(
    [
      [-0.5, low, z],
      [-0.5, low, end],
      [-0.5, high, end],
    ],
    wall,
  );
}

const nearest = (offered: readonly number[], wanted: number): number =>
  offered.reduce((best, rows) => (Math.abs(rows - wanted) < Math.abs(best - wanted) ? rows : best));
