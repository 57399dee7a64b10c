/** The handle of a body: what the user keeps. It knows when its body was removed, and never comes back to life. */

import { Box3, Sphere, type Vector3 } from 'three';
import type { BodyStore } from './body-store.ts';
import { describe } from './input-checks.ts';
import { readBodySphere, readBox, type BoundsKind, type BoxLike, type SphereLike } from './shapes.ts';
import type { BodyOptions } from './options.ts';

export class Body<T> {
  /** Dense number of the body, -1 once it was removed. May be given to another body later. */
  get index(): number {
    return this.currentIndex;
  }
  /** What the user stored. */
  readonly data: T;
  /** Categories, 32 bits. */
  readonly mask: number;
  readonly isStatic: boolean;

  /** @internal */
  readonly update: BodyOptions<T>['update'];
  /** @internal */
  readonly onIntersection: BodyOptions<T>['onIntersection'];
  private readonly store: BodyStore<T>;
  private currentIndex: number;

  /** @internal */
  constructor(store: BodyStore<T>, index: number, data: T, mask: number, isStatic: boolean, options?: BodyOptions<T>) {
    this.store = store;
    this.currentIndex = index;
    this.data = data;
    this.mask = mask;
    this.isStatic = isStatic;
    this.update = options?.update;
    this.onIntersection = options?.onIntersection;
  }

  /** Whether the bounds are a box or a sphere now. */
  get kind(): BoundsKind {
    return this.store.readNewest(this.aliveIndex('kind'), body_lanes) ? 'sphere' : 'box';
  }

  /** The body's box, or the box around its sphere, as last set. */
  getBox(target: Box3 = new Box3()): Box3 {
    const index = this.aliveIndex('getBox');
    requireTarget('Body.getBox', 'a Box3', target, target?.min, target?.max);
    const isSphere = this.store.readNewest(index, body_lanes);
    const [x, y, z, radius] = body_lanes;
    if (!isSphere) {
      target.min.fromArray(body_lanes, 0);
      target.max.fromArray(body_lanes, 3);
    } else {
      target.min.set(x - radius, y - radius, z - radius);
      target.max.set(x + radius, y + radius, z + radius);
    }
    return target;
  }

  /** The body's sphere, or the one around its box, as last set. */
  getSphere(target: Sphere = new Sphere()): Sphere {
    const index = this.aliveIndex('getSphere');
    requireTarget('Body.getSphere', 'a Sphere', target, target?.center);
    const isSphere = this.store.readNewest(index, body_lanes);
    const [x, y, z, maxX, maxY, maxZ] = body_lanes;
    if (isSphere) {
      target.center.set(x, y, z);
      target.radius = maxX;
    } else {
      const sizeX = maxX - x;
      const sizeY = maxY - y;
      const sizeZ = maxZ - z;
      target.center.set((x + maxX) * 0.5, (y + maxY) * 0.5, (z + maxZ) * 0.5);
      target.radius = Math.sqrt(sizeX * sizeX + sizeY * sizeY + sizeZ * sizeZ) * 0.5;
    }
    return target;
  }

  /**
   * Moves the body; one with a sphere becomes one with a box. The tree follows before the next query answers. A body that leaves the
   * region is removed where the octree's rule says so, and its index is -1 then.
   *
   * @throws {RangeError} If a number is not finite, the box is inverted or beyond 2^50, the body was removed, or it leaves the region and
   * the rule is to throw.
   * @throws {TypeError} If the shape is not one.
   */
  setBox(box: BoxLike): this {
    const index = this.aliveIndex('setBox');
    readBox('Body.setBox', 'box', box, body_lanes);
    this.store.move('Body.setBox', index, body_lanes, false);
    return this;
  }

  /** Moves the body; one with a box becomes one with a sphere. Throws as `setBox` does. */
  setSphere(sphere: SphereLike): this {
    const index = this.aliveIndex('setSphere');
    readBodySphere('Body.setSphere', 'sphere', sphere, body_lanes);
    this.store.move('Body.setSphere', index, body_lanes, true);
    return this;
  }

  /** Takes the body out of the octree; false if it was gone already. */
  remove(): boolean {
    if (this.currentIndex < 0) return false;
    this.store.remove(this.currentIndex);
    return true;
  }

  /** @internal */
  markRemoved(): void {
    this.currentIndex = -1;
  }

  /** @internal */
  belongsTo(store: BodyStore<T>): boolean {
    return this.store === store && this.currentIndex >= 0;
  }

  private aliveIndex(name: string): number {
    if (this.currentIndex < 0) throw new RangeError(`Body.${name}: this body was removed; insert a new one.`);
    return this.currentIndex;
  }
}
const body_lanes = new Float64Array(6);

/** Checks a target by what will be called on it, so that another copy of three will do. */
function requireTarget(where: string, kind: string, target: unknown, ...vectors: (Vector3 | undefined)[]): void {
  if (vectors.every((vector) => typeof vector?.fromArray === 'function')) return;
  throw new TypeError(`${where}: target must be ${kind}, but is ${describe(target)}; leave it out for a fresh one.`);
}
