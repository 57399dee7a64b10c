// What the watchers see: a fan of rays shows how far each sees, and one ray to each person in front of it whether it
// sees that person.

import { castRays, IndexList, Octree, type RayHits } from '../../../src/index.ts';
import { planBuildings } from '../shared/city-blocks-plan.ts';
import type { Settings } from './settings.ts';
import { Walkers } from '../shared/walkers.ts';

const BUILDINGS = 1;
const PEOPLE = 2;
/** Eyes of watchers and of people above the ground. */
const EYE_HEIGHT = 1.7;
const PERSON_RADIUS = 0.4;
/** Angle of a field of view, in radians. */
const VIEW_ANGLE = (100 / 180) * Math.PI;
/** Numbers per ray: origin, direction, greatest distance. */
export const RAY_STRIDE = 7;
const SEEDS = { watchers: 1, people: 2 };

export class Sight {
  readonly octree = new Octree<null>();
  readonly buildings = planBuildings();
  readonly watchers: Walkers;
  readonly people: Walkers;
  /** Rays of each watcher's fan. */
  readonly fan: number;
  /** By person: 1 if a watcher sees it. */
  readonly isSeen: Uint8Array;
  /** Rays of the last tick: first the rays of all fans, then the rays to people. */
  rayCount = 0;
  seen = 0;
  /** Time in which the rays of the last tick were cast. */
  milliseconds = 0;
  /** By ray: the distance to a building. The rays of the fans come first. */
  hits: { indices: Int32Array; distances: Float64Array };
  /** Seven numbers per ray: origin, direction, greatest distance. */
  rays = new Float64Array();
  /** By ray to a person: that person. */
  private targets = new Uint32Array();
  private readonly bodies: Uint32Array;
  private readonly firstPerson: number;
  private readonly spheres: Float64Array;
  private readonly nearby = new IndexList();
  private readonly onlyPeople = { mask: PEOPLE };
  private readonly ray = { origin: { x: 0, y: 0, z: 0 }, direction: { x: 0, y: 0, z: 0 } };

  constructor({ watchers, people, fan }: Settings) {
    this.watchers = new Walkers(watchers, SEEDS.watchers);
    this.people = new Walkers(people, SEEDS.people);
    this.fan = fan;
    this.isSeen = new Uint8Array(people);
    this.hits = { indices: new Int32Array(), distances: new Float64Array() };
    this.octree.insertMany(this.buildings, { kind: 'box', mask: BUILDINGS, isStatic: true });
    this.spheres = new Float64Array(people * 4);
    this.people.writeSpheres(this.spheres, EYE_HEIGHT, PERSON_RADIUS);
    this.bodies = this.octree.insertMany(this.spheres, { kind: 'sphere', mask: PEOPLE });
    this.firstPerson = this.bodies[0] ?? 0;
  }

  /** Builds the tree of the octree. Otherwise the first step would do it. */
  build(): void {
    this.octree.collectPoint({ x: 0, y: 0, z: 0 }, this.nearby);
  }

  /** Moves watchers and people, writes the rays, and casts them. The three parts can also be called one by one. */
  step(seconds: number, { batch, range }: Settings): void {
    this.move(seconds);
    this.aim(range);
    this.cast(batch);
  }

  /** First part of a step: moves watchers and people. */
  move(seconds: number): void {
    this.watchers.walk(seconds);
    this.people.walk(seconds);
    this.people.writeSpheres(this.spheres, EYE_HEIGHT, PERSON_RADIUS);
    this.octree.moveMany(this.bodies, this.spheres);
    this.octree.update(seconds);
  }

  /** Third part of a step: casts the rays. @param batch Whether in one call. */
  cast(batch: boolean): void {
    const start = performance.now();
    if (batch) this.castBatch(this.hits);
    else this.castEach(this.hits);
    this.milliseconds = performance.now() - start;
    this.markSeen();
  }

