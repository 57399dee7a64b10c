/**
 * bvh.js. Bodies that may move get the library's margin, which enlarges their boxes. Culls and pairs test each body
 * again without the margin.
 */

import { BVH, HybridBuilder, vec3ToArray, WebGLCoordinateSystem, type BVHNode } from 'bvh.js';
import type { Box3, Ray, Sphere, Vector3 } from 'three';
import { NearestSoFar } from './nearest-so-far.ts';
import { RaySlabs } from './ray-slabs.ts';
import type { Rival, Use, View } from './rival.ts';

type Node = BVHNode<object, number>;

/** World units: what the fastest body moves in ten ticks. */
const MARGIN = 5;

export class BvhJs implements Rival {
  private readonly bvh = new BVH<object, number>(new HybridBuilder<object, number>(true), WebGLCoordinateSystem);
  /**
   * By body, in the library's order: minX, maxX, minY, maxY, minZ, maxZ. The tree's nodes share these arrays, so that
   * they include the margin.
   */
  private boxes: Float64Array[] = [];
  private nodes: Node[] = [];
  private margin = 0;
  private readonly hits: number[] = [];
  private count = 0;
  private found = this.hits;
  private readonly best = new NearestSoFar();
  private readonly slabs = new RaySlabs();
  private readonly direction = new Float64Array(3);
  private readonly point = new Float64Array(3);
  private readonly queryBox = new Float64Array(6);

  build(boxes: Float64Array, use: Use): void {
    this.margin = use === 'moving' ? MARGIN : 0;
    const bodies: number[] = [];
    const nodeBoxes: Float64Array[] = [];
    for (let at = 0; at < boxes.length; at += 6) {
      bodies.push(at / 6);
      nodeBoxes.push(
        Float64Array.of(boxes[at], boxes[at + 3], boxes[at + 1], boxes[at + 4], boxes[at + 2], boxes[at + 5]),
      );
    }
    this.boxes = [...nodeBoxes];
    // The library sorts both arrays in place, and adds the margin to the boxes in place.
    this.bvh.createFromArray(
      bodies,
      nodeBoxes,
      use !== 'static' ? (node) => (this.nodes[node.object!] = node) : undefined,
      this.margin,
    );
  }

  bodyAt(k: number): number {
    return this.found[k];
  }

  private readonly collectBody = (body: number): false => {
    this.hits[this.count++] = body;
    return false;
  };

  private reset(): void {
    this.count = 0;
    this.found = this.hits;
  }

  cull({ matrix }: View): number {
    this.reset();
    const { margin, hits } = this;
    this.bvh.frustumCulling(matrix.elements, (node, frustum, mask) => {
      if (margin === 0 || frustum!.isIntersectedMargin(node.box, mask!, margin)) hits[this.count++] = node.object!;
    });
    return this.count;
  }

  allHits({ origin, direction }: Ray): number {
    this.reset();
    this.bvh.rayIntersections(
      vec3ToArray(direction, this.direction),
      vec3ToArray(origin, this.point),
      this.collectBody,
    );
    return this.count;
  }

  /** The library finds any hit or all hits: the callback keeps the first. */
  firstHit(ray: Ray): number {
    const { boxes, slabs } = this;
    let first = -1;
    let best = Infinity;
    slabs.set(ray);
    this.bvh.rayIntersections(
      vec3ToArray(ray.direction, this.direction),
      vec3ToArray(ray.origin, this.point),
      (body) => {
        const box = boxes[body];
        const entry = slabs.entry(box[0], box[2], box[4], box[1], box[3], box[5]);
        if (entry >= best) return;
        best = entry;
        first = body;
      },
    );
    return first;
  }

  box({ min, max }: Box3): number {
    this.reset();
    this.queryBox.set([min.x, max.x, min.y, max.y, min.z, max.z]);
    this.bvh.intersectsBox(this.queryBox, this.collectBody);
    return this.count;
  }

  sphere({ center, radius }: Sphere): number {
    this.reset();
    this.bvh.intersectsSphere(vec3ToArray(center, this.point), radius, this.collectBody);
    return this.count;
  }

  /** The callback returns the squared distance at which the search may stop. */
  nearest(point: Vector3, count: number): number {
    const { best, boxes } = this;
    best.reset(count);
    this.bvh.closestPointToPoint(vec3ToArray(point, this.point), (body) => {
      const box = boxes[body];
      const dx = Math.max(box[0] - point.x, point.x - box[1], 0);
      const dy = Math.max(box[2] - point.y, point.y - box[3], 0);
      const dz = Math.max(box[4] - point.z, point.z - box[5], 0);
      best.add(body, dx * dx + dy * dy + dz * dz);
      return best.limit;
    });
    this.found = best.bodies;
    return this.found.length;
  }

  pairs(): number {
    const margins = 2 * this.margin;
    const { boxes } = this;
    let pairs = 0;
    for (const node of this.nodes) {
      const body = node.object!;
      const own = node.box;
      this.bvh.isNodeIntersected(node, (other) => {
        if (other < body) {
          const box = boxes[other];
          if (
            box[0] + margins <= own[1] &&
            own[0] + margins <= box[1] &&
            box[2] + margins <= own[3] &&
            own[2] + margins <= box[3] &&
            box[4] + margins <= own[5] &&
            own[4] + margins <= box[5]
          )
            pairs++;
        }
        return false;
      });
    }
    return pairs;
  }

  private write(k: number, from: Float64Array, box: Float64Array): Float64Array {
    for (let axis = 0; axis < 3; axis++) {
      box[axis * 2] = from[k * 6 + axis];
      box[axis * 2 + 1] = from[k * 6 + axis + 3];
    }
    return box;
  }

  move(bodies: Uint32Array, boxes: Float64Array): void {
    for (let k = 0; k < bodies.length; k++) {
      this.write(k, boxes, this.boxes[bodies[k]]);
      this.bvh.move(this.nodes[bodies[k]], this.margin);
    }
  }

  replace(bodies: Uint32Array, boxes: Float64Array): void {
    for (const body of bodies) this.bvh.delete(this.nodes[body]);
    for (let k = 0; k < bodies.length; k++) {
      const box = this.write(k, boxes, new Float64Array(6));
      this.boxes[bodies[k]] = box;
      this.nodes[bodies[k]] = this.bvh.insert(bodies[k], box, this.margin);
    }
  }
}
