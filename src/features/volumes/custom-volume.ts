/**
 * A volume of the user, as three callbacks. It is a query like those of the other volumes: flat boxes and spheres
 * become objects for the callbacks.
 */

import { BOX_STRIDE, type Boxes, type KeptBoxes } from '../../math/box.ts';
import { describe, requireObject, throwType } from '../../octree/input/input-checks.ts';
import {
  setPoint,
  type MathFactory,
  type MathTypes,
  type PlainBox,
  type PlainMath,
} from '../../octree/input/math-types.ts';
import type { RangeQuery } from '../../octree/queries/range-query.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { CONTAINED, INTERSECTING, NO_SIMD_KERNEL } from '../../tree/traverse/walk-numbers.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import { Volume } from './volumes.ts';

/**
 * How a box lies to a volume: the return value of `VolumeTest.overlap`.
 *
 * @example
 * ```ts
 * import { VolumeOverlap } from 'scene-octree';
 *
 * // The half space below height 0.
 * function overlapOfWater(minY: number, maxY: number): VolumeOverlap {
 *   if (maxY <= 0) return VolumeOverlap.Contained;
 *   return minY <= 0 ? VolumeOverlap.Intersecting : VolumeOverlap.Outside;
 * }
 * console.log(overlapOfWater(-5, 5) === VolumeOverlap.Intersecting); // prints: true
 * ```
 */
export const VolumeOverlap = {
  /** No body in the box touches the volume. */
  Outside: 0,
  /** A body in the box may touch the volume. */
  Intersecting: 1,
  /** The volume contains the whole box. Bodies in it are not tested. */
  Contained: 2,
} as const;
export type VolumeOverlap = (typeof VolumeOverlap)[keyof typeof VolumeOverlap];

/**
 * A volume of your own, as three callbacks. They must agree with each other, in spite of rounding:
 *
 * - When `touchesBox` accepts a box, `overlap` must not return `Outside` for any box around it.
 * - When `overlap` returns `Contained`, `touchesBox` must accept every box in that box, and `touchesSphere` every
 *   sphere.
 *
 * Return `Intersecting` where in doubt: it costs a test. The results are then exact: they equal a loop over all bodies
 * with `touchesBox` and `touchesSphere`.
 *
 * A sphere body touches the volume if its box passes `touchesBox` and the sphere passes `touchesSphere`.
 *
 * The arguments are reused: read them, do not keep or change them. With `scene-octree` they are a Box3 and a Sphere,
 * with `scene-octree/core` plain objects. The callbacks may query the octree; writes take effect after the query.
 */
export interface VolumeTest<M extends MathTypes = PlainMath> {
  /** How a box lies to the volume: the box of a node, or the box around one body. */
  overlap(box: M['box']): VolumeOverlap;
  /** Whether a box touches the volume, touching included. */
  touchesBox(box: M['box']): boolean;
  /** Whether a sphere touches the volume, touching included. */
  touchesSphere(sphere: M['sphere']): boolean;
}

const WHERE = 'CustomVolume';
const REMEDY = 'pass {overlap, touchesBox, touchesSphere}';
const CALLBACKS = ['overlap', 'touchesBox', 'touchesSphere'] as const;

/**
 * A volume of your own for `intersect`, `collect` and `watch`, by three callbacks: see `VolumeTest`. If a callback
 * returns something else than it must, the query throws a TypeError.
 *
 * @example
 * ```ts
 * import { CustomVolume, intersect, Octree, VolumeOverlap } from 'scene-octree';
 *
 * const octree = new Octree<string>();
 * octree.insert({ center: { x: 0, y: -3, z: 0 }, radius: 1 }, 'fish');
 * octree.insert({ center: { x: 0, y: 5, z: 0 }, radius: 1 }, 'bird');
 * const water = new CustomVolume({
 *   overlap({ min, max }) {
 *     if (max.y <= 0) return VolumeOverlap.Contained;
 *     return min.y <= 0 ? VolumeOverlap.Intersecting : VolumeOverlap.Outside;
 *   },
 *   touchesBox: ({ min }) => min.y <= 0,
 *   touchesSphere: ({ center, radius }) => center.y - radius <= 0,
 * });
 * console.log(intersect(octree, water).map(({ body }) => body.data)); // prints: [ 'fish' ]
 * ```
 */
