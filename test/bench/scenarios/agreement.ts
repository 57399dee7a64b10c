/** Compares results of a rival with those of brute force. Equal distances may come in any order. */

import { Box3, Ray, type Vector3 } from 'three';
import { RayCapsule } from '../../../src/math/ray-capsule.ts';
import { UnitRay } from '../../../src/math/unit-ray.ts';
import { entryDistance } from './entry-distance.ts';
import type { Rival } from '../rivals/rival.ts';

/** Near and far: the whole ray. */
const ALL = Float64Array.of(0, Infinity);

/** The bodies of the last result, sorted. */
export function bodiesOf(rival: Rival, count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, k) => rival.bodyAt(k)).sort();
}

export function sameBodies(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((body, k) => body === b[k]);
}

/** True if both are the same body, or the ray enters both at the same distance. -1 is a miss. */
export function sameEntry(boxes: Float64Array, ray: Ray, a: number, b: number): boolean {
  if (a < 0 || b < 0) return a === b;
  return a === b || entryDistance(boxes, a, ray) === entryDistance(boxes, b, ray);
}

/** Squared distances from a point, a box or a ray to the boxes, ascending. */
export function sortedDistances(boxes: Float64Array, bodies: Uint32Array, from: Vector3 | Box3 | Ray): Float64Array {
  if (from instanceof Ray) return sortedDistancesToRay(boxes, bodies, from);
  const min = (from instanceof Box3 ? from.min : from).toArray();
  const max = (from instanceof Box3 ? from.max : from).toArray();
  return Float64Array.from(bodies, (body) => {
    let sum = 0;
    for (let axis = 0; axis < 3; axis++) {
      const distance = Math.max(boxes[body * 6 + axis] - max[axis], min[axis] - boxes[body * 6 + axis + 3], 0);
      sum += distance * distance;
    }
    return sum;
  }).sort();
}

function sortedDistancesToRay(boxes: Float64Array, bodies: Uint32Array, { origin, direction }: Ray): Float64Array {
  const ray = new UnitRay();
  const capsule = new RayCapsule();
  ray.set(Float64Array.from([...origin.toArray(), ...direction.toArray()]));
  capsule.setRay(ray, ALL);
  const distances = new Float64Array(bodies.length);
  bodies.forEach((body, k) => capsule.writeDistanceSq(boxes, body, distances, k));
  return distances.sort();
}
