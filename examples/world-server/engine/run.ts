// Starts the world and checks it. `npm run room` and `npm run regions`; `-- kill` kills a region meanwhile, `-- page`
// serves a page that joins. All that is started listens on 127.0.0.1 only, and ends with this process.

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Layout, regionAt } from '../borders.ts';
import { Bot } from './bots.ts';
import { ENTITY_BYTES, readEntities } from '../messages.ts';
import { servePage } from './page-server.ts';
import type { Report, Settings } from '../settings.ts';
import { faultsOf, Recorder } from '../recorder.ts';
import { freePort, type OwnRedis, startRedis } from './redis.ts';
import { hiddenBy } from '../sight-check.ts';
import type { Answer, Order } from './serve.ts';
import { createEntities, type Entity, WORLD } from '../world.ts';

/** Ends everything, whatever hangs, in milliseconds. */
const LONGEST = 600_000;
/** The region that `-- kill` kills. */
const KILLED = 1;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    entities: { type: 'string' },
    players: { type: 'string' },
    bots: { type: 'string' },
    ticks: { type: 'string' },
    ms: { type: 'string' },
    step: { type: 'string' },
    margin: { type: 'string' },
    silence: { type: 'string' },
    walls: { type: 'string' },
    edge: { type: 'string' },
  },
});
const [mode = 'room', ...wishes] = positionals;
const isRegions = mode === 'regions';
const hasPage = wishes.includes('page');
const kills = wishes.includes('kill');

/** An option as a number within limits. */
function option(name: keyof typeof values, standard: number, least: number, most: number): number {
  const value = Number(values[name] ?? standard);
  if (value >= least && value <= most) return value;
  throw new RangeError(`--${name} must be ${least} to ${most}, but is ${values[name]}.`);
}

const walls = isRegions ? 0 : option('walls', 0, 0, 50_000);
// With walls all stand on the ground; on the page, too, so that its circle is right.
const size = {
  ...WORLD,
  height: walls === 0 && !hasPage ? WORLD.height : 2,
  step: option('step', isRegions ? 3.6 : WORLD.step, 0, 20),
  edge: option('edge', WORLD.edge, 400, 8000),
};
const ticks = option('ticks', hasPage ? 3000 : isRegions ? 200 : 100, 20, 5000);
const settings: Settings = {
  size,
  entities: option('entities', 5000, 4, 50_000),
  players: option('players', 550, 1, 2000),
  walls,
  tickMs: option('ms', isRegions ? 300 : 100, 20, 5000),
  seed: 1,
  silence: option('silence', 2000, 200, 20_000),
  margin: option('margin', size.radius * (1 + size.hysteresis) + 2 * size.step + 20, 0, 2000),
};
// Fewer than players, so that each bot finds one in the region that it asks first.
const botCount = option('bots', Math.round(settings.players / 1.1), 0, settings.players);
const layout: Layout = { columns: 2, rows: 2, edge: size.edge };
const regions = isRegions ? [0, 1, 2, 3] : [0];
const names = isRegions ? regions.map((region) => `region${region}`) : ['world'];

const children: (ChildProcess | undefined)[] = [];
let redis: OwnRedis | undefined;
let isEnding = false;
function end(code: number): never {
  isEnding = true;
  for (const child of children) child?.kill('SIGKILL');
  redis?.stop();
  process.exit(code);
}
setTimeout(() => {
  console.error(`ended after ${LONGEST / 1000} s`);
  end(1);
}, LONGEST).unref();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(1));
process.on('uncaughtException', (error) => {
  console.error(error.message);
  end(1);
});

// What has happened to the region that was killed last: ticks.
let killed = -1;
let killedAt = Infinity;
let restoredFrom = -1;
let backAt = -1;
let settledAt = Infinity;
const firstWord = new Map<number, number>();
/** Players of the region that was killed: the first tick of which they were told again. */
const away = new Map<number, number>();
const recorder = new Recorder(size, regions.length, {
  isAway: (id, tick) =>
    tick <= (firstWord.get(id) ?? Infinity) || (away.has(id) && tick >= killedAt - 1 && tick <= away.get(id)!),
  isDown: (tick) => tick >= killedAt && tick <= settledAt,
  areCut: (region, other, tick) =>
    region !== other && (region === killed || other === killed) && tick >= killedAt && tick <= settledAt,
  ...(settings.walls === 0 ? {} : hiddenBy(settings)),
});
const latest = regions.map(() => 0);
const cpu: number[][] = regions.map(() => []);
let crossings = 0;
let crossingsWithClient = 0;
/** The latest places, for the page. */
const map = new Map<number, { entity: Entity; region: number }>();

function take({ tick, region, entities, cpu: milliseconds, handedOver, withClient }: Report): void {
  latest[region] = tick;
  cpu[region].push(milliseconds);
  crossings += handedOver;
  crossingsWithClient += withClient;
  const moved = readEntities(new DataView(entities.buffer, entities.byteOffset), 0, entities.length / ENTITY_BYTES);
  if (hasPage) for (const entity of moved) map.set(entity.id, { entity, region });
  recorder.moved(region, tick, moved);
  if (region !== killed || tick <= killedAt) return;
  if (backAt < 0) backAt = tick;
  // It has caught up, and two ticks later the others know its ghosts.
  if (settledAt === Infinity && tick >= Math.max(...latest) - 1) settledAt = tick + 3;
}