  /** Casts rays in one call. Default: the rays of the last tick. */
  castBatch(hits: RayHits, rays = this.rays, count = this.rayCount): void {
    castRays(this.octree, rays, hits, { mask: BUILDINGS, count });
  }

  /**
   * Casts rays one by one, each with a record for its hit.
   *
   * @param from The first ray.
   * @param to One more than the last.
   */
  castEach({ indices, distances }: RayHits, rays = this.rays, from = 0, to = this.rayCount): void {
    const { octree, ray } = this;
    const { origin, direction } = ray;
    for (let k = from, at = from * RAY_STRIDE; k < to; k++, at += RAY_STRIDE) {
      [origin.x, origin.y, origin.z] = [rays[at], rays[at + 1], rays[at + 2]];
      [direction.x, direction.y, direction.z] = [rays[at + 3], rays[at + 4], rays[at + 5]];
      const hit = octree.firstHit(ray, { mask: BUILDINGS, far: rays[at + 6] });
      indices[k] = hit === null ? -1 : hit.body.index;
      distances[k] = hit === null ? Infinity : hit.distance;
    }
  }

  /** Second part of a step: writes the rays. */
  aim(range: number): void {
    const { watchers, fan, nearby, octree } = this;
    this.rayCount = 0;
    this.reserve(watchers.count * fan);
    for (let watcher = 0; watcher < watchers.count; watcher++) {
      const [x, z, look] = [watchers.places[watcher * 2], watchers.places[watcher * 2 + 1], watchers.looks[watcher]];
      for (let k = 0; k < fan; k++) {
        const angle = look + (k / (fan - 1) - 0.5) * VIEW_ANGLE;
        this.addRay(x, z, Math.cos(angle), Math.sin(angle), range);
      }
    }
    for (let watcher = 0; watcher < watchers.count; watcher++) {
      const [x, z, look] = [watchers.places[watcher * 2], watchers.places[watcher * 2 + 1], watchers.looks[watcher]];
      const count = octree.collectSphere({ center: { x, y: EYE_HEIGHT, z }, radius: range }, nearby, this.onlyPeople);
      this.reserve(this.rayCount + count);
      for (let k = 0; k < count; k++) {
        const person = nearby.array[k] - this.firstPerson;
        const dx = this.people.places[person * 2] - x;
        const dz = this.people.places[person * 2 + 1] - z;
        const away = Math.sqrt(dx * dx + dz * dz);
        if (away === 0 || (dx * Math.cos(look) + dz * Math.sin(look)) / away < Math.cos(VIEW_ANGLE / 2)) continue;
        this.targets[this.rayCount] = person;
        this.addRay(x, z, dx, dz, away);
      }
    }
  }

  private addRay(x: number, z: number, dx: number, dz: number, far: number): void {
    const { rays } = this;
    const at = this.rayCount++ * RAY_STRIDE;
    rays[at] = x;
    rays[at + 1] = EYE_HEIGHT;
    rays[at + 2] = z;
    rays[at + 3] = dx;
    rays[at + 4] = 0;
    rays[at + 5] = dz;
    rays[at + 6] = far;
  }

  /** Marks the people who are seen: their ray meets no building. */
  private markSeen(): void {
    const {
      hits: { indices },
      isSeen,
      targets,
    } = this;
    isSeen.fill(0);
    for (let k = this.watchers.count * this.fan; k < this.rayCount; k++) if (indices[k] < 0) isSeen[targets[k]] = 1;
    this.seen = isSeen.reduce((sum, one) => sum + one, 0);
  }

  /** Makes room for a number of rays. */
  private reserve(count: number): void {
    if (count <= this.targets.length) return;
    const { rays, targets } = this;
    (this.rays = new Float64Array(2 * count * RAY_STRIDE)).set(rays);
    (this.targets = new Uint32Array(2 * count)).set(targets);
    this.hits = { indices: new Int32Array(2 * count), distances: new Float64Array(2 * count) };
  }
}
