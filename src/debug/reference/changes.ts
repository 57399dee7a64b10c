/**
 * Contacts, sensors and distance bands of the reference implementation: each compares the result of a whole query with
 * the result in the update before.
 */

/** Two indices, the smaller one first. */
export type ReferencePair = readonly [number, number];

/**
 * The overlapping pairs from update to update; by the smaller index, then the other.
 *
 * @example
 * ```ts
 * import { BruteForce, type ReferenceContacts } from 'scene-octree/debug';
 *
 * const reference = new BruteForce();
 * reference.setSphere(0, [0, 0, 0, 1]);
 * reference.setSphere(1, [1, 0, 0, 1]);
 * const contacts: ReferenceContacts = reference.trackContacts();
 * contacts.update();
 * console.log(contacts.began); // prints: [ [ 0, 1 ] ]
 * ```
 */
export class ReferenceContacts {
  /** Pairs that overlap now, but did not in the update before. */
  began: readonly ReferencePair[] = [];
  /** Pairs that overlapped in the update before, but do not now. */
  ended: readonly ReferencePair[] = [];
  /**
   * Pairs that overlap now and did in the update before, in the order of the list: new pairs are appended, and the last
   * pair takes the place of a pair that ends.
   */
  stayed: readonly ReferencePair[] = [];
  /** All pairs that overlap now, in the same order. */
  #current: ReferencePair[] = [];
  #pairs: readonly ReferencePair[] = [];
  readonly #query: () => readonly ReferencePair[];
  readonly #lasting: () => readonly ReferencePair[];

  /**
   * @param query The pairs that begin at this moment if they have not begun before, by the smaller index, then the
   *   other. The same array as in the last call if nothing has changed.
   * @param lasting The pairs that do not end at this moment if they have begun before. Default: the same.
   */
  constructor(query: () => readonly ReferencePair[], lasting: () => readonly ReferencePair[] = query) {
    this.#query = query;
    this.#lasting = lasting;
  }

