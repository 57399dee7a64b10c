/** The arguments of frustum queries: the frustum and its options; their checks and the errors. */

import type { FrustumQuery } from './frustum-query.ts';
import type { SizeLimit } from './size-limit.ts';
import { requireBoolean, requireFinite, requireNotNegative } from '../input/input-checks.ts';
import { FRUSTUM_OPTIONS, readQueryOptions, type FrustumOptions } from './query-options.ts';
import { readFrustum, type FrustumLike } from '../input/query-shapes.ts';
import { readPoint } from '../input/shapes.ts';

/** Checks a frustum and its options, sets the query from them, and returns the categories to report. */
export function readFrustumQuery(where: string, query: FrustumQuery, shape: FrustumLike, options: FrustumOptions<never, never> | undefined): number {
  readFrustum(where, shape, query.planes);
  requireBoolean(where, 'options.exact', options?.exact);
  query.isExact = options?.exact === true;
  readSizeLimit(where, options, query.sizeLimit);
  return readQueryOptions(where, options, FRUSTUM_OPTIONS);
}

function readSizeLimit(where: string, options: FrustumOptions<never, never> | undefined, limit: SizeLimit): void {
  const { minSize = 0, eye } = options ?? NO_OPTIONS;
  requireFinite(where, 'options.minSize', minSize, 'leave it out for 0');
  limit.minSize = requireNotNegative(where, 'options.minSize', minSize, 'leave it out for 0');
  limit.hasEye = eye !== undefined;
  if (eye !== undefined) readPoint(where, 'options.eye', '', eye, limit.eye);
}
const NO_OPTIONS: FrustumOptions<never, never> = {};
