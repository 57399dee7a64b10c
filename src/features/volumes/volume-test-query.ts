/** Runs a volume of the user as a query: flat boxes and spheres become objects for its callbacks. */

import { BOX_STRIDE, type Boxes } from '../../math/box.ts';
import { describe } from '../../octree/input/input-checks.ts';
import { setPoint, type MathFactory, type MathTypes, type PlainBox } from '../../octree/input/math-types.ts';
import type { RangeQuery } from '../../octree/queries/range-query.ts';
import { CONTAINED, INTERSECTING } from '../../tree/overlap.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import { NO_SIMD_KERNEL } from '../../tree/traverse/simd-kernels.ts';
import { VolumeOverlap, type VolumeTest } from './volume.ts';

export class VolumeTestQuery implements RangeQuery {
  readonly simdKernel = NO_SIMD_KERNEL;
  readonly rootOverlap = INTERSECTING;
  private readonly where: string;
  private readonly test: VolumeTest;
  private readonly box: PlainBox;
  private readonly sphere: MathTypes['sphere'];
  private readonly bodyBox = new Float64Array(BOX_STRIDE);

  constructor(where: string, test: VolumeTest, math: MathFactory<MathTypes>) {
    this.where = where;
    this.test = test;
    this.box = math.createBox();
    this.sphere = math.createSphere();
  }

  begin(): void {
    // Nothing depends on the tree.
  }

  filterBoxes(boxes: Boxes, begin: number, end: number, _overlap: number, kept: Int32Array, overlaps: Int32Array, count: number): number {
    const { box } = this;
    for (let k = begin, at = begin * BOX_STRIDE; k < end; k++, at += BOX_STRIDE) {
      // The box of an unused node is empty.
      if (!(boxes[at] <= boxes[at + 3])) continue;
      setPoint(box.min, boxes[at], boxes[at + 1], boxes[at + 2]);
      setPoint(box.max, boxes[at + 3], boxes[at + 4], boxes[at + 5]);
      const overlap: unknown = this.test.overlap(box);
      if (overlap === VolumeOverlap.Outside) continue;
      kept[count] = k;
      overlaps[count++] = overlap === VolumeOverlap.Contained ? CONTAINED : INTERSECTING;
      if (overlap !== VolumeOverlap.Contained && overlap !== VolumeOverlap.Intersecting) this.throwResult('overlap', 'a VolumeOverlap', overlap);
    }
    return count;
  }

  touches(bodies: BodyArrays, index: number): boolean {
    const { bounds } = bodies;
    const { box, sphere, test } = this;
    const body = bodies.readBox(index, this.bodyBox);
    setPoint(box.min, body[0], body[1], body[2]);
    setPoint(box.max, body[3], body[4], body[5]);
    if (!this.isTrue('touchesBox', test.touchesBox(box))) return false;
    if (!bodies.isSphere(index)) return true;
    const at = index * BOX_STRIDE;
    setPoint(sphere.center, bounds[at], bounds[at + 1], bounds[at + 2]);
    sphere.radius = bounds[at + 3];
    return this.isTrue('touchesSphere', test.touchesSphere(sphere));
  }

  contains(bodies: BodyArrays, index: number): boolean {
    const body = bodies.readBox(index, this.bodyBox);
    setPoint(this.box.min, body[0], body[1], body[2]);
    setPoint(this.box.max, body[3], body[4], body[5]);
    return this.test.overlap(this.box) === VolumeOverlap.Contained;
  }

  private isTrue(name: string, result: unknown): boolean {
    if (typeof result !== 'boolean') this.throwResult(name, 'true or false', result);
    return result;
  }

  private throwResult(name: string, expected: string, result: unknown): never {
    throw new TypeError(`${this.where}: volume.${name} must return ${expected}, but returned ${describe(result)}; return one in every case.`);
  }
}
