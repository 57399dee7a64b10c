// What the page knows of the city before it has loaded a tile.

export interface CityFacts {
  readonly houses: number;
  readonly tiles: number;
  /** Bytes before the first picture: the tree of tiles, and its root. */
  readonly first: number;
  /** Bytes of all leaves: the whole city, each house once and exact, as one file would have it. */
  readonly whole: number;
}
