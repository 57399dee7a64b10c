/** Sorts lists of bodies by distance, and keeps their bands of distance, on the octree and on the reference. */
import { assignBands, IndexList, type Octree, sortByDistance } from '../../src/index.ts';
import type { BruteForce } from '../../src/debug/reference/brute-force.ts';
import { point } from './shapes.ts';

/** More than a history has indices. */
const MAX_INDICES = 1000;
const DISTANCES = [0, 1, 2, 100, 1e6];
const HYSTERESIS = 0.25;

export class DistanceTwin {
  readonly #list = new IndexList();
  /** Bands by index, of the last call for each. */
  readonly #bands = new Uint8Array(MAX_INDICES);

  /** Sorts the bodies and updates their bands, and throws unless both sides are equal. */
  expect(octree: Octree<number>, bruteForce: BruteForce, indices: ArrayLike<number>, from: readonly number[]): void {
    const list = this.#list;
    list.length = 0;
    for (let k = 0; k < indices.length; k++) list.push(indices[k]);
    sortByDistance(octree, list, point(from));
    const expected = bruteForce.sortByDistance(Array.from(indices), from);
    const { array, length } = list;
    if (length !== expected.length || expected.some((index, k) => array[k] !== index))
      throw new Error(`sorted by distance [${array.subarray(0, length).join(' ')}], expected [${expected.join(' ')}]`);
    const bands = this.#bands.slice();
    const changes = assignBands(octree, list, point(from), DISTANCES, this.#bands, HYSTERESIS);
    let expectedChanges = 0;
    for (const index of expected) {
      const band = bruteForce.bandOf(index, from, DISTANCES, bands[index], HYSTERESIS);
      if (band !== bands[index]) expectedChanges++;
      bands[index] = band;
    }
    let isSame = changes === expectedChanges;
    for (let index = 0; index < MAX_INDICES; index++) isSame &&= bands[index] === this.#bands[index];
    if (isSame) return;
    throw new Error(
      `${changes} changes of bands, expected ${expectedChanges}; bands [${expected.map((index) => this.#bands[index]).join(' ')}], expected [${expected.map((index) => bands[index]).join(' ')}]`,
    );
  }
}
