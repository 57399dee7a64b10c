/** The bodies that touch a box or contain a point: a point is a box without extent. */

import { BOX_STRIDE, boxContains, boxesOverlap, type Boxes } from '../../math/box.ts';
import type { Contact } from '../../math/contact.ts';
import { writeRoundedUpLoosely32, writeRoundedDownLoosely32 } from '../../math/float32.ts';
import type { KeptBoxes } from '../../math/kept-boxes.ts';
import { boxOfSphereTouchesBox, sphereTouchesBox } from '../../math/sphere.ts';
import { BOX_OVERLAP, CONTAINED, INTERSECTING } from '../../tree/traverse/walk-numbers.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import type { RangeQuery } from './range-query.ts';

export class BoxQuery implements RangeQuery {
  readonly simdKernel = BOX_OVERLAP;
  readonly rootOverlap = INTERSECTING;
  private readonly box = new Float64Array(BOX_STRIDE);
  /** Working memory of contacts: the point as a sphere of radius 0. */
  private readonly point = new Float64Array(4);
  private isPoint = false;
  private readonly bodyBox = new Float64Array(BOX_STRIDE);

  /** Sets the volume to a box: min and max. */
  set(values: Float64Array): void {
    for (let offset = 0; offset < BOX_STRIDE; offset++) this.box[offset] = values[offset];
    this.isPoint = false;
  }

  /** Sets the volume to a point: the first three of `values`. */
  setPoint(values: Float64Array): void {
    for (let axis = 0; axis < 3; axis++) this.box[axis] = this.box[axis + 3] = values[axis];
    this.isPoint = true;
  }

  /** Min and max rounded outward, which decide rejection; then min and max rounded inward, which decide containment. */
  writeVolume(target: Float32Array): void {
    const { box } = this;
    for (let axis = 0; axis < 3; axis++) {
      writeRoundedDownLoosely32(box, axis, target, axis);
      writeRoundedUpLoosely32(box, axis + 3, target, axis + 3);
      writeRoundedUpLoosely32(box, axis, target, axis + 6);
      writeRoundedDownLoosely32(box, axis + 3, target, axis + 9);
    }
  }

  filterBoxes(boxes: Boxes, begin: number, end: number, kept: KeptBoxes): void {
    const { box } = this;
    const { numbers, overlaps } = kept;
    let { length } = kept;
    const minX = box[0];
    const minY = box[1];
    const minZ = box[2];
    const maxX = box[3];
    const maxY = box[4];
    const maxZ = box[5];
    for (let k = begin, at = begin * BOX_STRIDE; k < end; k++, at += BOX_STRIDE) {
      if (boxes[at] > maxX || boxes[at + 3] < minX) continue;
      if (boxes[at + 1] > maxY || boxes[at + 4] < minY) continue;
      if (boxes[at + 2] > maxZ || boxes[at + 5] < minZ) continue;
      const isContained =
        boxes[at] >= minX &&
        boxes[at + 3] <= maxX &&
        boxes[at + 1] >= minY &&
        boxes[at + 4] <= maxY &&
        boxes[at + 2] >= minZ &&
        boxes[at + 5] <= maxZ;
      numbers[length] = k;
      overlaps[length++] = isContained ? CONTAINED : INTERSECTING;
    }
    kept.length = length;
  }

  touches(bodies: BodyArrays, index: number): boolean {
    return boxTouchesBody(this.box, bodies, index);
  }

  contains(bodies: BodyArrays, index: number): boolean {
    return boxContains(this.box, 0, bodies.readBox(index, this.bodyBox), 0);
  }

  writeContact(values: Float64Array, isSphere: boolean, target: Contact): Contact {
    const { box, point } = this;
    if (!this.isPoint) return target.between(values, isSphere, box, false);
    for (let axis = 0; axis < 3; axis++) point[axis] = box[axis];
    return target.between(values, isSphere, point, true);
  }
}

/** The exact test of box queries: whether a box touches a body. */
export function boxTouchesBody(box: Float64Array, bodies: BodyArrays, index: number): boolean {
  const { bounds } = bodies;
  const at = index * BOX_STRIDE;
  if (!bodies.isSphere(index)) return boxesOverlap(bounds, at, box, 0);
  return sphereTouchesBox(bounds, at, box, 0) && boxOfSphereTouchesBox(bounds, at, box, 0);
}
