import { describe, expect, it } from 'vitest';
import {
  type BorderMessage,
  type Kept,
  neighboursOf,
  RegionState,
  regionAt,
  restore,
} from '../../examples/world-server/borders.ts';
import { Interest } from '../../examples/world-server/interest.ts';
import { quantum, readBorder, readTold, ToldWriter, writeBorder } from '../../examples/world-server/messages.ts';
import { Recorder, type Counts } from '../../examples/world-server/recorder.ts';
import { createEntities, type Entity, turn, walk, type WorldSize } from '../../examples/world-server/world.ts';
import { createRandom } from '../support/random.ts';

const SIZE: WorldSize = { edge: 800, height: 20, step: 12, radius: 100, hysteresis: 0.1 };
const LAYOUT = { columns: 2, rows: 2, edge: SIZE.edge };
const MARGIN = SIZE.radius * (1 + SIZE.hysteresis) + 2 * SIZE.step + 20;

/** Delivers messages late, in any order, and some of them twice; as bytes. */
class Network {
  private waiting: { readonly to: number; readonly bytes: Uint8Array; delay: number }[] = [];
  private readonly random = createRandom(11);
  repeated = 0;
  swapped = 0;

  send(to: number, message: BorderMessage): void {
    const bytes = writeBorder(message);
    const isRepeated = this.random.next() < 0.2;
    if (isRepeated) this.repeated++;
    for (let k = isRepeated ? 2 : 1; k > 0; k--) this.waiting.push({ to, bytes, delay: this.random.below(6) });
  }

  deliver(receive: (to: number, message: BorderMessage) => void): void {
    const due = this.waiting.filter((letter) => letter.delay-- <= 0);
    this.waiting = this.waiting.filter((letter) => !due.includes(letter));
    for (let last = -1; due.length > 0;) {
      const { to, bytes } = due.splice(this.random.below(due.length), 1)[0];
      const message = readBorder(bytes);
      if (message.tick < last) this.swapped++;
      last = message.tick;
      receive(to, message);
    }
  }
}

/** Four regions in one process, each with its players, over a bad network. */
function runRegions(ticks: number, margin: number): { counts: Counts; crossings: number; network: Network } {
  const entities = createEntities(400, 80, SIZE, 3);
  const random = createRandom(5);
  const network = new Network();
  const recorder = new Recorder(SIZE, 4);
  const regions = [0, 1, 2, 3].map(
    (k) =>
      new RegionState(
        LAYOUT,
        k,
        margin,
        entities.filter(({ x, z }) => regionAt(LAYOUT, x, z) === k),
      ),
  );
  const interests = regions.map(() => new Interest(SIZE));
  // The same world in one piece. It is the truth to which the regions are compared.
  const whole = new Map(entities.map((entity) => [entity.id, { ...entity }]));
  const places: Map<number, Entity>[] = [];
  const angles = Array.from({ length: ticks + 1 }, () => random.between(0, 2 * Math.PI));
  const move = (entity: Entity, tick: number): void => {
    // Players turn all at once, so that many are driven back and forth over a border.
    if (entity.isPlayer && tick % 10 === 0) turn(entity, angles[tick] + entity.id, SIZE);
    walk(entity, SIZE);
  };
  for (let tick = 1; tick <= ticks; tick++) {
    for (const entity of whole.values()) move(entity, tick);
    places[tick] = new Map([...whole].map(([id, entity]) => [id, { ...entity }]));
  }
  const send = (region: RegionState): void => {
    for (const [to, message] of region.messages()) network.send(to, message);
  };
  for (const region of regions) send(region);
  let crossings = 0;
  let astray = 0;
  for (let round = 0; regions.some(({ tick }) => tick < ticks); round++) {
    if (round > 40 * ticks) throw new Error('the regions do not go on');
    network.deliver((to, message) => regions[to].receive(message));
    for (const [k, region] of regions.entries()) {
      if (region.tick === ticks || region.missing().length > 0 || random.next() < 0.3) continue;
      crossings += region.step((entity) => move(entity, region.tick)).length;
      for (const { id, x, z } of region.moved()) {
        const place = places[region.tick].get(id)!;
        if (x !== place.x || z !== place.z) astray++;
      }
      recorder.moved(k, region.tick, region.moved());
      interests[k].tick(
        region.tick,
        region.present(),
        (entity) => entity.isPlayer && region.owns(entity.id),
        (entity, bytes) => recorder.told(entity.id, readTold(bytes, SIZE), true),
      );
      send(region);
    }
  }
  expect(astray).toBe(0);
  return { counts: recorder.finish(), crossings, network };
}

