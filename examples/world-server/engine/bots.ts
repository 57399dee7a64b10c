// Players without a person: each joins a room, walks, takes the seats that it is offered, and passes on what it is
// told.

import { Client, type Room, type SeatReservation } from 'colyseus.js';
import { readTold, SEAT, type Told, TOLD_BY_OTHER, TOLD_BY_OWNER, TURN, WELCOME } from '../messages.ts';
import type { WorldSize } from '../world.ts';

/** Bytes of a message beside those of `ToldWriter`: the frame of the web socket, the protocol, the type. */
const overhead = (length: number): number => (length + 2 < 126 ? 2 : 4) + 2;
/** Milliseconds without a word after which a bot joins again: with the room that served it, and without it. */
const LONGEST_SILENCE = 15_000;
const ALONE = 3000;
/** Milliseconds from trial to trial. */
const RETRY = 500;

export class Bot {
  id = -1;
  token: string | undefined;
  bytes = 0;
  /** Entities that it was told of, over all messages. */
  entities = 0;
  /** The last tick of which it was told by the room that owns it, and when that came. */
  lastTick = -1;
  lastWord = 0;
  /** The name of that room. */
  owner = '';
  isEnded = false;
  private readonly rooms = new Map<string, Room>();
  private readonly size: WorldSize;
  private readonly told: (bot: Bot, told: Told, isOwner: boolean) => void;

  constructor(size: WorldSize, told: (bot: Bot, told: Told, isOwner: boolean) => void) {
    this.size = size;
    this.told = told;
  }

  /** Joins one of the rooms, the first that has a place. Tries again a few times. */
  async join(endpoints: readonly string[], names: readonly string[], trials = 20): Promise<void> {
    for (let trial = 0; trial < trials && !this.isEnded; trial++) {
      const client = new Client(endpoints[trial % endpoints.length]);
      const name = names[trial % names.length];
      try {
        this.attach(client, await client.join(name, this.token === undefined ? {} : { token: this.token }));
        this.lastWord = Date.now();
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY));
      }
    }
    if (!this.isEnded) throw new Error(`a bot could not join any of ${names.join(', ')} in ${trials} trials`);
  }

  private attach(client: Client, room: Room): void {
    this.rooms.set(room.name, room);
    room.onMessage(WELCOME, ({ id, token }: { id: number; token?: string }) => {
      this.id = id;
      this.token = token;
    });
    for (const type of [TOLD_BY_OTHER, TOLD_BY_OWNER])
      room.onMessage(type, (bytes: Uint8Array) => this.hear(room, bytes, type === TOLD_BY_OWNER));
    room.onMessage(SEAT, (seat: SeatReservation) => {
      if (this.rooms.has(seat.room.name) || this.isEnded) return;
      this.lastWord = Date.now();
      client
        .consumeSeatReservation(seat)
        .then((next) => this.attach(client, next))
        .catch(() => {});
    });
    room.onLeave(() => {
      if (this.rooms.get(room.name) === room) this.rooms.delete(room.name);
    });
    room.onError(() => {});
  }

  private hear(room: Room, bytes: Uint8Array, isOwner: boolean): void {
    const told = readTold(bytes, this.size);
    if (isOwner) {
      this.lastWord = Date.now();
      this.lastTick = told.tick;
      this.owner = room.name;
      this.bytes += bytes.length + overhead(bytes.length);
      this.entities += told.others.length;
    }
    this.id = told.self.id;
    this.told(this, told, isOwner);
  }

  /** Walks in a direction, 256 to a full turn. */
  turn(direction = Math.floor(Math.random() * 256)): void {
    this.rooms.get(this.owner)?.sendBytes(TURN, new Uint8Array([direction]));
  }

  /** The rooms that it is in. */
  get roomNames(): string[] {
    return [...this.rooms.keys()].sort();
  }

  /** Whether it has been told nothing for so long that it should join again. */
  get isForgotten(): boolean {
    if (this.isEnded || this.lastWord === 0) return false;
    return Date.now() - this.lastWord > (this.rooms.has(this.owner) ? LONGEST_SILENCE : ALONE);
  }

  /** Gives up all connections, and joins again with its token. */
  async rejoin(endpoints: readonly string[], names: readonly string[]): Promise<void> {
    this.lastWord = 0;
    for (const room of this.rooms.values()) void room.leave(false).catch(() => {});
    this.rooms.clear();
    await this.join(endpoints, names, 40);
  }

  end(): void {
    this.isEnded = true;
    for (const room of this.rooms.values()) room.connection.close();
  }
}
