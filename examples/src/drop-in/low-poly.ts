// Low-poly shapes: merges parts of one colour each into a geometry with flat faces.

import { BufferAttribute, type BufferGeometry, Color, Vector3 } from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { hash } from '../shared/noise.ts';

/** Maximum relative variation of the brightness of a face. */
const TINT = 0.09;

/** A part: its geometry, which is disposed when it is merged, and its colour. Colours above 1 look emissive. */
export type Part = readonly [shape: BufferGeometry, color: Color];

export function mergeParts(...parts: readonly Part[]): BufferGeometry {
  const flat = parts.map(([shape, color]) =>
    paintBy(shape, (_centre, face, target) => {
      target.copy(color).multiplyScalar(1 + (hash(face, 0, 1) - 0.5) * 2 * TINT);
    }),
  );
  const merged = mergeGeometries(flat);
  for (const part of flat) part.dispose();
  return merged;
}

/** Moves each corner by up to `maxOffset` along each axis. Equal corners of several faces move by the same offset. */
export function roughen<Shape extends BufferGeometry>(shape: Shape, maxOffset: number, salt: number): Shape {
  const places = shape.getAttribute('position');
  for (let corner = 0; corner < places.count; corner++) {
    const [x, y, z] = [places.getX(corner), places.getY(corner), places.getZ(corner)];
    // Rounding, because equal corners may differ in their last bits.
    const shift = (axis: number): number =>
      (hash(Math.round(x * 512) + axis, Math.round(y * 512) * 31 + Math.round(z * 512), salt) - 0.5) * 2 * maxOffset;
    places.setXYZ(corner, x + shift(1), y + shift(2), z + shift(3));
  }
  return shape;
}

/** Sets one colour per face, computed from the centre of the face. Disposes `shape`. */
export function paintBy(
  shape: BufferGeometry,
  colorAt: (centre: Vector3, face: number, target: Color) => void,
): BufferGeometry {
  const flat = shape.index ? shape.toNonIndexed() : shape.clone();
  shape.dispose();
  flat.deleteAttribute('uv');
  flat.computeVertexNormals();
  const places = flat.getAttribute('position');
  const colors = new Float32Array(places.count * 3);
  const [centre, corner, color] = [new Vector3(), new Vector3(), new Color()];
  for (let first = 0; first < places.count; first += 3) {
    centre.set(0, 0, 0);
    for (let k = 0; k < 3; k++) centre.add(corner.fromBufferAttribute(places, first + k));
    colorAt(centre.divideScalar(3), first / 3, color);
    for (let k = 0; k < 3; k++) color.toArray(colors, (first + k) * 3);
  }
  return flat.setAttribute('color', new BufferAttribute(colors, 3));
}
