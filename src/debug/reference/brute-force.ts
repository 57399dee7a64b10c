/** The reference implementation of all queries. */
import type { ReferenceCapsule } from './capsule.ts';
import { isWithinCapsule, nearestAxisPoint, touchesCapsule } from './capsule.ts';
import type { CastHit } from './casts.ts';
import { castBox, castSphere } from './casts.ts';
import type { Contact } from './contact.ts';
import { OrientedReference, type ReferenceOrientedBox } from './oriented-box.ts';
import { contactOfBodies, contactWithBox, contactWithSphere } from './contact.ts';
import type { ReferencePair } from './changes.ts';
import { ReferenceBands, ReferenceContacts, ReferenceSensor } from './changes.ts';
import type { ReferencePlane } from './frustum.ts';
import { cullBody, isLimiting, looksSmaller, planeLength, planeValue, touchesVolume } from './frustum.ts';
import type { ReferenceStart } from './nearest.ts';
import { distanceFrom, nearestGeometry, unitStart } from './nearest.ts';
import type { Bounds, Point, ReferenceBody, ReferenceSphere } from './geometry.ts';
import {
  bodiesWithin,
  boundsOfSphere,
  boxContainsBox,
  castRay,
  containsPoint,
  distanceSqBetween,
  distanceToBody,
  dot,
  farthestDistanceSq,
  limitRadius,
  touchesBox,
  touchesSphere,
  unitDirection,
} from './geometry.ts';

/** The options of a body. */
export interface ReferenceBodyOptions {
  /** Category bits; default all ones. */
  readonly mask?: number;
  /** Two static bodies never pair; default false. */
  readonly isStatic?: boolean;
}

/** The options that all queries have. */
export interface ReferenceQueryOptions {
  /** Only bodies with `(body.mask & mask) !== 0`; default all ones. */
  readonly mask?: number;
  /** Only bodies for which it returns true. */
  readonly filter?: (index: number) => boolean;
  /** Index of a body to leave out, with its pairs. */
  readonly except?: number;
}

/** The options of a frustum query. */
export interface ReferenceFrustumOptions extends ReferenceQueryOptions {
  /** Tests the volume of the frustum; without it, only each plane. */
  readonly exact?: boolean;
  /** Minimum diameter, in world units or, with `eye`, at distance 1; default 0. */
  readonly minSize?: number;
  /** Where the camera is. */
  readonly eye?: Point;
}

/** The options of a ray query. */
export interface ReferenceRayOptions extends ReferenceQueryOptions {
  /** Minimum distance in world units, closed; default 0. */
  readonly near?: number;
  /** Maximum distance in world units, closed; default Infinity. */
  readonly far?: number;
}

/** The options of a query for pairs. */
export interface ReferencePairOptions extends ReferenceQueryOptions {
  /** Maximum distance of the two bodies in world units, closed; default 0. */
  readonly within?: number;
  /** Category bits of the second body of a pair; `mask` applies to the first. Default `mask`. */
  readonly otherMask?: number;
  /** Whether two static bodies may form a pair; default false. */
  readonly staticPairs?: boolean;
}

/** One result; the fields have the meaning that they have in an `IntersectionRecord`. */
export interface ReferenceResult {
  /** The body, or the first body of a pair. */
  readonly index: number;
  /** The second body of a pair; -1 for all other kinds of query. */
  readonly other: number;
  /** World units. */
  readonly distance: number;
  /** Shape casts; 0 for all other kinds of query. */
  readonly time: number;
  /**
   * Nearest to a ray: the distance from its origin at which it is first nearest to the body. Undefined for all kinds of
   * query but nearest.
   */
  readonly alongRay?: number;
  /** As in an `IntersectionRecord`. */
  readonly inside: boolean;
  /** As in an `IntersectionRecord`. */
  readonly position: Point;
  /** As in an `IntersectionRecord`. */
  readonly normal: Point;
}

