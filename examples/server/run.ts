// Runs both servers on the same world, tick by tick in turn, and prints the median time of a tick of each:
// `npm run server`.

import { ServerByHand } from './by-hand.ts';
import { Server } from './server.ts';
import { type Player, World } from './world.ts';

const TICKS = 100;
/** Ticks before the first one that is measured: during these the engine compiles the code. */
const WARM_UP = 60;

const world = new World(5000, 20_000, 500);
const servers = [new Server(world.walls, world.players), new ServerByHand(world.walls, world.players)];
const times: number[][] = [[], []];
const events = { enter: 0, leave: 0, see: 0, hit: 0 };

for (let tick = 0; tick < WARM_UP + TICKS; tick++) {
  const hasHit = new Set<Player>();
  for (const k of tick % 2 === 0 ? [0, 1] : [1, 0]) {
    const start = performance.now();
    servers[k].tick(world.players, world.projectiles, (event, player) => {
      if (k === 1) return;
      events[event]++;
      if (event === 'hit') hasHit.add(player);
    });
    if (tick >= WARM_UP) times[k].push(performance.now() - start);
  }
  world.tick(hasHit);
}

const [server, byHand] = times.map((list) => list.sort((a, b) => a - b)[list.length >> 1]);
const perTick = Object.entries(events)
  .map(([event, count]) => `${event} ${Math.round(count / (WARM_UP + TICKS))}`)
  .join(', ');
console.log(`5,000 players, 20,000 walls, 500 projectiles; events a tick: ${perTick}`);
console.log(
  `a tick: ${server.toFixed(1)} ms; by hand ${byHand.toFixed(1)} ms, ${(byHand / server).toFixed(1)} times as much`,
);
