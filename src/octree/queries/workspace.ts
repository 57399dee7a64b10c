/**
 * The queries and the working memory of one call. A filter may call another query, so each call borrows a workspace
 * until it ends, and a nested call gets the next one. Nothing is allocated once there is a workspace for each level of
 * nesting.
 */

import { IndexList } from '../../tree/storage/index-list.ts';
import type { MathFactory, MathTypes } from '../input/math-types.ts';
import { BoxQuery, type RangeQuery, SphereQuery } from './range-query.ts';
import { FrustumQuery } from './frustum-query.ts';
import { RayQuery } from './hit-query.ts';
import { Search, type BodyFilter } from './search.ts';
import type { AnyOptions, ReadOptions } from './query-options.ts';

/**
 * Numbers that a reader may write for one shape. More than any shape has, because a typed array ignores a write after
 * its end without an error.
 */
const MAX_SHAPE_VALUES = 16;

export class Workspace extends Search implements ReadOptions {
  /** Creates the objects for callbacks. */
  readonly math: MathFactory<MathTypes>;
  /** Name of the public function, for error sentences. */
  where = '';
  /** Options of the query; the others are `userFilter` and `candidatesOnly`. */
  except: NonNullable<AnyOptions['except']> | undefined;
  stats: AnyOptions['stats'];
  /** Index of the body that the query leaves out; -1 for none. */
  exceptIndex = -1;
  /** Accepts every body except that one. Created here, because a closure for each query would be garbage. */
  readonly isNotExcepted: BodyFilter = (index) => index !== this.exceptIndex;
  /** Numbers of the shape in the arguments, between its reader and its query: at most MAX_SHAPE_VALUES. */
  readonly values = new Float64Array(MAX_SHAPE_VALUES);
  /** Results before the filter is applied, or before they become records. */
  readonly list = new IndexList();
  /** The volume of the query that runs. */
  volume: RangeQuery | null = null;
  readonly frustumQuery = new FrustumQuery();
  readonly rayQuery = new RayQuery();
  readonly boxQuery = new BoxQuery();
  readonly sphereQuery = new SphereQuery();
  /** The queries of features, by class. */
  private readonly queries = new Map<unknown, unknown>();

  constructor(math: MathFactory<MathTypes>) {
    super();
    this.math = math;
  }

  /** Resets the options to their defaults. */
  forgetOptions(): void {
    this.except = this.stats = this.userFilter = undefined;
    this.exceptIndex = -1;
    this.candidatesOnly = false;
    this.filter = this.tree = null;
  }

  /** The query of a feature, by its class; created at the first call. */
  queryOf<Query>(kind: new () => Query): Query {
    let query = this.queries.get(kind) as Query | undefined;
    if (query === undefined) this.queries.set(kind, (query = new kind()));
    return query;
  }
}

export class WorkspacePool {
  readonly math: MathFactory<MathTypes>;
  /** Number of queries that are running, nested ones included. */
  depth = 0;
  private readonly workspaces: Workspace[] = [];

  constructor(math: MathFactory<MathTypes>) {
    this.math = math;
  }

  borrow(): Workspace {
    const workspace = (this.workspaces[this.depth] ??= new Workspace(this.math));
    this.depth++;
    return workspace;
  }

  /** Returns the workspace that was borrowed last. It keeps nothing of the caller. */
  giveBack(): void {
    this.workspaces[--this.depth].forgetOptions();
  }
}
