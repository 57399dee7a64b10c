/**
 * Geometry of the reference implementation: whether a body touches a shape, and its distance. Written from the rules
 * below, one body at a time. It shares no code with the octree, so that an error in either of them makes a test fail.
 *
 * Results are exact: which bodies a query reports, `inside`, and the distances by which rays and nearest queries sort,
 * are equal in the octree and in the reference, to the last bit. This needs a rule beside the code, because rounding
 * decides at the boundary. The rule is a set of float64 expressions, which the octree and the reference evaluate with
 * the same operands in the same order:
 *
 * - The box of a sphere is c - r to c + r on each axis. Boxes overlap and contain by comparisons alone, which do not
 *   round.
 * - A squared length is x * x + y * y + z * z, summed from left to right.
 * - The gap between a point p and a box on one axis is min - p below it, p - max above it, else 0. A sphere touches a
 *   box if the squared length of the gaps is <= r * r, and contains it if the squared length of max(p - min, max - p)
 *   is.
 * - Spheres touch if the squared distance of their centres is <= (r + s) * (r + s). A query sphere of radius R contains
 *   a sphere body of radius r if sqrt(that) + r <= R. The radius of a query sphere is limited to MAX_RADIUS first.
 * - A sphere body touches a query shape only if its box touches it too.
 * - Bodies are within d > 0 of each other if the squared length of the gaps of their boxes is <= d * d. For a sphere
 *   and a box, the rule for a sphere that touches a box must hold too, with the radius r + d. For two spheres, the rule
 *   for spheres that touch must hold too, with (r + s) + d instead of r + s.
 * - The distance of a body from a point is sqrt of the squared gaps of its box; for a sphere body the greater of that
 *   and sqrt(squared distance of the centre) - r.
 * - For rays see `unitDirection`, `crossSlabs` and `castRay`; for shape casts see casts.ts; for planes see `cullBody`
 *   in frustum.ts.
 *
 * A new kind of query needs such expressions for its test. For example a fixed formula for a point of the shape, then
 * one of the tests above for that point.
 *
 * Not equal to the last bit are positions, normals, and the distances of contacts and frusta: they may differ by a few
 * roundings. A frustum query with `exact` may differ for a body whose distance from the volume is within a tolerance:
 * see frustum.ts.
 */

/** x, y, z. */
export type Point = readonly number[];
/** min x, y, z, then max x, y, z. */
export type Bounds = readonly number[];

/** A sphere. */
export interface ReferenceSphere {
  /** x, y, z. */
  readonly center: Point;
  /** World units. */
  readonly radius: number;
}

/** A body of the reference. `box` is always its bounding box; `sphere` is null for a box body. */
export interface ReferenceBody {
  /** The number that the caller gave to the body. */
  readonly index: number;
  /** The box, or the box around the sphere. */
  readonly box: Bounds;
  /** Null for a box. */
  readonly sphere: ReferenceSphere | null;
  /** Half of the size of a box along x, y and z, which moves by its centre keep. */
  readonly halfSize: Point;
  /** Category bits. */
  readonly mask: number;
  /** Two static bodies never pair. */
  readonly isStatic: boolean;
}

export interface RayHit {
  readonly distance: number;
  readonly inside: boolean;
  readonly position: Point;
  readonly normal: Point;
}

/**
 * World units. Greater radii are clamped to it, so that no square overflows. It exceeds the distance of any two valid
 * points of the octree.
 */
const MAX_RADIUS = 2 ** 54;
const AXES = [0, 1, 2] as const;

export function boundsOfSphere({ center, radius }: ReferenceSphere): number[] {
  const [x, y, z] = center;
  return [x - radius, y - radius, z - radius, x + radius, y + radius, z + radius];
}

export function limitRadius(sphere: ReferenceSphere): ReferenceSphere {
  return { center: sphere.center, radius: Math.min(sphere.radius, MAX_RADIUS) };
}

function lengthSq(x: number, y: number, z: number): number {
  return x * x + y * y + z * z;
}

