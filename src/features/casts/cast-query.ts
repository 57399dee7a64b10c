/** The bodies that a sphere or a box touches while it moves by a vector. In the list of hits, the distance is a fraction of the motion, 0 to 1. */

import { BOX_STRIDE } from '../../math/box.ts';
import type { Tree } from '../../tree/tree.ts';
import { HitQuery } from '../../octree/queries/hit-query.ts';
import { MovingShape } from './moving-shape.ts';

export class CastQuery extends HitQuery {
  override far = 1;
  readonly shape = new MovingShape();
  protected readonly path = this.shape.path;
  protected readonly distance = this.shape.time;

  protected hits({ bodies }: Tree, index: number): boolean {
    return this.shape.hits(bodies, index);
  }

  protected hitsSlotBounds({ bodies, slots }: Tree, index: number): boolean {
    return this.shape.crossesBox(slots.slotBounds, bodies.slot[index] * BOX_STRIDE);
  }
}
