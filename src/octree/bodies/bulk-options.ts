/** The options of `octree.insertMany`. */

import type { KnownOptions } from '../input/known-options.ts';
import type { BoundsKind } from '../input/shapes.ts';

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

export const BULK_OPTIONS: KnownOptions = /* @__PURE__ */ Object.keys({ kind: true, data: true, mask: true, isStatic: true } satisfies Record<keyof BulkOptions<never>, true>);
