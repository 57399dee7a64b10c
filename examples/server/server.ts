// A game server: who comes near whom and who leaves, who sees whom, and what projectiles hit, ten times a second. A
// project imports from 'scene-octree/core'.
import { castSphere, idsOf, moveManyById, Octree, removeManyById, trackContacts } from '../../src/core.ts';
import { Sight } from './sight.ts';
import { type Player, type Projectile, spheresOf } from './world.ts';

/**
 * Distance up to which two players are near each other, in metres: as long as two spheres with half of it as radius
 * touch.
 */
export const NEAR = 100;
/** What clients are told; `other` is null for a wall. */
export type Tell = (event: 'enter' | 'leave' | 'see' | 'hit', player: Player, other: Player | null) => void;

export class Server {
  /** Walls never move. They have an octree of their own, so that rays between players need not pass any player. */
  readonly walls = new Octree();
  readonly bodies = new Octree<Player>();
  /**
   * One sphere per player, with a radius of half of `NEAR`. They have an octree of their own, so that casts need not
   * pass them.
   */
  readonly interest = new Octree<Player>();
  private readonly sight: Sight;
  private readonly near = trackContacts(this.interest);
  private readonly ids: Float64Array;
  private readonly interestIds: Float64Array;

  /**
   * @param reach How far from the centres of two players the eye of one and any point of the other may be until the
   *   next message arrives: radius plus speed times latency. Two players who might see each other by then are told. 0:
   *   two who see the centre of each other now.
   * @param interval Ticks after which two players in view of each other are tested again. Until then they are told.
   */
  constructor(walls: Float64Array, players: readonly Player[], reach = 0, interval = 1) {
    this.walls.insertMany(walls, { kind: 'box', isStatic: true });
    this.sight = new Sight(walls, reach, interval);
    const indices = this.bodies.insertMany(spheresOf(players), { kind: 'sphere', data: players });
    const interests = this.interest.insertMany(spheresOf(players, NEAR / 2), { kind: 'sphere', data: players });
    [this.ids, this.interestIds] = [idsOf(this.bodies, indices), idsOf(this.interest, interests)];
  }

  /** Player `k` leaves the game. The next tick tells who was near. */
  leave(k: number): void {
    removeManyById(this.bodies, this.ids.subarray(k, k + 1));
    removeManyById(this.interest, this.interestIds.subarray(k, k + 1));
  }

  /** @param players All, as in the constructor. Those who have left the game are skipped. */
  tick(players: readonly Player[], projectiles: readonly Projectile[], tell: Tell): void {
    moveManyById(this.bodies, this.ids, spheresOf(players));
    this.bodies.update();
    moveManyById(this.interest, this.interestIds, spheresOf(players, NEAR / 2));
    this.interest.update();
    const { began, ended } = this.near;
    // `near.bodyAt` also knows players who have left since the last tick; `interest.dataAt` would throw.
    const dataAt = (index: number) => this.near.bodyAt(index).data;
    const forEachPair = ({ array, length }: typeof began, act: (a: Player, b: Player) => void) => {
      for (let k = 0; k < length; k += 2) act(dataAt(array[k]), dataAt(array[k + 1]));
    };
    forEachPair(began, (a, b) => this.sight.add(a, b));
    forEachPair(ended, (a, b) => this.sight.delete(a, b));
    forEachPair(began, (a, b) => tell('enter', a, b));
    forEachPair(ended, (a, b) => tell('leave', a, b));
    this.sight.update((a, b) => tell('see', a, b));
    for (const { sphere, motion, owner } of projectiles) {
      const wall = castSphere(this.walls, sphere, motion);
      const hit = castSphere(this.bodies, sphere, motion, { filter: ({ data }) => data !== owner });
      if (hit !== null && (wall === null || hit.time < wall.time)) tell('hit', owner, hit.body.data);
      else if (wall !== null) tell('hit', owner, null);
    }
  }
}
