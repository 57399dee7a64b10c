// The CPU time of a tick in three ways, in one process and without sockets: the bytes of this example; StateView of
// @colyseus/schema, told of enter and leave by the same contacts; and all pairs in place of the octree. `npm run
// compare`. Ratios count; the machine decides on the milliseconds.

import { Encoder, MapSchema, schema, StateView } from '@colyseus/schema';
import { Octree, trackContacts } from '../../../src/core.ts';
import { Interest } from '../interest.ts';
import { ToldWriter } from '../messages.ts';
import { createEntities, type Entity, walk, WORLD, type WorldSize } from '../world.ts';

const TICKS = 30;
const WARM_UP = 10;
const size: WorldSize = WORLD;

const EntityState = schema({ x: 'float32', y: 'float32', z: 'float32' });
const WorldState = schema({ entities: { map: EntityState, view: true } });
type Fields = InstanceType<typeof EntityState>;

/** One tick of a way: milliseconds of the CPU, and how many bytes it makes for all players. */
type Tick = (entities: ReadonlyMap<number, Entity>, tick: number) => { readonly bytes: number; readonly told: number };

function bytesOfThisExample(): Tick {
  const interest = new Interest(size);
  return (entities, tick) => {
    let [bytes, told] = [0, 0];
    interest.tick(
      tick,
      entities,
      ({ isPlayer }) => isPlayer,
      (_entity, message) => {
        // Frame, protocol and type.
        bytes += message.length + (message.length + 2 < 126 ? 4 : 6);
        told += (message.length - 12) / 8;
      },
    );
    return { bytes, told };
  };
}

function stateView(first: ReadonlyMap<number, Entity>): Tick {
  // With the default of 8 kB a larger patch is wrong without an error.
  Encoder.BUFFER_SIZE = 4 * 1024 * 1024;
  const state = new WorldState() as InstanceType<typeof WorldState> & { entities: MapSchema<Fields> };
  state.entities = new MapSchema<Fields>();
  const fields = new Map<number, Fields>();
  for (const [id, { x, y, z }] of first) {
    const one = new EntityState().assign({ x, y, z });
    fields.set(id, one);
    state.entities.set(`${id}`, one);
  }
  const encoder = new Encoder(state);
  const views = new Map([...first.values()].filter(({ isPlayer }) => isPlayer).map(({ id }) => [id, new StateView()]));
  const octree = new Octree<number>();
  const bodies = new Map(
    [...first].map(([id, entity]) => [
      id,
      octree.insert({ center: entity, radius: 0 }, id, { mask: entity.isPlayer ? 3 : 1 }),
    ]),
  );
  const near = trackContacts(octree, { within: size.radius, hysteresis: size.hysteresis, mask: 2, otherMask: 1 });
  return (entities) => {
    for (const [id, { x, y, z }] of entities) {
      Object.assign(fields.get(id)!, { x, y, z });
      bodies.get(id)!.setCenter({ x, y, z });
    }
    octree.update();
    for (const [list, act] of [
      [near.began, 'add'],
      [near.ended, 'remove'],
    ] as const)
      for (let k = 0; k < list.length; k++) {
        const view = views.get(near.bodyAt(list.array[k]).data);
        view?.[act](fields.get(near.bodyAt(list.array[k ^ 1]).data)!);
      }
    const it = { offset: 0 };
    encoder.encode(it);
    const shared = it.offset;
    let bytes = 0;
    for (const view of views.values()) {
      const at = { offset: shared };
      bytes += encoder.encodeView(view, shared, at).length;
    }
    encoder.discardChanges();
    return { bytes, told: 2 * near.count };
  };
}

