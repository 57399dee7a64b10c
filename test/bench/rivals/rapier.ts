/** Rapier's broad phase: colliders without bodies, no step of the simulation but one that takes in what is new. It has no frusta and no neighbours. */

import { Ball, ColliderDesc, init, Ray as RapierRay, World } from '@dimforge/rapier3d-compat';
import type { Box3, Ray, Sphere } from 'three';
import type { Rival } from './rival.ts';

const NO_TURN = { x: 0, y: 0, z: 0, w: 1 };
const FAR = 1e5;

export async function loadRapier(): Promise<() => Rival> {
  await init();
  return () => new Rapier();
}

class Rapier implements Rival {
  readonly hasUncountedMemory = true;
  private readonly world = new World({ x: 0, y: 0, z: 0 });
  /** By the collider's number in its arena. */
  private readonly bodyOf = new Map<number, number>();
  private found: number[] = [];
  private readonly middle = { x: 0, y: 0, z: 0 };
  private readonly half = { x: 0, y: 0, z: 0 };
  private readonly ray = new RapierRay({ x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 });

  build(boxes: Float64Array): void {
    for (let at = 0, body = 0; at < boxes.length; at += 6, body++) {
      const shape = ColliderDesc.cuboid((boxes[at + 3] - boxes[at]) / 2, (boxes[at + 4] - boxes[at + 1]) / 2, (boxes[at + 5] - boxes[at + 2]) / 2);
      shape.setTranslation((boxes[at] + boxes[at + 3]) / 2, (boxes[at + 1] + boxes[at + 4]) / 2, (boxes[at + 2] + boxes[at + 5]) / 2);
      this.bodyOf.set(this.world.createCollider(shape).handle, body);
    }
    this.world.step();
  }

  bodyAt(k: number): number {
    return this.bodyOf.get(this.found[k])!;
  }

  private aim({ origin, direction }: Ray): RapierRay {
    const { ray } = this;
    ray.origin = origin;
    ray.dir = direction;
    return ray;
  }

  firstHit(ray: Ray): number {
    const hit = this.world.castRay(this.aim(ray), FAR, true);
    return hit === null ? -1 : this.bodyOf.get(hit.collider.handle)!;
  }

  allHits(ray: Ray): number {
    this.found = [];
    this.world.intersectionsWithRay(this.aim(ray), FAR, true, ({ collider }) => {
      this.found.push(collider.handle);
      return true;
    });
    return this.found.length;
  }

  box({ min, max }: Box3): number {
    const { middle, half } = this;
    this.found = [];
    middle.x = (min.x + max.x) / 2;
    middle.y = (min.y + max.y) / 2;
    middle.z = (min.z + max.z) / 2;
    half.x = (max.x - min.x) / 2;
    half.y = (max.y - min.y) / 2;
    half.z = (max.z - min.z) / 2;
    this.world.collidersWithAabbIntersectingAabb(middle, half, ({ handle }) => {
      this.found.push(handle);
      return true;
    });
    return this.found.length;
  }

  sphere({ center, radius }: Sphere): number {
    this.found = [];
    this.world.intersectionsWithShape(center, NO_TURN, new Ball(radius), ({ handle }) => {
      this.found.push(handle);
      return true;
    });
    return this.found.length;
  }

  dispose(): void {
    this.world.free();
  }
}