describe('borders of regions, with late, swapped and repeated messages', () => {
  it('leave no entity without owner or with two, and tell each player in each tick what a loop over all entities finds', () => {
    const { counts, crossings, network } = runRegions(72, MARGIN);
    expect(counts).toMatchObject({
      noOwner: 0,
      twoOwners: 0,
      missing: 0,
      tooFar: 0,
      wrongPlace: 0,
      gaps: 0,
      toldByOther: 0,
    });
    expect(counts.playerTicks).toBe(72 * 80);
    expect(counts.inRange).toBeGreaterThan(50_000);
    expect(crossings).toBeGreaterThan(500);
    expect(Math.min(network.repeated, network.swapped)).toBeGreaterThan(50);
  });

  it('with a margin that is too small are found out', () => {
    const { counts } = runRegions(20, 60);
    expect(counts.missing).toBeGreaterThan(100);
    expect([counts.noOwner, counts.twoOwners, counts.wrongPlace]).toEqual([0, 0, 0]);
  });
});

const entityAt = (id: number, x: number, isPlayer = false): Entity => ({
  id,
  isPlayer,
  isServed: false,
  x,
  y: 0,
  z: 0,
  vx: 0,
  vz: 0,
  seed: 1,
});
/** An entity as it was in a tick, which is its place, too. */
const keptAt = (entity: Entity, tick: number): Kept => ({ tick, entity: { ...entity, x: tick } });

describe('the recorder', () => {
  const size = { ...SIZE, hysteresis: 0 };
  const self = { id: 1, x: 0, y: 0, z: 0 };
  const countsOf = (act: (recorder: Recorder) => void): Counts => {
    const recorder = new Recorder(size, 2);
    for (const tick of [1, 2]) {
      recorder.moved(0, tick, [entityAt(1, 0, true), entityAt(2, 50)]);
      recorder.moved(1, tick, [entityAt(3, 300)]);
    }
    recorder.told(1, { tick: 1, self, others: [{ id: 2, x: 50, y: 0, z: 0 }] }, true);
    act(recorder);
    return recorder.finish();
  };
  it.each<[keyof Counts, number, (recorder: Recorder) => void]>([
    ['missing', 1, (recorder) => recorder.told(1, { tick: 2, self, others: [] }, true)],
    [
      'tooFar',
      1,
      (recorder) =>
        recorder.told(
          1,
          {
            tick: 2,
            self,
            others: [
              { id: 2, x: 50, y: 0, z: 0 },
              { id: 3, x: 300, y: 0, z: 0 },
            ],
          },
          true,
        ),
    ],
    ['wrongPlace', 1, (recorder) => recorder.told(1, { tick: 2, self, others: [{ id: 2, x: 70, y: 0, z: 0 }] }, true)],
    ['gaps', 1, () => {}],
    [
      'noOwner',
      1,
      (recorder) => {
        recorder.moved(0, 3, [entityAt(1, 0, true), entityAt(2, 50)]);
        recorder.moved(1, 3, []);
      },
    ],
    [
      'twoOwners',
      1,
      (recorder) => {
        recorder.moved(0, 3, [entityAt(1, 0, true), entityAt(2, 50)]);
        recorder.moved(1, 3, [entityAt(2, 50), entityAt(3, 300)]);
      },
    ],
    [
      'toldByOther',
      1,
      (recorder) => recorder.told(1, { tick: 2, self, others: [{ id: 2, x: 50, y: 0, z: 0 }] }, false),
    ],
  ])('counts %s', (name, count, act) => {
    expect(countsOf(act)[name]).toBe(count);
  });

  it('counts nothing if all is as it should be', () => {
    const counts = countsOf((recorder) =>
      recorder.told(1, { tick: 2, self, others: [{ id: 2, x: 50, y: 0, z: 0 }] }, true),
    );
    expect(counts).toMatchObject({
      missing: 0,
      tooFar: 0,
      wrongPlace: 0,
      gaps: 0,
      noOwner: 0,
      twoOwners: 0,
      toldByOther: 0,
      playerTicks: 2,
    });
  });
});

