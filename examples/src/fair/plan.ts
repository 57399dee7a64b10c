// Where things stand at the fair, in metres. The avenue leads from the entrance (z > 0) past the merry-go-round at the
// origin to the Ferris wheel; the hall of doors is to its right, the tower with the lifts to its left.

import { type Object3D, Vector3 } from 'three';
import type { PlaceName } from './settings.ts';

/** The ground is level within this distance of the middle, and has hills beyond it. */
export const LEVEL = 92;
export const GROUND = 150;
/** Half of the width of the avenue between the stalls. */
export const AVENUE = 8.4;

export interface StallPlace {
  readonly number: number;
  readonly x: number;
  readonly z: number;
  /** Radians about the vertical. */
  readonly turn: number;
}

/** Columns of stalls beside the avenue and the lanes: place of each, and the side that it looks to. */
const COLUMNS = [
  [10, -1],
  [19, 1],
  [29, -1],
  [38, 1],
  [48, -1],
  [57, 1],
] as const;
/** Middles of the lanes that people walk along. */
export const LANES = [0, 24, -24, 43, -43] as const;
const FIRST_ROW = 14;
const ROW = 5.4;
const ROWS = 9;

export function planStalls(count: number): StallPlace[] {
  const places: StallPlace[] = [];
  for (const [x, looksTo] of COLUMNS)
    for (let row = 0; row < ROWS; row++)
      for (const side of [1, -1]) {
        const turn = (side * looksTo * Math.PI) / 2;
        places.push({ number: places.length, x: side * x, z: FIRST_ROW + ROW * row, turn });
      }
  return places.slice(0, count);
}

export const WHEEL = { x: 0, y: 16.4, z: -40, radius: 13 } as const;
/** The gondolas that are not like the others. The first stands at the platform when the fair begins. */
export const STRETCHED = 1;
export const MIRRORED = 2;
/** Height of the floor of a gondola below the axis that it hangs from. */
export const GONDOLA_FLOOR = 2.62;
export const CAROUSEL = { x: 0, z: -6, radius: 6.2, high: 0.32 } as const;
export const TOWER = { x: -34, z: -22, high: 7 } as const;
export const HALL = { x: 34, z: -22, width: 26, depth: 16, high: 4.6 } as const;

interface Place {
  /** The feet. */
  readonly at: Vector3;
  /** What is looked at. */
  readonly to: Vector3;
}

const GONDOLAS = { gondola: 0, 'stretched gondola': STRETCHED, 'mirrored gondola': MIRRORED } as const;
const PLACES: Readonly<Record<Exclude<PlaceName, keyof typeof GONDOLAS>, Place>> = {
  entrance: { at: new Vector3(0.6, 0.1, 59), to: new Vector3(0, 0, -40) },
  wheel: { at: new Vector3(0, 0, WHEEL.z + 7), to: new Vector3(0, 0, WHEEL.z) },
  lift: { at: new Vector3(TOWER.x - 3, 0, TOWER.z + 8.4), to: new Vector3(TOWER.x - 3, 0, TOWER.z) },
  deck: { at: new Vector3(TOWER.x, TOWER.high, TOWER.z), to: new Vector3(10, 0, 20) },
  doors: { at: new Vector3(HALL.x, 0, HALL.z + HALL.depth / 2 + 1.6), to: new Vector3(HALL.x, 0, HALL.z) },
  'merry-go-round': { at: new Vector3(0, 0, CAROUSEL.z + CAROUSEL.radius + 1.2), to: new Vector3(0, 0, CAROUSEL.z) },
};

/** Where a visit begins. @param gondolas As they are now. */
export function placeOf(name: PlaceName, gondolas: readonly Object3D[]): Place {
  if (!(name in GONDOLAS)) return PLACES[name as keyof typeof PLACES];
  const { x, y } = gondolas[GONDOLAS[name as keyof typeof GONDOLAS]].position;
  return { at: new Vector3(x, y - GONDOLA_FLOOR, WHEEL.z), to: new Vector3(0, y - 6, 60) };
}
