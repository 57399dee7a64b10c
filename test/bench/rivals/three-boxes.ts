/** An application without an index: three.js's own tests in a loop over `Box3` objects. */

import { Box3, Vector3, type Ray, type Sphere } from 'three';
import { NearestSoFar } from './nearest-so-far.ts';
import type { Rival, View } from './rival.ts';

export class ThreeBoxes implements Rival {
  readonly hasNoIndex = true;
  private readonly boxes: Box3[] = [];
  private readonly found: number[] = [];
  private readonly best = new NearestSoFar();
  private readonly point = new Vector3();
  private result = this.found;

  build(boxes: Float64Array): void {
    for (let at = 0; at < boxes.length; at += 6) {
      this.boxes.push(
        new Box3(
          new Vector3(boxes[at], boxes[at + 1], boxes[at + 2]),
          new Vector3(boxes[at + 3], boxes[at + 4], boxes[at + 5]),
        ),
      );
    }
  }

  bodyAt(k: number): number {
    return this.result[k];
  }

  cull({ frustum }: View): number {
    const { boxes, found } = this;
    let hits = 0;
    for (let k = 0; k < boxes.length; k++) if (frustum.intersectsBox(boxes[k])) found[hits++] = k;
    this.result = found;
    return hits;
  }

  firstHit(ray: Ray): number {
    const { boxes, point } = this;
    let best = Infinity;
    let first = -1;
    for (let k = 0; k < boxes.length; k++) {
      const box = boxes[k];
      if (ray.intersectBox(box, point) === null) continue;
      // If the ray starts inside, `intersectBox` returns the exit point.
      const distance = box.containsPoint(ray.origin) ? 0 : point.distanceToSquared(ray.origin);
      if (distance < best) {
        best = distance;
        first = k;
      }
    }
    return first;
  }

  allHits(ray: Ray): number {
    const { boxes, found } = this;
    let hits = 0;
    for (let k = 0; k < boxes.length; k++) if (ray.intersectsBox(boxes[k])) found[hits++] = k;
    this.result = found;
    return hits;
  }

  box(box: Box3): number {
    const { boxes, found } = this;
    let hits = 0;
    for (let k = 0; k < boxes.length; k++) if (box.intersectsBox(boxes[k])) found[hits++] = k;
    this.result = found;
    return hits;
  }

  sphere(sphere: Sphere): number {
    const { boxes, found } = this;
    let hits = 0;
    for (let k = 0; k < boxes.length; k++) if (sphere.intersectsBox(boxes[k])) found[hits++] = k;
    this.result = found;
    return hits;
  }

  nearest(point: Vector3, count: number): number {
    const { boxes, best } = this;
    best.reset(count);
    for (let k = 0; k < boxes.length; k++) best.add(k, boxes[k].distanceToPoint(point));
    this.result = best.bodies;
    return best.bodies.length;
  }

  move(bodies: Uint32Array, boxes: Float64Array): void {
    for (let k = 0, at = 0; k < bodies.length; k++, at += 6) {
      const { min, max } = this.boxes[bodies[k]];
      min.set(boxes[at], boxes[at + 1], boxes[at + 2]);
      max.set(boxes[at + 3], boxes[at + 4], boxes[at + 5]);
    }
  }

  replace(bodies: Uint32Array, boxes: Float64Array): void {
    for (let k = 0, at = 0; k < bodies.length; k++, at += 6) {
      this.boxes[bodies[k]] = new Box3(
        new Vector3(boxes[at], boxes[at + 1], boxes[at + 2]),
        new Vector3(boxes[at + 3], boxes[at + 4], boxes[at + 5]),
      );
    }
  }
}
