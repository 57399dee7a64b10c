/**
 * The general tree of three-mesh-bvh. A move refits the whole tree. The tree cannot add or remove bodies: replaced
 * bodies are moved instead.
 */

import { Ray, type Box3, type Sphere, type Vector3 } from 'three';
import { CONTAINED, INTERSECTED, NOT_INTERSECTED, type ShapecastCallbacks } from 'three-mesh-bvh';
import { BoxBvh } from './box-bvh.ts';
import { CastTimes } from './cast-times.ts';
import { NearestSoFar } from './nearest-so-far.ts';
import { RaySlabs } from './ray-slabs.ts';
import type { Rival, View } from './rival.ts';
import { ViewPlanes } from './view-planes.ts';

/** By result of `ViewPlanes.overlap`. */
const SHAPECAST_RESULTS = [NOT_INTERSECTED, INTERSECTED, CONTAINED] as const;

export class ThreeMeshBvh implements Rival {
  private bvh = new BoxBvh(new Float64Array(6));
  private hits: Uint32Array = new Uint32Array(0);
  private found: ArrayLike<number> = this.hits;
  private count = 0;
  private readonly best = new NearestSoFar();

  build(boxes: Float64Array): void {
    this.bvh = new BoxBvh(boxes);
    this.hits = new Uint32Array(boxes.length / 6);
  }

  bodyAt(k: number): number {
    return this.found[k];
  }

  private collect(callbacks: ShapecastCallbacks): number {
    this.count = 0;
    this.found = this.hits;
    this.bvh.shapecast(callbacks);
    return this.count;
  }

  private readonly planes = new ViewPlanes();
  private readonly cullCallbacks: ShapecastCallbacks = {
    intersectsBounds: (box) => SHAPECAST_RESULTS[this.planes.overlap(box)],
    intersectsRange: (offset, count, contained) => {
      const { planes, hits } = this;
      const { bodies, boxes } = this.bvh;
      for (let k = offset; k < offset + count; k++)
        if (contained || planes.touches(boxes, bodies[k] * 6)) hits[this.count++] = bodies[k];
      return false;
    },
  };

  cull({ frustum }: View): number {
    this.planes.set(frustum);
    return this.collect(this.cullCallbacks);
  }

  private readonly ray = new RaySlabs();
  private first = -1;
  private firstEntry = Infinity;

  private entryOf(b: number): number {
    const { boxes } = this.bvh;
    return this.ray.entry(boxes[b], boxes[b + 1], boxes[b + 2], boxes[b + 3], boxes[b + 4], boxes[b + 5]);
  }

  private readonly firstHitCallbacks: ShapecastCallbacks = {
    boundsTraverseOrder: ({ min, max }) => this.ray.entry(min.x, min.y, min.z, max.x, max.y, max.z),
    intersectsBounds: (_box, _isLeaf, entry) => entry! < this.firstEntry,
    intersectsRange: (offset, count) => {
      const { bodies } = this.bvh;
      for (let k = offset; k < offset + count; k++) {
        const entry = this.entryOf(bodies[k] * 6);
        if (entry >= this.firstEntry) continue;
        this.firstEntry = entry;
        this.first = bodies[k];
      }
      return false;
    },
  };

  firstHit(ray: Ray): number {
    this.ray.set(ray);
    this.first = -1;
    this.firstEntry = Infinity;
    this.bvh.shapecast(this.firstHitCallbacks);
    return this.first;
  }

  private readonly times = new CastTimes();
  private readonly way = new Ray();
  private extent = 0;

  /** Time at which the cube around the moving sphere touches a box. */
  private cubeEntry(minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number): number {
    const { ray, extent } = this;
    return ray.entry(minX - extent, minY - extent, minZ - extent, maxX + extent, maxY + extent, maxZ + extent);
  }

  private readonly castCallbacks: ShapecastCallbacks = {
    boundsTraverseOrder: ({ min, max }) => this.cubeEntry(min.x, min.y, min.z, max.x, max.y, max.z),
    intersectsBounds: (_box, _isLeaf, entry) => entry! <= this.times.best,
    intersectsRange: (offset, count) => {
      const { bodies, boxes } = this.bvh;
      for (let k = offset; k < offset + count; k++) {
        const b = bodies[k] * 6;
        const entry = this.cubeEntry(boxes[b], boxes[b + 1], boxes[b + 2], boxes[b + 3], boxes[b + 4], boxes[b + 5]);
        if (entry <= this.times.best) this.times.add(bodies[k], boxes, b);
      }
      return false;
    },
  };

  castSphere(sphere: Sphere, motion: Vector3): number {
    this.ray.set(this.way.set(sphere.center, motion));
    this.extent = sphere.radius;
    this.times.set(sphere, motion);
    this.bvh.shapecast(this.castCallbacks);
    return this.times.first;
  }

  private readonly anyHitCallbacks: ShapecastCallbacks = {
    intersectsBounds: ({ min, max }) => this.ray.entry(min.x, min.y, min.z, max.x, max.y, max.z) < Infinity,
    intersectsRange: (offset, count) => {
      const { bodies } = this.bvh;
      for (let k = offset; k < offset + count; k++) if (this.entryOf(bodies[k] * 6) < Infinity) return true;
      return false;
    },
  };

