/**
 * The contact between two shapes: a position on the surface of the first shape, a unit normal from the first shape to
 * the second, and a signed distance: the gap if they are apart, 0 if they only touch, negative if they overlap
 * (penetration depth). A box is six numbers (min, max), a sphere four (centre, radius).
 */

import { clamp } from './box.ts';

export class Contact {
  x = 0;
  y = 0;
  z = 0;
  normalX = 0;
  normalY = 0;
  normalZ = 0;
  distance = 0;

  /** Computes the contact between any two shapes. */
  between(a: Float64Array, isSphereA: boolean, b: Float64Array, isSphereB: boolean): this {
    if (isSphereA && isSphereB) this.ofSpheres(a, b);
    else if (isSphereA) this.ofSphereAndBox(a, b);
    else if (isSphereB) this.ofBoxAndSphere(a, b);
    else this.ofBoxes(a, b);
    return this;
  }

  /**
   * Overlapping boxes: the normal lies along the axis of the smallest overlap; on a tie x before y before z, and plus
   * before minus. Boxes that are apart: the position is the point of the first box nearest to the middle of the gap.
   */
  private ofBoxes(a: Float64Array, b: Float64Array): void {
    const middle = [0, 0, 0];
    const near = [0, 0, 0];
    const far = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      middle[k] = (Math.max(a[k], b[k]) + Math.min(a[k + 3], b[k + 3])) * 0.5;
      near[k] = clamp(middle[k], a[k], a[k + 3]);
      far[k] = clamp(middle[k], b[k], b[k + 3]);
    }
    const gap = this.setNormalTowards(near[0], near[1], near[2], far[0], far[1], far[2]);
    if (gap > 0) {
      this.distance = gap;
      this.setPosition(near[0], near[1], near[2]);
      return;
    }
    let depth = Infinity;
    let axis = 0;
    let sign = 1;
    for (let k = 0; k < 3; k++) {
      const ahead = a[k + 3] - b[k];
      const behind = b[k + 3] - a[k];
      if (ahead < depth) [depth, axis, sign] = [ahead, k, 1];
      if (behind < depth) [depth, axis, sign] = [behind, k, -1];
    }
    middle[axis] = sign > 0 ? a[axis + 3] : a[axis];
    this.setNormalAlong(axis, sign);
    // `0 - depth`, because `-depth` turns 0 into -0: shapes that only touch have distance 0.
    this.distance = 0 - depth;
    this.setPosition(middle[0], middle[1], middle[2]);
  }

  private ofSpheres(a: Float64Array, b: Float64Array): void {
    const gap = this.setNormalTowards(a[0], a[1], a[2], b[0], b[1], b[2]);
    // Between concentric spheres no direction is defined; +x is the convention.
    if (gap === 0) this.setNormal(1, 0, 0);
    this.distance = gap - (a[3] + b[3]);
    this.setPositionOn(a);
  }

  private ofBoxAndSphere(box: Float64Array, sphere: Float64Array): void {
    const [x, y, z, radius] = sphere;
    if (isInside(x, y, z, box)) {
      this.throughNearestFace(box, x, y, z, radius);
      return;
    }
    const nearX = clamp(x, box[0], box[3]);
    const nearY = clamp(y, box[1], box[4]);
    const nearZ = clamp(z, box[2], box[5]);
    const gap = this.setNormalTowards(nearX, nearY, nearZ, x, y, z);
    // The centre is outside, but the squared distance underflows to 0. Treated as inside.
    if (gap === 0) {
      this.throughNearestFace(box, nearX, nearY, nearZ, radius);
      return;
    }
    this.distance = gap - radius;
    this.setPosition(nearX, nearY, nearZ);
  }

  private ofSphereAndBox(sphere: Float64Array, box: Float64Array): void {
    this.ofBoxAndSphere(box, sphere);
    // `0 - n`, because `-n` turns 0 into -0.
    this.setNormal(0 - this.normalX, 0 - this.normalY, 0 - this.normalZ);
    this.setPositionOn(sphere);
  }

  /**
   * For a centre inside a box: the normal points through the nearest face; on a tie -x, +x, -y, +y, -z, +z in this
   * order.
   */
  private throughNearestFace(box: Float64Array, x: number, y: number, z: number, radius: number): void {
    const center = [x, y, z];
    let depth = Infinity;
    let axis = 0;
    let sign = 1;
    for (let k = 0; k < 3; k++) {
      if (center[k] - box[k] < depth) [depth, axis, sign] = [center[k] - box[k], k, -1];
      if (box[k + 3] - center[k] < depth) [depth, axis, sign] = [box[k + 3] - center[k], k, 1];
    }
    center[axis] = sign > 0 ? box[axis + 3] : box[axis];
    this.setNormalAlong(axis, sign);
    this.distance = 0 - (depth + radius);
    this.setPosition(center[0], center[1], center[2]);
  }

  /** Sets the normal to the direction from one point to another; (0, 0, 0) if they coincide. Returns their distance. */
  private setNormalTowards(fromX: number, fromY: number, fromZ: number, toX: number, toY: number, toZ: number): number {
    const dx = toX - fromX;
    const dy = toY - fromY;
    const dz = toZ - fromZ;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (length > 0) this.setNormal(dx / length, dy / length, dz / length);
    else this.setNormal(0, 0, 0);
    return length;
  }

  setNormalAlong(axis: number, sign: number): void {
    this.setNormal(axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0);
  }

  setNormal(x: number, y: number, z: number): void {
    this.normalX = x;
    this.normalY = y;
    this.normalZ = z;
  }

  /** Sets the position to the point of a sphere that lies in the direction of the normal. */
  setPositionOn(sphere: Float64Array): void {
    this.x = sphere[0] + this.normalX * sphere[3];
    this.y = sphere[1] + this.normalY * sphere[3];
    this.z = sphere[2] + this.normalZ * sphere[3];
  }

  setPosition(x: number, y: number, z: number): void {
    this.x = x;
    this.y = y;
    this.z = z;
  }
}

function isInside(x: number, y: number, z: number, box: Float64Array): boolean {
  return x >= box[0] && y >= box[1] && z >= box[2] && x <= box[3] && y <= box[4] && z <= box[5];
}
