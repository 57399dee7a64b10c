// The same server without tracked contacts, ray bundles and shape casts: one query per player finds who is near, and
// is compared with the tick before. Projectiles are points. It is there only to compare times and events.

import { IndexList, Octree } from '../../src/core.ts';
import { NEAR, type Tell } from './server.ts';
import { lineOfSight, type Player, type Projectile, spheresOf } from './world.ts';

const WALLS = 1;
const PLAYERS = 2;

export class ServerByHand {
  readonly octree = new Octree<Player | null>();
  private readonly bodies: Uint32Array;
  private readonly list = new IndexList();
  /** Pairs near each other in the last tick: the smaller id times the number of players, plus the other. */
  private near = new Set<number>();

  constructor(walls: Float64Array, players: readonly Player[]) {
    this.octree.insertMany(walls, { kind: 'box', mask: WALLS, isStatic: true });
    this.bodies = this.octree.insertMany(spheresOf(players), { kind: 'sphere', mask: PLAYERS, data: players });
  }

  tick(players: readonly Player[], projectiles: readonly Projectile[], tell: Tell): void {
    const { octree, list } = this;
    octree.moveMany(this.bodies, spheresOf(players));
    octree.update();
    const near = new Set<number>();
    for (const player of players) {
      const count = octree.collectSphere({ center: player.center, radius: NEAR }, list, { mask: PLAYERS });
      for (let k = 0; k < count; k++) {
        const other = octree.dataAt(list.array[k])!;
        if (other.id > player.id && lineOfSight(player, other).far <= NEAR)
          near.add(player.id * players.length + other.id);
      }
    }
    for (const pair of near) if (!this.near.has(pair)) tell('enter', ...playersOf(pair, players));
    for (const pair of this.near) if (!near.has(pair)) tell('leave', ...playersOf(pair, players));
    this.near = near;
    for (const pair of near) {
      const [a, b] = playersOf(pair, players);
      const ray = lineOfSight(a, b);
      if (octree.firstHit(ray, { far: ray.far, mask: WALLS }) === null) tell('see', a, b);
    }
    for (const {
      sphere: { center },
      motion,
      owner,
    } of projectiles) {
      const far = Math.sqrt(motion.x ** 2 + motion.y ** 2 + motion.z ** 2);
      const hit = octree.firstHit(
        { origin: center, direction: motion },
        { far, mask: WALLS | PLAYERS, filter: ({ data }) => data !== owner },
      );
      if (hit !== null) tell('hit', owner, hit.body.data);
    }
  }
}

const playersOf = (pair: number, players: readonly Player[]): [Player, Player] => [
  players[Math.floor(pair / players.length)],
  players[pair % players.length],
];
