/**
 * The broad phase of Jolt. Static bodies, never simulated. No frustum queries, no nearest queries. It reports results
 * one body at a time.
 */

import initJolt from 'jolt-physics';
import type { Box3, Ray, Sphere, Vector3 } from 'three';
import type { Rival } from './rival.ts';

type Api = typeof initJolt;

/** Length of a ray in world units: beyond the far side of every scene. */
const FAR = 1e5;
/** Early-out fraction of a ray before the first hit. Above 1, so that a hit at the end of the ray counts. */
const NO_HIT_YET = 1.0001;
/** The bits of a body id that hold the index in Jolt's list of bodies. */
const INDEX_MASK = 0x7fffff;

export async function loadJolt(): Promise<() => Rival> {
  const api = await initJolt<object>();
  return () => new JoltBoxes(api);
}

class JoltBoxes implements Rival {
  readonly hasUncountedMemory = true;
  private readonly api: Api;
  private query!: initJolt.BroadPhaseQuery;
  /** Body number by index in Jolt's list of bodies. */
  private bodyOf: Uint32Array = new Uint32Array(0);
  private readonly found: number[] = [];
  /** Objects in WebAssembly memory, which only `destroy` frees. */
  private readonly owned: object[] = [];
  private first = -1;
  private readonly passAll: readonly [initJolt.BroadPhaseLayerFilter, initJolt.ObjectLayerFilter];
  private readonly ray: initJolt.RayCast;
  private readonly bounds: initJolt.AABox;
  private readonly a: initJolt.Vec3;
  private readonly b: initJolt.Vec3;

  private readonly overlaps: initJolt.CollideShapeBodyCollectorJS;
  private readonly hits: initJolt.RayCastBodyCollectorJS;
  private readonly firstHits: initJolt.RayCastBodyCollectorJS;

  constructor(api: Api) {
    this.api = api;
    this.passAll = [this.own(new api.BroadPhaseLayerFilter()), this.own(new api.ObjectLayerFilter())];
    this.ray = this.own(new api.RayCast());
    this.bounds = this.own(new api.AABox());
    this.a = this.own(new api.Vec3());
    this.b = this.own(new api.Vec3());
    this.overlaps = this.own(new api.CollideShapeBodyCollectorJS());
    this.hits = this.own(new api.RayCastBodyCollectorJS());
    this.firstHits = this.own(new api.RayCastBodyCollectorJS());
    // The argument of AddHit is an address in WebAssembly memory: a body id; for a ray its fraction follows.
    this.overlaps.AddHit = this.hits.AddHit = (address) => void this.found.push(this.bodyAtAddress(address));
    this.firstHits.AddHit = (address) => {
      const fraction = api.HEAPF32[address / 4 + 1];
      if (fraction >= this.firstHits.GetEarlyOutFraction()) return;
      this.firstHits.UpdateEarlyOutFraction(fraction);
      this.first = this.bodyAtAddress(address);
    };
  }

  private own<A extends object>(made: A): A {
    this.owned.push(made);
    return made;
  }

  private bodyAtAddress(address: number): number {
    return this.bodyOf[this.api.HEAPU32[address / 4] & INDEX_MASK];
  }

  build(boxes: Float64Array): void {
    const { api } = this;
    const count = boxes.length / 6;
    const world = this.own(newWorld(api, count));
    this.bodyOf = new Uint32Array(count);
    const system = world.GetPhysicsSystem();
    const bodies = system.GetBodyInterface();
    const half = new api.Vec3();
    const centre = new api.RVec3();
    const settings = new api.BodyCreationSettings();
    settings.mMotionType = api.EMotionType_Static;
    settings.mObjectLayer = 0;
    const ids = new api.ArrayBodyID();
    ids.reserve(count);
    for (let at = 0, body = 0; body < count; at += 6, body++) {
      half.Set(
        (boxes[at + 3] - boxes[at]) / 2,
        (boxes[at + 4] - boxes[at + 1]) / 2,
        (boxes[at + 5] - boxes[at + 2]) / 2,
      );
      centre.Set(
        (boxes[at] + boxes[at + 3]) / 2,
        (boxes[at + 1] + boxes[at + 4]) / 2,
        (boxes[at + 2] + boxes[at + 5]) / 2,
      );
      settings.SetShape(new api.BoxShape(half, 0));
      settings.mPosition = centre;
      const id = bodies.CreateBody(settings).GetID();
      ids.push_back(id);
      this.bodyOf[id.GetIndexAndSequenceNumber() & INDEX_MASK] = body;
    }
    const added = bodies.AddBodiesPrepare(ids.data(), count);
    bodies.AddBodiesFinalize(ids.data(), count, added, api.EActivation_DontActivate);
    system.OptimizeBroadPhase();
    this.query = system.GetBroadPhaseQuery();
    for (const temporary of [half, centre, settings, ids]) api.destroy(temporary);
  }

  bodyAt(k: number): number {
    return this.found[k];
  }

  private toRayCast({ origin, direction }: Ray): initJolt.RayCast {
    const { ray, a, b } = this;
    a.Set(origin.x, origin.y, origin.z);
    b.Set(direction.x * FAR, direction.y * FAR, direction.z * FAR);
    ray.mOrigin = a;
    ray.mDirection = b;
    return ray;
  }

  firstHit(ray: Ray): number {
    this.first = -1;
    this.firstHits.ResetEarlyOutFraction(NO_HIT_YET);
    this.query.CastRay(this.toRayCast(ray), this.firstHits, ...this.passAll);
    return this.first;
  }

  allHits(ray: Ray): number {
    this.found.length = 0;
    this.query.CastRay(this.toRayCast(ray), this.hits, ...this.passAll);
    return this.found.length;
  }

  private copyTo(vector: initJolt.Vec3, { x, y, z }: Vector3): initJolt.Vec3 {
    vector.Set(x, y, z);
    return vector;
  }

  box({ min, max }: Box3): number {
    const { bounds, a, b } = this;
    this.found.length = 0;
    bounds.mMin = this.copyTo(a, min);
    bounds.mMax = this.copyTo(b, max);
    this.query.CollideAABox(bounds, this.overlaps, ...this.passAll);
    return this.found.length;
  }

  sphere({ center, radius }: Sphere): number {
    this.found.length = 0;
    this.query.CollideSphere(this.copyTo(this.a, center), radius, this.overlaps, ...this.passAll);
    return this.found.length;
  }

  dispose(): void {
    for (const own of this.owned) this.api.destroy(own);
  }
}

/**
 * A world with one layer, in which every body may collide with every other. The world owns and frees the objects passed
 * to it.
 */
export function newWorld(api: Api, bodies: number): initJolt.JoltInterface {
  const layers = new api.BroadPhaseLayerInterfaceTable(1, 1);
  const layer = new api.BroadPhaseLayer(0);
  layers.MapObjectToBroadPhaseLayer(0, layer);
  const pairs = new api.ObjectLayerPairFilterTable(1);
  const settings = new api.JoltSettings();
  settings.mMaxBodies = bodies;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectLayerPairFilter = pairs;
  settings.mObjectVsBroadPhaseLayerFilter = new api.ObjectVsBroadPhaseLayerFilterTable(layers, 1, pairs, 1);
  const world = new api.JoltInterface(settings);
  api.destroy(layer);
  api.destroy(settings);
  return world;
}
