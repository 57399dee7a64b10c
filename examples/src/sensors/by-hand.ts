// What the page would do without sensors: in every step a query for each zone and each band, and a comparison with the
// results of the step before. It is there only to compare times and results.

import { type BoxLike, IndexList, Octree } from '../../../src/index.ts';
import type { SlicedWork } from '../shared/slices.ts';
import { BANDS, PERSON_HEIGHT, PORTIONS, type TownWatch } from './town-watch.ts';

const NOBODY: ReadonlySet<number> = new Set();

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

  /** Adds people and zones in the portions of the town. @param town Before its first step. */
  static *build(town: TownWatch): SlicedWork<ByHand> {
    const byHand = new ByHand(town);
    const { octree, bodies, zones } = byHand;
    for (let from = 0; from < bodies.length; from += PORTIONS.people) {
      const spheres = town.spheres.subarray(from * 4, (from + PORTIONS.people) * 4);
      bodies.set(octree.insertMany(spheres, { kind: 'sphere' }), from);
      octree.update();
      yield (from / bodies.length) * 0.5;
    }
    byHand.readBands(town);
    for (let zone = 0; zone < zones.length; zone++) {
      byHand.readZone(zone, NOBODY);
      if (zone % PORTIONS.zones === 0) yield 0.5 + (zone / zones.length) * 0.5;
    }
    return byHand;
  }

  step(town: TownWatch): void {
    const { octree, bodies, inside } = this;
    const { spheres, walking } = town;
    const start = performance.now();
    octree.moveMany(bodies.subarray(0, walking), spheres.subarray(0, walking * 4));
    octree.update();
    for (const [zone, before] of inside.entries()) this.readZone(zone, before);
    this.readBands(town);
    this.milliseconds = performance.now() - start;
  }

  private readZone(zone: number, before: ReadonlySet<number>): void {
    const { octree, list } = this;
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
