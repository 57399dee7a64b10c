/**
 * A box of any orientation, and its exact tests against boxes and spheres, in Float64.
 *
 * Box against box is the separating axis test (SAT) with 15 axes: three of each box, and nine cross products. The axes
 * of the oriented box are tested as planes, the axes of the other box by comparing coordinates, so that the filters of
 * planes are conservative for this test. A sphere touches the oriented box if the distance of its centre is at most its
 * radius, computed in the space of the oriented box.
 *
 * Source: Gottschalk, Lin, Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference Detection", 1996.
 */

import { BOX_STRIDE, boxesOverlap, type Boxes, clamp } from './box.ts';
import type { Contact } from './contact.ts';
import { FrustumPlanes, PLANE_STRIDE } from './frustum-planes.ts';
import { MAX_RADIUS } from './sphere.ts';

/**
 * A component of a unit vector below this counts as 0 where a contact is on an edge or on a face.
 */
const MIN_COMPONENT = 1e-9;
/** Signs of the normals of two faces that lie opposite to each other. */
const SIDES = [1, -1] as const;
/**
 * Squared length. The axes of a cross product below this are nearly parallel: it gives no direction for a contact.
 */
const MIN_CROSS_SQ = 1e-12;

export class OrientedBox {
  /**
   * The six faces: for each axis the face on the negative side, then the face on the positive side. Normals point
   * inward.
   */
  readonly planes = new FrustumPlanes();
  /** The box around it, parallel to the axes of the world. */
  readonly bounds = new Float64Array(BOX_STRIDE);

  /** One of the faces. */
  private readonly plane = new Float64Array(PLANE_STRIDE);
  private readonly center = new Float64Array(3);
  private readonly halfSize = new Float64Array(3);
  /** Three unit vectors, perpendicular to each other. */
  private readonly axes = new Float64Array(9);
  /** The axis of the current test, of any length. */
  private readonly axis = new Float64Array(3);
  /** The box of the current test: half its size, and the vector from its centre to the centre of the oriented box. */
  private readonly half = new Float64Array(3);
  private readonly offset = new Float64Array(3);
  /**
   * Results of `project`: the distance of the centres along the axis, and the sum of the extents of both boxes. An
   * array, as V8 may box doubles in fields.
   */
  private readonly projected = new Float64Array(2);
  /** Coordinates of a point in the space of the oriented box. */
  private readonly local = new Float64Array(3);

  /**
   * Sets the box from fifteen numbers: centre, half sizes, and its three axes, which must be nearly perpendicular unit
   * vectors.
   */
  set(values: Float64Array): void {
    const { center, halfSize, bounds, plane, planes } = this;
    for (let k = 0; k < 3; k++) {
      center[k] = values[k];
      halfSize[k] = Math.min(values[k + 3], MAX_RADIUS);
    }
    this.setAxes(values);
    const { axes } = this;
    planes.clear();
    for (let k = 0; k < 3; k++) {
      const middle = axes[3 * k] * center[0] + axes[3 * k + 1] * center[1] + axes[3 * k + 2] * center[2];
      for (const sign of SIDES) {
        for (let axis = 0; axis < 3; axis++) plane[axis] = sign * axes[3 * k + axis];
        plane[3] = halfSize[k] - sign * middle;
        planes.push(plane, 0);
      }
      const extent =
        Math.abs(axes[k]) * halfSize[0] + Math.abs(axes[k + 3]) * halfSize[1] + Math.abs(axes[k + 6]) * halfSize[2];
      bounds[k] = center[k] - extent;
      bounds[k + 3] = center[k] + extent;
    }
  }

