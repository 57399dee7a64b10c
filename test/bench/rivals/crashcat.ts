/**
 * The broad phase of crashcat, a physics engine in plain JavaScript. Static bodies, never simulated. No frustum
 * queries, no nearest queries.
 */

import {
  addBroadphaseLayer,
  addObjectLayer,
  box as boxShape,
  broadphase,
  createWorld,
  createWorldSettings,
  filter,
  MotionType,
  registerAll,
  rigidBody,
  type BodyVisitor,
  type Filter,
  type RigidBody,
  type World,
} from 'crashcat';
import type { Box3, Ray, Sphere } from 'three';
import { RaySlabs } from './ray-slabs.ts';
import type { Rival } from './rival.ts';

/** Length of a ray in world units: beyond the far side of every scene. */
const FAR = 1e5;

type Triple = [number, number, number];

registerAll();

export class Crashcat implements Rival {
  private readonly world: World;
  private readonly layer: number;
  private readonly passAll: Filter;
  private readonly found: number[] = [];
  private readonly collectBody: BodyVisitor = {
    shouldExit: false,
    visit: (body) => void this.found.push(body.userData as number),
  };

  constructor() {
    const settings = createWorldSettings();
    this.layer = addObjectLayer(settings, addBroadphaseLayer(settings));
    this.world = createWorld(settings);
    this.passAll = filter.create(settings.layers);
  }

  build(boxes: Float64Array): void {
    const { world, layer } = this;
    for (let at = 0, body = 0; at < boxes.length; at += 6, body++) {
      rigidBody.create(world, {
        shape: boxShape.create({
          halfExtents: [
            (boxes[at + 3] - boxes[at]) / 2,
            (boxes[at + 4] - boxes[at + 1]) / 2,
            (boxes[at + 5] - boxes[at + 2]) / 2,
          ],
          convexRadius: 0,
        }),
        motionType: MotionType.STATIC,
        objectLayer: layer,
        position: [
          (boxes[at] + boxes[at + 3]) / 2,
          (boxes[at + 1] + boxes[at + 4]) / 2,
          (boxes[at + 2] + boxes[at + 5]) / 2,
        ],
        userData: body,
      });
    }
    // The first step of a simulation would do the same.
    broadphase.optimize(world.broadphase);
  }

  bodyAt(k: number): number {
    return this.found[k];
  }

  private readonly origin: Triple = [0, 0, 0];
  private readonly direction: Triple = [0, 0, 0];

  private cast({ origin, direction }: Ray, visitor: BodyVisitor): void {
    broadphase.castRay(
      this.world,
      origin.toArray(this.origin),
      direction.toArray(this.direction),
      FAR,
      this.passAll,
      visitor,
    );
  }

  private readonly slabs = new RaySlabs();
  private first = -1;
  private readonly firstHitVisitor: BodyVisitor & { earlyOutFraction: number } = {
    shouldExit: false,
    earlyOutFraction: 1,
    visit: ({ aabb, userData }: RigidBody) => {
      const fraction = this.slabs.entry(aabb[0], aabb[1], aabb[2], aabb[3], aabb[4], aabb[5]) / FAR;
      if (fraction >= this.firstHitVisitor.earlyOutFraction) return;
      this.firstHitVisitor.earlyOutFraction = fraction;
      this.first = userData as number;
    },
  };

  firstHit(ray: Ray): number {
    this.slabs.set(ray);
    this.first = -1;
    this.firstHitVisitor.earlyOutFraction = 1;
    this.cast(ray, this.firstHitVisitor);
    return this.first;
  }

  allHits(ray: Ray): number {
    this.found.length = 0;
    this.cast(ray, this.collectBody);
    return this.found.length;
  }

  box({ min, max }: Box3): number {
    this.found.length = 0;
    broadphase.intersectAABB(this.world, [min.x, min.y, min.z, max.x, max.y, max.z], this.passAll, this.collectBody);
    return this.found.length;
  }

  private x = 0;
  private y = 0;
  private z = 0;
  private radiusSq = 0;
  /** Distance test on the results of a box query. crashcat's own sphere query is slower, because it collides shapes. */
  private readonly sphereVisitor: BodyVisitor = {
    shouldExit: false,
    visit: ({ aabb, userData }) => {
      const { x, y, z } = this;
      const dx = x < aabb[0] ? aabb[0] - x : x > aabb[3] ? x - aabb[3] : 0;
      const dy = y < aabb[1] ? aabb[1] - y : y > aabb[4] ? y - aabb[4] : 0;
      const dz = z < aabb[2] ? aabb[2] - z : z > aabb[5] ? z - aabb[5] : 0;
      if (dx * dx + dy * dy + dz * dz <= this.radiusSq) this.found.push(userData as number);
    },
  };

  sphere({ center: { x, y, z }, radius }: Sphere): number {
    this.found.length = 0;
    this.x = x;
    this.y = y;
    this.z = z;
    this.radiusSq = radius * radius;
    broadphase.intersectAABB(
      this.world,
      [x - radius, y - radius, z - radius, x + radius, y + radius, z + radius],
      this.passAll,
      this.sphereVisitor,
    );
    return this.found.length;
  }
}