async function launch(region: number, port: number, isRestart: boolean): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('./serve.ts', import.meta.url)), { serialization: 'advanced' });
  children[region] = child;
  child.on('exit', () => {
    if (children[region] === child && !isEnding) {
      console.error(`the process of region ${region} has ended`);
      end(1);
    }
  });
  await new Promise<void>((resolve) => {
    child.on('message', (answer: Answer) => {
      if (answer.kind === 'ready') resolve();
      else if (answer.kind === 'restored') restoredFrom = answer.tick;
      else if (answer.kind === 'report') take(answer.report);
    });
    const order: Order = isRegions
      ? { kind: 'region', settings, port, region, layout, redis: { host: redis!.host, port: redis!.port }, isRestart }
      : { kind: 'room', settings, port };
    child.send(order);
  });
  return child;
}

const median = (list: number[]): number => list.sort((a, b) => a - b)[list.length >> 1] ?? 0;

if (isRegions) redis = await startRedis();
const ports: number[] = [];
for (const _ of regions) ports.push(await freePort());
await Promise.all(regions.map((region) => launch(region, ports[region], false)));
if (isRegions) for (const child of children) child!.send({ kind: 'start' } satisfies Order);
const endpoints = ports.map((port) => `http://127.0.0.1:${port}`);
const begun = Date.now();

const bots = Array.from(
  { length: botCount },
  () =>
    new Bot(size, (bot, told, isOwner) => {
      if (!firstWord.has(bot.id)) firstWord.set(bot.id, told.tick);
      if (isOwner && away.get(bot.id) === Infinity && told.tick > killedAt) away.set(bot.id, told.tick);
      recorder.told(bot.id, told, isOwner);
    }),
);
const players = createEntities(settings.entities, settings.players, size, settings.seed).filter(
  ({ isPlayer }) => isPlayer,
);
const home = (k: number): number => (isRegions ? regionAt(layout, players[k].x, players[k].z) : 0);
// Twenty at a time.
for (let k = 0; k < bots.length; k += 20)
  await Promise.all(
    bots.slice(k, k + 20).map((bot, at) => {
      const order = regions.map((region) => (region + home(k + at)) % regions.length);
      return bot.join(
        order.map((region) => endpoints[region]),
        order.map((region) => names[region]),
      );
    }),
  );
const joinedAt = Math.max(...latest);
console.log(`${bots.length} bots joined in ${((Date.now() - begun) / 1000).toFixed(1)} s, by tick ${joinedAt}`);

async function kill(region: number): Promise<void> {
  const child = children[region]!;
  children[region] = undefined;
  const names = bots.filter(({ owner }) => owner === `region${region}`);
  killed = region;
  killedAt = latest[region] + 1;
  [restoredFrom, backAt, settledAt] = [-1, -1, Infinity];
  for (const { id } of names) away.set(id, Infinity);
  child.kill('SIGKILL');
  const at = Date.now();
  await launch(region, ports[region], true);
  console.log(
    `region ${region} was killed in tick ${killedAt - 1}; it is back after ${((Date.now() - at) / 1000).toFixed(1)} s`,
  );
}

if (hasPage) {
  const page = await servePage(
    { size, layout: isRegions ? layout : null, margin: settings.margin, endpoints, names },
    map,
    (region) => children[region] === undefined || (region === killed && backAt < 0),
    async (region) => {
      // One at a time: two that are down at once would wait for each other's first word.
      if (isRegions && children.every((child) => child !== undefined)) await kill(region);
    },
  );
  console.log(`the page: ${page} (for ${ticks} ticks; end it by Ctrl+C)`);
}

const last = joinedAt + ticks;
let hasKilled = false;
let round = 0;
while (Math.min(...latest) < last) {
  await new Promise((resolve) => setTimeout(resolve, 200));
  round++;
  for (const [k, bot] of bots.entries()) {
    if ((round + k) % 10 === 0) bot.turn();
    const at = regions.map((region) => (region + k) % regions.length);
    if (bot.isForgotten)
      void bot
        .rejoin(
          at.map((region) => endpoints[region]),
          at.map((region) => names[region]),
        )
        .catch(() => {});
  }
  // On a busy machine words of rooms come later than their reports.
  recorder.check(Math.min(...latest, median(bots.map(({ lastTick }) => lastTick))) - 20);
  if (kills && !hasKilled && Math.min(...latest) > joinedAt + 20) {
    hasKilled = true;
    await kill(KILLED);
  }
}
// The last words are on their way.
for (let wait = 0; wait < 50 && bots.some(({ lastTick }) => lastTick < last); wait++)
  await new Promise((resolve) => setTimeout(resolve, 200));
recorder.check(last);
for (const bot of bots) bot.end();

const { counts } = recorder;
const [bytes, told] = [bots.reduce((sum, bot) => sum + bot.bytes, 0), bots.reduce((sum, bot) => sum + bot.entities, 0)];
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${settings.entities} entities, ${bots.length} players, step ${size.step} m, tick ${settings.tickMs} ms, walls ${settings.walls}`,
);
console.table(counts);
if (isRegions) console.log(`crossings ${crossings}, of these with a client ${crossingsWithClient}`);
console.log(
  `CPU a tick, ms, median: ${cpu.map((list) => median(list).toFixed(1)).join(', ')}; bytes an entity in range and tick ${(bytes / told).toFixed(1)}`,
);
let faults = faultsOf(counts);
if (kills) {
  const gaps = [...recorder.gapsOf.keys()].filter((id) => !away.has(id)).length;
  const back = [...away.values()].filter((tick) => tick < Infinity);
  console.log(
    `killed: back in tick ${backAt}, set back by ${killedAt - 1 - restoredFrom} ticks; its clients ${away.size}, of these again told ${back.length}, the last one from tick ${Math.max(...back)} on; clients of neighbours with a gap ${gaps}`,
  );
  if (killedAt - 1 - restoredFrom > 10 || back.length < away.size || backAt < 0) faults++;
}
console.log(faults === 0 ? 'all as it should be' : `${faults} faults`);
end(faults === 0 ? 0 : 1);
