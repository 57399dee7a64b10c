/**
 * Contacts of the reference implementation: where two shapes touch, which way they part, how deep they are.
 * A normal points from the first shape to the second; a distance is negative inside, 0 when touching.
 */
import type { Bounds, Point, ReferenceBody, ReferenceSphere } from './reference-geometry.ts';
import { along, boxContainsPoint, closestPoint, distanceSqBetween, subtract } from './reference-geometry.ts';

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

/** Two boxes part along the axis and direction with the shortest way out; on a tie x before y before z, plus before minus. */
function contactOfBoxes(box: Bounds, other: Bounds): Contact {
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
  const apart = Math.sqrt(distanceSqBetween(other.center, sphere.center));
  const normal = apart > 0 ? subtract(other.center, sphere.center).map((component) => component / apart) : axisVector(0, 1);
  return { distance: apart - (sphere.radius + other.radius), position: along(sphere.center, normal, sphere.radius), normal };
}

function contactOfBoxAndSphere(box: Bounds, { center, radius }: ReferenceSphere): Contact {
  if (boxContainsPoint(box, center)) return contactFromWithin(box, center, radius);
  const position = closestPoint(center, box);
  const apart = Math.sqrt(distanceSqBetween(center, position));
  // The square of a way this short may have underflowed to 0: then it has no direction, and counts as a way from within.
  if (apart === 0) return contactFromWithin(box, position, radius);
  const normal = subtract(center, position).map((component) => component / apart);
  return { distance: apart - radius, position, normal };
}

/** The centre lies in the box: the sphere leaves by the nearest face; on a tie -x +x -y +y -z +z. */
function contactFromWithin(box: Bounds, center: Point, radius: number): Contact {
  let way = Infinity;
  let axis = 0;
  let sign = -1;
  for (let i = 0; i < 3; i++) {
    const minus = center[i] - box[i];
    const plus = box[i + 3] - center[i];
    if (minus < way) [way, axis, sign] = [minus, i, -1];
    if (plus < way) [way, axis, sign] = [plus, i, 1];
  }
  const position = [...center];
  position[axis] = sign > 0 ? box[axis + 3] : box[axis];
  return { distance: -(way + radius), position, normal: axisVector(axis, sign) };
}

function contactOfSphereAndBox(sphere: ReferenceSphere, box: Bounds): Contact {
  const mirrored = contactOfBoxAndSphere(box, sphere);
  const normal = mirrored.normal.map((component) => -component);
  return { distance: mirrored.distance, position: along(sphere.center, normal, sphere.radius), normal };
}

function axisVector(axis: number, length: number): number[] {
  return [0, 1, 2].map((i) => (i === axis ? length : 0));
}
