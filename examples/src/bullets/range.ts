// The layout of the shooting range, in metres. The region is a cube centred at the origin; the gun fires along -z.

import { Vector3 } from 'three';
import type { Region } from '../../../src/index.ts';

export const region: Region = { min: { x: -128, y: -128, z: -128 }, edge: 256 };

/** The pivot of the barrel, and its length. */
export const gunPlace = new Vector3(0, -40, 112);
export const BARREL_LENGTH = 14;

/** The centre of the target field; the gun aims at places in the plane of constant z through it. */
export const fieldCentre = new Vector3(0, 4, -48);
export const FIELD_RADIUS = 78;