/** Interest alone: who is told of whom, by a loop, and then the same bytes. */
function allPairs(): Tick {
  const writer = new ToldWriter(size);
  return (entities, tick) => {
    const list = [...entities.values()];
    const flat = Float64Array.from(list.flatMap(({ x, y, z }) => [x, y, z]));
    const isPlayer = Uint8Array.from(list, ({ isPlayer }) => Number(isPlayer));
    const players = list.flatMap(({ isPlayer }, k) => (isPlayer ? [k] : []));
    const pairs: number[] = [];
    const limit = size.radius ** 2;
    for (const a of players)
      for (let b = 0; b < list.length; b++) {
        const [dx, dz] = [flat[3 * a] - flat[3 * b], flat[3 * a + 2] - flat[3 * b + 2]];
        const dy = flat[3 * a + 1] - flat[3 * b + 1];
        if (dx * dx + dy * dy + dz * dz <= limit && b !== a && (isPlayer[b] === 0 || a < b)) pairs.push(a, b);
      }
    for (const [k, { id, x, y, z }] of list.entries()) writer.setPlace(k, id, x, y, z);
    let bytes = 0;
    writer.write(
      tick,
      players,
      [{ array: Uint32Array.from(pairs), length: pairs.length }],
      isPlayer,
      (_player, message) => (bytes += message.length),
    );
    return { bytes, told: pairs.length };
  };
}

const median = (list: number[]): number => list.sort((a, b) => a - b)[list.length >> 1];

/** Runs ways tick by tick in turn, so that a busy machine slows all of them. */
function compare(
  count: number,
  players: number,
  ways: Record<string, (first: ReadonlyMap<number, Entity>) => Tick>,
): Record<string, number> {
  const entities = new Map(createEntities(count, players, size).map((entity) => [entity.id, entity]));
  const ticks = Object.entries(ways).map(([name, create]) => ({
    name,
    tick: create(entities),
    times: [] as number[],
    bytes: 0,
    told: 0,
  }));
  for (let tick = 1; tick <= WARM_UP + TICKS; tick++) {
    for (const entity of entities.values()) walk(entity, size);
    for (const way of ticks) {
      const before = process.cpuUsage();
      const { bytes, told } = way.tick(entities, tick);
      const { user, system } = process.cpuUsage(before);
      if (tick <= WARM_UP) continue;
      way.times.push((user + system) / 1000);
      way.bytes += bytes;
      way.told += told;
    }
  }
  const row: Record<string, number> = {};
  for (const { name, times, bytes, told } of ticks) {
    row[`${name}, ms`] = Number(median(times).toFixed(2));
    if (name === 'bytes') row['bytes an entity'] = Number((bytes / told).toFixed(1));
  }
  return row;
}

const rows = {
  '5,000 / 500': compare(5000, 500, { bytes: bytesOfThisExample, StateView: stateView, 'all pairs': allPairs }),
  '10,000 / 500': compare(10_000, 500, { bytes: bytesOfThisExample, 'all pairs': allPairs }),
  '5,000 / 1,000': compare(5000, 1000, { bytes: bytesOfThisExample, 'all pairs': allPairs }),
  '50,000 / 2,000': compare(50_000, 2000, { bytes: bytesOfThisExample }),
};
console.table(rows);
const [base, entities, players] = [rows['5,000 / 500'], rows['10,000 / 500'], rows['5,000 / 1,000']];
const checks: [string, number, number][] = [
  ['of the CPU of StateView, at most 1/20', base['bytes, ms'] / base['StateView, ms'], 1 / 20],
  ['of the CPU of all pairs, with the bytes, at most 1/10', base['bytes, ms'] / base['all pairs, ms'], 1 / 10],
  ['times the tick for twice the entities, at most 3', entities['bytes, ms'] / base['bytes, ms'], 3],
  ['times the tick for twice the players, at most 3', players['bytes, ms'] / base['bytes, ms'], 3],
  ['bytes an entity in range and tick, at most 11', base['bytes an entity'], 11],
];
for (const [what, value, limit] of checks)
  console.log(`${value.toFixed(3)} ${what}${value > limit ? ': TOO MUCH' : ''}`);
process.exitCode = checks.some(([, value, limit]) => value > limit) ? 1 : 0;
