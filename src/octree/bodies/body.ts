/** The handle of a body, which the user keeps. */

import { BOX_STRIDE } from '../../math/box.ts';
import { SPHERE_STRIDE } from '../../math/sphere.ts';
import { CENTER_STRIDE } from '../../tree/update/move.ts';
import { isObject, requireMask, throwType } from '../input/input-checks.ts';
import {
  setPoint,
  type MathFactory,
  type MathTypes,
  type PlainBox,
  type PlainMath,
  type PlainSphere,
} from '../input/math-types.ts';
import {
  readBodySphere,
  readBox,
  readPoint,
  requireFit,
  type BoundsKind,
  type BoxLike,
  type PointLike,
  type SphereLike,
} from '../input/shapes.ts';

/**
 * What a handle needs from the octree of its body. Bounds are flat: min and max of a box, centre and radius of a
 * sphere.
 */
export interface BodyOwner {
  readonly math: MathFactory<MathTypes>;
  /** Throws if only the container of the octree may write. */
  requireWritable(where: string): void;
  /** Writes the bounds last set for a body to `target`; returns whether they are a sphere. */
  readLatest(index: number, target: Float64Array): boolean;
  /** Gives a living body new bounds or a new centre, as a `BulkMove` with this stride. They are checked already. */
  move(where: string, index: number, numbers: Float64Array, stride: number): void;
  /** Whether the bounds of a living body around a centre lie within the limit of coordinates. */
  fitsAround(index: number, center: Float64Array): boolean;
  /** Gives a living body other categories, which are checked already. */
  setMask(index: number, mask: number): void;
  remove(index: number): void;
}

/**
 * A condition on the `this` of methods that write: the bodies of a container's octree, which is read-only, do not meet
 * it. The string is part of the compiler's error.
 */
export type Writable<M extends MathTypes> = M['writes'] extends (by: unknown) => void
  ? unknown
  : 'Its octree belongs to a container: change the children or the instances there.';

/**
 * The handle of a body. `octree.insert` returns it, and `octree.bodyAt` creates it for bodies of `insertMany`. Once its
 * body is removed, a handle stays dead for ever: its index is -1; its bounds and its kind throw a RangeError.
 *
 * @example
 * ```ts
 * import { type Body, Octree } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * const ball: Body<string> = octree.insert({ center: { x: 0, y: 5, z: 0 }, radius: 1 }, 'ball');
 * ball.setCenter({ x: 0, y: 3, z: 0 });
 * console.log(ball.data, ball.kind, ball.getSphere().center.y); // prints: ball sphere 3
 * ball.remove();
 * console.log(ball.index); // prints: -1
 * ```
 */
export class Body<T, M extends MathTypes = PlainMath> {
  /** Dense number of the body; -1 once it was removed. A later body may get the same number. */
  get index(): number {
    return this.currentIndex;
  }
  /** What the user stored with the body. */
  get data(): T {
    return this.ownData;
  }
  /**
   * Categories as last set: all ones read -1 if they were set as -1 or left out, and 2^32 - 1 if they were set as that.
   * Masks that were set in bulk are signed: all ones read -1.
   */
  get mask(): number {
    return this.ownMask;
  }
  /** Whether the body was inserted as static. */
  get isStatic(): boolean {
    return this.isOwnStatic;
  }

  // Accessors without setters: an assignment to one of them is a TypeError of the engine, instead of a value that
  // nothing reads.
  private readonly ownData: T;
  private ownMask: number;
  private readonly isOwnStatic: boolean;
  private readonly owner: BodyOwner;
  private readonly insertedIndex: number;
  private currentIndex: number;

  /** @internal */
  constructor(owner: BodyOwner, index: number, data: T, mask: number, isStatic: boolean) {
    this.owner = owner;
    this.insertedIndex = index;
    this.currentIndex = index;
    this.ownData = data;
    this.ownMask = mask;
    this.isOwnStatic = isStatic;
  }

  /** The kind of the bounds as last set. */
  get kind(): BoundsKind {
    return this.owner.readLatest(this.aliveIndex('kind'), body_bounds) ? 'sphere' : 'box';
  }

  /** The body's box as last set, or the box around its sphere. */
  getBox(target?: M['box']): M['box'] {
    return readBoxOf('Body.getBox', this.owner, this.aliveIndex('getBox'), target);
  }

  /** The body's sphere as last set, or the sphere around its box. */
  getSphere(target?: M['sphere']): M['sphere'] {
    return readSphereOf('Body.getSphere', this.owner, this.aliveIndex('getSphere'), target);
  }

  /**
   * Moves the body. A sphere body becomes a box body. The next query finds the body at its new place. A body that
   * leaves the region is removed if the octree's option `outside` is 'remove'; its index is -1 then.
   *
   * @throws {RangeError} If a number is not finite, the box is empty or beyond 2^50, the body was removed, or,
   *   with `outside: 'throw'`, it leaves the region.
   * @throws {TypeError} If the argument is not shaped like a box.
   */
  setBox(this: this & Writable<M>, box: BoxLike): this {
    readBox('Body.setBox', 'box', box, body_bounds);
    const index = this.writableIndex('setBox');
    this.owner.move('Body.setBox', index, body_bounds, BOX_STRIDE);
    return this;
  }

  /** Moves the body. A box body becomes a sphere body. Otherwise as `setBox`. */
  setSphere(this: this & Writable<M>, sphere: SphereLike): this {
    readBodySphere('Body.setSphere', 'sphere', sphere, body_bounds);
    const index = this.writableIndex('setSphere');
    this.owner.move('Body.setSphere', index, body_bounds, SPHERE_STRIDE);
    return this;
  }