  anyHit(ray: Ray): number {
    this.ray.set(ray);
    return Number(this.bvh.shapecast(this.anyHitCallbacks));
  }

  private readonly allHitsCallbacks: ShapecastCallbacks = {
    intersectsBounds: ({ min, max }) => this.ray.entry(min.x, min.y, min.z, max.x, max.y, max.z) < Infinity,
    intersectsRange: (offset, count) => {
      const { bodies } = this.bvh;
      for (let k = offset; k < offset + count; k++)
        if (this.entryOf(bodies[k] * 6) < Infinity) this.hits[this.count++] = bodies[k];
      return false;
    },
  };

  allHits(ray: Ray): number {
    this.ray.set(ray);
    return this.collect(this.allHitsCallbacks);
  }

  private readonly low = new Float64Array(3);
  private readonly high = new Float64Array(3);
  private readonly boxCallbacks: ShapecastCallbacks = {
    intersectsBounds: ({ min, max }) => {
      const { low, high } = this;
      return (
        min.x <= high[0] &&
        max.x >= low[0] &&
        min.y <= high[1] &&
        max.y >= low[1] &&
        min.z <= high[2] &&
        max.z >= low[2]
      );
    },
    intersectsRange: (offset, count) => {
      const { low, high, hits } = this;
      const { bodies, boxes } = this.bvh;
      for (let k = offset; k < offset + count; k++) {
        const b = bodies[k] * 6;
        if (
          boxes[b] > high[0] ||
          boxes[b + 3] < low[0] ||
          boxes[b + 1] > high[1] ||
          boxes[b + 4] < low[1] ||
          boxes[b + 2] > high[2] ||
          boxes[b + 5] < low[2]
        )
          continue;
        hits[this.count++] = bodies[k];
      }
      return false;
    },
  };

  box({ min, max }: Box3): number {
    min.toArray(this.low);
    max.toArray(this.high);
    return this.collect(this.boxCallbacks);
  }

  /** Number of overlapping pairs. Each pair is counted in the box query of the body with the larger number. */
  pairs(): number {
    const { bodies, boxes } = this.bvh;
    let pairs = 0;
    for (const body of bodies) {
      for (let axis = 0; axis < 3; axis++) {
        this.low[axis] = boxes[body * 6 + axis];
        this.high[axis] = boxes[body * 6 + axis + 3];
      }
      const count = this.collect(this.boxCallbacks);
      for (let k = 0; k < count; k++) if (this.hits[k] < body) pairs++;
    }
    return pairs;
  }

  private x = 0;
  private y = 0;
  private z = 0;
  private radiusSq = 0;

  private distanceSq(minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number): number {
    const { x, y, z } = this;
    const dx = x < minX ? minX - x : x > maxX ? x - maxX : 0;
    const dy = y < minY ? minY - y : y > maxY ? y - maxY : 0;
    const dz = z < minZ ? minZ - z : z > maxZ ? z - maxZ : 0;
    return dx * dx + dy * dy + dz * dz;
  }

  private distanceSqOf(b: number): number {
    const { boxes } = this.bvh;
    return this.distanceSq(boxes[b], boxes[b + 1], boxes[b + 2], boxes[b + 3], boxes[b + 4], boxes[b + 5]);
  }

  private readonly sphereCallbacks: ShapecastCallbacks = {
    intersectsBounds: ({ min, max }) => this.distanceSq(min.x, min.y, min.z, max.x, max.y, max.z) <= this.radiusSq,
    intersectsRange: (offset, count) => {
      const { bodies } = this.bvh;
      for (let k = offset; k < offset + count; k++)
        if (this.distanceSqOf(bodies[k] * 6) <= this.radiusSq) this.hits[this.count++] = bodies[k];
      return false;
    },
  };

  private setPoint({ x, y, z }: Vector3): void {
    this.x = x;
    this.y = y;
    this.z = z;
  }

  sphere({ center, radius }: Sphere): number {
    this.setPoint(center);
    this.radiusSq = radius * radius;
    return this.collect(this.sphereCallbacks);
  }

  private readonly nearestCallbacks: ShapecastCallbacks = {
    boundsTraverseOrder: ({ min, max }) => this.distanceSq(min.x, min.y, min.z, max.x, max.y, max.z),
    intersectsBounds: (_box, _isLeaf, distanceSq) => distanceSq! < this.best.limit,
    intersectsRange: (offset, count) => {
      const { bodies } = this.bvh;
      for (let k = offset; k < offset + count; k++) this.best.add(bodies[k], this.distanceSqOf(bodies[k] * 6));
      return false;
    },
  };

  nearest(point: Vector3, count: number): number {
    this.setPoint(point);
    this.best.reset(count);
    this.bvh.shapecast(this.nearestCallbacks);
    this.found = this.best.bodies;
    return this.best.bodies.length;
  }

  move(bodies: Uint32Array, boxes: Float64Array): void {
    const own = this.bvh.boxes;
    for (let k = 0; k < bodies.length; k++) for (let i = 0; i < 6; i++) own[bodies[k] * 6 + i] = boxes[k * 6 + i];
    this.bvh.refit();
  }

  replace(bodies: Uint32Array, boxes: Float64Array): void {
    this.move(bodies, boxes);
  }
}
