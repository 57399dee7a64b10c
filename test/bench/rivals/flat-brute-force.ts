/**
 * Brute force, optimised: one loop over flat typed arrays per query. Every index has to be faster than this. The cull
 * rejects by bounding spheres first (four numbers per body, side by side) and then runs the exact box test, which is
 * the fastest form known.
 */

import type { Frustum, Plane, Ray, Sphere, Vector3 } from 'three';
import { CastTimes } from './cast-times.ts';

export class FlatBruteForce {
  readonly boxes: Float64Array;
  /** Centre and radius of the sphere around each box, four numbers per body. */
  readonly spheres: Float64Array;
  /** The bodies of the last result. */
  readonly found: Uint32Array;

  private readonly times = new CastTimes();

  constructor(boxes: Float64Array) {
    const count = boxes.length / 6;
    this.boxes = boxes.slice();
    this.spheres = new Float64Array(count * 4);
    this.found = new Uint32Array(count);
    for (let k = 0; k < count; k++) this.move(k, boxes, k * 6);
  }

  move(k: number, from: Float64Array, at: number): void {
    const { boxes, spheres } = this;
    const to = k * 6;
    for (let i = 0; i < 6; i++) boxes[to + i] = from[at + i];
    const x = from[at + 3] - from[at];
    const y = from[at + 4] - from[at + 1];
    const z = from[at + 5] - from[at + 2];
    spheres[k * 4] = (from[at] + from[at + 3]) * 0.5;
    spheres[k * 4 + 1] = (from[at + 1] + from[at + 4]) * 0.5;
    spheres[k * 4 + 2] = (from[at + 2] + from[at + 5]) * 0.5;
    spheres[k * 4 + 3] = Math.sqrt(x * x + y * y + z * z) * 0.5;
  }

  cull(frustum: Frustum): number {
    return this.insidePlanes(frustum.planes);
  }

  /** Bodies that are outside of no plane. */
  insidePlanes(volume: readonly Plane[]): number {
    const { boxes, spheres, found } = this;
    const planes = new Float64Array(4 * volume.length);
    volume.forEach(({ normal, constant }, p) => planes.set([normal.x, normal.y, normal.z, constant], p * 4));
    const count = boxes.length / 6;
    let hits = 0;
    next: for (let k = 0; k < count; k++) {
      const s = k * 4;
      const x = spheres[s];
      const y = spheres[s + 1];
      const z = spheres[s + 2];
      const r = -spheres[s + 3];
      let isInside = true;
      for (let p = 0; p < planes.length; p += 4) {
        const value = planes[p] * x + planes[p + 1] * y + planes[p + 2] * z + planes[p + 3];
        if (value < r) continue next;
        if (value < -r) isInside = false;
      }
      if (!isInside) {
        const b = k * 6;
        for (let p = 0; p < planes.length; p += 4) {
          const px = boxes[planes[p] >= 0 ? b + 3 : b];
          const py = boxes[planes[p + 1] >= 0 ? b + 4 : b + 1];
          const pz = boxes[planes[p + 2] >= 0 ? b + 5 : b + 2];
          if (planes[p] * px + planes[p + 1] * py + planes[p + 2] * pz + planes[p + 3] < 0) continue next;
        }
      }
      found[hits++] = k;
    }
    return hits;
  }

  /**
   * Calls `visit` with the number and the entry distance of each box that a ray hits, until it returns true. The boxes
   * are enlarged by `extent`. A distance is a multiple of the direction.
   */
  cast(o: Vector3, d: Vector3, extent: number, visit: (k: number, distance: number) => boolean | void): void {
    const { boxes } = this;
    const ix = 1 / d.x;
    const iy = 1 / d.y;
    const iz = 1 / d.z;
    const nx = ix < 0 ? 3 : 0;
    const ny = iy < 0 ? 4 : 1;
    const nz = iz < 0 ? 5 : 2;
    // The extent moves the origin towards the near faces, and away from the far ones.
    const ex = ix < 0 ? -extent : extent;
    const ey = iy < 0 ? -extent : extent;
    const ez = iz < 0 ? -extent : extent;
    const count = boxes.length / 6;
    for (let k = 0, b = 0; k < count; k++, b += 6) {
      let entry = (boxes[b + nx] - (o.x + ex)) * ix;
      let exit = (boxes[b + 3 - nx] - (o.x - ex)) * ix;
      const entryY = (boxes[b + ny] - (o.y + ey)) * iy;
      if (entryY > entry) entry = entryY;
      const exitY = (boxes[b + 5 - ny] - (o.y - ey)) * iy;
      if (exitY < exit) exit = exitY;
      if (entry > exit) continue;
      const entryZ = (boxes[b + nz] - (o.z + ez)) * iz;
      if (entryZ > entry) entry = entryZ;
      const exitZ = (boxes[b + 7 - nz] - (o.z - ez)) * iz;
      if (exitZ < exit) exit = exitZ;
      if (entry > exit || exit < 0) continue;
      if (visit(k, entry > 0 ? entry : 0) === true) return;
    }
  }

