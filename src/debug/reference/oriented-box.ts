/**
 * Oriented boxes of the reference implementation. The axes are made perpendicular by the process of Gram and Schmidt;
 * the third is the cross product of the others. A box touches an oriented box if all of these hold:
 * - It passes the plane test for each of the six faces.
 * - It overlaps the axis-aligned box around the oriented box.
 * - No cross product of an axis of the world and an axis of the oriented box separates them: the projected distance of
 *   the centres is <= the sum of the projected half sizes. In the sum the box comes before the oriented box. Cross
 *   products with only one component other than 0 are left out.
 *
 * A sphere body touches an oriented box if its box does, and if the squared length of the gaps of its centre, in the
 * space of the oriented box, is <= r * r.
 */
import type { Contact } from './contact.ts';
import { cullBody, isBoxBehind, type ReferencePlane } from './frustum.ts';
import type { Bounds, Point, ReferenceBody, ReferenceSphere } from './geometry.ts';
import { along, boxesTouch, dot, subtract } from './geometry.ts';

/** An oriented box as the caller gives it. */
export interface ReferenceOrientedBox {
  /** World units. */
  readonly center: Point;
  /** Along each of its own axes. */
  readonly halfSize: Point;
  /** Three unit vectors, nearly perpendicular. */
  readonly axes: readonly Point[];
}

const MAX_HALF_SIZE = 2 ** 54;
const WORLD: readonly Point[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

export class OrientedReference {
  readonly #center: Point;
  readonly #half: Point;
  readonly #axes: readonly Point[];
  readonly #planes: readonly ReferencePlane[];
  readonly #bounds: Bounds;
  /** Of the axes of the world and its own. */
  readonly #crossProducts: readonly Point[];

  constructor({ center, halfSize, axes }: ReferenceOrientedBox) {
    this.#center = center;
    this.#half = halfSize.map((half) => Math.min(half, MAX_HALF_SIZE));
    const u = unit(axes[0]);
    const v = unit(along(axes[1], u, -dot(axes[1], u)));
    this.#axes = [u, v, cross(u, v)];
    this.#planes = this.#axes.flatMap((axis, k) => [
      [...axis, this.#half[k] - dot(axis, center)],
      [...axis.map((component) => -component), this.#half[k] + dot(axis, center)],
    ]);
    const extents = [0, 1, 2].map((j) =>
      dot(
        this.#axes.map((axis) => Math.abs(axis[j])),
        this.#half,
      ),
    );
    this.#bounds = [...center.map((c, j) => c - extents[j]), ...center.map((c, j) => c + extents[j])];
    this.#crossProducts = this.#axes.flatMap((axis) => WORLD.map((world) => cross(world, axis)));
  }

  touches(body: ReferenceBody): boolean {
    if (!boxesTouch(body.box, this.#bounds) || isBoxBehind(body.box, this.#planes)) return false;
    const edges = this.#crossProducts.filter((axis) => axis.filter((component) => component !== 0).length > 1);
    if (!edges.every((axis) => Math.abs(this.#distance(body.box, axis)) <= this.#reach(body.box, axis))) return false;
    if (body.sphere === null) return true;
    const gaps = this.#local(body.sphere.center).map((coordinate, k) =>
      Math.max(Math.abs(coordinate) - this.#half[k], 0),
    );
    return dot(gaps, gaps) <= body.sphere.radius * body.sphere.radius;
  }

  /** Whether it contains the whole body. */
  contains(body: ReferenceBody): boolean {
    return cullBody(body, this.#planes)?.inside === true;
  }

  contact({ box, sphere }: ReferenceBody): Contact {
    return sphere === null ? this.#contactOfBox(box) : this.#contactOfSphere(sphere);
  }

  /** Along the axis of the smallest overlap, the first one on a tie. */
  #contactOfBox(box: Bounds): Contact {
    let distance = -Infinity;
    let normal: Point = [1, 0, 0];
    for (const axis of [...WORLD, ...this.#axes, ...this.#crossProducts]) {
      const length = Math.sqrt(dot(axis, axis));
      const offset = this.#distance(box, axis);
      if (length * length < 1e-12 || !((this.#reach(box, axis) - Math.abs(offset)) / length < -distance)) continue;
      distance = -(this.#reach(box, axis) - Math.abs(offset)) / length;
      normal = axis.map((component) => (offset < 0 ? -component : component) / length);
    }
    let deepest = this.#center;
    for (const [k, axis] of this.#axes.entries()) {
      const slope = dot(axis, normal);
      if (Math.abs(slope) > 1e-9) deepest = along(deepest, axis, -Math.sign(slope) * this.#half[k]);
    }
    const position = normal.map((component, k) => {
      if (Math.abs(component) > 1e-9) return component > 0 ? box[k + 3] : box[k];
      return Math.min(Math.max(deepest[k], box[k]), box[k + 3]);
    });
    return { distance, position, normal };
  }

  #contactOfSphere({ center, radius }: ReferenceSphere): Contact {
    const local = this.#local(center);
    const nearest = local.map((coordinate, k) => Math.min(Math.max(coordinate, -this.#half[k]), this.#half[k]));
    const offset = subtract(nearest, local);
    let gap = Math.sqrt(dot(offset, offset));
    let direction = offset.map((component) => component / gap);
    if (gap === 0) {
      const depths = local.map((coordinate, k) => this.#half[k] - Math.abs(coordinate));
      const face = depths.indexOf(Math.min(...depths));
      gap = -depths[face];
      direction = [0, 1, 2].map((k) => (k === face ? (local[k] < 0 ? 1 : -1) : 0));
    }
    const normal = [0, 1, 2].map((j) =>
      dot(
        direction,
        this.#axes.map((axis) => axis[j]),
      ),
    );
    return { distance: gap - radius, position: along(center, normal, radius), normal };
  }

  /** From the centre of a box to the centre of this one, along an axis. */
  #distance(box: Bounds, axis: Point): number {
    return dot(
      [0, 1, 2].map((k) => this.#center[k] - (box[k] + box[k + 3]) * 0.5),
      axis,
    );
  }

  /** Sum of the projected half sizes of a box and of this one, along an axis. */
  #reach(box: Bounds, axis: Point): number {
    const half = [0, 1, 2].map((k) => (box[k + 3] - box[k]) * 0.5);
    return (
      dot(axis.map(Math.abs), half) +
      dot(
        this.#axes.map((own) => Math.abs(dot(own, axis))),
        this.#half,
      )
    );
  }

  #local(point: Point): Point {
    return this.#axes.map((axis) => dot(subtract(point, this.#center), axis));
  }
}

function unit(vector: Point): Point {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((component) => component / length);
}

function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
