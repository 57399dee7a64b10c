// Which players near each other may see each other. The answers are kept from tick to tick: the wall that hid a pair
// is tried before all others, and a pair in view is tested again only after some ticks.

import { castRays, Octree } from '../../src/core.ts';
import { erodedWalls, linesOfSight, type Player } from './world.ts';

interface Pair {
  readonly a: Player;
  readonly b: Player;
  /** What hid the pair when it was tested last: an index of `cover`, `IN_VIEW`, or `UNTESTED`. */
  wall: number;
  /** Of all pairs in view, those with a turn are tested again in a tick. */
  readonly turn: number;
}

/** The first is what `castRays` gives for no hit. */
const IN_VIEW = -1;
const UNTESTED = -2;

export class Sight {
  /** What surely hides a player from another: the walls, less the reach on all sides. */
  readonly cover = new Octree();
  /** The same by index. */
  private readonly boxes: Float64Array;
  private readonly pairs = new Map<number, Pair>();
  private readonly interval: number;
  private tick = 0;

  /**
   * @param reach How far from the centre of a player its eye, and any point of it, may be.
   * @param interval Ticks after which a pair in view is tested again. Until then it counts as in view, so that nothing
   *   is hidden too late, and some of what is hidden now is told.
   */
  constructor(walls: Float64Array, reach: number, interval: number) {
    const eroded = erodedWalls(walls, reach);
    this.boxes = new Float64Array(eroded.length);
    const indices = this.cover.insertMany(eroded, { kind: 'box', isStatic: true });
    indices.forEach((index, k) => this.boxes.set(eroded.subarray(6 * k, 6 * k + 6), 6 * index));
    this.interval = interval;
  }

  /** Two players have come near each other. */
  add(a: Player, b: Player): void {
    this.pairs.set(keyOf(a, b), { a, b, wall: UNTESTED, turn: this.pairs.size % this.interval });
  }

  delete(a: Player, b: Player): void {
    this.pairs.delete(keyOf(a, b));
  }

  /** Calls back for each pair that may see each other. Call it once in each tick, after the players have moved. */
  update(see: (a: Player, b: Player) => void): void {
    const { pairs, boxes } = this;
    const turn = this.tick++ % this.interval;
    const due: Pair[] = [];
    for (const pair of pairs.values())
      if (pair.wall === IN_VIEW ? pair.turn === turn : pair.wall === UNTESTED || !crosses(pair, boxes, 6 * pair.wall))
        due.push(pair);
    const hits = { indices: new Int32Array(due.length), distances: new Float64Array(due.length) };
    castRays(this.cover, linesOfSight(due), hits);
    for (const [k, pair] of due.entries()) pair.wall = hits.indices[k];
    for (const { a, b, wall } of pairs.values()) if (wall === IN_VIEW) see(a, b);
  }
}

/**
 * Whether the line between the centres of two players passes through the inside of a box, so that a ray hits it, too.
 * In doubt it does not.
 */
function crosses({ a: { center: from }, b: { center: to } }: Pair, boxes: Float64Array, at: number): boolean {
  const [x, y, z] = [to.x - from.x, to.y - from.y, to.z - from.z];
  const [x0, x1] = [(boxes[at] - from.x) / x, (boxes[at + 3] - from.x) / x];
  const [y0, y1] = [(boxes[at + 1] - from.y) / y, (boxes[at + 4] - from.y) / y];
  const [z0, z1] = [(boxes[at + 2] - from.z) / z, (boxes[at + 5] - from.z) / z];
  const enter = Math.max(0, Math.min(x0, x1), Math.min(y0, y1), Math.min(z0, z1));
  return enter < Math.min(1, Math.max(x0, x1), Math.max(y0, y1), Math.max(z0, z1));
}

const keyOf = ({ id: a }: Player, { id: b }: Player): number => Math.min(a, b) * 2 ** 26 + Math.max(a, b);