export class CustomVolume<M extends MathTypes = PlainMath> extends Volume {
  private readonly callbacks: VolumeTest<M>;

  /**
   * @param callbacks Kept, not copied: their answers may change between queries.
   * @throws {TypeError} If one of the three is missing.
   */
  constructor(callbacks: VolumeTest<M>) {
    super();
    requireObject(WHERE, 'callbacks', callbacks, REMEDY);
    for (const name of CALLBACKS)
      if (typeof callbacks[name] !== 'function') throwType(WHERE, name, 'be a function', callbacks[name], REMEDY);
    this.callbacks = callbacks;
  }

  /** @internal */
  queryIn(workspace: Workspace): RangeQuery {
    return workspace.queryOf(CustomQuery).set(workspace.math, this.callbacks);
  }
}

/** Flat boxes and spheres become objects for the callbacks. */
class CustomQuery implements RangeQuery {
  readonly runsUserCode = true;
  readonly simdKernel = NO_SIMD_KERNEL;
  readonly rootOverlap = INTERSECTING;
  declare private test: VolumeTest;
  declare private box: PlainBox;
  declare private sphere: MathTypes['sphere'];
  private readonly bodyBox = new Float64Array(BOX_STRIDE);

  set(math: MathFactory<MathTypes>, test: VolumeTest): this {
    this.box ??= math.createBox();
    this.sphere ??= math.createSphere();
    this.test = test;
    return this;
  }

  filterBoxes(boxes: Boxes, begin: number, end: number, kept: KeptBoxes): void {
    const { box } = this;
    const { numbers, overlaps } = kept;
    for (let k = begin, at = begin * BOX_STRIDE; k < end; k++, at += BOX_STRIDE) {
      // The box of an unused node is empty.
      if (!(boxes[at] <= boxes[at + 3])) continue;
      setPoint(box.min, boxes[at], boxes[at + 1], boxes[at + 2]);
      setPoint(box.max, boxes[at + 3], boxes[at + 4], boxes[at + 5]);
      const overlap: unknown = this.test.overlap(box);
      if (overlap === VolumeOverlap.Outside) continue;
      numbers[kept.length] = k;
      overlaps[kept.length++] = overlap === VolumeOverlap.Contained ? CONTAINED : INTERSECTING;
      if (overlap !== VolumeOverlap.Contained && overlap !== VolumeOverlap.Intersecting)
        throwResult('overlap', 'VolumeOverlap.Outside, Intersecting or Contained', overlap);
    }
  }

  touches(bodies: BodyArrays, index: number): boolean {
    const { bounds } = bodies;
    const { sphere, test } = this;
    if (!isTrue('touchesBox', test.touchesBox(this.boxOf(bodies, index)))) return false;
    if (!bodies.isSphere(index)) return true;
    const at = index * BOX_STRIDE;
    setPoint(sphere.center, bounds[at], bounds[at + 1], bounds[at + 2]);
    sphere.radius = bounds[at + 3];
    return isTrue('touchesSphere', test.touchesSphere(sphere));
  }

  contains(bodies: BodyArrays, index: number): boolean {
    return this.test.overlap(this.boxOf(bodies, index)) === VolumeOverlap.Contained;
  }

  private boxOf(bodies: BodyArrays, index: number): PlainBox {
    const body = bodies.readBox(index, this.bodyBox);
    setPoint(this.box.min, body[0], body[1], body[2]);
    setPoint(this.box.max, body[3], body[4], body[5]);
    return this.box;
  }
}

function isTrue(name: string, result: unknown): boolean {
  if (typeof result !== 'boolean') throwResult(name, 'true or false', result);
  return result;
}

function throwResult(name: string, expected: string, result: unknown): never {
  throw new TypeError(
    `${WHERE}: ${name} must return ${expected}, but returned ${describe(result)}; return one in every case.`,
  );
}
