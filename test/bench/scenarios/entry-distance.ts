import type { Ray } from 'three';

/** Distance along the ray to a box that it hits; 0 if the ray starts inside. */
export function entryDistance(boxes: Float64Array, body: number, { origin, direction }: Ray): number {
  const from = origin.toArray();
  const towards = direction.toArray();
  let entry = 0;
  for (let axis = 0; axis < 3; axis++) {
    const near = boxes[body * 6 + (towards[axis] < 0 ? axis + 3 : axis)];
    entry = Math.max(entry, (near - from[axis]) * (1 / towards[axis]));
  }
  return entry;
}
