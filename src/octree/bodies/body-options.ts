/** The options of `insert` and of `insertMany`: their types and names. */

import type { Body } from './body.ts';
import type { KnownOptions } from '../input/known-options.ts';
import type { MathTypes, PlainMath } from '../input/math-types.ts';
import type { BoundsKind } from '../input/shapes.ts';

/** The options of `octree.insert`. */
export interface BodyOptions<T, M extends MathTypes = PlainMath> {
  /** Categories of the body, 32 bits. Default all ones. 0 hides the body from every query. */
  readonly mask?: number;
  /**
   * Two static bodies form a pair only with `staticPairs` of `intersectPairs`, and a static body gets no margin, so
   * moving it costs more. Default false.
   */
  readonly isStatic?: boolean;
  /**
   * Called by `octree.update` before the moves of the tick are applied; may move, insert and remove bodies. The
   * returned value is ignored. If a callback throws, the callbacks of other bodies still run; the first error is thrown
   * after the tick.
   */
  readonly update?: (this: Body<T, M>, deltaSeconds: number) => boolean | void;
}

export const BODY_OPTIONS: KnownOptions<BodyOptions<never>> = ['mask', 'isStatic', 'update'];

/** The options of `octree.insertMany`. */
export interface BulkOptions<T> {
  /** Whether the bounds are boxes of 6 numbers or spheres of 4. */
  readonly kind: BoundsKind;
  /** Data of each body. */
  readonly data?: ArrayLike<T>;
  /** Categories, 32 bits: one mask for all bodies, or one per body. Default all ones. */
  readonly mask?: number | ArrayLike<number>;
  /** As in `BodyOptions`. Default false. */
  readonly isStatic?: boolean;
}

export const BULK_OPTIONS: KnownOptions<BulkOptions<never>> = ['kind', 'data', 'mask', 'isStatic'];
