import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ServerByHand } from '../../examples/server/by-hand.ts';
import { NEAR, Server, type Tell } from '../../examples/server/server.ts';
import { type Player, World } from '../../examples/server/world.ts';
import { validate } from '../../src/debug/index.ts';
import { createRandom } from '../support/random.ts';

/** Collects events as sorted text; the order of a pair does not count, except for hits. */
function recorder(): { lines: () => string[]; tell: Tell } {
  const lines: string[] = [];
  return {
    lines: () => lines.sort(),
    tell: (event, { id }, other) =>
      lines.push(
        `${event} ${(event === 'hit' ? [id, other?.id ?? 'wall'] : [id, other!.id].sort((a, b) => a - b)).join(' ')}`,
      ),
  };
}

const isHit = (line: string): boolean => line.startsWith('hit');
const areNear = (a: Player, b: Player): boolean =>
  // Most are not: this is fast.
  Math.abs(a.center.x - b.center.x) <= NEAR &&
  Math.hypot(a.center.x - b.center.x, a.center.y - b.center.y, a.center.z - b.center.z) <= NEAR;

const without = (all: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...all].filter((one) => !others.has(one));

describe('the server example', () => {
  // A small world is as dense as the full one only in walls; so more of its players than usual stand near each other.
  const world = new World(700, 2000, 60);
  const server = new Server(world.walls, world.players);
  const byHand = new ServerByHand(world.walls, world.players);

  it('tells in each tick who enters and leaves, who is seen, and what is hit: the same as a server by hand, and as a loop over all players', () => {
    let near = new Set<string>();
    const kinds = new Set<string>();
    let missedByHand = 0;
    for (let tick = 0; tick < 25; tick++) {
      const [own, other] = [recorder(), recorder()];
      server.tick(world.players, world.projectiles, own.tell);
      byHand.tick(world.players, world.projectiles, other.tell);
      // A ray misses what a projectile touches with its side; a cast does not.
      expect(own.lines().filter((line) => !isHit(line))).toEqual(other.lines().filter((line) => !isHit(line)));
      missedByHand += own.lines().filter(isHit).length - other.lines().filter(isHit).length;
      for (const line of own.lines()) kinds.add(line.split(' ')[0]);

      const now = new Set<string>();
      for (const a of world.players)
        for (const b of world.players) if (a.id < b.id && areNear(a, b)) now.add(`${a.id} ${b.id}`);
      expect(
        own
          .lines()
          .filter((line) => line.startsWith('enter'))
          .map((line) => line.slice(6)),
      ).toEqual([...now].filter((pair) => !near.has(pair)).sort());
      expect(
        own
          .lines()
          .filter((line) => line.startsWith('leave'))
          .map((line) => line.slice(6)),
      ).toEqual([...near].filter((pair) => !now.has(pair)).sort());
      near = now;
      world.tick(new Set());
    }
    expect([...kinds].sort()).toEqual(['enter', 'hit', 'leave', 'see']);
    expect(missedByHand).toBeGreaterThanOrEqual(0);
    expect([server.walls, server.bodies, server.interest].flatMap((octree) => validate(octree))).toEqual([]);
  });

  it('tells whom a player who leaves the game leaves, also one who has stood near no other player', () => {
    const { players, walls, projectiles } = new World(300, 10, 0);
    const game = new Server(walls, players);
    game.tick(players, projectiles, () => {});
    const leaving = players.find((one) => players.some((other) => other !== one && areNear(one, other)))!;
    const alone = players.find((one) => players.every((other) => other === one || !areNear(one, other)))!;
    const others = players.filter((one) => one !== leaving && areNear(one, leaving)).map(({ id }) => id);
    for (const player of [leaving, alone]) game.leave(players.indexOf(player));
    const { lines, tell } = recorder();
    game.tick(players, projectiles, tell);
    const left = others.map((id) => `leave ${[id, leaving.id].sort((a, b) => a - b).join(' ')}`);
    expect(lines().filter((line) => !line.startsWith('see'))).toEqual(left.sort());
    const later = recorder();
    game.tick(players, projectiles, later.tell);
    expect(later.lines().filter((line) => line.split(' ').includes(String(leaving.id)))).toEqual([]);
    expect([game.bodies.size, game.interest.size]).toEqual([298, 298]);
  });

  it('goes on if all players stand at one place: all see each other, by both servers', () => {
    const { players, walls } = new World(4, 10, 0);
    for (const { center } of players) Object.assign(center, { x: 500, y: 900, z: 500 });
    const [game, byHandGame] = [new Server(walls, players), new ServerByHand(walls, players)];
    for (let tick = 0; tick < 2; tick++) {
      const [own, other] = [recorder(), recorder()];
      game.tick(players, [], own.tell);
      byHandGame.tick(players, [], other.tell);
      expect(own.lines()).toEqual(other.lines());
      expect(own.lines().filter((line) => line.startsWith('see'))).toHaveLength(6);
    }
  });

  describe('with a reach', () => {
    const REACH = 1.1;
    const { players, walls } = new World(400, 6000, 0);
    const seenWith = (reach: number): Set<string> => {
      const { lines, tell } = recorder();
      new Server(walls, players, reach).tick(players, [], tell);
      return new Set(lines().filter((line) => line.startsWith('see')));
    };
    const random = createRandom(3);
    /** A random point within the reach of a player. */
    const near = ({ center: { x, y, z } }: Player): [number, number, number] => {
      const [dx, dy, dz] = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
      // On the surface, where the difference is largest.
      const scale = REACH / Math.hypot(dx, dy, dz);
      return [x + dx * scale, Math.max(0, y + dy * scale), z + dz * scale];
    };
    /** Whether a wall is between two points. */
    const isHidden = (from: number[], to: number[]): boolean => {
      for (let at = 0; at < walls.length; at += 6) {
        let [enter, leave] = [0, 1];
        for (let axis = 0; axis < 3; axis++) {
          const way = to[axis] - from[axis];
          const [a, b] = [(walls[at + axis] - from[axis]) / way, (walls[at + axis + 3] - from[axis]) / way];
          enter = Math.max(enter, Math.min(a, b));
          leave = Math.min(leave, Math.max(a, b));
        }
        if (enter <= leave) return true;
      }
      return false;
    };
    /** Pairs that see each other from some points within the reach, and are not among those that were told. */
    const missed = (told: Set<string>): number => {
      let count = 0;
      for (const [k, a] of players.entries())
        for (const b of players.slice(k + 1)) {
          if (!areNear(a, b) || told.has(`see ${[a.id, b.id].sort((x, y) => x - y).join(' ')}`)) continue;
          for (let trial = 0; trial < 20; trial++)
            if (!isHidden(near(a), near(b))) {
              count++;
              break;
            }
        }
      return count;
    };

    it('tells of all who could see each other from any points within it; still hides some', () => {
      const told = seenWith(REACH);
      expect(missed(told)).toBe(0);
      let pairs = 0;
      for (const [k, a] of players.entries()) for (const b of players.slice(k + 1)) if (areNear(a, b)) pairs++;
      expect(told.size).toBeLessThan(0.9 * pairs);
      // Lines between the centres alone hide too much, and so does half of the reach.
      expect(missed(seenWith(0))).toBeGreaterThan(0);
      expect(missed(seenWith(REACH / 2))).toBeGreaterThan(0);
    });

    it('tells the same from tick to tick as a new server; with an interval also whom it has told since then', () => {
      const INTERVAL = 4;
      const world = new World(1200, 6000, 0);
      const servers = [1, INTERVAL].map((interval) => new Server(world.walls, world.players, REACH, interval));
      /** What was told in the last ticks, without an interval. */
      const recent: Set<string>[] = [];
      let [changes, extra, nearInAll] = [0, 0, 0];
      for (let tick = 0; tick < 40; tick++) {
        const [each, seldom, fresh] = [...servers, new Server(world.walls, world.players, REACH)].map((server) => {
          const { lines, tell } = recorder();
          server.tick(world.players, [], tell);
          return new Set(lines().filter((line) => line.startsWith('see')));
        });
        expect(each).toEqual(fresh);
        expect(without(each, seldom)).toEqual([]);
        if (recent.length > 0) changes += without(each, recent[0]).length + without(recent[0], each).length;
        recent.unshift(each);
        recent.length = Math.min(recent.length, INTERVAL);
        expect([...seldom].filter((pair) => !recent.some((told) => told.has(pair)))).toEqual([]);
        extra += seldom.size - each.size;
        nearInAll += each.size;
        world.tick(new Set());
      }
      expect(changes).toBeGreaterThan(1000);
      expect(extra).toBeGreaterThan(0);
      expect(extra).toBeLessThan(0.1 * nearInAll);
    });
  });

  it('has at most 48 lines of code', () => {
    const lines = readFileSync('examples/server/server.ts', 'utf8')
      .split('\n')
      .map((line) => line.trim());
    expect(lines.filter((line) => line !== '' && !/^(\/\/|\/?\*)/.test(line)).length).toBeLessThanOrEqual(48);
  });
});
