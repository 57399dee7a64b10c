/** The options of `trackContacts`, and the check of the options that sensors have too. */

import type { Body } from '../../octree/bodies/body.ts';
import { readMask, requireFunction } from '../../octree/input/input-checks.ts';
import { requireOptions, type KnownOptions } from '../../octree/input/known-options.ts';
import type { MathTypes, PlainMath } from '../../octree/input/math-types.ts';

/** The options of `trackContacts`. */
export interface ContactOptions<T, M extends MathTypes = PlainMath> {
  /** Both bodies of a pair must have one of these categories. Default all ones. */
  readonly mask?: number;
  /**
   * Both bodies of a pair must pass. Called by `update` when a pair begins to overlap; the result holds until the pair ends. It may query and write;
   * writes take effect after the update. If it throws, the pair is left out, and the first error is thrown after the tick.
   */
  readonly filter?: (body: Body<T, M>) => boolean;
}

const CONTACT_OPTIONS: KnownOptions = /* @__PURE__ */ Object.keys({ mask: true, filter: true } satisfies Record<keyof ContactOptions<never>, true>);

/** Checks the options that contacts and sensors share, and returns the categories to report. `known` are all options of the function. */
export function readMaskAndFilter(where: string, options: ContactOptions<never, never>, known: KnownOptions = CONTACT_OPTIONS): number {
  requireOptions(where, options, known);
  requireFunction(where, 'options.filter', options.filter);
  return readMask(where, 'options.mask', options.mask);
}
