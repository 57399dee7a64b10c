import type { Ray } from 'three';

/** Along the ray to the box it hits; 0 from inside. */
export function entryDistance(boxes: Float64Array, body: number, { origin, direction }: Ray): number {
  const from = origin.toArray();
  const way = direction.toArray();
  let entry = 0;
  for (let axis = 0; axis < 3; axis++) {
    const near = boxes[body * 6 + (way[axis] < 0 ? axis + 3 : axis)];
    entry = Math.max(entry, (near - from[axis]) * (1 / way[axis]));
  }
  return entry;
}