  /**
   * Makes the axes orthonormal by Gram-Schmidt, up to rounding, as the tests assume. The third axis may be negated,
   * which leaves the box the same.
   */
  private setAxes(values: Float64Array): void {
    const { axes } = this;
    let length = Math.sqrt(values[6] * values[6] + values[7] * values[7] + values[8] * values[8]);
    for (let k = 0; k < 3; k++) axes[k] = values[k + 6] / length;
    const along = values[9] * axes[0] + values[10] * axes[1] + values[11] * axes[2];
    for (let k = 0; k < 3; k++) axes[k + 3] = values[k + 9] - along * axes[k];
    length = Math.sqrt(axes[3] * axes[3] + axes[4] * axes[4] + axes[5] * axes[5]);
    for (let k = 0; k < 3; k++) axes[k + 3] /= length;
    axes[6] = axes[1] * axes[5] - axes[2] * axes[4];
    axes[7] = axes[2] * axes[3] - axes[0] * axes[5];
    axes[8] = axes[0] * axes[4] - axes[1] * axes[3];
  }

  /**
   * Whether the box at offset `at` touches the oriented box. `mask` has the bits of the planes that the box may cross.
   */
  intersectsBox(boxes: Boxes, at: number, mask: number): boolean {
    if (!this.planes.intersectsBox(boxes, at, mask) || !boxesOverlap(boxes, at, this.bounds, 0)) return false;
    const { axis, projected } = this;
    this.setBox(boxes, at);
    for (let k = 0; k < 9; k++) {
      this.setCross(k);
      // With one component only it is an axis of the other box, whose coordinates were compared above without rounding.
      if (Number(axis[0] !== 0) + Number(axis[1] !== 0) + Number(axis[2] !== 0) < 2) continue;
      this.project();
      if (Math.abs(projected[0]) > projected[1]) return false;
    }
    return true;
  }

  /** Whether the sphere at offset `at` touches the oriented box. */
  intersectsSphere(spheres: Float64Array, at: number): boolean {
    const { local, halfSize } = this;
    this.setLocal(spheres, at);
    let distanceSq = 0;
    for (let k = 0; k < 3; k++) {
      const gap = Math.max(Math.abs(local[k]) - halfSize[k], 0);
      distanceSq += gap * gap;
    }
    return distanceSq <= spheres[at + 3] * spheres[at + 3];
  }

  /**
   * The contact of a body, a box of six numbers or a sphere of four, with this box. Two boxes: the normal is the axis
   * of the smallest overlap. Axes are tried in this order, and the first wins a tie: the axes of the body, the axes of
   * this box, their cross products. The position is the deepest point of the body. If an edge or a face of the body is
   * deepest, it is the point of that edge or face nearest to the deepest point of this box.
   */
  writeContact(values: Float64Array, isSphere: boolean, target: Contact): Contact {
    if (isSphere) this.writeSphereContact(values, target);
    else this.writeBoxContact(values, target);
    return target;
  }

  private writeBoxContact(box: Float64Array, target: Contact): void {
    const { axis, axes, projected } = this;
    this.setBox(box, 0);
    let depth = Infinity;
    target.setNormal(1, 0, 0);
    for (let k = 0; k < 15; k++) {
      if (k < 3) for (let j = 0; j < 3; j++) axis[j] = j === k ? 1 : 0;
      else if (k < 6) for (let j = 0; j < 3; j++) axis[j] = axes[3 * (k - 3) + j];
      else this.setCross(k - 6);
      const lengthSq = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
      if (lengthSq < MIN_CROSS_SQ) continue;
      this.project();
      const length = Math.sqrt(lengthSq);
      const overlap = (projected[1] - Math.abs(projected[0])) / length;
      if (!(overlap < depth)) continue;
      depth = overlap;
      const scale = (projected[0] < 0 ? -1 : 1) / length;
      // `+ 0` turns -0 into 0.
      target.setNormal(axis[0] * scale + 0, axis[1] * scale + 0, axis[2] * scale + 0);
    }
    target.distance = 0 - depth;
    const deepest = this.deepestPoint(target);
    const normal = [target.normalX, target.normalY, target.normalZ];
    const [x, y, z] = normal.map((component, k) => {
      if (Math.abs(component) > MIN_COMPONENT) return component > 0 ? box[k + 3] : box[k];
      return clamp(deepest[k], box[k], box[k + 3]);
    });
    target.setPosition(x, y, z);
  }