/**
 * Runs every query of the octree by a loop over all bodies. It is slow and short, and shares no code with the octree,
 * so tests, benchmarks and demos can compare the two. Bodies have the indices that the caller gives them.
 *
 * @example
 * ```ts
 * import { Octree } from 'scene-octree';
 * import { BruteForce } from 'scene-octree/debug';
 *
 * const octree = new Octree();
 * octree.insert({ center: { x: 5, y: 0, z: 0 }, radius: 1 }, undefined);
 * const reference = new BruteForce();
 * reference.setSphere(0, [5, 0, 0, 1]);
 * console.log(octree.intersectPoint({ x: 4, y: 0, z: 0 }).length, reference.point([4, 0, 0]).length); // prints: 1 1
 * ```
 */
export class BruteForce {
  readonly #bodies = new Map<number, ReferenceBody>();
  /** The bodies by ascending index; null after a change. */
  #sorted: readonly ReferenceBody[] | null = null;

  /** Number of bodies. */
  get size(): number {
    return this.#bodies.size;
  }

  /** Adds the body with this index, or replaces it. The numbers are copied. */
  setBox(index: number, box: ArrayLike<number>, { mask = -1, isStatic = false }: ReferenceBodyOptions = {}): void {
    const halfSize = [0, 1, 2].map((axis) => (box[axis + 3] - box[axis]) / 2);
    this.#set({ index, box: Array.from(box), sphere: null, halfSize, mask, isStatic });
  }

  /** Adds the body with this index, or replaces it. `sphere` is centre x, y, z, then the radius. */
  setSphere(index: number, [x, y, z, radius]: Point, { mask = -1, isStatic = false }: ReferenceBodyOptions = {}): void {
    const sphere = { center: [x, y, z], radius };
    this.#set({ index, box: boundsOfSphere(sphere), sphere, halfSize: [radius, radius, radius], mask, isStatic });
  }

