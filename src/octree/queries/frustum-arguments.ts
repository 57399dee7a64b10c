/** The arguments of frustum queries: one frustum with its options, or the views of `octree.collectViews`; their checks and the errors. */

import { FrustumQuery } from './frustum-query.ts';
import type { SizeLimit } from './size-limit.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import { describe, requireBoolean, requireFinite, requireNotNegative, requireObject } from '../input/input-checks.ts';
import type { MathTypes } from '../input/math-types.ts';
import { isQueryOption, readQueryOptions, type FrustumOptions, type FrustumView } from './query-options.ts';
import { readFrustum, type FrustumLike } from '../input/query-shapes.ts';
import { readPoint } from '../input/shapes.ts';
import { requireList } from './targets.ts';

const VIEW_REMEDY = 'pass {frustum, list, options}';

/** Checks a frustum and its options, sets the query from them, and returns the categories to report. */
export function readFrustumQuery(where: string, query: FrustumQuery, shape: FrustumLike, options: FrustumOptions<never, never> | undefined): number {
  readFrustum(where, shape, query.planes);
  requireBoolean(where, 'options.exact', options?.exact);
  query.isExact = options?.exact === true;
  readSizeLimit(where, options, query.sizeLimit);
  return readQueryOptions(where, options);
}

function readSizeLimit(where: string, options: FrustumOptions<never, never> | undefined, limit: SizeLimit): void {
  const { minSize = 0, eye } = options ?? NO_OPTIONS;
  requireFinite(where, 'options.minSize', minSize, 'leave it out for 0');
  limit.minSize = requireNotNegative(where, 'options.minSize', minSize, 'leave it out for 0');
  limit.hasEye = eye !== undefined;
  if (eye !== undefined) readPoint(where, 'options.eye', '', eye, limit.eye);
}
const NO_OPTIONS: FrustumOptions<never, never> = {};

/** The arguments of one view after the checks. Each field of a view is read once, because a getter may return something else the next time. */
export class ViewArguments<T, M extends MathTypes> {
  readonly query = new FrustumQuery();
  categories = 0;
  list: IndexList | null = null;
  options: FrustumOptions<T, M> | undefined = undefined;
}

export class ViewList<T, M extends MathTypes> {
  count = 0;
  /** The first `count` are in use. */
  readonly views: ViewArguments<T, M>[] = [];
  /** Per view: the prefix of its error messages, "function: views[k]". Cached, so that a call allocates no strings. */
  private readonly errorPrefixes: string[] = [];

  /** Checks all views. Throws before anything changes. */
  read(where: string, views: readonly FrustumView<T, M>[]): void {
    this.count = 0;
    if (!Array.isArray(views)) throw new TypeError(`${where}: views must be an array, but is ${describe(views)}; pass an array of {frustum, list, options}.`);
    const { length } = views;
    for (let k = 0; k < length; k++) this.readView((this.errorPrefixes[k] ??= `${where}: views[${k}]`), views[k], (this.views[k] ??= new ViewArguments()));
    for (let k = 0; k < length; k++) this.requireOwnList(where, k);
    this.count = length;
  }

  /** Forgets what belongs to the caller. */
  clear(): void {
    for (let k = 0; k < this.views.length; k++) {
      const view = this.views[k];
      view.list = null;
      view.options = undefined;
    }
    this.count = 0;
  }

  private readView(where: string, view: FrustumView<T, M>, target: ViewArguments<T, M>): void {
    requireObject(where, 'the view', view, VIEW_REMEDY);
    for (const name in view) {
      if (isQueryOption(name)) throw new TypeError(`${where}: ${name} is ${describe((view as unknown as Record<string, unknown>)[name])} beside the frustum; pass it in options.`);
    }
    const { frustum, list, options } = view;
    requireList(where, list);
    target.categories = readFrustumQuery(where, target.query, frustum, options);
    target.list = list;
    target.options = options;
  }

  private requireOwnList(where: string, k: number): void {
    for (let before = 0; before < k; before++) {
      if (this.views[before].list !== this.views[k].list) continue;
      throw new RangeError(`${where}: views[${k}].list must be a list of its own, but is the list of views[${before}]; make one IndexList per view.`);
    }
  }

  /** How error sentences name view `k`. */
  prefixOf(k: number): string {
    return this.errorPrefixes[k];
  }
}
