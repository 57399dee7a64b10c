/** The new bounds of bodies, collected, so that one call of the octree moves all of them. */

import type { Box3, Sphere } from 'three';
import { BOX_STRIDE } from '../../math/box.ts';
import { SPHERE_STRIDE } from '../../math/sphere.ts';
import { withCapacity } from '../../math/typed-arrays.ts';
import type { BodyStore } from '../../octree/bodies/body-store.ts';
import { BulkMove } from '../../tree/update/move.ts';
import { writeBounds } from '../bounds/bounds-math.ts';

/** Moves of bodies of one kind. */
class Moves {
  count = 0;
  private indices = new Uint32Array(64);
  private bounds = new Float64Array(0);
  readonly stride: number;

  constructor(stride: number) {
    this.stride = stride;
  }

  add(body: number, bounds: Box3 | Sphere): void {
    const { count, stride } = this;
    this.indices = withCapacity(this.indices, count + 1);
    this.bounds = withCapacity(this.bounds, (count + 1) * stride);
    this.indices[count] = body;
    writeBounds(bounds, this.bounds, count * stride);
    this.count++;
  }

  take(): BulkMove {
    const { count, stride } = this;
    this.count = 0;
    return new BulkMove(this.indices.subarray(0, count), this.bounds.subarray(0, count * stride), stride);
  }
}

export class BodyMoves {
  private readonly boxes = new Moves(BOX_STRIDE);
  private readonly spheres = new Moves(SPHERE_STRIDE);

  add(body: number, bounds: Box3 | Sphere): void {
    ('radius' in bounds ? this.spheres : this.boxes).add(body, bounds);
  }

  /** Forgets what was collected before an error. */
  clear(): void {
    this.boxes.count = this.spheres.count = 0;
  }

  /** Gives the bodies their new bounds. */
  write(where: string, store: BodyStore): void {
    for (const moves of [this.boxes, this.spheres]) if (moves.count > 0) store.moveMany(where, moves.take());
  }
}
