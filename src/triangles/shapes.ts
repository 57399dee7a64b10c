/** The shapes of queries of triangles: a sphere, a capsule, a box or an oriented box, read into flat numbers. */

import { isObject, throwType } from '../octree/input/input-checks.ts';
import { readBox, readSphere, type BoxLike, type SphereLike } from '../octree/input/shapes.ts';
import {
  isOrientedBoxLike,
  readCapsule,
  readOrientedBox,
  type CapsuleLike,
  type OrientedBoxLike,
} from '../features/volumes/volume-shapes.ts';
import type { TrianglePath } from './triangle-walk.ts';

/** A sphere, a capsule, a box, or an oriented box: three's `Sphere` and `Box3`, `Capsule` and `OBB` of its addons. */
export type TriangleShape = SphereLike | CapsuleLike | BoxLike | OrientedBoxLike;

const REMEDY = 'pass a Sphere, a Box3, a Capsule {start, end, radius} or an OBB';

export class QueryShape {
  /** Whether it is a sphere or a capsule: `segment` holds it. Else `box` does. */
  isRound = true;
  /** Both ends of the axis, and the radius. Of a sphere, both ends are its centre. */
  readonly segment = new Float64Array(7);
  /** Centre, half sizes, three axes. */
  readonly box = new Float64Array(15);
  readonly center = new Float64Array(3);

  read(where: string, shape: TriangleShape): void {
    const { segment, box, center } = this;
    if (!isObject(shape)) throwType(where, 'shape', 'be an object', shape, REMEDY);
    this.isRound = 'radius' in shape;
    if ('start' in shape) readCapsule(where, shape, segment);
    else if ('radius' in shape) {
      readSphere(where, 'sphere', shape, segment);
      segment[6] = segment[3];
      segment.copyWithin(3, 0, 3);
    } else if (isOrientedBoxLike(shape)) readOrientedBox(where, shape, box);
    else if ('min' in shape) {
      readBox(where, 'box', shape, box);
      box.fill(0, 6);
      for (let k = 0; k < 3; k++) {
        box[k + 3] = (box[k + 3] - box[k]) / 2;
        box[k] += box[k + 3];
        box[6 + 4 * k] = 1;
      }
    } else throwType(where, 'shape', 'be a sphere, a capsule or a box', shape, REMEDY);
    for (let k = 0; k < 3; k++) center[k] = this.isRound ? (segment[k] + segment[k + 3]) / 2 : box[k];
  }

  /** Sets the path along which the shape is looked for: its own extent for a capsule at rest, which is tighter. */
  writePath(path: TrianglePath, motion: Float64Array | null): void {
    const { segment, box, center } = this;
    const { start, halves } = path;
    path.limit = 1;
    path.radius = this.isRound ? segment[6] : 0;
    halves.fill(0);
    for (let k = 0; k < 3; k++) {
      start[k] = motion === null && this.isRound ? segment[k] : center[k];
      path.motion[k] = motion !== null ? motion[k] : this.isRound ? segment[k + 3] - segment[k] : 0;
      if (!this.isRound)
        for (let axis = 0; axis < 3; axis++) halves[3 * axis + k] = box[3 + axis] * box[6 + 3 * axis + k];
      else if (motion !== null) halves[k] = (segment[k + 3] - segment[k]) / 2;
    }
    path.finish();
  }
}
