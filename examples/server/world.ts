// The world of the server example, without any octree: players that walk, walls that stand, projectiles that fly.
// Metres and seconds.

import type { PointLike, SphereLike } from '../../src/core.ts';

export interface Player extends SphereLike {
  readonly id: number;
  readonly center: { x: number; y: number; z: number };
  readonly velocity: { x: number; z: number };
}

export interface Projectile {
  readonly owner: Player;
  readonly sphere: { center: { x: number; y: number; z: number }; radius: number };
  /** The vector by which it moves in the next tick. */
  readonly motion: { x: number; y: number; z: number };
}

/** Edge of the world. */
const EDGE = 4000;
export const WALKING_SPEED = 6;
const PROJECTILE_SPEED = 800;
export const TICK_SECONDS = 0.1;

export class World {
  /** Boxes: min x y z, max x y z. */
  readonly walls: Float64Array;
  readonly players: Player[];
  readonly projectiles: Projectile[];
  private seed: number;

  constructor(players: number, walls: number, projectiles: number, seed = 1) {
    this.seed = seed;
    this.walls = new Float64Array(walls * 6);
    for (let wall = 0; wall < walls; wall++) {
      const [x, z, width, depth, height] = [
        this.between(0, EDGE),
        this.between(0, EDGE),
        this.between(2, 12),
        this.between(2, 12),
        this.between(3, 20),
      ];
      this.walls.set([x - width / 2, 0, z - depth / 2, x + width / 2, height, z + depth / 2], wall * 6);
    }
    this.players = Array.from({ length: players }, (_, id) => {
      const angle = this.between(0, 2 * Math.PI);
      const velocity = { x: WALKING_SPEED * Math.cos(angle), z: WALKING_SPEED * Math.sin(angle) };
      return { id, center: { x: this.between(0, EDGE), y: 1, z: this.between(0, EDGE) }, radius: 0.5, velocity };
    });
    this.projectiles = Array.from({ length: projectiles }, () => this.fire());
  }

  /** Moves the players; a projectile that has hit, or has flown for long, is fired again. */
  tick(hasHit: ReadonlySet<Player>): void {
    for (const { center, velocity } of this.players) {
      for (const axis of ['x', 'z'] as const) {
        center[axis] += velocity[axis] * TICK_SECONDS;
        if (center[axis] < 0 || center[axis] > EDGE) velocity[axis] = -velocity[axis];
      }
    }
    for (const [
      k,
      {
        owner,
        sphere: { center },
        motion,
      },
    ] of this.projectiles.entries()) {
      if (hasHit.has(owner) || this.between(0, 1) < 0.1) this.projectiles[k] = this.fire();
      else for (const axis of ['x', 'y', 'z'] as const) center[axis] += motion[axis];
    }
  }

  private fire(): Projectile {
    const owner = this.players[Math.floor(this.between(0, this.players.length))];
    const angle = this.between(0, 2 * Math.PI);
    const step = PROJECTILE_SPEED * TICK_SECONDS;
    return {
      owner,
      sphere: { center: { ...owner.center }, radius: 0.1 },
      motion: { x: step * Math.cos(angle), y: 0, z: step * Math.sin(angle) },
    };
  }

  /** A pseudo-random number, the same in each run. */
  private between(low: number, high: number): number {
    this.seed = (Math.imul(this.seed, 1_664_525) + 1_013_904_223) >>> 0;
    return low + ((high - low) * this.seed) / 4_294_967_296;
  }
}

/**
 * Walls with `depth` less on all sides but the lowest, because they stand on the ground; those of which nothing is left
 * are missing. If the line between two points passes through such a wall, each line between two points above the ground
 * that are at most `depth` from these passes through the whole wall: it is nowhere farther than that from the first.
 */
export function erodedWalls(walls: Float64Array, depth: number): Float64Array {
  const eroded: number[] = [];
  for (let at = 0; at < walls.length; at += 6) {
    const [minX, minY, minZ, maxX, maxY, maxZ] = walls.subarray(at, at + 6);
    const wall = [minX + depth, minY - depth, minZ + depth, maxX - depth, maxY - depth, maxZ - depth];
    if (wall[0] <= wall[3] && wall[1] <= wall[4] && wall[2] <= wall[5]) eroded.push(...wall);
  }
  return new Float64Array(eroded);
}

/** Centre x y z and radius of each player, for `insertMany` and `moveMany`. */
export function spheresOf(players: readonly Player[], radius?: number): Float64Array {
  const spheres = new Float64Array(players.length * 4);
  for (const [k, { center, radius: own }] of players.entries()) {
    spheres[k * 4] = center.x;
    spheres[k * 4 + 1] = center.y;
    spheres[k * 4 + 2] = center.z;
    spheres[k * 4 + 3] = radius ?? own;
  }
  return spheres;
}

/** Rays from the first player of each pair to the second, for `castRays`: origin, direction and length. */
export function linesOfSight(pairs: readonly { readonly a: Player; readonly b: Player }[]): Float64Array {
  const rays = new Float64Array(pairs.length * 7);
  for (let k = 0, at = 0; k < pairs.length; k++, at += 7) {
    const { origin, direction, far } = lineOfSight(pairs[k].a, pairs[k].b);
    rays[at] = origin.x;
    rays[at + 1] = origin.y;
    rays[at + 2] = origin.z;
    rays[at + 3] = direction.x;
    rays[at + 4] = direction.y;
    rays[at + 5] = direction.z;
    rays[at + 6] = far;
  }
  return rays;
}

/**
 * A ray from one player to another, and its length. The same object each time. A ray needs a direction: between two
 * players at one place any will do, because the length is 0.
 */
export function lineOfSight(a: Player, b: Player): typeof line {
  const { origin, direction } = line;
  origin.x = a.center.x;
  origin.y = a.center.y;
  origin.z = a.center.z;
  direction.x = b.center.x - a.center.x;
  direction.y = b.center.y - a.center.y;
  direction.z = b.center.z - a.center.z;
  line.far = Math.sqrt(direction.x ** 2 + direction.y ** 2 + direction.z ** 2);
  if (line.far === 0) direction.x = 1;
  return line;
}
const line = { origin: { x: 0, y: 0, z: 0 }, direction: { x: 0, y: 0, z: 0 }, far: 0 } satisfies {
  origin: PointLike;
  direction: PointLike;
  far: number;
};
