/** The octree of this project as a rival. */

import { Matrix3, Vector3, type Box3, type PerspectiveCamera, type Plane, type Ray, type Sphere } from 'three';
import {
  Capsule,
  castRays,
  castSphere,
  collect,
  collectNearest,
  collectPairs,
  collectVisible,
  Convex,
  IndexList,
  Octree,
  OrientedBox,
  RayRange,
  setOccluder,
} from '../../../src/index.ts';
import { loadRayStreams } from '../../../src/features/ray-bundles/cast-rays.ts';
import type { Cast, TurnedBox } from '../queries.ts';
import type { Rival, Use, View } from './rival.ts';

/** Volumes that each query sets anew, so that it allocates nothing. */
const capsule = new Capsule({ start: new Vector3(), end: new Vector3(), radius: 0 });
const turnedBox = new OrientedBox({ center: new Vector3(), halfSize: new Vector3(), rotation: new Matrix3() });
const convex = new Convex([]);

/** Never switches itself off. */
const ALWAYS = { minRemoved: 0 };

/** Loads the code that is loaded when it is first needed, so that it runs from the first round on. */
export async function loadSceneOctree(): Promise<() => Rival> {
  await loadRayStreams();
  return () => new SceneOctree();
}

export class SceneOctree implements Rival {
  private readonly octree = new Octree();
  private readonly list = new IndexList();
  private readonly range = new RayRange({ origin: { x: 0, y: 0, z: 0 }, direction: { x: 1, y: 0, z: 0 } });
  private readonly end = new Vector3();
  private areOccluders = false;
  /** Distances of the last batch of rays. */
  private distances = new Float64Array(0);
  /**
   * Index in the octree by body number, and the reverse. Both are equal until bodies are replaced; until then `bodyOf`
   * is empty.
   */
  private indexOf: Uint32Array = new Uint32Array(0);
  private bodyOf: Uint32Array = new Uint32Array(0);

  build(boxes: Float64Array, use: Use): void {
    this.indexOf = this.octree.insertMany(boxes, { kind: 'box', isStatic: use === 'static' });
    this.octree.update();
  }

  bodyAt(k: number): number {
    const index = this.list.array[k];
    return this.bodyOf.length > 0 ? this.bodyOf[index] : index;
  }

  cull({ frustum }: View): number {
    return this.octree.collectFrustum(frustum, this.list);
  }

  visible(camera: PerspectiveCamera): number {
    if (!this.areOccluders) for (const body of this.octree) setOccluder(this.octree, body, true);
    this.areOccluders = true;
    return collectVisible(this.octree, camera, this.list, ALWAYS);
  }

  firstHit(ray: Ray): number {
    return this.octree.firstHitIndex(ray);
  }

  castBatch(rays: Float64Array, bodies: Int32Array): void {
    if (this.distances.length < bodies.length) this.distances = new Float64Array(bodies.length);
    castRays(this.octree, rays, { indices: bodies, distances: this.distances });
  }

  anyHit(ray: Ray): number {
    return Number(this.octree.hasHit(ray));
  }

  allHits(ray: Ray): number {
    return this.octree.collectRay(ray, this.list);
  }

  castSphere(sphere: Sphere, motion: Vector3): number {
    return castSphere(this.octree, sphere, motion)?.body.index ?? -1;
  }

  box(box: Box3): number {
    return this.octree.collectBox(box, this.list);
  }

  sphere(sphere: Sphere): number {
    return this.octree.collectSphere(sphere, this.list);
  }

  nearest(point: Vector3, count: number): number {
    return collectNearest(this.octree, point, count, this.list);
  }

  nearestToBox(box: Box3, count: number): number {
    return collectNearest(this.octree, box, count, this.list);
  }

  nearestToRay(ray: Ray, count: number): number {
    return collectNearest(this.octree, this.range.set(ray), count, this.list);
  }

  capsule({ sphere: { center, radius }, motion }: Cast): number {
    return collect(
      this.octree,
      capsule.set({ start: center, end: this.end.addVectors(center, motion), radius }),
      this.list,
    );
  }

  orientedBox(box: TurnedBox): number {
    return collect(this.octree, turnedBox.set(box), this.list);
  }

  convex(planes: readonly Plane[]): number {
    return collect(this.octree, convex.set(planes), this.list);
  }

  pairs(): number {
    return collectPairs(this.octree, this.list);
  }

  move(bodies: Uint32Array, boxes: Float64Array): void {
    this.octree.moveMany(bodies, boxes);
    this.octree.update();
  }

  replace(bodies: Uint32Array, boxes: Float64Array): void {
    const { octree, indexOf } = this;
    octree.removeMany(bodies.map((body) => indexOf[body]));
    const added = octree.insertMany(boxes, { kind: 'box' });
    octree.update();
    if (this.bodyOf.length === 0) this.bodyOf = indexOf.slice();
    for (let k = 0; k < bodies.length; k++) {
      indexOf[bodies[k]] = added[k];
      if (added[k] >= this.bodyOf.length) this.growBodyOf(added[k] + 1);
      this.bodyOf[added[k]] = bodies[k];
    }
  }

  dispose(): void {
    this.octree.clear();
  }

  private growBodyOf(minLength: number): void {
    const longer = new Uint32Array(minLength * 2);
    longer.set(this.bodyOf);
    this.bodyOf = longer;
  }
}
