// What the page would do without sensors: in every step a query for each zone and each band, and a comparison with the
// results of the step before. It is there only to compare times and results.

import { type BoxLike, IndexList, Octree } from '../../../src/index.ts';
import { BANDS, PERSON_HEIGHT, type TownWatch } from './town-watch.ts';

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
  private inside: Set<number>[];
  private bandOf: Uint8Array;

  constructor({ zones, spheres }: TownWatch) {
    this.zones = zones;
    this.bodies = this.octree.insertMany(spheres, { kind: 'sphere' });
    this.inside = zones.map(() => new Set());
    this.bandOf = new Uint8Array(this.bodies.length).fill(BANDS.length);
  }

  step({ spheres, player, walking }: TownWatch): void {
    const start = performance.now();
    const { octree, list } = this;
    octree.moveMany(this.bodies.subarray(0, walking), spheres.subarray(0, walking * 4));
    octree.update();
    this.inside = this.inside.map((before, zone) => {
      const count = octree.collectBox(this.zones[zone], list);
      // The query may have replaced the array by a longer one.
      const now = new Set(list.array.subarray(0, count));
      for (const index of now) if (!before.has(index)) this.entered++;
      for (const index of before) if (!now.has(index)) this.left++;
      return now;
    });
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
    this.milliseconds = performance.now() - start;
  }
}
