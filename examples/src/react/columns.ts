// The columns of the field: places on a hexagonal grid, heights of rolling hills, and one material per step of height.

import { Color, CylinderGeometry, MeshStandardMaterial } from 'three';
import { hash, mix, smoothNoise } from '../shared/noise.ts';

/** Distance of two columns in metres. */
const SPACING = 1;
/** Height of the hills in metres. */
const HILLS = 4.5;
const STEPS = 24;
const LOW = new Color('#0b3a5c');
const MIDDLE = new Color('#12a99a');
const HIGH = new Color('#ffa63d');

interface Place {
  readonly x: number;
  readonly z: number;
}

export interface Column extends Place {
  readonly id: number;
  /** Height of its top above the ground. */
  readonly height: number;
  /** Index of its material. */
  readonly step: number;
}

/** The upper end of a column is at its origin, so that a column rises by its position alone. */
export const shape = new CylinderGeometry(SPACING * 0.54, SPACING * 0.54, 8, 6).translate(0, -4, 0);
export const materials = Array.from({ length: STEPS }, (_, step) => materialAt(step / (STEPS - 1)));
export const marked = new MeshStandardMaterial({
  color: '#ff6f7d',
  emissive: '#ff3c55',
  emissiveIntensity: 0.35,
  roughness: 0.5,
  flatShading: true,
});

/** The column under the pointer. */
export const pointedAt = new MeshStandardMaterial({
  color: '#ffe2b0',
  emissive: '#ffb454',
  emissiveIntensity: 0.55,
  roughness: 0.5,
  flatShading: true,
});

/** The places of the columns around the origin, the nearest to the middle first. */
export function placesOf(count: number): readonly Place[] {
  const edge = Math.ceil(Math.sqrt(count) * 1.3) + 2;
  const places: Place[] = [];
  for (let row = -edge; row <= edge; row++) {
    for (let at = -edge; at <= edge; at++)
      places.push({ x: (at + (row & 1) / 2) * SPACING, z: row * SPACING * Math.sqrt(0.75) });
  }
  places.sort((a, b) => a.x ** 2 + a.z ** 2 - (b.x ** 2 + b.z ** 2));
  return places.slice(0, count);
}

export function columnAt({ x, z }: Place, id: number): Column {
  const hill = mix(smoothNoise(x / 14, z / 14, 3), smoothNoise(x / 5, z / 5, 5), 0.25);
  const share = Math.min(1, Math.max(0, hill * 1.5 - 0.3));
  return {
    id,
    x,
    z,
    height: share ** 1.6 * HILLS * 2 + hash(Math.round(x * 8), Math.round(z * 8), 9) * 0.25,
    step: Math.round(share * (STEPS - 1)),
  };
}

function materialAt(share: number): MeshStandardMaterial {
  const color = share < 0.5 ? LOW.clone().lerp(MIDDLE, share / 0.5) : MIDDLE.clone().lerp(HIGH, (share - 0.5) / 0.5);
  return new MeshStandardMaterial({ color, roughness: 0.62, flatShading: true });
}
