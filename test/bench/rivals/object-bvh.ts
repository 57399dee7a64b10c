/**
 * three-mesh-bvh's tree over scene objects, with one object per leaf, so that the box of a leaf is the box of its
 * object. The objects are meshes of a unit cube, scaled, which an application has in any case. A move refits the whole
 * tree. The tree cannot add or remove objects: replaced bodies are moved instead.
 */

import { Box3, BoxGeometry, Mesh, Sphere, Vector3, type Ray } from 'three';
import { CONTAINED, INTERSECTED, NOT_INTERSECTED, ObjectBVH, type ShapecastCallbacks } from 'three-mesh-bvh';
import { NearestSoFar } from './nearest-so-far.ts';
import { RaySlabs } from './ray-slabs.ts';
import type { Rival, View } from './rival.ts';
import { ViewPlanes } from './view-planes.ts';

/** By result of `ViewPlanes.overlap`. */
const SHAPECAST_RESULTS = [NOT_INTERSECTED, INTERSECTED, CONTAINED] as const;

const cube = new BoxGeometry();
/** Shared by all trees of this process: a tree reads its meshes only in the build and in a refit. */
const meshes: Mesh[] = [];

/** A mesh whose world matrix is written directly, as an application does that knows which objects move. */
function newMesh(): Mesh {
  const mesh = new Mesh(cube);
  mesh.matrixAutoUpdate = false;
  mesh.matrixWorldAutoUpdate = false;
  return mesh;
}

function writeMatrix({ matrixWorld: { elements } }: Mesh, boxes: Float64Array, at: number): void {
  for (let axis = 0; axis < 3; axis++) {
    const low = boxes[at + axis];
    const high = boxes[at + axis + 3];
    elements[axis * 5] = high - low;
    elements[12 + axis] = (low + high) / 2;
  }
}

export class ObjectBvh implements Rival {
  private bvh!: ObjectBVH;
  /**
   * Index in `meshes` by leaf. Reading it is three times as fast as `intersectsObject`, which reads every object that
   * it reports.
   */
  private bodies: Uint32Array = new Uint32Array(0);
  private hits: Uint32Array = new Uint32Array(0);
  private found: ArrayLike<number> = this.hits;
  private count = 0;
  private readonly best = new NearestSoFar();

  prepare(boxes: Float64Array): void {
    for (let body = 0; body < boxes.length / 6; body++) writeMatrix((meshes[body] ??= newMesh()), boxes, body * 6);
  }

  build(boxes: Float64Array): void {
    this.bvh = new ObjectBVH(meshes);
    this.bodies = (this.bvh as unknown as { readonly primitiveBuffer: Uint32Array }).primitiveBuffer;
    this.hits = new Uint32Array(boxes.length / 6);
  }

  bodyAt(k: number): number {
    return this.found[k];
  }

  private readonly collectRange = (offset: number, count: number): boolean => {
    for (let k = offset; k < offset + count; k++) this.hits[this.count++] = this.bodies[k];
    return false;
  };

  private collect(intersectsBounds: ShapecastCallbacks['intersectsBounds']): number {
    this.count = 0;
    this.found = this.hits;
    this.bvh.shapecast({ intersectsBounds, intersectsRange: this.collectRange });
    return this.count;
  }

  private readonly planes = new ViewPlanes();
  private readonly cullBounds: ShapecastCallbacks['intersectsBounds'] = (bounds) =>
    SHAPECAST_RESULTS[this.planes.overlap(bounds)];

  cull({ frustum }: View): number {
    this.planes.set(frustum);
    return this.collect(this.cullBounds);
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
  /** Distance of the bounds tested last. When `intersectsRange` runs, these are the bounds of its leaf. */
  private score = 0;

  private readonly firstHitCallbacks: ShapecastCallbacks = {
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
    this.bvh.shapecast(this.firstHitCallbacks);
    return this.first;
  }

  private readonly queryBox = new Box3();
  private readonly touchesBox = (bounds: Box3): boolean => this.queryBox.intersectsBox(bounds);

  box(box: Box3): number {
    this.queryBox.copy(box);
    return this.collect(this.touchesBox);
  }

  private readonly querySphere = new Sphere();
  private readonly touchesSphere = (bounds: Box3): boolean => this.querySphere.intersectsBox(bounds);

  sphere(sphere: Sphere): number {
    this.querySphere.copy(sphere);
    return this.collect(this.touchesSphere);
  }

  private readonly point = new Vector3();
  private readonly nearestCallbacks: ShapecastCallbacks = {
    boundsTraverseOrder: (bounds) => bounds.distanceToPoint(this.point),
    intersectsBounds: (_bounds, _isLeaf, distance) => {
      this.score = distance!;
      return distance! < this.best.limit;
    },
    // A leaf holds more than one body only if their centres are equal.
    intersectsRange: (offset, count) => {
      for (let k = offset; k < offset + count; k++) this.best.add(this.bodies[k], this.score);
      return false;
    },
  };

  nearest(point: Vector3, count: number): number {
    this.point.copy(point);
    this.best.reset(count);
    this.bvh.shapecast(this.nearestCallbacks);
    this.found = this.best.bodies;
    return this.best.bodies.length;
  }

  move(bodies: Uint32Array, boxes: Float64Array): void {
    for (let k = 0; k < bodies.length; k++) writeMatrix(meshes[bodies[k]], boxes, k * 6);
    this.bvh.refit();
  }

  replace(bodies: Uint32Array, boxes: Float64Array): void {
    this.move(bodies, boxes);
  }
}
