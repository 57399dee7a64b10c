/**
 * Rapier's broad phase. Colliders without bodies; one step of the simulation inserts them. No frustum queries, no
 * nearest queries.
 */

import { Ball, ColliderDesc, init, Ray as RapierRay, World } from '@dimforge/rapier3d-compat';
import type { Box3, Ray, Sphere } from 'three';
import type { Rival } from './rival.ts';

const NO_ROTATION = { x: 0, y: 0, z: 0, w: 1 };
/** Length of a ray in world units: beyond the far side of every scene. */
const FAR = 1e5;

export async function loadRapier(): Promise<() => Rival> {
  await init();
  return () => new Rapier();
}

class Rapier implements Rival {
  readonly hasUncountedMemory = true;
  private readonly world = new World({ x: 0, y: 0, z: 0 });
  /** Body number by collider handle. */
  private readonly bodyOf = new Map<number, number>();
  private found: number[] = [];
  private readonly centre = { x: 0, y: 0, z: 0 };
  private readonly half = { x: 0, y: 0, z: 0 };
  private readonly ray = new RapierRay({ x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 });

  build(boxes: Float64Array): void {
    for (let at = 0, body = 0; at < boxes.length; at += 6, body++) {
      const shape = ColliderDesc.cuboid(
        (boxes[at + 3] - boxes[at]) / 2,
        (boxes[at + 4] - boxes[at + 1]) / 2,
        (boxes[at + 5] - boxes[at + 2]) / 2,
      );
      shape.setTranslation(
        (boxes[at] + boxes[at + 3]) / 2,
        (boxes[at + 1] + boxes[at + 4]) / 2,
        (boxes[at + 2] + boxes[at + 5]) / 2,
      );
      this.bodyOf.set(this.world.createCollider(shape).handle, body);
    }
    this.world.step();
  }

  bodyAt(k: number): number {
    return this.bodyOf.get(this.found[k])!;
  }

  private toRapierRay({ origin, direction }: Ray): RapierRay {
    const { ray } = this;
    ray.origin = origin;
    ray.dir = direction;
    return ray;
  }

  firstHit(ray: Ray): number {
    const hit = this.world.castRay(this.toRapierRay(ray), FAR, true);
    return hit === null ? -1 : this.bodyOf.get(hit.collider.handle)!;
  }

  allHits(ray: Ray): number {
    this.found = [];
    this.world.intersectionsWithRay(this.toRapierRay(ray), FAR, true, ({ collider }) => {
      this.found.push(collider.handle);
      return true;
    });
    return this.found.length;
  }

  box({ min, max }: Box3): number {
    const { centre, half } = this;
    this.found = [];
    centre.x = (min.x + max.x) / 2;
    centre.y = (min.y + max.y) / 2;
    centre.z = (min.z + max.z) / 2;
    half.x = (max.x - min.x) / 2;
    half.y = (max.y - min.y) / 2;
    half.z = (max.z - min.z) / 2;
    this.world.collidersWithAabbIntersectingAabb(centre, half, ({ handle }) => {
      this.found.push(handle);
      return true;
    });
    return this.found.length;
  }

  sphere({ center, radius }: Sphere): number {
    this.found = [];
    this.world.intersectionsWithShape(center, NO_ROTATION, new Ball(radius), ({ handle }) => {
      this.found.push(handle);
      return true;
    });
    return this.found.length;
  }

  dispose(): void {
    this.world.free();
  }
}