  /** The point of this box farthest against the normal; the middle of an edge or a face that is perpendicular to it. */
  private deepestPoint({ normalX, normalY, normalZ }: Contact): number[] {
    const { axes, center, halfSize } = this;
    const point = [...center];
    for (let k = 0; k < 3; k++) {
      const along = axes[3 * k] * normalX + axes[3 * k + 1] * normalY + axes[3 * k + 2] * normalZ;
      if (Math.abs(along) <= MIN_COMPONENT) continue;
      for (let j = 0; j < 3; j++) point[j] -= Math.sign(along) * halfSize[k] * axes[3 * k + j];
    }
    return point;
  }

  private writeSphereContact(sphere: Float64Array, target: Contact): void {
    const { local, halfSize, axes } = this;
    this.setLocal(sphere, 0);
    // From the centre of the sphere to the nearest point of this box, in its own space.
    const toBox = [0, 1, 2].map((k) => clamp(local[k], -halfSize[k], halfSize[k]) - local[k]);
    let gap = Math.sqrt(toBox[0] * toBox[0] + toBox[1] * toBox[1] + toBox[2] * toBox[2]);
    if (gap === 0) {
      // The centre is inside, and leaves through the nearest face.
      let nearest = 0;
      for (let k = 1; k < 3; k++)
        if (halfSize[k] - Math.abs(local[k]) < halfSize[nearest] - Math.abs(local[nearest])) nearest = k;
      gap = Math.abs(local[nearest]) - halfSize[nearest];
      for (let k = 0; k < 3; k++) toBox[k] = k === nearest ? (local[nearest] < 0 ? 1 : -1) : 0;
    } else for (let k = 0; k < 3; k++) toBox[k] /= gap;
    const [x, y, z] = [0, 1, 2].map((j) => toBox[0] * axes[j] + toBox[1] * axes[j + 3] + toBox[2] * axes[j + 6] + 0);
    target.setNormal(x, y, z);
    target.distance = gap - sphere[3];
    target.setPositionOn(sphere);
  }

  private setBox(boxes: Boxes, at: number): void {
    const { half, offset, center } = this;
    for (let k = 0; k < 3; k++) {
      half[k] = (boxes[at + k + 3] - boxes[at + k]) * 0.5;
      offset[k] = center[k] - (boxes[at + k] + boxes[at + k + 3]) * 0.5;
    }
  }

  /** Sets `axis` to the cross product of an axis of the world and an axis of this box; `k` from 0 to 8. */
  private setCross(k: number): void {
    const { axis, axes } = this;
    const other = 3 * ((k / 3) | 0);
    const world = k % 3;
    const next = (world + 1) % 3;
    const last = (world + 2) % 3;
    axis[world] = 0;
    axis[next] = -axes[other + last];
    axis[last] = axes[other + next];
  }

  /** Projects both boxes on `axis`. */
  private project(): void {
    const { axis, axes, half, halfSize, offset } = this;
    const x = axis[0];
    const y = axis[1];
    const z = axis[2];
    this.projected[0] = offset[0] * x + offset[1] * y + offset[2] * z;
    this.projected[1] =
      Math.abs(x) * half[0] +
      Math.abs(y) * half[1] +
      Math.abs(z) * half[2] +
      (Math.abs(axes[0] * x + axes[1] * y + axes[2] * z) * halfSize[0] +
        Math.abs(axes[3] * x + axes[4] * y + axes[5] * z) * halfSize[1] +
        Math.abs(axes[6] * x + axes[7] * y + axes[8] * z) * halfSize[2]);
  }

  private setLocal(points: Float64Array, at: number): void {
    const { local, axes, center } = this;
    const x = points[at] - center[0];
    const y = points[at + 1] - center[1];
    const z = points[at + 2] - center[2];
    for (let k = 0; k < 3; k++) local[k] = x * axes[3 * k] + y * axes[3 * k + 1] + z * axes[3 * k + 2];
  }
}
