// One region: a room in a process of its own, joined to its neighbours by Redis. The rules are in borders.ts; this file
// carries the messages, keeps the clock, and gives clients a seat in the next room.
//
// Keys in Redis: `owner` (entity to region), `handed` (entity to its state when it was last handed over), `snapshot:K`,
// `token` (the secret of a client to its entity), `taken` (entities that have a client).

import { randomBytes } from 'node:crypto';
import { type Client, matchMaker } from '@colyseus/core';
import { Redis } from 'ioredis';
import { distanceToRegion, type Kept, type Layout, neighboursOf, RegionState, regionAt, restore } from '../borders.ts';
import { Interest } from '../interest.ts';
import { ENTITY_BYTES, readBorder, readEntities, SEAT, WELCOME, writeBorder, writeEntities } from '../messages.ts';
import { PlayersRoom } from './players-room.ts';
import type { Report, Settings } from '../settings.ts';
import { createEntities, type Entity, walk } from '../world.ts';

/** Ticks from snapshot to snapshot. */
export const SNAPSHOT_TICKS = 10;
/**
 * Metres before the border at which a client gets a seat in the next room, and beyond it at which it leaves the old.
 */
const SEAT_AT = 60;
const LEAVE_AT = 80;
/** Waits for the first word of all neighbours after a restart, in milliseconds. */
const FIRST_WORD = 10_000;

export interface RegionSettings extends Settings {
  readonly region: number;
  readonly layout: Layout;
  readonly redis: { readonly host: string; readonly port: number };
  readonly isRestart: boolean;
  readonly report: (report: Report) => void;
  readonly restored: (tick: number, entities: number) => void;
  readonly ready: () => void;
}

export class RegionRoom extends PlayersRoom {
  private borders: RegionState | undefined;
  private settings!: RegionSettings;
  private redis!: Redis;
  private interest!: Interest;
  private due = 0;
  private timer: NodeJS.Timeout | undefined;
  /** Client and neighbour that have a seat, or one on its way. */
  private readonly seats = new Map<string, Set<number>>();

  override async onCreate(settings: RegionSettings): Promise<void> {
    this.settings = settings;
    this.listen(settings.size);
    this.interest = new Interest(settings.size);
    this.redis = new Redis(settings.redis);
    const subscriber = new Redis(settings.redis);
    const early: Buffer[] = [];
    let heard = (): void => {};
    subscriber.on('messageBuffer', (_channel: Buffer, bytes: Buffer) => {
      if (this.borders === undefined) {
        early.push(bytes);
        return heard();
      }
      this.borders.receive(readBorder(bytes));
      this.pump();
    });
    await subscriber.subscribe(`border:${settings.region}`);
    settings.ready();
    if (!settings.isRestart) return;
    // The others count this region as dead and hand nothing to it, as soon as they speak again.
    const neighbours = neighboursOf(settings.layout, settings.region);
    const since = Date.now();
    const all = (): boolean => new Set(early.map((bytes) => readBorder(bytes).from)).size === neighbours.length;
    while (!all() && Date.now() - since < FIRST_WORD)
      await new Promise<void>((resolve) => {
        heard = resolve;
        setTimeout(resolve, 100);
      });
    const { entities, tick } = await this.load();
    const now = Math.max(tick, ...early.map((bytes) => readBorder(bytes).tick));
    settings.restored(tick, entities.length);
    this.begin(entities, now);
    for (const bytes of early) this.borders!.receive(readBorder(bytes));
    this.pump();
  }

  /** Begins a new world. All regions must be ready. */
  start(): void {
    const { entities, layout, players, region, seed, size } = this.settings;
    const own = createEntities(entities, players, size, seed).filter(({ x, z }) => regionAt(layout, x, z) === region);
    void this.redis.hset('owner', ...own.flatMap(({ id }) => [id, region]));
    this.begin(own, 0);
  }

  private begin(entities: readonly Entity[], tick: number): void {
    const { layout, margin, region } = this.settings;
    for (const entity of entities) entity.isServed = false;
    this.borders = new RegionState(layout, region, margin, entities, tick);
    this.due = Date.now();
    this.publish([]);
    this.pump();
  }

  private async load(): Promise<{ entities: Entity[]; tick: number }> {
    const { region } = this.settings;
    const [owner, snapshot, handed] = await Promise.all([
      this.redis.hgetall('owner'),
      this.redis.getBuffer(`snapshot:${region}`),
      this.redis.hvalsBuffer('handed'),
    ]);
    const owners = new Map(Object.entries(owner).map(([id, value]) => [Number(id), Number(value)]));
    const kept = snapshot === null ? [] : readKept(snapshot);
    return { entities: restore(region, owners, kept, handed.flatMap(readKept)), tick: kept[0]?.tick ?? 0 };
  }

  /** Does all ticks that are due and have what they need. */
  private pump(): void {
    const { borders: state, settings } = this;
    if (state === undefined) return;
    clearTimeout(this.timer);
    let now = Date.now();
    while (now >= this.due) {
      const missing = state.missing();
      if (missing.length > 0) {
        if (now - this.due < settings.silence) break;
        for (const region of missing) {
          state.lose(region);
          // Its seats are gone with it: clients near the border get new ones once it is back.
          for (const seats of this.seats.values()) seats.delete(region);
        }
      }
      this.tick(state);
      now = Date.now();
      // A region that is late catches up, but not more than the time of a silence.
      this.due = Math.max(this.due + settings.tickMs, now - settings.silence + settings.tickMs);
    }
    this.timer = setTimeout(() => this.pump(), Math.max(5, this.due - now));
  }