  /** Compares the pairs of this moment with the pairs of the last call. */
  update(): void {
    const pairs = this.#query();
    if (pairs === this.#pairs) {
      if (this.began.length > 0) this.stayed = [...this.#current];
      this.began = this.ended = [];
      return;
    }
    this.#pairs = pairs;
    const keys = new Set(this.#lasting().map(keyOf));
    const before = new Set(this.#current.map(keyOf));
    this.ended = this.#current.filter((pair) => !keys.has(keyOf(pair))).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    this.began = pairs.filter((pair) => !before.has(keyOf(pair)));
    for (const pair of this.ended) {
      const position = this.#current.indexOf(pair);
      const last = this.#current.pop()!;
      if (last !== pair) this.#current[position] = last;
    }
    this.stayed = [...this.#current];
    this.#current.push(...this.began);
  }

  /** Forgets all pairs. */
  clear(): void {
    this.began = this.ended = this.stayed = this.#current = [];
    this.#pairs = [];
  }
}

/**
 * The results of a query from update to update, by ascending index.
 *
 * @example
 * ```ts
 * import { BruteForce, type ReferenceSensor } from 'scene-octree/debug';
 *
 * const reference = new BruteForce();
 * reference.setSphere(0, [0, 0, 0, 1]);
 * const sensor: ReferenceSensor = reference.watch(() => reference.point([0, 0, 0]));
 * sensor.update();
 * console.log(sensor.entered); // prints: [ 0 ]
 * ```
 */
export class ReferenceSensor {
  /** Indices that came since the last update, ascending. */
  entered: readonly number[] = [];
  /** Indices that left since the last update, ascending. */
  left: readonly number[] = [];
  /** All indices of now, ascending. */
  inside: readonly number[] = [];
  readonly #query: () => readonly { readonly index: number }[];
  #found: readonly { readonly index: number }[] = [];

  /** @param query The results at this moment. The same array as in the last call if nothing has changed. */
  constructor(query: () => readonly { readonly index: number }[]) {
    this.#query = query;
  }

  /** Compares the results of this moment with the results of the last call. */
  update(): void {
    const found = this.#query();
    if (found === this.#found) {
      this.entered = this.left = [];
      return;
    }
    this.#found = found;
    const before = new Set(this.inside);
    const inside = found.map(({ index }) => index).sort((a, b) => a - b);
    const now = new Set(inside);
    this.entered = inside.filter((index) => !before.has(index));
    this.left = this.inside.filter((index) => !now.has(index));
    this.inside = inside;
  }

  /** Forgets all bodies. */
  clear(): void {
    this.#found = this.entered = this.left = this.inside = [];
  }
}

/** A body whose band of distance has changed: index, band before, band now. */
export type ReferenceBandChange = readonly [number, number, number];

/**
 * The band of distance of each body from update to update, by ascending index. A body beyond the last distance is in
 * the band `distances.length`.
 *
 * @example
 * ```ts
 * import { ReferenceBands } from 'scene-octree/debug';
 *
 * const bands = new ReferenceBands([10, 50], 0, (distance) => (distance < 50 ? [] : [{ index: 0 }]));
 * bands.update();
 * console.log(bands.changed); // prints: [ [ 0, 2, 1 ] ]
 * ```
 */
export class ReferenceBands {
  /** The bodies whose band has changed since the update before, by index. */
  changed: readonly ReferenceBandChange[] = [];
  /** Indices in nearer bands than the last one, ascending. */
  inside: readonly number[] = [];
  readonly #distances: readonly number[];
  readonly #hysteresis: number;
  readonly #query: (distance: number) => readonly { readonly index: number }[];
  /** Bands of the bodies in `inside`. */
  #bands: ReadonlyMap<number, number> = new Map<number, number>();
  /** Results of the query in the last update: for each distance, then for each distance times (1 - hysteresis). */
  #found: readonly (readonly { readonly index: number }[])[] = [];

  /**
   * @param query The bodies within a distance at this moment. The same array as in the last call for this distance if
   *   nothing has changed.
   */
  constructor(
    distances: readonly number[],
    hysteresis: number,
    query: (distance: number) => readonly { readonly index: number }[],
  ) {
    this.#distances = distances;
    this.#hysteresis = hysteresis;
    this.#query = query;
  }

  /** A body goes to a farther band beyond a distance, and comes back within (1 - hysteresis) times the distance. */
  update(): void {
    const last = this.#distances.length;
    const found = [...this.#distances, ...this.#distances.map((distance) => distance * (1 - this.#hysteresis))].map(
      (distance) => this.#query(distance),
    );
    if (found.every((results, k) => results === this.#found[k])) {
      this.changed = [];
      return;
    }
    this.#found = found;
    const within = found.map((results) => new Set(results.map(({ index }) => index)));
    const [near, back] = [within.slice(0, last), within.slice(last)];
    const before = this.#bands;
    const bands = new Map<number, number>();
    for (const index of near[last - 1]) {
      let band = before.get(index) ?? last;
      while (band < last && !near[band].has(index)) band++;
      while (band > 0 && back[band - 1].has(index)) band--;
      if (band < last) bands.set(index, band);
    }
    const indices = [...new Set([...before.keys(), ...bands.keys()])].sort((a, b) => a - b);
    this.changed = indices
      .map((index) => [index, before.get(index) ?? last, bands.get(index) ?? last] as const)
      .filter(([, from, to]) => from !== to);
    this.inside = indices.filter((index) => bands.has(index));
    this.#bands = bands;
  }

  /** Forgets all bodies. */
  clear(): void {
    this.changed = this.inside = this.#found = [];
    this.#bands = new Map();
  }
}

/** A different number for each pair of indices below 2^26. */
function keyOf([index, other]: ReferencePair): number {
  return index * 2 ** 26 + other;
}
