/**
 * How two shapes touch: the point of the first one nearest to the other, the direction from the first to the other, and the gap
 * between them, negative = depth. Shapes come as lanes: a box as min and max, a sphere as centre and radius.
 */

export class Contact {
  x = 0;
  y = 0;
  z = 0;
  normalX = 0;
  normalY = 0;
  normalZ = 0;
  distance = 0;

  /** Any two shapes. */
  between(a: Float64Array, isSphereA: boolean, b: Float64Array, isSphereB: boolean): this {
    if (isSphereA && isSphereB) this.ofSpheres(a, b);
    else if (isSphereA) this.ofSphereAndBox(a, b);
    else if (isSphereB) this.ofBoxAndSphere(a, b);
    else this.ofBoxes(a, b);
    return this;
  }

  /** Two boxes part along the axis of their smallest overlap. */
  private ofBoxes(a: Float64Array, b: Float64Array): void {
    let depth = Infinity;
    let axis = 0;
    let sign = 1;
    for (let k = 0; k < 3; k++) {
      const ahead = a[k + 3] - b[k];
      const behind = b[k + 3] - a[k];
      if (ahead < depth) [depth, axis, sign] = [ahead, k, 1];
      if (behind < depth) [depth, axis, sign] = [behind, k, -1];
    }
    const point = [0, 0, 0];
    for (let k = 0; k < 3; k++) point[k] = (Math.max(a[k], b[k]) + Math.min(a[k + 3], b[k + 3])) * 0.5;
    point[axis] = sign > 0 ? a[axis + 3] : a[axis];
    this.setAlongAxis(axis, sign, -depth);
    this.setPosition(point[0], point[1], point[2]);
  }

  private ofSpheres(a: Float64Array, b: Float64Array): void {
    const gap = this.pointFrom(a[0], a[1], a[2], b[0], b[1], b[2]);
    // Concentric spheres part along +x.
    if (gap === 0) this.setNormal(1, 0, 0);
    this.distance = gap - (a[3] + b[3]);
    this.setPosition(a[0] + this.normalX * a[3], a[1] + this.normalY * a[3], a[2] + this.normalZ * a[3]);
  }

  private ofBoxAndSphere(box: Float64Array, sphere: Float64Array): void {
    const [x, y, z, radius] = sphere;
    if (isInside(x, y, z, box)) {
      this.throughNearestFace(box, x, y, z, radius);
      return;
    }
    const nearX = Math.min(Math.max(x, box[0]), box[3]);
    const nearY = Math.min(Math.max(y, box[1]), box[4]);
    const nearZ = Math.min(Math.max(z, box[2]), box[5]);
    const gap = this.pointFrom(nearX, nearY, nearZ, x, y, z);
    // So close outside that the squares vanish: as from inside.
    if (gap === 0) {
      this.throughNearestFace(box, nearX, nearY, nearZ, radius);
      return;
    }
    this.distance = gap - radius;
    this.setPosition(nearX, nearY, nearZ);
  }

  private ofSphereAndBox(sphere: Float64Array, box: Float64Array): void {
    this.ofBoxAndSphere(box, sphere);
    // `0 - n` instead of `-n`, which would make -0 of 0.
    this.setNormal(0 - this.normalX, 0 - this.normalY, 0 - this.normalZ);
    const radius = sphere[3];
    this.setPosition(sphere[0] + this.normalX * radius, sphere[1] + this.normalY * radius, sphere[2] + this.normalZ * radius);
  }

  /** A centre inside a box leaves by the nearest face: -x, +x, -y, +y, -z, +z on ties. */
  private throughNearestFace(box: Float64Array, x: number, y: number, z: number, radius: number): void {
    const centre = [x, y, z];
    let way = Infinity;
    let axis = 0;
    let sign = 1;
    for (let k = 0; k < 3; k++) {
      if (centre[k] - box[k] < way) [way, axis, sign] = [centre[k] - box[k], k, -1];
      if (box[k + 3] - centre[k] < way) [way, axis, sign] = [box[k + 3] - centre[k], k, 1];
    }
    centre[axis] = sign > 0 ? box[axis + 3] : box[axis];
    this.setAlongAxis(axis, sign, -(way + radius));
    this.setPosition(centre[0], centre[1], centre[2]);
  }

  /** Points the normal from one point to another; returns their distance, and leaves the normal 0 if that is 0. */
  private pointFrom(fromX: number, fromY: number, fromZ: number, toX: number, toY: number, toZ: number): number {
    const dx = toX - fromX;
    const dy = toY - fromY;
    const dz = toZ - fromZ;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (length > 0) this.setNormal(dx / length, dy / length, dz / length);
    else this.setNormal(0, 0, 0);
    return length;
  }

  private setAlongAxis(axis: number, sign: number, distance: number): void {
    this.setNormal(axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0);
    // A touching contact has distance 0, not -0.
    this.distance = distance + 0;
  }

  private setNormal(x: number, y: number, z: number): void {
    this.normalX = x;
    this.normalY = y;
    this.normalZ = z;
  }

  private setPosition(x: number, y: number, z: number): void {
    this.x = x;
    this.y = y;
    this.z = z;
  }
}

function isInside(x: number, y: number, z: number, box: Float64Array): boolean {
  return x >= box[0] && y >= box[1] && z >= box[2] && x <= box[3] && y <= box[4] && z <= box[5];
}