  private tick(state: RegionState): void {
    const before = process.cpuUsage();
    const { size, region, report } = this.settings;
    const handedOver = state.step((entity) => walk(entity, size));
    for (const entity of state.moved()) entity.isServed = this.clientOf.has(entity.id);
    this.publish(handedOver);
    const present = state.present();
    this.interest.tick(state.tick, present, ({ id }) => this.clientOf.has(id), this.tell);
    this.moveClients(state, present);
    const { user, system } = process.cpuUsage(before);
    const moved = state.moved();
    const entities = new Uint8Array(ENTITY_BYTES * moved.length);
    writeEntities(new DataView(entities.buffer), 0, moved);
    const withClient = handedOver.filter(({ entity }) => this.clientOf.has(entity.id)).length;
    report({
      tick: state.tick,
      region,
      entities,
      cpu: (user + system) / 1000,
      handedOver: handedOver.length,
      withClient,
    });
  }

  /** Owner record and messages in one transaction: a crash leaves one owner. */
  private publish(handedOver: readonly { readonly entity: Entity; readonly to: number }[]): void {
    const state = this.borders!;
    const multi = this.redis.multi();
    for (const { entity, to } of handedOver) {
      multi.hset('owner', entity.id, to);
      multi.hset('handed', entity.id, keptBytes(state.tick, [entity]));
    }
    if (state.tick % SNAPSHOT_TICKS === 0)
      multi.set(`snapshot:${this.settings.region}`, keptBytes(state.tick, [...state.owned.values()]));
    for (const [to, message] of state.messages()) multi.publish(`border:${to}`, Buffer.from(writeBorder(message)));
    multi.exec().catch((error: unknown) => {
      console.error('Redis is gone; this region ends, and is restored by its supervisor.', error);
      process.exit(1);
    });
  }

  /** Gives clients near a border a seat beyond it, and sends those away that are served there. */
  private moveClients(state: RegionState, present: ReadonlyMap<number, Entity>): void {
    const { layout, region } = this.settings;
    for (const [id, client] of this.clientOf) {
      const entity = present.get(id);
      if (entity === undefined) continue;
      const { x, z } = entity;
      if (!state.owns(id)) {
        if (entity.isServed && distanceToRegion(layout, region, x, z) > LEAVE_AT) client.leave();
        continue;
      }
      for (const [to, { isAlive }] of state.neighbours)
        if (isAlive && distanceToRegion(layout, to, x, z) <= SEAT_AT) void this.sendSeat(client, to);
        else if (distanceToRegion(layout, to, x, z) > LEAVE_AT) this.seats.get(client.sessionId)?.delete(to);
    }
  }

  private async sendSeat(client: Client, to: number): Promise<boolean> {
    const seats = this.seats.get(client.sessionId) ?? new Set();
    this.seats.set(client.sessionId, seats);
    if (seats.has(to)) return true;
    seats.add(to);
    try {
      const { token } = client.userData as { token: string };
      // The newest room of the name: that of a process that was killed stays listed for a while.
      const [room] = await matchMaker.query({ name: `region${to}` }, { createdAt: -1 });
      client.send(SEAT, await matchMaker.reserveSeatFor(room, { token }));
      return true;
    } catch {
      // The room is not there yet: the next tick tries again.
      seats.delete(to);
      return false;
    }
  }

  override async onJoin(client: Client, options: { token?: unknown } = {}): Promise<void> {
    const { borders: state } = this;
    if (state === undefined) throw new Error('the region has not begun');
    // The token says which player a client is. A token that the server has not given counts as none.
    const given = typeof options.token === 'string' ? options.token : '';
    const known = await this.redis.hget('token', given);
    const token = known === null ? randomBytes(16).toString('hex') : given;
    const id = known === null ? await this.takeFree(state, token) : Number(known);
    this.seat(client, id);
    client.userData = { entity: id, token };
    client.send(WELCOME, { id, token, region: this.settings.region });
    if (state.owns(id)) return;
    // The entity is elsewhere: so is its room. A ghost may stay here, too.
    const owner = await this.redis.hget('owner', String(id));
    await this.sendSeat(client, Number(owner));
    if (!state.present().has(id)) client.leave();
  }

  private async takeFree(state: RegionState, token: string): Promise<number> {
    for (const { id, isPlayer } of state.owned.values())
      if (isPlayer && !this.clientOf.has(id) && (await this.redis.hsetnx('taken', String(id), '1')) === 1) {
        await this.redis.hset('token', token, id);
        return id;
      }
    throw new Error('all players of this region have a client');
  }

  override onLeave(client: Client): void {
    this.seats.delete(client.sessionId);
    this.unseat(client);
  }

  protected override ownEntity(id: number): Entity | undefined {
    if (this.borders?.owns(id) !== true) return undefined;
    return this.borders.owned.get(id) ?? this.borders.present().get(id);
  }
}

/** Entities of a tick, for a snapshot or a handover. */
function keptBytes(tick: number, entities: readonly Entity[]): Buffer {
  const bytes = Buffer.alloc(4 + ENTITY_BYTES * entities.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  view.setUint32(0, tick, true);
  writeEntities(view, 4, entities);
  return bytes;
}

function readKept(bytes: Buffer): Kept[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tick = view.getUint32(0, true);
  return readEntities(view, 4, (bytes.length - 4) / ENTITY_BYTES).map((entity) => ({ tick, entity }));
}