  firstHit({ origin, direction }: Ray): number {
    let best = Infinity;
    let first = -1;
    this.cast(origin, direction, 0, (k, distance) => {
      if (distance < best) {
        best = distance;
        first = k;
      }
    });
    return first;
  }

  anyHit({ origin, direction }: Ray): number {
    let hits = 0;
    this.cast(origin, direction, 0, () => {
      hits = 1;
      return true;
    });
    return hits;
  }

  allHits({ origin, direction }: Ray): number {
    let hits = 0;
    this.cast(origin, direction, 0, (k) => {
      this.found[hits++] = k;
    });
    return hits;
  }

  castSphere(sphere: Sphere, motion: Vector3): number {
    const { boxes, times } = this;
    times.set(sphere, motion);
    this.cast(sphere.center, motion, sphere.radius, (k, entry) => {
      if (entry <= times.best) times.add(k, boxes, k * 6);
    });
    return times.first;
  }

  box(minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number): number {
    const { boxes, found } = this;
    let hits = 0;
    for (let k = 0, b = 0; b < boxes.length; k++, b += 6) {
      if (
        boxes[b] > maxX ||
        boxes[b + 3] < minX ||
        boxes[b + 1] > maxY ||
        boxes[b + 4] < minY ||
        boxes[b + 2] > maxZ ||
        boxes[b + 5] < minZ
      )
        continue;
      found[hits++] = k;
    }
    return hits;
  }

  /** Squared distance from the point to the box at offset `b` of `boxes`; 0 inside. */
  distanceSq(b: number, x: number, y: number, z: number): number {
    const { boxes } = this;
    const dx = x < boxes[b] ? boxes[b] - x : x > boxes[b + 3] ? x - boxes[b + 3] : 0;
    const dy = y < boxes[b + 1] ? boxes[b + 1] - y : y > boxes[b + 4] ? y - boxes[b + 4] : 0;
    const dz = z < boxes[b + 2] ? boxes[b + 2] - z : z > boxes[b + 5] ? z - boxes[b + 5] : 0;
    return dx * dx + dy * dy + dz * dz;
  }

  sphere(x: number, y: number, z: number, radius: number): number {
    const { boxes, found } = this;
    let hits = 0;
    for (let k = 0, b = 0; b < boxes.length; k++, b += 6)
      if (this.distanceSq(b, x, y, z) <= radius * radius) found[hits++] = k;
    return hits;
  }

  nearest(x: number, y: number, z: number, count: number): number {
    const { boxes, found } = this;
    const best = new Float64Array(count).fill(Infinity);
    for (let k = 0, b = 0; b < boxes.length; k++, b += 6) {
      const distance = this.distanceSq(b, x, y, z);
      if (distance >= best[count - 1]) continue;
      let to = count - 1;
      for (; to > 0 && best[to - 1] > distance; to--) {
        best[to] = best[to - 1];
        found[to] = found[to - 1];
      }
      best[to] = distance;
      found[to] = k;
    }
    return Math.min(count, found.length);
  }

  /** Number of overlapping pairs, by sort and sweep along x. */
  pairs(): number {
    const { boxes } = this;
    const order = Uint32Array.from(this.found.keys()).sort((a, b) => boxes[a * 6] - boxes[b * 6]);
    let pairs = 0;
    for (let i = 0; i < order.length; i++) {
      const a = order[i] * 6;
      for (let j = i + 1; j < order.length; j++) {
        const b = order[j] * 6;
        if (boxes[b] > boxes[a + 3]) break;
        if (
          boxes[a + 1] <= boxes[b + 4] &&
          boxes[a + 4] >= boxes[b + 1] &&
          boxes[a + 2] <= boxes[b + 5] &&
          boxes[a + 5] >= boxes[b + 2]
        )
          pairs++;
      }
    }
    return pairs;
  }
}
