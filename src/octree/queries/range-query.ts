/**
 * What all queries of the form "which bodies touch this volume" share: they walk the tree with the volume as kernel,
 * and drop the bodies of other categories. And the volumes of the class `Octree`: box, point and sphere.
 */

import type { Contact } from '../../math/contact.ts';
import { ALL_CATEGORIES } from '../../tree/layout.ts';
import type { BodyArrays } from '../../tree/storage/body-arrays.ts';
import type { IndexList } from '../../tree/storage/index-list.ts';
import type { ExactTest, RangeKernel } from '../../tree/traverse/kernel.ts';
import { walkOverlapping } from '../../tree/traverse/walk.ts';
import type { Tree } from '../../tree/tree.ts';
import { keepCategories, type Search } from './search.ts';
import { BOX_STRIDE, boxContains, boxesOverlap, type Boxes, type KeptBoxes } from '../../math/box.ts';
import { roundDownLoosely32, roundUpLoosely32 } from '../../math/float32.ts';
import { sphereTouchesBox, MAX_RADIUS, sphereContainsBox, spheresTouch, QuerySphere } from '../../math/sphere.ts';
import { BOX_OVERLAP, CONTAINED, INTERSECTING, SPHERE_OVERLAP } from '../../tree/traverse/walk-numbers.ts';

/**
 * One kind of volume: its kernel, its exact test and what records need. The rules for `filterBoxes` and `touches` are
 * in src/tree/traverse/kernel.ts. A SIMD kernel is optional: a query that runs in JavaScript only has
 * `simdKernel = NO_SIMD_KERNEL` and no `writeVolume`.
 */
export interface RangeQuery extends RangeKernel, ExactTest {
  /** Whether the volume calls callbacks of the user. Left out by volumes that do not. */
  readonly runsUserCode?: boolean;
  /**
   * Prepares for a walk of a tree with a root, after the volume was set. Must not write to the tree. One exception:
   * `SizeLimit` makes the tree keep the largest diagonals of nodes from then on. Most kinds need no tree.
   */
  begin?(tree: Tree): void;
  /**
   * Drops bodies from the result of a walk, by what the walk does not test. Returns true if another walk is to replace
   * that result. Most kinds have no such test.
   */
  refine?(tree: Tree, list: IndexList): boolean;
  /**
   * Whether a body lies entirely inside the volume, by its exact bounds; for `inside` of a record. The overlap of a
   * kernel cannot tell it: CONTAINED only saves tests, and a kernel may return INTERSECTING for a body that is inside.
   */
  contains(bodies: BodyArrays, index: number): boolean;
  /**
   * Writes the contact between a body and the volume to `target` and returns it. `values` are the exact bounds of the
   * body: centre and radius if it is a sphere, else min and max. Left out by volumes without contacts, such as
   * unbounded ones.
   */
  writeContact?(values: Float64Array, isSphere: boolean, target: Contact): Contact;
}

/**
 * Fills `out` with the bodies of the given categories that touch the volume, in tree order. With `candidatesOnly` it
 * skips the exact test and keeps all bodies whose slot bounds may touch the volume.
 */
export function collectRange(search: Search, query: RangeQuery, out: IndexList): void {
  const { categories, candidatesOnly } = search;
  const tree = search.tree!;
  do {
    out.length = 0;
    if (tree.hasRoot) query.begin?.(tree);
    walkOverlapping(search, query, candidatesOnly ? null : query, out);
    if (categories !== ALL_CATEGORIES || tree.uncategorizedCount > 0) keepCategories(tree.bodies, categories, out);
  } while (query.refine?.(tree, out) === true);
}

/** The bodies that touch a box or contain a point: a point is a box without extent. */
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
      target[axis] = roundDownLoosely32(box[axis]);
      target[axis + 3] = roundUpLoosely32(box[axis + 3]);
      target[axis + 6] = roundUpLoosely32(box[axis]);
      target[axis + 9] = roundDownLoosely32(box[axis + 3]);
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
  return sphereTouchesBox(bounds, at, box, 0) && boxesOverlap(bodies.readBox(index, touchedBox), 0, box, 0);
}
/** The box around a body that is a sphere. */
const touchedBox = /* @__PURE__ */ new Float64Array(BOX_STRIDE);

/** The bodies that touch a sphere. */
export class SphereQuery extends QuerySphere implements RangeQuery {
  readonly simdKernel = SPHERE_OVERLAP;
  readonly rootOverlap = INTERSECTING;
  /** Centre and radius as set, for contacts: their distance holds for the radius that the caller gave. */
  private readonly sphere = new Float64Array(4);
  /** Centre and radius, limited to MAX_RADIUS, for tests. */
  private readonly limited = new Float64Array(4);

  /** Sets the volume to a sphere: centre and radius. */
  override set(values: Float64Array): void {
    const { sphere, limited } = this;
    for (let offset = 0; offset < 4; offset++) sphere[offset] = limited[offset] = values[offset];
    limited[3] = Math.min(limited[3], MAX_RADIUS);
    super.set(limited);
  }

  touches(bodies: BodyArrays, index: number): boolean {
    return sphereTouchesBody(this.limited, bodies, index);
  }

  contains(bodies: BodyArrays, index: number): boolean {
    const { limited } = this;
    const { bounds } = bodies;
    const at = index * BOX_STRIDE;
    if (!bodies.isSphere(index)) return sphereContainsBox(limited, 0, bounds, at);
    const dx = bounds[at] - limited[0];
    const dy = bounds[at + 1] - limited[1];
    const dz = bounds[at + 2] - limited[2];
    return Math.sqrt(dx * dx + dy * dy + dz * dz) + bounds[at + 3] <= limited[3];
  }

  writeContact(values: Float64Array, isSphere: boolean, target: Contact): Contact {
    return target.between(values, isSphere, this.sphere, true);
  }
}

/** The exact test of sphere queries: whether a sphere, whose radius is at most MAX_RADIUS, touches a body. */
export function sphereTouchesBody(sphere: Float64Array, bodies: BodyArrays, index: number): boolean {
  const { bounds } = bodies;
  const at = index * BOX_STRIDE;
  if (!bodies.isSphere(index)) return sphereTouchesBox(sphere, 0, bounds, at);
  return spheresTouch(bounds, at, sphere, 0) && sphereTouchesBox(sphere, 0, bodies.readBox(index, touchedBox), 0);
}
