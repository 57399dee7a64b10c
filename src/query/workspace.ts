/**
 * What one running query works with. A filter may start another query, so workspaces are borrowed for as long as a query runs and
 * the inner query gets the next one. Nothing is allocated once there are as many as queries were ever nested.
 */

import { IndexList } from '../tree/storage/index-list.ts';
import { Scratch } from '../tree/traverse/scratch.ts';
import { BoxQuery } from './box.ts';
import { FrustumQuery } from './frustum.ts';
import { HitList } from './hit-list.ts';
import { NearestQuery } from './nearest.ts';
import { PairQuery } from './pairs.ts';
import { RayQuery } from './ray.ts';
import { SphereQuery } from './sphere.ts';

export class Workspace {
  readonly scratch = new Scratch();
  /** Name of the function that asks, for errors. */
  where = '';
  /** Numbers of the shape asked about. */
  readonly values = new Float64Array(6);
  /** Answers that a filter still has to see, or that become records. */
  readonly list = new IndexList();
  readonly hits = new HitList();
  readonly frustum = new FrustumQuery();
  readonly ray = new RayQuery();
  readonly box = new BoxQuery();
  readonly sphere = new SphereQuery();
  readonly nearest = new NearestQuery();
  readonly pairs = new PairQuery();
}

export class WorkspacePool {
  private readonly workspaces: Workspace[] = [];
  private borrowed = 0;

  /** Queries that are running now, nested ones included. */
  get depth(): number {
    return this.borrowed;
  }

  borrow(): Workspace {
    const workspace = (this.workspaces[this.borrowed] ??= new Workspace());
    this.borrowed++;
    return workspace;
  }

  /** Gives back the workspace that was borrowed last. */
  giveBack(): void {
    this.borrowed--;
  }
}