describe('a region after a crash', () => {
  it('has what it owned in the last snapshot, without what it has handed away, with what was handed to it', () => {
    const [gone, back, here, new_] = createEntities(4, 0, SIZE);
    const owners = new Map([
      [gone.id, 1],
      [back.id, 0],
      [here.id, 0],
      [new_.id, 0],
    ]);
    const snapshot = [gone, back, here].map((entity) => keptAt(entity, 10));
    // Handed away in tick 12; to another and back in 12 and 14; handed in before the snapshot; handed in after it.
    const handovers = [keptAt(gone, 12), keptAt(back, 14), keptAt(here, 5), keptAt(new_, 13)];
    const restored = new Map(restore(0, owners, snapshot, handovers).map(({ id, x }) => [id, x]));
    expect(restored).toEqual(
      new Map([
        [back.id, 14],
        [here.id, 10],
        [new_.id, 13],
      ]),
    );
  });

  it('goes on with its neighbours: nothing is lost or doubled, and no neighbour waits for it meanwhile', () => {
    const entities = createEntities(300, 0, SIZE, 8);
    const create = (k: number): RegionState =>
      new RegionState(
        LAYOUT,
        k,
        MARGIN,
        entities.filter(({ x, z }) => regionAt(LAYOUT, x, z) === k),
      );
    const regions = [0, 1, 2, 3].map(create);
    const owners = new Map(entities.map(({ id, x, z }) => [id, regionAt(LAYOUT, x, z)]));
    const handovers = new Map<number, Kept>();
    let snapshot: Kept[] = [];
    const send = (k: number): void => {
      for (const [to, message] of regions[k].messages())
        if (!(to === 1 && isDown)) regions[to].receive(readBorder(writeBorder(message)));
    };
    const step = (k: number): void => {
      if (regions[k].missing().length > 0) return;
      for (const { entity, to } of regions[k].step((one) => walk(one, SIZE))) {
        owners.set(entity.id, to);
        handovers.set(entity.id, { tick: regions[k].tick, entity: { ...entity } });
      }
      if (k === 1 && regions[1].tick % 10 === 0)
        snapshot = [...regions[1].owned.values()].map((entity) => ({ tick: regions[1].tick, entity: { ...entity } }));
      send(k);
    };
    let isDown = false;
    for (let k = 0; k < 4; k++) send(k);
    for (let round = 0; round < 36; round++) for (let k = 0; k < 4; k++) step(k);
    expect(regions.map(({ tick }) => tick)).toEqual([36, 36, 36, 36]);
    isDown = true;
    const seenAt = new Map([...regions[1].owned].map(([id, { x, z }]) => [id, { x, z }]));
    // They wait for it ...
    for (let round = 0; round < 5; round++) for (const k of [0, 2, 3]) step(k);
    expect(regions[0].tick).toBeLessThan(38);
    // ... until its time is up.
    for (const k of [0, 2, 3]) regions[k].lose(1);
    for (let round = 0; round < 20; round++) for (const k of [0, 2, 3]) step(k);
    expect(regions[0].tick).toBeGreaterThan(54);
    isDown = false;
    const kept = restore(1, owners, snapshot, [...handovers.values()]);
    for (const { id, x, z } of kept) {
      const before = seenAt.get(id);
      if (before !== undefined)
        expect(Math.hypot(x - before.x, z - before.z)).toBeLessThanOrEqual(10 * SIZE.step + 1e-3);
    }
    regions[1] = new RegionState(LAYOUT, 1, MARGIN, kept, Math.max(...[0, 2, 3].map((k) => regions[k].tick)));
    for (const k of [0, 2, 3]) send(k);
    send(1);
    for (let round = 0; round < 30; round++) for (let k = 0; k < 4; k++) step(k);
    expect(Math.min(...regions.map(({ tick }) => tick))).toBeGreaterThan(70);
    expect([...regions[0].neighbours.values()].every(({ isAlive }) => isAlive)).toBe(true);
    // All have done the same tick, or one more; what is on its way is in no `owned` for one tick.
    const ids = regions.flatMap((region) => region.moved().map(({ id }) => id));
    expect(new Set(ids).size).toBe(entities.length);
    expect(ids.length).toBe(entities.length);
  });
});

describe('messages', () => {
  it('of a border come back as they were written', () => {
    const [a, b, c] = createEntities(3, 2, SIZE);
    const message = { from: 3, tick: 70_000, handedOver: [a], ghosts: [b, c] };
    expect(readBorder(writeBorder(message))).toEqual(message);
    expect(writeBorder(message).length).toBe(12 + 3 * 28);
  });

  it('tell each player of a pair of the other, at places as near as the quantum, also from an odd offset', () => {
    const size = { ...SIZE, edge: 4000 };
    const writer = new ToldWriter(size);
    const entities = createEntities(4, 2, size);
    for (const [k, { id, x, y, z }] of entities.entries()) writer.setPlace(k, id, x, y, z);
    const told = new Map<number, ReturnType<typeof readTold>>();
    // Pairs 0+1 and 1+3, of which 0 and 1 are players.
    writer.write(
      70_001,
      [0, 1],
      [{ array: new Uint32Array([0, 1, 1, 3]), length: 4 }],
      new Uint8Array([1, 1, 0, 0]),
      (player, bytes) => {
        const odd = new Uint8Array(bytes.length + 1);
        odd.set(bytes, 1);
        told.set(player, readTold(odd.subarray(1), size));
      },
    );
    const idsOf = (k: number): number[] => told.get(k)!.others.map(({ id }) => id);
    expect([idsOf(0), idsOf(1)]).toEqual([[entities[1].id], [entities[0].id, entities[3].id]]);
    expect(told.get(0)!.tick).toBe(70_001);
    for (const place of [told.get(0)!.self, ...told.get(1)!.others]) {
      const entity = entities.find(({ id }) => id === place.id)!;
      expect(Math.hypot(place.x - entity.x, place.z - entity.z)).toBeLessThan(quantum(size));
    }
  });
});

it('neighbours of a region touch it, also at a corner', () => {
  expect(neighboursOf({ columns: 3, rows: 2, edge: 1 }, 0)).toEqual([1, 3, 4]);
  expect(neighboursOf({ columns: 2, rows: 2, edge: 1 }, 3)).toEqual([0, 1, 2]);
});