/** Distance from a coordinate to an interval; 0 inside. */
function gap(value: number, min: number, max: number): number {
  return value < min ? min - value : value > max ? value - max : 0;
}

export function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function subtract(a: Point, b: Point): number[] {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function along(origin: Point, direction: Point, distance: number): number[] {
  return [
    origin[0] + direction[0] * distance,
    origin[1] + direction[1] * distance,
    origin[2] + direction[2] * distance,
  ];
}

export function distanceSqBetween(a: Point, b: Point): number {
  return lengthSq(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

export function closestPoint(point: Point, box: Bounds): number[] {
  return AXES.map((axis) => Math.min(Math.max(point[axis], box[axis]), box[axis + 3]));
}

/** Squared distance from a point to a box; 0 inside. */
export function distanceSqToBox(point: Point, box: Bounds): number {
  return lengthSq(gap(point[0], box[0], box[3]), gap(point[1], box[1], box[4]), gap(point[2], box[2], box[5]));
}

/** Squared distance from a point to the farthest corner of a box. */
export function farthestDistanceSq(point: Point, box: Bounds): number {
  const [x, y, z] = point;
  return lengthSq(Math.max(x - box[0], box[3] - x), Math.max(y - box[1], box[4] - y), Math.max(z - box[2], box[5] - z));
}

export function boxesTouch(a: Bounds, b: Bounds): boolean {
  return a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5];
}

export function boxContainsBox(outer: Bounds, inner: Bounds): boolean {
  return (
    outer[0] <= inner[0] &&
    inner[3] <= outer[3] &&
    outer[1] <= inner[1] &&
    inner[4] <= outer[4] &&
    outer[2] <= inner[2] &&
    inner[5] <= outer[5]
  );
}

export function boxContainsPoint(box: Bounds, point: Point): boolean {
  return (
    box[0] <= point[0] &&
    point[0] <= box[3] &&
    box[1] <= point[1] &&
    point[1] <= box[4] &&
    box[2] <= point[2] &&
    point[2] <= box[5]
  );
}

/** An empty query, whose min is above its max on any axis, touches nothing. */
export function touchesBox(body: ReferenceBody, query: Bounds): boolean {
  if ([0, 1, 2].some((axis) => query[axis] > query[axis + 3])) return false;
  if (!boxesTouch(body.box, query)) return false;
  return body.sphere === null || distanceSqToBox(body.sphere.center, query) <= body.sphere.radius * body.sphere.radius;
}

export function touchesSphere(body: ReferenceBody, query: ReferenceSphere): boolean {
  if (distanceSqToBox(query.center, body.box) > query.radius * query.radius) return false;
  if (body.sphere === null) return true;
  const radii = body.sphere.radius + query.radius;
  return distanceSqBetween(body.sphere.center, query.center) <= radii * radii;
}

export function containsPoint(body: ReferenceBody, point: Point): boolean {
  if (!boxContainsPoint(body.box, point)) return false;
  return (
    body.sphere === null || distanceSqBetween(point, body.sphere.center) <= body.sphere.radius * body.sphere.radius
  );
}

export function bodiesTouch(a: ReferenceBody, b: ReferenceBody): boolean {
  if (!boxesTouch(a.box, b.box)) return false;
  if (a.sphere === null && b.sphere === null) return true;
  if (a.sphere !== null && b.sphere !== null) {
    const radii = a.sphere.radius + b.sphere.radius;
    return distanceSqBetween(a.sphere.center, b.sphere.center) <= radii * radii;
  }
  return a.sphere !== null ? touchesBox(a, b.box) : touchesBox(b, a.box);
}

/**
 * Whether two bodies are within a distance of each other; at distance 0, whether they touch. A sphere body is within
 * the distance only if its box is, as in all tests.
 */
export function bodiesWithin(a: ReferenceBody, b: ReferenceBody, distance: number): boolean {
  if (distance === 0) return bodiesTouch(a, b);
  const limit = Math.min(distance, MAX_RADIUS);
  const gaps = AXES.map((axis) => Math.max(a.box[axis] - b.box[axis + 3], b.box[axis] - a.box[axis + 3], 0));
  if (dot(gaps, gaps) > limit * limit) return false;
  if (a.sphere === null && b.sphere === null) return true;
  if (a.sphere !== null && b.sphere !== null) {
    const reach = a.sphere.radius + b.sphere.radius + limit;
    return distanceSqBetween(a.sphere.center, b.sphere.center) <= reach * reach;
  }
  const sphere = a.sphere ?? b.sphere!;
  const reach = sphere.radius + limit;
  return distanceSqToBox(sphere.center, a.sphere === null ? a.box : b.box) <= reach * reach;
}

/** Distance from a point to a body; 0 inside. A sphere is never nearer than its box. */
export function distanceToBody(point: Point, { box, sphere }: ReferenceBody): number {
  const toBox = Math.sqrt(distanceSqToBox(point, box));
  return sphere === null ? toBox : Math.max(toBox, Math.sqrt(distanceSqBetween(point, sphere.center)) - sphere.radius);
}

/** Scales a direction of any magnitude to length 1. Turns -0 into 0, so that both give the same line. */
export function unitDirection(direction: Point): number[] {
  let scaled = [...direction];
  const magnitude = dot(scaled, scaled);
  if (!(magnitude >= 1e-200 && magnitude <= 1e200)) {
    const largest = Math.max(...scaled.map(Math.abs));
    scaled = scaled.map((component) => component / largest);
  }
  const length = Math.sqrt(dot(scaled, scaled));
  return scaled.map((component) => component / length + 0);
}

/** The first point of a body on a ray with a unit direction, or null. */
export function castRay(origin: Point, direction: Point, body: ReferenceBody): RayHit | null {
  const slabs = crossSlabs(origin, direction, body.box);
  if (slabs === null) return null;
  if (containsPoint(body, origin)) return { distance: 0, inside: true, position: [...origin], normal: [0, 0, 0] };
  if (body.sphere === null) {
    const normal = AXES.map((axis) => (axis !== slabs.axis ? 0 : direction[axis] < 0 ? 1 : -1));
    return { distance: slabs.entry, inside: false, position: along(origin, direction, slabs.entry), normal };
  }
  const { center, radius } = body.sphere;
  const toCenter = subtract(center, origin);
  const b = dot(toCenter, direction);
  const offset = [toCenter[0] - b * direction[0], toCenter[1] - b * direction[1], toCenter[2] - b * direction[2]];
  const rest = radius * radius - dot(offset, offset);
  if (rest < 0 || b < 0) return null;
  const distance = Math.max(b - Math.sqrt(rest), slabs.entry);
  const position = along(origin, direction, distance);
  const outward = subtract(position, center);
  const length = Math.sqrt(dot(outward, outward));
  // A sphere of radius 0 has no surface: its normal points against the ray.
  const normal =
    radius > 0 && length > 0
      ? outward.map((component) => component / length)
      : direction.map((component) => 0 - component);
  return { distance, inside: false, position, normal };
}

/**
 * Slab test: the interval in which the ray lies between both planes of all three axes, or null. For a ray in the plane
 * of a face, the product of 0 and Infinity gives NaN; every comparison with NaN is false, so this axis sets no limit.
 * `axis` is the axis of the plane that is crossed last on entry.
 */
function crossSlabs(origin: Point, direction: Point, box: Bounds): { entry: number; axis: number } | null {
  let entry = 0;
  let exit = Infinity;
  let latest = -Infinity;
  let lastAxis = 0;
  for (const axis of AXES) {
    const inverse = 1 / direction[axis];
    const isNegative = direction[axis] < 0;
    const near = (box[isNegative ? axis + 3 : axis] - origin[axis]) * inverse;
    const far = (box[isNegative ? axis : axis + 3] - origin[axis]) * inverse;
    if (near > entry) entry = near;
    if (far < exit) exit = far;
    if (near > latest) {
      latest = near;
      lastAxis = axis;
    }
  }
  return entry <= exit && exit >= 0 ? { entry, axis: lastAxis } : null;
}
