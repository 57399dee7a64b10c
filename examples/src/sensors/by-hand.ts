// What the page would do without sensors: in every step a query for each zone and each band, and a comparison with the
// results of the step before. It is there only to compare times and results.

import { type BoxLike, IndexList, Octree } from '../../../src/index.ts';
import { insertSpheres } from '../shared/insert-spheres.ts';
import { partOf, type SlicedWork } from '../shared/slices.ts';
import { BANDS, PERSON_HEIGHT, type TownWatch, ZONES_PER_STEP } from './town-watch.ts';

const NO_INDICES: ReadonlySet<number> = new Set();

export class ByHand {
  /** Since the start, as in `TownWatch`. */
  entered = 0;
  left = 0;
  changed = 0;
  /** Time of the last step. */
  milliseconds = 0;
  private readonly octree = new Octree<null>();
  private readonly zones: readonly BoxLike[];
  private readonly bodies: Uint32Array;
  private readonly list = new IndexList();
  private readonly inside: ReadonlySet<number>[] = [];
  private bandOf: Uint8Array;

  private constructor({ zones, people }: TownWatch) {
    this.zones = zones;
    this.bodies = new Uint32Array(people.count);
    this.bandOf = new Uint8Array(people.count).fill(BANDS.length);
  }

  /** @param town Before its first step. */
  static *build(town: TownWatch): SlicedWork<ByHand> {
    const byHand = new ByHand(town);
    const { octree, bodies, zones } = byHand;
    bodies.set(yield* partOf(insertSpheres(octree, town.spheres), 0, 0.5));
    byHand.readBands(town);
    for (let zone = 0; zone < zones.length; zone++) {
      byHand.readZone(zone);
      if (zone % ZONES_PER_STEP === 0) yield 0.5 + (zone / zones.length) * 0.5;
    }
    return byHand;
  }

  step(town: TownWatch): void {
    const { octree, bodies, zones } = this;
    const { spheres, walking } = town;
    const start = performance.now();
    octree.moveMany(bodies.subarray(0, walking), spheres.subarray(0, walking * 4));
    octree.update();
    for (let zone = 0; zone < zones.length; zone++) this.readZone(zone);
    this.readBands(town);
    this.milliseconds = performance.now() - start;
  }

  private readZone(zone: number): void {
    const { octree, list } = this;
    const before = this.inside[zone] ?? NO_INDICES;
    const count = octree.collectBox(this.zones[zone], list);
    // The query may have replaced the array by a longer one.
    const now = new Set(list.array.subarray(0, count));
    for (const index of now) if (!before.has(index)) this.entered++;
    for (const index of before) if (!now.has(index)) this.left++;
    this.inside[zone] = now;
  }

  private readBands({ player }: TownWatch): void {
    const { octree, list } = this;
    const bandOf = new Uint8Array(this.bandOf.length).fill(BANDS.length);
    for (let band = BANDS.length - 1; band >= 0; band--) {
      const count = octree.collectSphere(
        { center: { x: player.x, y: PERSON_HEIGHT, z: player.z }, radius: BANDS[band] },
        list,
      );
      for (let k = 0; k < count; k++) bandOf[list.array[k]] = band;
    }
    for (const [index, band] of bandOf.entries()) if (band !== this.bandOf[index]) this.changed++;
    this.bandOf = bandOf;
  }
}
