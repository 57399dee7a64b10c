// The shapes of a walking person, in vertex colours: a body with arms, head and hair or hat, and a leg.

import { BufferAttribute, type BufferGeometry, CapsuleGeometry, Color, CylinderGeometry, SphereGeometry } from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { type Colour, COLOURS } from './parts.ts';

export interface PersonShapes {
  readonly body: BufferGeometry;
  readonly leg: BufferGeometry;
}
/** Height of the hips. */
export const HIPS = 0.86;

const SHIRTS: readonly Colour[] = ['coral', 'teal', 'mustard', 'navy', 'white', 'plum', 'mint', 'red'];
const TROUSERS: readonly Colour[] = ['navy', 'ink', 'bark', 'steel'];
const HAIR: readonly Colour[] = ['bark', 'ink', 'loaf', 'wood'];
const SKINS = ['#f0c6a2', '#d9a077', '#a8714b', '#7d5238'];

export const LOOKS = 8;

export function createPerson(look: number): PersonShapes {
  const [shirt, trousers, hair] = [SHIRTS[look % 8], TROUSERS[look % 4], HAIR[(look * 3 + 1) % 4]];
  const skin = SKINS[(look * 5) % 4];
  const parts = [
    paint(new CapsuleGeometry(0.19, 0.36, 3, 10).scale(1, 1, 0.75).translate(0, 1.14, 0), COLOURS[shirt]),
    paint(new SphereGeometry(0.135, 12, 10).scale(1, 1.12, 1).translate(0, 1.6, 0), skin),
    look % 3 === 0
      ? paint(new CylinderGeometry(0.11, 0.24, 0.16, 12).translate(0, 1.73, 0), COLOURS.mustard)
      : paint(
          new SphereGeometry(0.145, 12, 8, 0, 2 * Math.PI, 0, 1.55)
            .scale(1.05, 1.18, 1.08)
            .rotateX(-0.35)
            .translate(0, 1.61, -0.015),
          COLOURS[hair],
        ),
  ];
  for (const side of [-1, 1]) {
    const arm = new CapsuleGeometry(0.055, 0.4, 2, 6).rotateZ(0.16 * side).translate(0.25 * side, 1.13, 0);
    parts.push(paint(arm, COLOURS[shirt]));
    parts.push(paint(new SphereGeometry(0.06, 6, 5).translate(0.285 * side, 0.87, 0), skin));
  }
  const leg = paint(new CapsuleGeometry(0.085, 0.66, 2, 8).translate(0, -0.42, 0), COLOURS[trousers]);
  const shoe = paint(new SphereGeometry(0.1, 8, 6).scale(0.9, 0.6, 1.5).translate(0, HIPS * -0.94, 0.05), COLOURS.ink);
  return { body: mergeGeometries(parts), leg: mergeGeometries([leg, shoe]) };
}

function paint(geometry: BufferGeometry, colour: string): BufferGeometry {
  const { r, g, b } = new Color(colour);
  const colors = new Float32Array(geometry.getAttribute('position').count * 3);
  for (let k = 0; k < colors.length; k += 3) colors.set([r, g, b], k);
  geometry.deleteAttribute('uv');
  return geometry.setAttribute('color', new BufferAttribute(colors, 3));
}
