/**
 * three-mesh-bvh's tree over scene objects, one object a leaf: the box of the leaf is the box of the object. It reads boxes from meshes (a unit
 * cube each, scaled), which an application has anyway; moves refit all of them. It takes no objects in or out, so replaced ones are moves too.
 */

import { Box3, BoxGeometry, Mesh, Sphere, Vector3, type Ray } from 'three';
import { CONTAINED, INTERSECTED, NOT_INTERSECTED, ObjectBVH, type ShapecastCallbacks } from 'three-mesh-bvh';
import { NearestSoFar } from './nearest-so-far.ts';
import { RaySlabs } from './ray-slabs.ts';
import type { Rival, View } from './rival.ts';
import { ViewPlanes } from './view-planes.ts';

const LOOKS = [NOT_INTERSECTED, INTERSECTED, CONTAINED] as const;

const cube = new BoxGeometry();
/** The same for every tree of this process: a tree looks at them only when it is built and refitted. */
const meshes: Mesh[] = [];

/** Its world matrix is written, as by an application that knows which of its objects move. */
function newMesh(): Mesh {
  const mesh = new Mesh(cube);
  mesh.matrixAutoUpdate = false;
  mesh.matrixWorldAutoUpdate = false;
  return mesh;
}

function place({ matrixWorld: { elements } }: Mesh, boxes: Float64Array, at: number): void {
  for (let axis = 0; axis < 3; axis++) {
    const low = boxes[at + axis];
    const high = boxes[at + axis + 3];
    elements[axis * 5] = high - low;
    elements[12 + axis] = (low + high) / 2;
  }
}

export class ObjectBvh implements Rival {
  private bvh!: ObjectBVH;
  /** Where the objects of the leaves stand in `meshes`. Three times as fast as `intersectsObject`, which touches every object it tells. */
  private bodies: Uint32Array = new Uint32Array(0);
  private hits: Uint32Array = new Uint32Array(0);
  private found: ArrayLike<number> = this.hits;
  private count = 0;
  private readonly best = new NearestSoFar();

  prepare(boxes: Float64Array): void {
    for (let body = 0; body < boxes.length / 6; body++) place((meshes[body] ??= newMesh()), boxes, body * 6);
  }

  build(boxes: Float64Array): void {
    this.bvh = new ObjectBVH(meshes);
    this.bodies = (this.bvh as unknown as { readonly primitiveBuffer: Uint32Array }).primitiveBuffer;
    this.hits = new Uint32Array(boxes.length / 6);
  }

  bodyAt(k: number): number {
    return this.found[k];
  }

  private readonly keep = (offset: number, count: number): boolean => {
    for (let k = offset; k < offset + count; k++) this.hits[this.count++] = this.bodies[k];
    return false;
  };

  private collect(intersectsBounds: ShapecastCallbacks['intersectsBounds']): number {
    this.count = 0;
    this.found = this.hits;
    this.bvh.shapecast({ intersectsBounds, intersectsRange: this.keep });
    return this.count;
  }

  private readonly planes = new ViewPlanes();
  private readonly look: ShapecastCallbacks['intersectsBounds'] = (bounds) => LOOKS[this.planes.look(bounds)];

  cull({ frustum }: View): number {
    this.planes.set(frustum);
    return this.collect(this.look);
  }

  private readonly ray = new RaySlabs();
  private readonly entry = ({ min, max }: Box3): number => this.ray.entry(min.x, min.y, min.z, max.x, max.y, max.z);
  private readonly isHit = (bounds: Box3): boolean => this.entry(bounds) < Infinity;

  allHits(ray: Ray): number {
    this.ray.set(ray);
    return this.collect(this.isHit);
  }

  private first = -1;
  private firstEntry = Infinity;
  /** Of the leaf that comes next. */
  private score = 0;

  private readonly firstCasting: ShapecastCallbacks = {
    boundsTraverseOrder: this.entry,
    intersectsBounds: (_bounds, _isLeaf, entry) => {
      this.score = entry!;
      return entry! < this.firstEntry;
    },
    intersectsRange: (offset) => {
      this.firstEntry = this.score;
      this.first = this.bodies[offset];
      return false;
    },
  };

  firstHit(ray: Ray): number {
    this.ray.set(ray);
    this.first = -1;
    this.firstEntry = Infinity;
    this.bvh.shapecast(this.firstCasting);
    return this.first;
  }

  private readonly wanted = new Box3();
  private readonly overlaps = (bounds: Box3): boolean => this.wanted.intersectsBox(bounds);

  box(box: Box3): number {
    this.wanted.copy(box);
    return this.collect(this.overlaps);
  }

  private readonly ball = new Sphere();
  private readonly touches = (bounds: Box3): boolean => this.ball.intersectsBox(bounds);

  sphere(sphere: Sphere): number {
    this.ball.copy(sphere);
    return this.collect(this.touches);
  }

  private readonly point = new Vector3();
  private readonly closing: ShapecastCallbacks = {
    boundsTraverseOrder: (bounds) => bounds.distanceToPoint(this.point),
    intersectsBounds: (_bounds, _isLeaf, distance) => {
      this.score = distance!;
      return distance! < this.best.limit;
    },
    // Bodies with one centre share a leaf.
    intersectsRange: (offset, count) => {
      for (let k = offset; k < offset + count; k++) this.best.add(this.bodies[k], this.score);
      return false;
    },
  };

  nearest(point: Vector3, count: number): number {
    this.point.copy(point);
    this.best.reset(count);
    this.bvh.shapecast(this.closing);
    this.found = this.best.bodies;
    return this.best.bodies.length;
  }

  move(bodies: Uint32Array, boxes: Float64Array): void {
    for (let k = 0; k < bodies.length; k++) place(meshes[bodies[k]], boxes, k * 6);
    this.bvh.refit();
  }

  replace(bodies: Uint32Array, boxes: Float64Array): void {
    this.move(bodies, boxes);
  }
}
