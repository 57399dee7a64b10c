// A game server: who comes near whom and who leaves, who sees whom, and what projectiles hit, ten times a second. A project imports from 'scene-octree/core'.
import { Octree } from '../../src/core.ts';
import { linesOfSight, type Player, type Projectile, spheresOf } from './world.ts';

const [WALLS, PLAYERS] = [1, 2];
/** Two spheres of half this distance touch as long as their players are near each other. */
export const NEAR = 100;
/** What clients are told; `other` is null for a wall. */
export type Tell = (event: 'enter' | 'leave' | 'see' | 'hit', player: Player, other: Player | null) => void;

export class Server {
  readonly octree = new Octree<Player | null>();
  /** An octree of its own: rays and casts need not pass the large spheres. */
  readonly interest = new Octree<Player>();
  private readonly near = this.interest.trackContacts();
  private readonly bodies: Uint32Array;
  private readonly interests: Uint32Array;
  constructor(walls: Float64Array, players: readonly Player[]) {
    this.octree.insertMany(walls, { kind: 'box', mask: WALLS, isStatic: true });
    this.bodies = this.octree.insertMany(spheresOf(players), { kind: 'sphere', mask: PLAYERS, data: players });
    this.interests = this.interest.insertMany(spheresOf(players, NEAR / 2), { kind: 'sphere', data: players });
  }

  tick(players: readonly Player[], projectiles: readonly Projectile[], tell: Tell): void {
    const { octree, interest } = this;
    octree.moveMany(this.bodies, spheresOf(players));
    octree.update();
    interest.moveMany(this.interests, spheresOf(players, NEAR / 2));
    interest.update();
    const { began, stayed, ended } = this.near;
    const forEachPair = ({ array, length }: typeof began, act: (a: Player, b: Player) => void) => {
      for (let k = 0; k < length; k += 2) act(interest.dataAt(array[k]), interest.dataAt(array[k + 1]));
    };
    forEachPair(began, (a, b) => tell('enter', a, b));
    forEachPair(ended, (a, b) => tell('leave', a, b));
    const pairs: [Player, Player][] = [];
    for (const list of [began, stayed]) forEachPair(list, (a, b) => pairs.push([a, b]));
    const hits = { indices: new Int32Array(pairs.length), distances: new Float64Array(pairs.length) };
    octree.castRays(linesOfSight(pairs), hits, { mask: WALLS });
    for (const [k, [a, b]] of pairs.entries()) if (hits.indices[k] < 0) tell('see', a, b);
    for (const { sphere, motion, owner } of projectiles) {
      const hit = octree.castSphere(sphere, motion, { mask: WALLS | PLAYERS, filter: ({ data }) => data !== owner });
      if (hit !== null) tell('hit', owner, hit.body.data);
    }
  }
}
