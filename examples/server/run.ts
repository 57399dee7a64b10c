// Runs three servers on the same world, tick by tick in turn, and prints the median time of a tick of each: the server,
// the server that tells of players until they are surely hidden, and the one by hand. `npm run server`.

import { ServerByHand } from './by-hand.ts';
import { Server } from './server.ts';
import { type Player, WALKING_SPEED, World } from './world.ts';

const TICKS = 100;
/** Ticks before the first one that is measured: during these the engine compiles the code. */
const WARM_UP = 60;

/** Time until a message has arrived, and the next one could change it, in seconds. */
const LATENCY = 0.1;
/** Ticks after which players in view are tested again. */
const INTERVAL = 4;
/** What a client is sent of another player that it may see: id, position, velocity. */
const BYTES = 24;

const world = new World(5000, 20_000, 500);
const { walls, players } = world;
const servers = [
  new Server(walls, players),
  new Server(walls, players, players[0].radius + WALKING_SPEED * LATENCY, INTERVAL),
  new ServerByHand(walls, players),
];
const times: number[][] = [[], [], []];
/** Of the second server. */
const events = { enter: 0, leave: 0, see: 0, hit: 0 };
/** Pairs that are near each other, now and summed over the ticks, and those of which no centre hides the other. */
let near = 0;
let nearInAll = 0;
let seenNow = 0;

for (let tick = 0; tick < WARM_UP + TICKS; tick++) {
  const hasHit = new Set<Player>();
  for (const k of [tick % 3, (tick + 1) % 3, (tick + 2) % 3]) {
    const start = performance.now();
    servers[k].tick(players, world.projectiles, (event, player) => {
      if (k === 0 && event === 'see') seenNow++;
      if (k !== 1) return;
      events[event]++;
      if (event === 'enter') near++;
      if (event === 'leave') near--;
      if (event === 'hit') hasHit.add(player);
    });
    if (tick >= WARM_UP) times[k].push(performance.now() - start);
  }
  nearInAll += near;
  world.tick(hasHit);
}

const [server, widened, byHand] = times.map((list) => list.sort((a, b) => a - b)[list.length >> 1]);
const perTick = (count: number): number => Math.round(count / (WARM_UP + TICKS));
const kilobytes = (pairs: number): string => `${Math.round((perTick(pairs) * 2 * BYTES) / 1000)} kB`;
console.log(
  `5,000 players, 20,000 walls, 500 projectiles; a tick: enter ${perTick(events.enter)}, leave ${perTick(events.leave)}, hit ${perTick(events.hit)}`,
);
console.log(
  `pairs near each other ${perTick(nearInAll)}, of which see each other ${perTick(seenNow)}, may see each other within ${1000 * LATENCY} ms ${perTick(events.see)}`,
);
console.log(
  `sent to clients in a tick: ${kilobytes(events.see)}; without walls ${kilobytes(nearInAll)}, ${Math.round(100 * (1 - events.see / nearInAll))} % less`,
);
console.log(
  `a tick: ${server.toFixed(1)} ms, with the latency ${widened.toFixed(1)} ms; by hand ${byHand.toFixed(1)} ms, ${(byHand / server).toFixed(1)} times as much`,
);
