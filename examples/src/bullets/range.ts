// The shooting range: where everything stands, in metres. The region is a cube about the origin; the gun fires along -z.

import { Vector3 } from 'three';
import type { Region } from '../../../src/index.ts';

export const region: Region = { min: { x: -128, y: -128, z: -128 }, edge: 256 };

/** Where the barrel turns, and how long it is. */
export const gunPlace = new Vector3(0, -40, 112);
export const BARREL_LENGTH = 14;

/** The middle of the targets; the gun is aimed at places in the plane z through it. */
export const fieldCentre = new Vector3(0, 4, -48);
export const FIELD_RADIUS = 78;

/** Time goes in equal steps, however fast the page draws. */
export const STEPS_PER_SECOND = 60;
export const STEP_SECONDS = 1 / STEPS_PER_SECOND;