  /** Moves the body with this index to a centre; it keeps its kind and size. */
  setCenter(index: number, center: Point): void {
    const body = this.#bodies.get(index);
    if (body === undefined)
      throw new RangeError(`BruteForce.setCenter: there is no body with index ${index}; add it first.`);
    const { halfSize, sphere } = body;
    const corner = (sign: number): number[] => halfSize.map((half, axis) => center[axis] + sign * half);
    this.#set({
      ...body,
      box: [...corner(-1), ...corner(1)],
      sphere: sphere === null ? null : { center: Array.from(center), radius: sphere.radius },
    });
  }

  /** Moves all bodies by a vector. */
  translate(vector: Point): void {
    for (const { index, box, sphere, ...body } of this.bodies()) {
      if (sphere === null) this.#set({ ...body, index, box: box.map((value, k) => value + vector[k % 3]), sphere });
      else
        this.#set({
          ...body,
          index,
          ...spherical({ center: sphere.center.map((value, axis) => value + vector[axis]), radius: sphere.radius }),
        });
    }
  }

  /** Gives the body with this index other categories. */
  setMask(index: number, mask: number): void {
    const body = this.#bodies.get(index);
    if (body === undefined)
      throw new RangeError(`BruteForce.setMask: there is no body with index ${index}; add it first.`);
    this.#set({ ...body, mask });
  }

  /** Removes a body; returns false if there is none with this index. */
  remove(index: number): boolean {
    this.#sorted = null;
    return this.#bodies.delete(index);
  }

  /** Removes all bodies. */
  clear(): void {
    this.#sorted = null;
    this.#bodies.clear();
  }

  /** All bodies by ascending index. */
  bodies(): readonly ReferenceBody[] {
    this.#sorted ??= [...this.#bodies.values()].sort((a, b) => a.index - b.index);
    return this.#sorted;
  }

  /**
   * By ascending index. `exact` tests the volume of the frustum; without it, only each plane is tested, which keeps
   * more bodies. `minSize` drops bodies whose diameter is less than `minSize` or, with `eye`, less than `minSize` times
   * the distance of their centre from `eye`.
   */
  frustum(planes: readonly ReferencePlane[], options: ReferenceFrustumOptions = {}): ReferenceResult[] {
    const limiting = planes.filter(isLimiting);
    const near = planes.length >= 6 && isLimiting(planes[5]) ? planes[5] : null;
    return this.#collect(options, (body) => {
      const hit = cullBody(body, limiting);
      if (hit === null || (options.exact === true && !touchesVolume(body, limiting))) return null;
      if (looksSmaller(body, options.minSize ?? 0, options.eye)) return null;
      const [x, y, z] = body.sphere?.center ?? [0, 1, 2].map((axis) => body.box[axis] / 2 + body.box[axis + 3] / 2);
      const distance = near === null ? 0 : planeValue(near, x, y, z) / planeLength(near);
      return {
        index: body.index,
        other: -1,
        distance,
        time: 0,
        inside: hit.inside,
        position: [x, y, z],
        normal: [0, 0, 0],
      };
    });
  }

  /** By ascending index. The volume is the intersection of the inner half-spaces of the planes; it may be unbounded. */
  convex(planes: readonly ReferencePlane[], options: ReferenceQueryOptions = {}): ReferenceResult[] {
    return this.frustum(planes, { ...options, exact: true }).map((result) => ({ ...result, distance: 0 }));
  }

  /** By ascending distance, then index. The direction may have any length except 0; distances are in world units. */
  ray(origin: Point, direction: Point, options: ReferenceRayOptions = {}): ReferenceResult[] {
    const { near = 0, far = Infinity } = options;
    const unit = unitDirection(direction);
    const results = this.#collect(options, (body) => {
      const hit = castRay(origin, unit, body);
      return hit === null || hit.distance < near || hit.distance > far
        ? null
        : { index: body.index, other: -1, time: 0, ...hit };
    });
    return results.sort(byDistance);
  }

  /** The first result of `ray`, or null. */
  firstHit(origin: Point, direction: Point, options: ReferenceRayOptions = {}): ReferenceResult | null {
    return this.ray(origin, direction, options)[0] ?? null;
  }

  /** By ascending time, then index. */
  castSphere([x, y, z]: Point, radius: number, motion: Point, options: ReferenceQueryOptions = {}): ReferenceResult[] {
    return this.#cast(motion, (body) => castSphere({ center: [x, y, z], radius }, motion, body), options);
  }

  /** By ascending time, then index. */
  castBox(box: Bounds, motion: Point, options: ReferenceQueryOptions = {}): ReferenceResult[] {
    return this.#cast(motion, (body) => castBox(box, motion, body), options);
  }

  /** By ascending index. */
  box(box: Bounds, options: ReferenceQueryOptions = {}): ReferenceResult[] {
    return this.#collect(options, (body) =>
      touchesBox(body, box) ? contactResult(body, contactWithBox(body, box), boxContainsBox(box, body.box)) : null,
    );
  }

  /** By ascending index. */
  sphere(center: Point, radius: number, options: ReferenceQueryOptions = {}): ReferenceResult[] {
    const limited = limitRadius({ center, radius });
    return this.#collect(options, (body) =>
      touchesSphere(body, limited)
        ? contactResult(body, contactWithSphere(body, { center, radius }), isWithinSphere(body, limited))
        : null,
    );
  }

  /** By ascending index. A capsule of radius 0 is a segment. */
  capsule(start: Point, end: Point, radius: number, options: ReferenceQueryOptions = {}): ReferenceResult[] {
    const capsule: ReferenceCapsule = { start, end, radius };
    return this.#collect(options, (body) => {
      if (!touchesCapsule(body, capsule)) return null;
      return contactResult(
        body,
        contactWithSphere(body, { center: nearestAxisPoint(body, capsule), radius }),
        isWithinCapsule(body, capsule),
      );
    });
  }

  /** By ascending index. */
  orientedBox(orientedBox: ReferenceOrientedBox, options: ReferenceQueryOptions = {}): ReferenceResult[] {
    const volume = new OrientedReference(orientedBox);
    return this.#collect(options, (body) =>
      volume.touches(body) ? contactResult(body, volume.contact(body), volume.contains(body)) : null,
    );
  }

  /** By ascending index. A point is a sphere of radius 0. */
  point(point: Point, options: ReferenceQueryOptions = {}): ReferenceResult[] {
    const sphere = { center: point, radius: 0 };
    const box = [...point, ...point];
    return this.#collect(options, (body) =>
      containsPoint(body, point)
        ? contactResult(body, contactWithSphere(body, sphere), boxContainsBox(box, body.box))
        : null,
    );
  }

  /**
   * The `count` bodies nearest to a point, a box or a ray, at a distance of at most `maxDistance` world units, by
   * ascending distance, then index.
   */
  nearest(
    start: Point | ReferenceStart,
    count: number,
    options: ReferenceQueryOptions & { readonly maxDistance?: number } = {},
  ): ReferenceResult[] {
    const { maxDistance = Infinity } = options;
    const from = isPoint(start) ? { point: start } : unitStart(start);
    const found = this.#matching(options).map((body) => ({
      body,
      index: body.index,
      distance: distanceFrom(from, body),
    }));
    const near = found.filter(({ distance }) => distance <= maxDistance).sort(byDistance);
    return near.slice(0, count).map(({ body, index, distance }) => ({
      index,
      other: -1,
      distance,
      time: 0,
      inside: distance === 0,
      ...nearestGeometry(from, body, distance),
    }));
  }

  /** Indices of bodies by ascending distance from a point, then index. */
  sortByDistance(indices: readonly number[], from: Point): number[] {
    return indices
      .map((index) => ({ index, distance: distanceToBody(from, this.#bodies.get(index)!) }))
      .sort(byDistance)
      .map(({ index }) => index);
  }

  /**
   * The band of distance of a body that was in the band `before`: the body goes to a farther band beyond a distance,
   * and comes back within (1 - hysteresis) times the distance.
   */
  bandOf(index: number, from: Point, distances: readonly number[], before: number, hysteresis = 0): number {
    const distance = distanceToBody(from, this.#bodies.get(index)!);
    let band = Math.min(before, distances.length);
    while (band < distances.length && distance > distances[band]) band++;
    while (band > 0 && distance <= distances[band - 1] * (1 - hysteresis)) band--;
    return band;
  }

  /**
   * Visits all bodies within the maximum distance, in the order of `nearest`. The visitor returns the new maximum
   * distance, `false` to end, or nothing. A distance above the current maximum changes nothing.
   */
  visitNearest(
    start: Point | ReferenceStart,
    visitor: (index: number, distance: number) => number | false | void,
    options: ReferenceQueryOptions & { readonly maxDistance?: number } = {},
  ): void {
    let limit = Infinity;
    for (const { index, distance } of this.nearest(start, Infinity, options)) {
      const result = distance <= limit && visitor(index, distance);
      if (result === false) return;
      limit = Math.min(limit, result ?? Infinity);
    }
  }

  /**
   * Each pair of bodies that touch, once, by ascending index, then other. Both must pass mask and filter, and at least
   * one must not be static.
   */
  pairs(options: ReferencePairOptions = {}): ReferenceResult[] {
    const results = this.#touching(options).map(([body, other]) => ({
      index: body.index,
      other: other.index,
      time: 0,
      inside: false,
      ...contactOfBodies(body, other),
    }));
    return results.sort((a, b) => a.index - b.index || a.other - b.other);
  }

  /** The two bodies of each result of `pairs`, in any order. */
  #touching(options: ReferencePairOptions): (readonly [ReferenceBody, ReferenceBody])[] {
    const { mask = -1, otherMask = mask, within = 0, staticPairs = false } = options;
    const matching = this.#matching({ ...options, mask: mask | otherMask });
    const pairs: (readonly [ReferenceBody, ReferenceBody])[] = [];
    for (let i = 0; i < matching.length; i++) {
      const a = matching[i];
      for (let j = i + 1; j < matching.length; j++) {
        const b = matching[j];
        if ((!staticPairs && a.isStatic && b.isStatic) || !bodiesWithin(a, b, within)) continue;
        const isForward = (a.mask & mask) !== 0 && (b.mask & otherMask) !== 0;
        const isBackward = (b.mask & mask) !== 0 && (a.mask & otherMask) !== 0;
        if (!isForward && !isBackward) continue;
        pairs.push(isForward ? [a, b] : [b, a]);
      }
    }
    return pairs;
  }

  #cast(
    motion: Point,
    cast: (body: ReferenceBody) => CastHit | null,
    options: ReferenceQueryOptions,
  ): ReferenceResult[] {
    const length = Math.sqrt(dot(motion, motion));
    const results = this.#collect(options, (body) => {
      const hit = cast(body);
      return hit === null ? null : { index: body.index, other: -1, distance: hit.time * length, ...hit };
    });
    return results.sort((a, b) => a.time - b.time || a.index - b.index);
  }

  /**
   * The pairs from update to update: call `update` of the result in every tick. A pair begins within `within`, and ends
   * beyond (1 + hysteresis) times this distance.
   */
  trackContacts({
    hysteresis = 0,
    within = 0,
    ...options
  }: ReferencePairOptions & { readonly hysteresis?: number } = {}): ReferenceContacts {
    return new ReferenceContacts(
      this.#pairsWithin(within, options),
      this.#pairsWithin(within * (1 + hysteresis), options),
    );
  }

  /** A query of pairs by the smaller index, then the other. */
  #pairsWithin(within: number, { filter, ...options }: ReferencePairOptions): () => readonly ReferencePair[] {
    let bodies: readonly ReferenceBody[] | null = null;
    let pairs: readonly ReferencePair[] = [];
    return () => {
      // `bodies()` returns the same array until a body changes. The result of a filter may change although no body
      // does, so it is applied in every update.
      if (this.bodies() !== bodies) {
        bodies = this.bodies();
        pairs = this.#touching({ ...options, within })
          .map(([{ index }, { index: other }]) => [Math.min(index, other), Math.max(index, other)] as const)
          .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      }
      return filter === undefined ? pairs : pairs.filter(([index, other]) => filter(index) && filter(other));
    };
  }

  /**
   * The results of a query from update to update: call `update` of the result in every tick.
   *
   * @param query Returns the same array as in its last call only if nothing has changed.
   */
  watch(query: () => readonly ReferenceResult[]): ReferenceSensor {
    return new ReferenceSensor(query);
  }

  /**
   * The bands of distance from update to update: call `update` of the result in every tick. `query` returns the bodies
   * within a distance.
   */
  watchDistances(
    distances: readonly number[],
    hysteresis: number,
    query: (distance: number) => readonly ReferenceResult[],
  ): ReferenceBands {
    return new ReferenceBands(distances, hysteresis, query);
  }

  #set(body: ReferenceBody): void {
    this.#sorted = null;
    this.#bodies.set(body.index, body);
  }

  #matching({ mask = -1, filter, except }: ReferenceQueryOptions): ReferenceBody[] {
    return this.bodies().filter(
      (body) => body.index !== except && (body.mask & mask) !== 0 && (filter === undefined || filter(body.index)),
    );
  }

  #collect(options: ReferenceQueryOptions, test: (body: ReferenceBody) => ReferenceResult | null): ReferenceResult[] {
    const results: ReferenceResult[] = [];
    for (const body of this.#matching(options)) {
      const result = test(body);
      if (result !== null) results.push(result);
    }
    return results;
  }
}

function spherical(sphere: ReferenceSphere): Pick<ReferenceBody, 'box' | 'sphere'> {
  return { box: boundsOfSphere(sphere), sphere };
}

/** A result, or a body that may become one. */
interface Ranked {
  readonly index: number;
  readonly distance: number;
}

function byDistance(a: Ranked, b: Ranked): number {
  return a.distance - b.distance || a.index - b.index;
}

function contactResult(body: ReferenceBody, contact: Contact, inside: boolean): ReferenceResult {
  return { index: body.index, other: -1, time: 0, inside, ...contact };
}

function isWithinSphere({ box, sphere }: ReferenceBody, query: ReferenceSphere): boolean {
  if (sphere === null) return farthestDistanceSq(query.center, box) <= query.radius * query.radius;
  return Math.sqrt(distanceSqBetween(sphere.center, query.center)) + sphere.radius <= query.radius;
}

function isPoint(start: Point | ReferenceStart): start is Point {
  return Array.isArray(start) || ArrayBuffer.isView(start);
}