  /**
   * Moves the body to a centre. It keeps its kind and its size, exactly, however often it moves. Otherwise as `setBox`.
   *
   * @throws {RangeError} If a number is not finite, the bounds are beyond 2^50, the body was removed, or it leaves the
   *   region and `outside` is 'throw'.
   * @throws {TypeError} If the argument is not shaped like a point.
   */
  setCenter(this: this & Writable<M>, center: PointLike): this {
    const { owner } = this;
    readPoint('Body.setCenter', 'center', '', center, body_center);
    const index = this.writableIndex('setCenter');
    requireFit('Body.setCenter', 'center', body_center, owner.fitsAround(index, body_center));
    owner.move('Body.setCenter', index, body_center, CENTER_STRIDE);
    return this;
  }

  /**
   * Gives the body other categories. Nothing is rebuilt. The next query uses them. The next `update` reports what they
   * change, as if the body had been inserted or removed: pairs of `trackContacts` begin or end, and the body enters or
   * leaves sensors. In a callback of a query the new categories are queued, like a move: the queries of that callback
   * still use the old ones.
   *
   * @param mask 32 bits; 0 hides the body from every query. A body that was inserted without a mask has all ones (-1).
   * @throws {RangeError} If the mask is not an integer of 32 bits, or the body was removed.
   * @throws {TypeError} If the mask is not a number.
   */
  setMask(this: this & Writable<M>, mask: number): this {
    const index = this.writableIndex('setMask');
    this.owner.setMask(index, requireMask('Body.setMask', 'mask', mask));
    return this;
  }

  /** Removes the body from the octree; returns false if it was removed before. */
  remove(this: this & Writable<M>): boolean {
    if (this.currentIndex < 0) return false;
    this.owner.remove(this.writableIndex('remove'));
    return true;
  }

  /** @internal */
  storeMask(mask: number): void {
    this.ownMask = mask;
  }

  /** @internal */
  markRemoved(): void {
    this.currentIndex = -1;
  }

  /** @internal */
  belongsTo(owner: BodyOwner): boolean {
    return this.owner === owner && this.currentIndex >= 0;
  }

  /**
   * @internal The index that the body has, or had before its removal; -1 in another octree. A later body may have the
   *   same.
   */
  indexIn(owner: unknown): number {
    return this.owner === owner ? this.insertedIndex : -1;
  }

  private writableIndex(name: string): number {
    this.owner.requireWritable(`Body.${name}`);
    return this.aliveIndex(name);
  }

  private aliveIndex(name: string): number {
    if (this.currentIndex < 0) throw new RangeError(`Body.${name}: this body was removed; insert a new one.`);
    return this.currentIndex;
  }
}
/**
 * A body of any octree, inside the library: only public classes and functions have the types of its data and of its
 * results.
 */
export type AnyBody = Body<unknown>;

/** Whether a value is a handle. By its methods, not by its class: an application may have loaded the library twice. */
export function isBody(value: unknown): boolean {
  return typeof (value as AnyBody | null | undefined)?.indexIn === 'function';
}

/** Throws unless a value is the handle of a living body of an octree. */
export function requireBody(where: string, owner: BodyOwner, body: unknown): void {
  if (!isBody(body)) throwType(where, 'body', 'be a Body', body, 'pass what insert or bodyAt returned');
  if ((body as AnyBody).belongsTo(owner)) return;
  throw new RangeError(
    `${where}: body must be a living body of this octree, but was removed or belongs to another one; insert it first.`,
  );
}

const body_bounds = new Float64Array(6);
const body_center = new Float64Array(3);

/** Writes the box of a living body, or the box around its sphere, to the target. */
export function readBoxOf(
  where: string,
  owner: BodyOwner,
  index: number,
  target: PlainBox = owner.math.createBox(),
): PlainBox {
  requireTarget(where, 'a Box3', target, target?.min, target?.max);
  const isSphere = owner.readLatest(index, body_bounds);
  const [x, y, z, maxX, maxY, maxZ] = body_bounds;
  if (isSphere) {
    const radius = maxX;
    setPoint(target.min, x - radius, y - radius, z - radius);
    setPoint(target.max, x + radius, y + radius, z + radius);
  } else {
    setPoint(target.min, x, y, z);
    setPoint(target.max, maxX, maxY, maxZ);
  }
  return target;
}

/** Writes the sphere of a living body, or the sphere around its box, to the target. */
export function readSphereOf(
  where: string,
  owner: BodyOwner,
  index: number,
  target: PlainSphere = owner.math.createSphere(),
): PlainSphere {
  requireTarget(where, 'a Sphere', target, target?.center);
  const isSphere = owner.readLatest(index, body_bounds);
  const [x, y, z, maxX, maxY, maxZ] = body_bounds;
  if (isSphere) {
    setPoint(target.center, x, y, z);
    target.radius = maxX;
  } else {
    const sizeX = maxX - x;
    const sizeY = maxY - y;
    const sizeZ = maxZ - z;
    setPoint(target.center, (x + maxX) * 0.5, (y + maxY) * 0.5, (z + maxZ) * 0.5);
    target.radius = Math.sqrt(sizeX * sizeX + sizeY * sizeY + sizeZ * sizeZ) * 0.5;
  }
  return target;
}

/**
 * Checks a target by the points that it needs, not by its class: it may be a plain object, or the user may have loaded
 * a second copy of three.
 */
function requireTarget(where: string, kind: string, target: unknown, ...points: unknown[]): void {
  if (points.every(isObject)) return;
  throwType(where, 'target', `be ${kind}`, target, 'leave it out for a fresh one');
}
