/**
 * Volumes as values, and what they have in common. A volume is set once or many times, and passed to any number of
 * queries of any octrees.
 */

import {
  setPoint,
  type MathFactory,
  type MathTypes,
  type PlainBox,
  type PlainMath,
} from '../../octree/input/math-types.ts';
import type { RangeQuery } from '../../octree/queries/range-query.ts';
import type { Workspace } from '../../octree/queries/workspace.ts';
import { BOX_STRIDE, type Boxes } from '../../math/box.ts';
import { FrustumPlanes, translatePlanes } from '../../math/frustum-planes.ts';
import { describe, requireObject, throwType } from '../../octree/input/input-checks.ts';
import { CONTAINED, INTERSECTING } from '../../tree/overlap.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import { NO_SIMD_KERNEL } from '../../tree/traverse/simd-kernels.ts';

/** A volume for `intersect`, `collect` and `watch`: a `Capsule`, a `Segment`, an `OrientedBox` or a `Convex`. */
export abstract class Volume {
  /** @internal Its numbers, except planes. They begin with its points. */
  declare readonly values: Float64Array;
  /** @internal Number of its points. */
  declare readonly points: number;
  /** @internal Its planes, of a volume that has some. */
  declare readonly planes?: FrustumPlanes;
  /**
   * @internal The query for the volume as it is now, in a workspace: its arrays are reused, so that a new volume costs
   *   little.
   */
  abstract queryIn(workspace: Workspace): RangeQuery;
}

/** An equal volume that was translated by a vector. */
export function translated<Kind extends Volume>(volume: Kind, vector: Float64Array): Kind {
  const values = volume.values.slice();
  for (let k = 0; k < 3 * volume.points; k++) values[k] += vector[k % 3];
  const copy = Object.assign(Object.create(Object.getPrototypeOf(volume) as object) as Kind, volume, { values });
  if (volume.planes === undefined) return copy;
  const planes = new FrustumPlanes();
  planes.copy(volume.planes);
  translatePlanes(planes, vector[0], vector[1], vector[2]);
  return Object.assign(copy, { planes });
}

/** How a box lies to a volume: the return value of `VolumeTest.overlap`. */
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

/** Runs a volume of the user as a query: flat boxes and spheres become objects for its callbacks. */
export class VolumeTestQuery implements RangeQuery {
  readonly simdKernel = NO_SIMD_KERNEL;
  readonly rootOverlap = INTERSECTING;
  private readonly where: string;
  private readonly test: VolumeTest;
  private readonly box: PlainBox;
  private readonly sphere: MathTypes['sphere'];
  private readonly bodyBox = new Float64Array(BOX_STRIDE);

  constructor(where: string, test: VolumeTest, math: MathFactory<MathTypes>) {
    this.where = where;
    this.test = test;
    this.box = math.createBox();
    this.sphere = math.createSphere();
  }

  queryIn(): this {
    return this;
  }

  begin(): void {
    // Nothing depends on the tree.
  }

  filterBoxes(
    boxes: Boxes,
    begin: number,
    end: number,
    _overlap: number,
    kept: Int32Array,
    overlaps: Int32Array,
    count: number,
  ): number {
    const { box } = this;
    for (let k = begin, at = begin * BOX_STRIDE; k < end; k++, at += BOX_STRIDE) {
      // The box of an unused node is empty.
      if (!(boxes[at] <= boxes[at + 3])) continue;
      setPoint(box.min, boxes[at], boxes[at + 1], boxes[at + 2]);
      setPoint(box.max, boxes[at + 3], boxes[at + 4], boxes[at + 5]);
      const overlap: unknown = this.test.overlap(box);
      if (overlap === VolumeOverlap.Outside) continue;
      kept[count] = k;
      overlaps[count++] = overlap === VolumeOverlap.Contained ? CONTAINED : INTERSECTING;
      if (overlap !== VolumeOverlap.Contained && overlap !== VolumeOverlap.Intersecting)
        this.throwResult('overlap', 'a VolumeOverlap', overlap);
    }
    return count;
  }

  touches(bodies: BodyArrays, index: number): boolean {
    const { bounds } = bodies;
    const { box, sphere, test } = this;
    const body = bodies.readBox(index, this.bodyBox);
    setPoint(box.min, body[0], body[1], body[2]);
    setPoint(box.max, body[3], body[4], body[5]);
    if (!this.isTrue('touchesBox', test.touchesBox(box))) return false;
    if (!bodies.isSphere(index)) return true;
    const at = index * BOX_STRIDE;
    setPoint(sphere.center, bounds[at], bounds[at + 1], bounds[at + 2]);
    sphere.radius = bounds[at + 3];
    return this.isTrue('touchesSphere', test.touchesSphere(sphere));
  }

  contains(bodies: BodyArrays, index: number): boolean {
    const body = bodies.readBox(index, this.bodyBox);
    setPoint(this.box.min, body[0], body[1], body[2]);
    setPoint(this.box.max, body[3], body[4], body[5]);
    return this.test.overlap(this.box) === VolumeOverlap.Contained;
  }

  private isTrue(name: string, result: unknown): boolean {
    if (typeof result !== 'boolean') this.throwResult(name, 'true or false', result);
    return result;
  }

  private throwResult(name: string, expected: string, result: unknown): never {
    throw new TypeError(
      `${this.where}: volume.${name} must return ${expected}, but returned ${describe(result)}; return one in every case.`,
    );
  }
}

const CALLBACKS = ['overlap', 'touchesBox', 'touchesSphere'] as const;

/** Checks a volume: a `Volume`, or the callbacks of a `VolumeTest`, which become a query. */
export function volumeOf<M extends MathTypes>(
  where: string,
  volume: Volume | VolumeTest<M>,
  math: MathFactory<MathTypes>,
  remedy: string,
): Volume | VolumeTestQuery {
  if (volume instanceof Volume) return volume;
  requireObject(where, 'volume', volume, remedy);
  for (const name of CALLBACKS) {
    if (typeof volume[name] !== 'function') throwType(where, `volume.${name}`, 'be a function', volume[name], remedy);
  }
  return new VolumeTestQuery(where, volume, math);
}
