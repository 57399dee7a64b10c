/**
 * Contacts of the reference implementation: position, normal and distance of two shapes. The normal points from the
 * first shape to the second. The distance is the gap of shapes that are apart, 0 if they only touch, and negative if
 * they overlap (penetration depth).
 */
import type { Bounds, Point, ReferenceBody, ReferenceSphere } from './geometry.ts';
import { along, boxContainsPoint, closestPoint, distanceSqBetween, subtract } from './geometry.ts';

export interface Contact {
  readonly distance: number;
  readonly position: Point;
  readonly normal: Point;
}

export function contactWithBox(body: ReferenceBody, other: Bounds): Contact {
  return body.sphere === null ? contactOfBoxes(body.box, other) : contactOfSphereAndBox(body.sphere, other);
}

export function contactWithSphere(body: ReferenceBody, other: ReferenceSphere): Contact {
  return body.sphere === null ? contactOfBoxAndSphere(body.box, other) : contactOfSpheres(body.sphere, other);
}

export function contactOfBodies(body: ReferenceBody, other: ReferenceBody): Contact {
  return other.sphere === null ? contactWithBox(body, other.box) : contactWithSphere(body, other.sphere);
}

/**
 * Of overlapping boxes the normal is the axis and direction of the smallest overlap; on a tie x before y before z, plus
 * before minus. Boxes that are apart have a gap on some axes; on the others the position is in the middle of their
 * common interval.
 */
function contactOfBoxes(box: Bounds, other: Bounds): Contact {
  const gaps = [0, 1, 2].map((i) =>
    other[i] > box[i + 3] ? other[i] - box[i + 3] : box[i] > other[i + 3] ? other[i + 3] - box[i] : 0,
  );
  const gap = Math.sqrt(gaps[0] * gaps[0] + gaps[1] * gaps[1] + gaps[2] * gaps[2]);
  if (gap > 0) {
    const position = gaps.map((g, i) =>
      g > 0 ? box[i + 3] : g < 0 ? box[i] : (Math.max(box[i], other[i]) + Math.min(box[i + 3], other[i + 3])) / 2,
    );
    return { distance: gap, position, normal: gaps.map((g) => g / gap) };
  }
  let depth = Infinity;
  let axis = 0;
  let sign = 1;
  for (let i = 0; i < 3; i++) {
    const plus = box[i + 3] - other[i];
    const minus = other[i + 3] - box[i];
    if (plus < depth) [depth, axis, sign] = [plus, i, 1];
    if (minus < depth) [depth, axis, sign] = [minus, i, -1];
  }
  const position = [0, 1, 2].map((i) => (Math.max(box[i], other[i]) + Math.min(box[i + 3], other[i + 3])) / 2);
  position[axis] = sign > 0 ? box[axis + 3] : box[axis];
  return { distance: -depth, position, normal: axisVector(axis, sign) };
}

function contactOfSpheres(sphere: ReferenceSphere, other: ReferenceSphere): Contact {
  const gap = Math.sqrt(distanceSqBetween(other.center, sphere.center));
  const normal = gap > 0 ? subtract(other.center, sphere.center).map((component) => component / gap) : axisVector(0, 1);
  return {
    distance: gap - (sphere.radius + other.radius),
    position: along(sphere.center, normal, sphere.radius),
    normal,
  };
}

function contactOfBoxAndSphere(box: Bounds, { center, radius }: ReferenceSphere): Contact {
  if (boxContainsPoint(box, center)) return contactFromInside(box, center, radius);
  const position = closestPoint(center, box);
  const gap = Math.sqrt(distanceSqBetween(center, position));
  // The squared distance of a point very near the box may underflow to 0. It then gives no direction: handled as
  // inside.
  if (gap === 0) return contactFromInside(box, position, radius);
  const normal = subtract(center, position).map((component) => component / gap);
  return { distance: gap - radius, position, normal };
}

/**
 * For a centre inside the box: the normal points through the nearest face; on a tie -x +x -y +y -z +z in this order.
 */
function contactFromInside(box: Bounds, center: Point, radius: number): Contact {
  let depth = Infinity;
  let axis = 0;
  let sign = -1;
  for (let i = 0; i < 3; i++) {
    const minus = center[i] - box[i];
    const plus = box[i + 3] - center[i];
    if (minus < depth) [depth, axis, sign] = [minus, i, -1];
    if (plus < depth) [depth, axis, sign] = [plus, i, 1];
  }
  const position = [...center];
  position[axis] = sign > 0 ? box[axis + 3] : box[axis];
  return { distance: -(depth + radius), position, normal: axisVector(axis, sign) };
}

function contactOfSphereAndBox(sphere: ReferenceSphere, box: Bounds): Contact {
  const mirrored = contactOfBoxAndSphere(box, sphere);
  const normal = mirrored.normal.map((component) => -component);
  return { distance: mirrored.distance, position: along(sphere.center, normal, sphere.radius), normal };
}

function axisVector(axis: number, length: number): number[] {
  return [0, 1, 2].map((i) => (i === axis ? length : 0));
}
