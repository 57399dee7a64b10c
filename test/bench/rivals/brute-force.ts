/** Brute force over flat arrays as a rival. It is also the reference for the results of all others. */

import type { Box3, Plane, Ray, Sphere, Vector3 } from 'three';
import type { Cast, TurnedBox } from '../queries.ts';
import { FlatBruteForce } from './flat-brute-force.ts';
import type { Rival, View } from './rival.ts';
import { VolumeLoops } from './volume-loops.ts';

/** Bodies. In larger scenes the sweep for all pairs takes minutes. */
const MAX_BODIES_FOR_PAIRS = 300_000;

export class BruteForce implements Rival {
  readonly hasNoIndex = true;
  flat = new FlatBruteForce(new Float64Array(0));
  private loops = new VolumeLoops(this.flat);
  pairs?: () => number;

  build(boxes: Float64Array): void {
    const flat = new FlatBruteForce(boxes);
    this.flat = flat;
    this.loops = new VolumeLoops(flat);
    if (boxes.length / 6 <= MAX_BODIES_FOR_PAIRS) this.pairs = () => flat.pairs();
  }

  bodyAt(k: number): number {
    return this.flat.found[k];
  }

  cull({ frustum }: View): number {
    return this.flat.cull(frustum);
  }

  firstHit(ray: Ray): number {
    return this.flat.firstHit(ray);
  }

  anyHit(ray: Ray): number {
    return this.flat.anyHit(ray);
  }

  allHits(ray: Ray): number {
    return this.flat.allHits(ray);
  }

  castSphere(sphere: Sphere, motion: Vector3): number {
    return this.flat.castSphere(sphere, motion);
  }

  box({ min, max }: Box3): number {
    return this.flat.box(min.x, min.y, min.z, max.x, max.y, max.z);
  }

  sphere({ center, radius }: Sphere): number {
    return this.flat.sphere(center.x, center.y, center.z, radius);
  }

  nearest({ x, y, z }: Vector3, count: number): number {
    return this.flat.nearest(x, y, z, count);
  }

  nearestToBox(box: Box3, count: number): number {
    return this.loops.nearestToBox(box, count);
  }

  nearestToRay(ray: Ray, count: number): number {
    return this.loops.nearestToRay(ray, count);
  }

  capsule(cast: Cast): number {
    return this.loops.touchingCapsule(cast);
  }

  orientedBox(box: TurnedBox): number {
    return this.loops.touchingOrientedBox(box);
  }

  convex(planes: readonly Plane[]): number {
    return this.loops.touchingConvex(planes);
  }

  move(bodies: Uint32Array, boxes: Float64Array): void {
    const { flat } = this;
    for (let k = 0; k < bodies.length; k++) flat.move(bodies[k], boxes, k * 6);
  }

  replace(bodies: Uint32Array, boxes: Float64Array): void {
    this.move(bodies, boxes);
  }
}
