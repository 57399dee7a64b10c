/** Whether a rival's answer is that of brute force. Ties may be told in any order. */

import type { Ray, Vector3 } from 'three';
import { entryDistance } from './entry-distance.ts';
import type { Rival } from '../rivals/rival.ts';

export function bodiesOf(rival: Rival, count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, k) => rival.bodyAt(k)).sort();
}

export function sameBodies(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((body, k) => body === b[k]);
}

/** Two bodies may be entered at the same distance. */
export function sameEntry(boxes: Float64Array, ray: Ray, a: number, b: number): boolean {
  if (a < 0 || b < 0) return a === b;
  return a === b || entryDistance(boxes, a, ray) === entryDistance(boxes, b, ray);
}

export function sortedDistances(boxes: Float64Array, bodies: Uint32Array, point: Vector3): Float64Array {
  const at = point.toArray();
  return Float64Array.from(bodies, (body) => {
    let sum = 0;
    for (let axis = 0; axis < 3; axis++) {
      const away = Math.max(boxes[body * 6 + axis] - at[axis], at[axis] - boxes[body * 6 + axis + 3], 0);
      sum += away * away;
    }
    return sum;
  }).sort();
}
