/**
 * Loops over all bodies for the queries that no other index has: the nearest bodies to a box and to a ray, and what
 * touches a capsule, an oriented box or a convex volume. A cheap test rejects nearly all bodies; the exact tests of the
 * others are those of src/math.
 */

import type { Box3, Plane, Ray } from 'three';
import { ConvexVolume } from '../../../src/math/convex-volume.ts';
import { FrustumPlanes } from '../../../src/math/frustum-planes.ts';
import { KeptBoxes } from '../../../src/math/box.ts';
import { OrientedBox } from '../../../src/math/oriented-box.ts';
import { RayCapsule } from '../../../src/math/ray-capsule.ts';
import { UnitRay } from '../../../src/math/unit-ray.ts';
import type { Cast, TurnedBox } from '../queries.ts';
import { CastTimes } from './cast-times.ts';
import { FlatBruteForce } from './flat-brute-force.ts';

/** Bodies that the filter of `nearestToRay` takes at a time: after each chunk the greatest distance is smaller. */
const CHUNK = 256;
/** Near and far: the whole ray. */
const ALL = Float64Array.of(0, Infinity);

export class VolumeLoops {
  private readonly flat: FlatBruteForce;
  private readonly kept = new KeptBoxes(CHUNK);
  private readonly numbers = new Float64Array(15);
  private readonly ray = new UnitRay();
  private readonly capsule = new RayCapsule();
  private readonly times = new CastTimes();
  private readonly orientedBox = new OrientedBox();
  private readonly planes = new FrustumPlanes();
  private readonly volume = new ConvexVolume();

  constructor(flat: FlatBruteForce) {
    this.flat = flat;
  }

  nearestToBox({ min, max }: Box3, count: number): number {
    const { boxes, found } = this.flat;
    const best = new Float64Array(count).fill(Infinity);
    for (let k = 0, b = 0; b < boxes.length; k++, b += 6) {
      const dx = Math.max(boxes[b] - max.x, min.x - boxes[b + 3], 0);
      const dy = Math.max(boxes[b + 1] - max.y, min.y - boxes[b + 4], 0);
      const dz = Math.max(boxes[b + 2] - max.z, min.z - boxes[b + 5], 0);
      insert(best, found, k, dx * dx + dy * dy + dz * dz);
    }
    return Math.min(count, found.length);
  }

  nearestToRay({ origin, direction }: Ray, count: number): number {
    const { capsule, kept, numbers, ray } = this;
    const { boxes, found } = this.flat;
    const best = new Float64Array(count).fill(Infinity);
    origin.toArray(numbers, 0);
    direction.toArray(numbers, 3);
    ray.set(numbers);
    capsule.setRay(ray, ALL);
    for (let begin = 0; begin < found.length; begin += CHUNK) {
      capsule.maxDistanceSq = best[count - 1];
      const end = Math.min(begin + CHUNK, found.length);
      kept.length = 0;
      capsule.filterByMinDistance(boxes, begin, end, kept);
      for (let k = 0; k < kept.length; k++) {
        capsule.writeDistanceSq(boxes, kept.numbers[k], kept.distances, k);
        insert(best, found, kept.numbers[k], kept.distances[k]);
      }
    }
    return Math.min(count, found.length);
  }

  touchingCapsule({ sphere, motion }: Cast): number {
    const { flat, times } = this;
    let hits = 0;
    times.set(sphere, motion);
    flat.cast(sphere.center, motion, sphere.radius, (k, entry) => {
      if (entry <= 1 && times.touches(flat.boxes, k * 6)) flat.found[hits++] = k;
    });
    return hits;
  }

  touchingOrientedBox({ center, halfSize, rotation, planes }: TurnedBox): number {
    const { flat, numbers, orientedBox } = this;
    center.toArray(numbers, 0);
    halfSize.toArray(numbers, 3);
    numbers.set(rotation.elements, 6);
    orientedBox.set(numbers);
    return this.keep(flat.insidePlanes(planes), (at) =>
      orientedBox.intersectsBox(flat.boxes, at, orientedBox.planes.mask),
    );
  }

  touchingConvex(planes: readonly Plane[]): number {
    const { flat, volume } = this;
    this.planes.clear();
    for (const { normal, constant } of planes)
      this.planes.push(Float64Array.of(normal.x, normal.y, normal.z, constant), 0);
    volume.set(this.planes);
    return this.keep(flat.insidePlanes(planes), (at) => volume.intersectsBox(flat.boxes, at));
  }

  /** Keeps the first `count` bodies found whose boxes, at an offset, pass a test. */
  private keep(count: number, passes: (at: number) => boolean): number {
    const { found } = this.flat;
    let hits = 0;
    for (let k = 0; k < count; k++) if (passes(found[k] * 6)) found[hits++] = found[k];
    return hits;
  }
}

/** Inserts a body into the nearest ones, which are sorted, if it is nearer than the last. */
function insert(best: Float64Array, found: Uint32Array, body: number, distance: number): void {
  if (distance >= best[best.length - 1]) return;
  let to = best.length - 1;
  for (; to > 0 && best[to - 1] > distance; to--) {
    best[to] = best[to - 1];
    found[to] = found[to - 1];
  }
  best[to] = distance;
  found[to] = body;
}
