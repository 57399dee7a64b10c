// Some of the people of a town walk. Sensors at crossings and along streets report who enters and who leaves; bands of
// distance around a player report who wakes up and who falls asleep.

import { type BoxLike, type DistanceBands, Octree, type Sensor, watch, watchDistances } from '../../../src/index.ts';
import { STREET_DISTANCE, STREETS, streetAt } from '../shared/city-blocks-plan.ts';
import { insertSpheres } from '../shared/insert-spheres.ts';
import { partOf, type SlicedWork } from '../shared/slices.ts';
import { Walkers } from '../shared/walkers.ts';
import type { Settings } from './settings.ts';

export const STEP_SECONDS = 1 / 30;
/** Distances of the bands around the player, in metres. */
export const BANDS = [35, 80, 140] as const;
const PERSON_RADIUS = 0.5;
export const PERSON_HEIGHT = 1;
/** Height of a zone. */
const ZONE_HEIGHT = 3;
/** Zones of a street from a crossing to the next one, that of the crossing included. */
const ZONES_PER_STREET = 8;
const PLAYER_SPEED = 26;
const SEED = 3;
/** Zones that are added at a time: more of them would block the page. */
export const ZONES_PER_STEP = 100;

export class TownWatch {
  readonly octree = new Octree<null>();
  readonly people: Walkers;
  /** How many people walk, the first ones. */
  readonly walking: number;
  /** Centre x y z and radius of each person. */
  readonly spheres: Float64Array;
  readonly zones: readonly BoxLike[];
  readonly sensors: Sensor<null>[] = [];
  readonly bands: DistanceBands<null>;
  /** By zone, the simulated time of the last enter and of the last leave. */
  readonly enteredAt: Float64Array;
  readonly leftAt: Float64Array;
  /** By person: its band. */
  readonly bandOf: Uint8Array;
  /** By band, the number of people. */
  readonly inBand = new Uint32Array(BANDS.length + 1);
  readonly player = { x: 0, z: 0 };
  steps = 0;
  entered = 0;
  left = 0;
  changed = 0;
  /** Time of the last step's moves and `update`. */
  milliseconds = 0;
  /** The bodies of all, those of the people who walk, and the part of `spheres` that is theirs. */
  private readonly bodies: Uint32Array;
  private readonly moving: Uint32Array;
  private readonly movingSpheres: Float64Array;
  private target: { x: number; z: number } | null = null;

  private constructor({ people, walking, streets, zone }: Settings) {
    this.people = new Walkers(people, SEED);
    this.walking = Math.max(1, Math.round((people * walking) / 100));
    this.spheres = new Float64Array(people * 4);
    this.people.writeSpheres(this.spheres, PERSON_HEIGHT, PERSON_RADIUS);
    this.bodies = new Uint32Array(people);
    this.moving = this.bodies.subarray(0, this.walking);
    this.movingSpheres = this.spheres.subarray(0, this.walking * 4);
    this.zones = zonesOf(zone, streets ? ZONES_PER_STREET : 1);
    this.enteredAt = new Float64Array(this.zones.length).fill(-Infinity);
    this.leftAt = new Float64Array(this.zones.length).fill(-Infinity);
    this.bands = watchDistances(this.octree, { x: 0, y: PERSON_HEIGHT, z: 0 }, BANDS);
    this.bandOf = new Uint8Array(people).fill(BANDS.length);
    this.inBand[BANDS.length] = people;
  }

  /** Counts all who are in a zone at the start as entered. */
  static *build(settings: Settings): SlicedWork<TownWatch> {
    const town = new TownWatch(settings);
    const { octree, spheres, bodies, zones, sensors } = town;
    bodies.set(yield* partOf(insertSpheres(octree, spheres), 0, 0.5));
    octree.update();
    town.readBands();
    for (let from = 0; from < zones.length; from += ZONES_PER_STEP) {
      for (const zone of zones.slice(from, from + ZONES_PER_STEP)) sensors.push(watch(octree, zone));
      octree.update();
      town.readSensors();
      yield 0.5 + (from / zones.length) * 0.5;
    }
    return town;
  }

  get seconds(): number {
    return this.steps * STEP_SECONDS;
  }

  /** Sends the player to a place. */
  send(x: number, z: number): void {
    this.target = { x, z };
  }

  step(isPatrolling: boolean): void {
    this.steps++;
    this.people.walk(STEP_SECONDS, this.walking);
    this.movePlayer(isPatrolling);
    this.people.writeSpheres(this.spheres, PERSON_HEIGHT, PERSON_RADIUS);
    const start = performance.now();
    this.octree.moveMany(this.moving, this.movingSpheres);
    this.bands.moveTo({ x: this.player.x, y: PERSON_HEIGHT, z: this.player.z });
    this.octree.update(STEP_SECONDS);
    this.milliseconds = performance.now() - start;
    this.readSensors();
    this.readBands();
  }

  private readSensors(): void {
    for (const [zone, { entered, left }] of this.sensors.entries()) {
      if (entered.length > 0) this.enteredAt[zone] = this.seconds;
      if (left.length > 0) this.leftAt[zone] = this.seconds;
      this.entered += entered.length;
      this.left += left.length;
    }
  }

  /** Only people whose band has changed are looked at. */
  private readBands(): void {
    const { changed } = this.bands;
    for (let k = 0; k < changed.length; k += 3) {
      const [index, from, to] = changed.array.subarray(k, k + 3);
      this.bandOf[index - this.bodies[0]] = to;
      this.inBand[from]--;
      this.inBand[to]++;
    }
    this.changed += changed.length / 3;
  }

  /** Along a large curve, or to where the user sends the player. */
  private movePlayer(isPatrolling: boolean): void {
    const { player, seconds } = this;
    const width = streetAt(STREETS - 1) * 0.7;
    const goal =
      this.target ??
      (isPatrolling ? { x: width * Math.sin(seconds * 0.11), z: width * Math.sin(seconds * 0.17 + 1) } : player);
    const [dx, dz] = [goal.x - player.x, goal.z - player.z];
    const away = Math.sqrt(dx * dx + dz * dz);
    const reach = PLAYER_SPEED * STEP_SECONDS;
    const share = away > reach ? reach / away : 1;
    player.x += dx * share;
    player.z += dz * share;
    if (share === 1 && isPatrolling) this.target = null;
  }
}

/** Zones at all crossings, and between them along the streets. @param half Of their edge, in metres. */
function zonesOf(half: number, perStreet: number): BoxLike[] {
  const places: [x: number, z: number][] = [];
  for (let column = 0; column < STREETS; column++) {
    for (let row = 0; row < STREETS; row++) {
      const [x, z] = [streetAt(column), streetAt(row)];
      places.push([x, z]);
      for (let step = 1; step < perStreet; step++) {
        const along = (step / perStreet) * STREET_DISTANCE;
        if (column < STREETS - 1) places.push([x + along, z]);
        if (row < STREETS - 1) places.push([x, z + along]);
      }
    }
  }
  return places.map(([x, z]) => ({
    min: { x: x - half, y: 0, z: z - half },
    max: { x: x + half, y: ZONE_HEIGHT, z: z + half },
  }));
}
