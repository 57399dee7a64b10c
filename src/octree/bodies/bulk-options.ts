/** The options of calls for many bodies at once: their types and checks. */

import { requireBoolean } from '../input/input-checks.ts';
import { requireOptions, type KnownOptions } from '../input/known-options.ts';
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

/** The options of `octree.moveMany`, `setMaskMany` and `removeMany`. */
export interface IdOptions {
  /** Whether the bodies are given by ids, see `octree.idOf`, instead of indices. Bodies that were removed are skipped. Default false. */
  readonly ids?: boolean;
}

export const BULK_OPTIONS: KnownOptions = /* @__PURE__ */ Object.keys({ kind: true, data: true, mask: true, isStatic: true } satisfies Record<keyof BulkOptions<never>, true>);

const ID_OPTIONS: KnownOptions = /* @__PURE__ */ Object.keys({ ids: true } satisfies Record<keyof IdOptions, true>);

/** Whether bodies are given by ids. */
export function readIdOptions(where: string, options: IdOptions | undefined): boolean {
  if (options === undefined) return false;
  requireOptions(where, options, ID_OPTIONS);
  requireBoolean(where, 'options.ids', options.ids);
  return options.ids === true;
}
